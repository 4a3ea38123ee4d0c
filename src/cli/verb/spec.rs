//! `git rapid spec`: the arguments and what becomes of them.

use crate::cli::render::{SpecList, SpecTemplate};
use crate::cli::value::{self, SpecName};
use crate::cli::{Status, failure::Failure, session::Session};
use crate::domain::vocabulary::Mode;
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
    /// Show a stored spec: its newest revision, or the one after @
    Show {
        /// Which spec
        #[arg(value_name = "ID[@REV]")]
        spec: SpecName,
    },
    /// List the specs that are stored here
    List,
    /// Print the form of a mode to fill in, as JSON
    Template {
        /// The mode it is for
        #[arg(value_parser = value::mode, default_value = "feature")]
        mode: Mode,
    },
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        match self.step {
            Step::List => {
                let specs = porcelain::spec::list(&ctx)?;
                session.out.tell(&SpecList {
                    schema_version: 1,
                    specs,
                })?;
            }
            Step::Show { spec } => {
                let stored = porcelain::spec::show(&ctx, &spec.id, spec.revision)?;
                session.out.tell(&porcelain::show::spec_shown(&stored))?;
            }
            Step::Template { mode } => session
                .out
                .tell(&SpecTemplate(porcelain::spec::template(&ctx, mode)))?,
        }
        Ok(Status::DONE)
    }
}
