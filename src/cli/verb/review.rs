//! `git rapid review`: the arguments and what becomes of them.

use crate::cli::{Status, failure::Failure, session::Session};
use crate::domain::id::RunId;

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The run; without it, the one bound here
    #[arg(value_name = "RUN")]
    pub named: Option<RunId>,
    /// With the whole diff
    #[arg(long)]
    pub diff: bool,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        session.unwired("review", &self)
    }
}
