//! `git rapid show`: the arguments and what becomes of them.

use crate::cli::{Status, failure::Failure, session::Session};
use crate::porcelain;

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A run, a record, a spec or a commit; without it, HEAD
    #[arg(value_name = "WHAT")]
    pub what: Option<String>,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        let what = self.what.unwrap_or_else(|| "HEAD".to_owned());
        session.out.tell(&porcelain::show::run(&ctx, &what)?)?;
        Ok(Status::DONE)
    }
}
