//! `git rapid log`: the arguments and what becomes of them.

use crate::cli::{Status, failure::Failure, session::Session};
use crate::domain::id::RunId;
use crate::porcelain;

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The run; without it the one bound here, else the list of all runs
    #[arg(value_name = "RUN")]
    pub named: Option<RunId>,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        session.out.tell(&porcelain::log::run(
            &ctx,
            self.named.as_ref().map(RunId::as_str),
        )?)?;
        Ok(Status::DONE)
    }
}
