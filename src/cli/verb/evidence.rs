//! `git rapid evidence`: the arguments and what becomes of them.

use crate::cli::{Status, failure::Failure, session::Session};
use crate::porcelain;

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
    /// List the run's evidence, oldest first
    List,
    /// Show one record in full
    Show {
        /// 8 digits or more of its digest, or E003 within the run
        #[arg(value_name = "RECORD")]
        record: String,
    },
    /// Print the bytes of a file that a record keeps
    Cat {
        /// 8 digits or more of its digest, or E003 within the run
        #[arg(value_name = "RECORD")]
        record: String,
        /// The file's name or digest; may be left out when there is only one
        #[arg(value_name = "ARTIFACT")]
        artifact: Option<String>,
    },
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        match self.step {
            Step::List => session.out.tell(&porcelain::evidence::list(&ctx)?)?,
            Step::Show { record } => session
                .out
                .tell(&porcelain::evidence::show(&ctx, &record)?.1)?,
            Step::Cat { record, artifact } => {
                let bytes = porcelain::evidence::cat(&ctx, &record, artifact.as_deref())?;
                session.out.foreign_bytes(&bytes)?;
            }
        }
        Ok(Status::DONE)
    }
}
