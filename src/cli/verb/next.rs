//! `git rapid next`: the arguments and what becomes of them.

use crate::cli::render::NextView;
use crate::cli::value;
use crate::cli::{Status, failure::Failure, session::Session};
use crate::domain::vocabulary::Mode;
use crate::porcelain;

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The mode to start in, where no run is bound: direct, feature, bugfix, refactor,
    /// hardening or research
    #[arg(value_parser = value::mode)]
    pub mode: Option<Mode>,
    /// Leave the context out of the document
    #[arg(long)]
    pub brief: bool,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        let mut found = porcelain::next::run(&ctx, &porcelain::next::Request { mode: self.mode })?;
        if self.brief {
            found.next.context = None;
        }
        session.out.tell(&NextView {
            next: found.next,
            test_command: found.test_command,
            hooks: found.hooks,
        })?;
        Ok(Status::DONE)
    }
}
