//! `git rapid commit`: the arguments and what becomes of them.

use crate::cli::{Status, failure::Failure, session::Session};
use crate::porcelain::{self, commit::Request};
use std::ffi::OsString;

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Take what this run changed: tracked changes, and new files inside the scope
    #[arg(short = 'a', long)]
    pub all: bool,
    /// Save work untested: inside the plan all the same, and the commit says so
    #[arg(long)]
    pub wip: bool,
    /// The message; repeat it for more paragraphs
    #[arg(short = 'm', long = "message", value_name = "TEXT")]
    pub messages: Vec<String>,
    /// More arguments for git commit, such as --signoff
    #[arg(last = true, value_name = "GIT COMMIT ARGUMENTS")]
    pub git_arguments: Vec<OsString>,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        let request = Request {
            all: self.all,
            wip: self.wip,
            messages: self.messages,
            arguments: self.git_arguments,
            editor: session.environment.stdin_is_terminal && session.environment.stdout_is_terminal,
            json: session.out.is_json(),
        };
        let done = porcelain::commit::run(&ctx, &request)?;
        session.out.tell(&done)?;
        Ok(Status::DONE)
    }
}
