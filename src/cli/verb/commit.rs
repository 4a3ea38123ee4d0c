//! `git rapid commit`: the arguments and what becomes of them.

use crate::cli::{Status, failure::Failure, session::Session};
use std::ffi::OsString;

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Take what this run changed: tracked changes, and new files inside the scope
    #[arg(short = 'a', long)]
    pub all: bool,
    /// The message
    #[arg(short = 'm', long, value_name = "TEXT")]
    pub message: Option<String>,
    /// More arguments for git commit
    #[arg(last = true, value_name = "GIT COMMIT ARGUMENTS")]
    pub git_arguments: Vec<OsString>,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        session.unwired("commit", &self)
    }
}
