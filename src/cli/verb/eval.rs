//! `git rapid eval`: the arguments and what becomes of them.

use crate::cli::render::ReportView;
use crate::cli::{Status, failure::Failure, session::Session};
use crate::porcelain::{self, eval::Request};

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Which of its verbs.
    #[command(subcommand)]
    pub step: Step,
}

/// The verbs below it.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Step {
    /// Judge the run by its records and print the report
    Run {
        /// The tree to judge, as a revision; without it the one that the stored report judged, else
        /// HEAD's
        #[arg(long, value_name = "TREE")]
        subject: Option<String>,
        /// Exit 1 unless the verdict passes
        #[arg(long)]
        require_pass: bool,
    },
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        let Step::Run {
            subject,
            require_pass,
        } = self.step;
        let done = porcelain::eval::run(&ctx, &Request { subject })?;
        let passing = done.report.verdict.is_passing();
        session.out.tell(&ReportView::of(&done))?;
        Ok(Status::of(!require_pass || passing))
    }
}
