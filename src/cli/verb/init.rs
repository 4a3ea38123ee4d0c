//! `git rapid init`: the arguments and what becomes of them.

use crate::cli::render::InitView;
use crate::cli::{Status, failure::Failure, session::Session};
use crate::porcelain;

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        let done = porcelain::init::run(&ctx)?;
        session.out.tell(&InitView::of(&done))?;
        Ok(Status::DONE)
    }
}
