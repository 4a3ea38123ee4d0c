//! `git rapid resolve`: the arguments and what becomes of them.

use crate::cli::{Status, failure::Failure, session::Session};

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Records of the events, by 8 digits or more
    #[arg(required = true, value_name = "EVENT")]
    pub events: Vec<String>,
    /// Your words
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        session.unwired("resolve", &self)
    }
}
