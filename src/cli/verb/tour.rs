//! `git rapid tour`: the arguments and what becomes of them.

use crate::cli::{Status, failure::Failure, session::Session};

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Leave the scratch repository where it is and say where
    #[arg(long)]
    pub keep: bool,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        session.unwired("tour", &self)
    }
}
