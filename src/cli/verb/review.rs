//! `git rapid review`: the arguments and what becomes of them.

use crate::cli::{Status, failure::Failure, session::Session};
use crate::domain::id::RunId;
use crate::porcelain::{self, review::Request};

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The run; without it, the one bound here
    #[arg(value_name = "RUN")]
    pub named: Option<RunId>,
    /// With the diff since the base, up to 200 KiB of it
    #[arg(long)]
    pub diff: bool,
    /// Judge this commit's tree instead of the working tree of the run
    #[arg(long, value_name = "REV")]
    pub commit: Option<String>,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        if let Some(run) = self.named {
            session.run = Some(run);
        }
        let ctx = session.context(&watch)?;
        session.out.tell(&porcelain::review::run(
            &ctx,
            &Request {
                commit: self.commit,
                diff: self.diff,
            },
        )?)?;
        Ok(Status::DONE)
    }
}
