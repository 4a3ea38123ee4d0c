//! `git rapid resolve`: the arguments and what becomes of them.

use crate::cli::render::{ConflictsView, NextView};
use crate::cli::{Status, failure::Failure, session::Session};
use crate::porcelain::{self, resolve::Request};

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
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        let request = Request {
            events: self.events,
            reason: self.reason,
        };
        let prepared = porcelain::resolve::prepare(&ctx, &request)?;
        let typed = session.ask(
            &ConflictsView {
                conflicts: prepared.conflicts.clone(),
            },
            &prepared.phrase,
        )?;
        let next = porcelain::resolve::record(&ctx, &request, &prepared, &typed)?;
        session.out.tell(&NextView {
            next,
            test_command: None,
            hooks: None,
        })?;
        Ok(Status::DONE)
    }
}
