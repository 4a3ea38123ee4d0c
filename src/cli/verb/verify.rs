//! `git rapid verify`: the arguments and what becomes of them.

use crate::cli::watch::Stderr;
use crate::porcelain::{self, verify::Request};
use crate::cli::{Status, failure::Failure, session::Session};

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A commit or a run; without it, HEAD
    #[arg(value_name = "WHAT")]
    pub what: Option<String>,
    /// Exit 1 unless every commit asked for was verified by a run that passed
    #[arg(long)]
    pub require_pass: bool,
    /// How to print it
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub format: Format,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = Stderr::new(session, None);
        let ctx = session.context(&watch)?;
        let what = self.what.unwrap_or_else(|| "HEAD".to_owned());
        let done = porcelain::verify::run(&ctx, &Request { what })?;
        session.out.tell(&done)?;
        Ok(Status::of(!self.require_pass || done.passes()))
    }
}

/// How a verdict is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// As with --json.
    Json,
}
