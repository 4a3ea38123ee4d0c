//! `git rapid attach`: the arguments and what becomes of them.

use crate::cli::{Status, failure::Failure, session::Session};
use crate::domain::id::{AcceptanceId, TaskId};
use crate::porcelain::{self, attach::Request};
use std::path::PathBuf;

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The files, at most 5 MiB each
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The task they speak for, such as T001
    #[arg(long, value_name = "T")]
    pub task: TaskId,
    /// An acceptance criterion they speak for, such as A001; repeat it for more
    #[arg(long = "accept", value_name = "A")]
    pub acceptance: Vec<AcceptanceId>,
    /// What they are; without it, the first file's name
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        let request = Request {
            files: self.files,
            task: self.task,
            accept: self.acceptance,
            label: self.label,
        };
        session.out.tell(&porcelain::attach::run(&ctx, &request)?)?;
        Ok(Status::DONE)
    }
}
