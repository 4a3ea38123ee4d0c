//! `git rapid pause`: the arguments and what becomes of them.

use crate::cli::render::NextView;
use crate::cli::{Status, failure::Failure, session::Session};
use crate::porcelain::{self, pause::Request};

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        let next = porcelain::pause::run(
            &ctx,
            &Request {
                reason: self.reason,
            },
        )?;
        session.out.tell(&NextView {
            next,
            test_command: None,
            hooks: None,
        })?;
        Ok(Status::DONE)
    }
}
