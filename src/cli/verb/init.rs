//! `git rapid init`: the arguments and what becomes of them.

use crate::cli::{Status, failure::Failure, session::Session};

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        session.unwired("init", &self)
    }
}
