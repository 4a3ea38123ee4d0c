//! `git rapid supersede`: the arguments and what becomes of them.

use crate::cli::value;
use crate::cli::{Status, failure::Failure, session::Session};
use crate::cli::{input, render::NextView};
use crate::domain::vocabulary::{Mode, Risk};
use crate::porcelain::{self, supersede::Request};
use std::path::PathBuf;

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The successor's mode; without it, the same
    #[arg(value_parser = value::mode)]
    pub mode: Option<Mode>,
    /// Another spec in JSON, see git-rapid-spec(5); - reads standard input
    #[arg(long, value_name = "FILE")]
    pub spec_file: Option<PathBuf>,
    /// More risk than the rules see: low, medium, high or critical
    #[arg(long, value_name = "RISK")]
    pub risk: Option<Risk>,
    /// Why; needed under a coding agent
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        let spec = self
            .spec_file
            .map(|file| input::read(session, &file))
            .transpose()?;
        let request = Request {
            mode: self.mode,
            spec,
            risk: self.risk,
            reason: self.reason,
        };
        let next = porcelain::supersede::run(&ctx, &request)?;
        session.out.tell(&NextView {
            next,
            test_command: None,
            hooks: None,
        })?;
        Ok(Status::DONE)
    }
}
