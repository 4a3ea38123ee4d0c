//! `git rapid task`: the arguments and what becomes of them.

use crate::cli::render::TaskList;
use crate::cli::{Status, failure::Failure, session::Session};
use crate::domain::id::TaskId;
use crate::porcelain::{
    self,
    task::{Move, Request},
};

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Which move.
    #[command(subcommand)]
    pub step: Step,
}

/// The moves of a task.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Step {
    /// Take a task up
    ///
    /// A task starts when the tasks it comes after are done or skipped.
    #[command(verbatim_doc_comment)]
    Start {
        /// Which task, such as T001
        #[arg(value_name = "T")]
        task: TaskId,
    },
    /// Close a task, after running what it still needs on the current tree
    ///
    /// That is its own checks, else the checks that are due; a good result for the same tree is
    /// cited, not repeated. When one is red the task stays open, the result is kept, and the exit
    /// status is 1.
    #[command(verbatim_doc_comment)]
    Done {
        /// Which task, such as T001
        #[arg(value_name = "T")]
        task: TaskId,
        /// Run nothing; finish will say what is missing
        #[arg(long)]
        no_check: bool,
    },
    /// Say that a task cannot go on
    Block {
        /// Which task, such as T001
        #[arg(value_name = "T")]
        task: TaskId,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Leave a task out, with a reason
    ///
    /// The verdict shows it as waived: PASS_WITH_WAIVERS at best. The first task of a bugfix, the
    /// reproduction, cannot be skipped.
    #[command(verbatim_doc_comment)]
    Skip {
        /// Which task, such as T001
        #[arg(value_name = "T")]
        task: TaskId,
        /// Why; always needed
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// List the tasks and how they stand
    List,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        let (task, to, reason) = match self.step {
            Step::List => {
                let (run_id, tasks) = porcelain::task::list(&ctx)?;
                session.out.tell(&TaskList {
                    schema_version: 1,
                    run_id,
                    tasks,
                })?;
                return Ok(Status::DONE);
            }
            Step::Start { task } => (task, Move::Start, None),
            Step::Done { task, no_check } => (task, Move::Done { no_check }, None),
            Step::Block { task, reason } => (task, Move::Block, reason),
            Step::Skip { task, reason } => (task, Move::Skip, reason),
        };
        let done = porcelain::task::run(&ctx, &Request { task, to, reason })?;
        session.out.tell(&done)?;
        Ok(Status::DONE)
    }
}
