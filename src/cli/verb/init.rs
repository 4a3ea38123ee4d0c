//! `git rapid init`: the arguments and what becomes of them.

use crate::cli::render::{InitView, UninstallView};
use crate::cli::{Status, failure::Failure, session::Session};
use crate::porcelain::{self, init::Request};

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Leave the hooks as they are: commits are not guarded
    #[arg(long)]
    pub no_hooks: bool,
    /// Take the hooks away again; what was there before gets its place back
    #[arg(long, conflicts_with = "no_hooks")]
    pub uninstall: bool,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        if self.uninstall {
            let done = porcelain::init::uninstall(&ctx)?;
            session.out.tell(&UninstallView::of(done))?;
            return Ok(Status::DONE);
        }
        let request = Request {
            no_hooks: self.no_hooks,
        };
        let done = porcelain::init::run(&ctx, request)?;
        session.out.tell(&InitView::of(&done))?;
        Ok(Status::DONE)
    }
}
