//! What a verb can answer instead of an outcome.

use crate::{
    check,
    diagnostic::{Code, Refusal},
    domain::canonical::BadJson,
    git, ledger,
};
use std::path::PathBuf;

/// A refusal by a rule, or a failure underneath.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A rule said no: a value with code, facts and the next command.
    #[error("{}", .0.message)]
    Refused(Box<Refusal>),
    /// Git failed.
    #[error(transparent)]
    Git(#[from] git::Error),
    /// The ledger failed.
    #[error(transparent)]
    Ledger(#[from] ledger::Error),
    /// The run is judged by rules that are not here.
    #[error(transparent)]
    Ruleset(#[from] crate::domain::evaluate::UnsupportedRuleset),
    /// A command could not be run.
    #[error(transparent)]
    Run(#[from] check::RunError),
    /// The user wanted to stop.
    #[error("interrupted")]
    Interrupted,
    /// A file that the user named cannot be read or written.
    #[error("{doing} {path}")]
    File {
        /// What was being done, e.g. `cannot read`.
        doing: &'static str,
        /// With which file.
        path: PathBuf,
        /// The system's word.
        #[source]
        source: std::io::Error,
    },
    /// A document that was read is not JSON of the right shape.
    #[error("{what} is not valid")]
    Document {
        /// Which document.
        what: String,
        /// Why.
        #[source]
        source: BadJson,
    },
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}

impl From<ledger::AppendError<Error>> for Error {
    fn from(error: ledger::AppendError<Error>) -> Self {
        match error {
            ledger::AppendError::Ledger(error) => Self::Ledger(error),
            ledger::AppendError::Decided(error) => error,
        }
    }
}

/// A refusal in the making: `refuse(Code::X, "…").hint(…)` then `?` or `.into()`.
pub(super) fn refuse(code: Code, message: impl Into<String>) -> Refusal {
    Refusal::new(code, message)
}
