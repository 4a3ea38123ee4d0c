//! `git rapid resume`: the arguments and what becomes of them.

use crate::cli::{Status, failure::Failure, session::Session};
use crate::domain::id::RunId;
use std::path::PathBuf;

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The run; without it, the one bound here
    #[arg(value_name = "RUN")]
    pub named: Option<RunId>,
    /// Make the isolated worktree at HEAD, here or where the rules put it
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true)]
    pub worktree: Option<Option<PathBuf>>,
    /// Why it can go on
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        session.unwired("resume", &self)
    }
}
