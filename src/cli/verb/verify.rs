//! `git rapid verify`: the arguments and what becomes of them.

use crate::cli::{Status, failure::Failure, session::Session};
use crate::porcelain::{self, verify::Request};

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A commit or a run; without it, HEAD
    #[arg(value_name = "WHAT")]
    pub what: Option<String>,
    /// Exit 1 unless a run that passed verified it
    #[arg(long)]
    pub require_pass: bool,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        let what = self.what.unwrap_or_else(|| "HEAD".to_owned());
        let done = porcelain::verify::run(&ctx, &Request { what })?;
        session.out.tell(&done)?;
        Ok(Status::of(!self.require_pass || done.passes()))
    }
}
