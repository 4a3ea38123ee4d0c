//! `git rapid fsck`: the arguments and what becomes of them.

use crate::cli::render::FsckView;
use crate::cli::{Status, failure::Failure, session::Session};
use crate::porcelain;

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Streams by their ref, or a run's or spec's name; without one, all
    #[arg(value_name = "STREAM")]
    pub streams: Vec<String>,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        let view = FsckView::of(porcelain::fsck::run(&ctx, &self.streams)?);
        session.out.tell(&view)?;
        Ok(Status::of(view.ok))
    }
}
