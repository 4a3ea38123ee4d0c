//! `git rapid start`: the arguments and what becomes of them.

use crate::cli::value::{self, CommandWords, SpecName};
use crate::cli::{Status, failure::Failure, session::Session};
use crate::cli::{input, render::StartView};
use crate::domain::{
    scope::Pattern,
    vocabulary::{Mode, Risk},
};
use crate::porcelain::{
    self,
    start::{Request, Source},
};
use std::path::PathBuf;

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("source").args(["message", "spec_file", "spec"]).required(true))]
pub struct Args {
    /// How to work: direct, feature, bugfix, refactor, hardening or research; without it a
    /// sentence is direct unless --plan, --read-only or --risk say otherwise, and a spec says it
    /// itself
    #[arg(value_parser = value::mode)]
    pub mode: Option<Mode>,
    /// The change in one sentence; the mode's template supplies the rest
    #[arg(short = 'm', long, value_name = "TITLE")]
    pub message: Option<String>,
    /// A spec in JSON, see git-rapid-spec(5); - reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["message", "spec"])]
    pub spec_file: Option<PathBuf>,
    /// A spec that is stored already, such as tax-counted-twice; @2 is its second revision
    #[arg(long, value_name = "ID[@REV]", conflicts_with = "message")]
    pub spec: Option<SpecName>,
    /// With -m: a path or pattern that may be written, such as src or 'src/**/*.rs'; repeat it
    /// for more; without it, the whole repository
    #[arg(long, value_name = "PATTERN", conflicts_with_all = ["spec_file", "spec"])]
    pub paths: Vec<Pattern>,
    /// Work in a linked worktree of its own: in DIR, else in ../<repository>.rapid/<run>
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true)]
    pub worktree: Option<Option<PathBuf>>,
    /// The command that runs the tests, such as 'cargo test'; no shell reads it. Without it:
    /// the spec's, rapid.testCommand, or what the project's files tell
    #[arg(long, value_name = "COMMAND")]
    pub test_command: Option<CommandWords>,
    /// More risk than the rules see: low, medium, high or critical
    #[arg(long, value_name = "RISK")]
    pub risk: Option<Risk>,
    /// With -m and no mode: a plan is wanted, so it is a feature
    #[arg(long, conflicts_with_all = ["read_only", "mode", "spec_file", "spec"])]
    pub plan: bool,
    /// With -m and no mode: no change is asked for, so it is research
    #[arg(long, conflicts_with_all = ["mode", "spec_file", "spec"])]
    pub read_only: bool,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        let source = match (self.message, self.spec_file, self.spec) {
            (Some(title), ..) => Source::Sentence(title),
            (_, Some(file), _) => Source::Document(input::read(session, &file)?),
            (.., Some(spec)) => Source::Stored(spec.id, spec.revision),
            (None, None, None) => Source::Sentence(String::new()),
        };
        let request = Request {
            mode: self.mode,
            source,
            paths: self.paths,
            worktree: self.worktree,
            test_command: self.test_command.map(|words| words.0),
            risk: self.risk,
            plan: self.plan,
            read_only: self.read_only,
        };
        let done = porcelain::start::run(&ctx, &request)?;
        let is_draft = done.draft.is_some();
        session.out.tell(&StartView {
            next: done.next,
            started: done.started,
            draft: done.draft.unwrap_or_default(),
        })?;
        Ok(Status::of(!is_draft))
    }
}
