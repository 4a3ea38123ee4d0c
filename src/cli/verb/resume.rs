//! `git rapid resume`: the arguments and what becomes of them.

use crate::cli::render::NextView;
use crate::cli::{Status, failure::Failure, session::Session};
use crate::domain::id::RunId;
use crate::porcelain::{self, resume::Request};
use std::path::PathBuf;

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The run; without it, the one bound here
    #[arg(value_name = "RUN")]
    pub named: Option<RunId>,
    /// Make the run's linked worktree at HEAD: in DIR, else in ../<repository>.rapid/<run>
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true)]
    pub worktree: Option<Option<PathBuf>>,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        let request = Request {
            run: self.named.map(String::from),
            worktree: self.worktree,
        };
        let prepared = porcelain::resume::prepare(&ctx, &request)?;
        let typed = match &prepared.phrase {
            Some(phrase) => Some(session.ask(&prepared.next, phrase)?),
            None => None,
        };
        let next = porcelain::resume::run(&ctx, &request, prepared, typed.as_deref())?;
        session.out.tell(&NextView {
            next,
            test_command: None,
            hooks: None,
        })?;
        Ok(Status::DONE)
    }
}
