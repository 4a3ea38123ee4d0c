//! `git rapid finish`: the arguments and what becomes of them.

use crate::cli::render::FinishView;
use crate::cli::{Status, failure::Failure, session::Session};
use crate::porcelain::{self, finish::Request};

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Judge the working tree instead of HEAD; the report says so
    #[arg(long)]
    pub uncommitted: bool,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        let done = porcelain::finish::run(
            &ctx,
            &Request {
                uncommitted: self.uncommitted,
            },
        )?;
        let finished = done.record.is_some();
        session.out.tell(&FinishView {
            next: done.next,
            report: done.report,
            record: done.record,
            run: done.run.id.to_string(),
            judged_head: !self.uncommitted,
            commands: done.commands,
            merge: done.merge,
        })?;
        Ok(Status::of(finished))
    }
}
