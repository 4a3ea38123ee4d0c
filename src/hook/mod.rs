//! What git calls: one file per hook. Each parses what git sends, asks the commit rule or a
//! verb, and says what follows. It prints nothing and restates no rule; the environment is
//! handed to it.
//!
//! The scripts that git really starts lie in `hooks/` and are installed by `init`.

mod commit_msg;
mod post_commit;
mod post_rewrite;
mod pre_commit;
mod pre_merge_commit;

use crate::porcelain::{self, Context, door::Objection};
use std::ffi::OsString;

/// A call by git.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// What git gives after the hook's name.
    pub arguments: Vec<OsString>,
    /// What it gives on standard input; read for those that get something.
    pub stdin: Vec<u8>,
}

/// What follows.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Nothing to say.
    GoOn,
    /// The commit rule has something against it.
    Object(Box<Objection>),
}

/// Why a hook could not do its work: not a refusal.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Git sent something else than this hook gets.
    #[error("git called {hook} in a way that is not known: {found}")]
    Call {
        /// The hook.
        hook: &'static str,
        /// What it was given.
        found: String,
    },
    /// What it asked failed.
    #[error(transparent)]
    Porcelain(#[from] porcelain::Error),
}

/// A hook.
#[derive(Clone, Copy, Debug)]
pub struct Hook {
    /// Its name.
    pub name: &'static str,
    /// Whether it reads standard input.
    pub reads: bool,
    /// Whether git heeds its exit code, so that it can refuse.
    pub refuses: bool,
    run: fn(&Context<'_>, &Call) -> Result<Answer, Error>,
}

/// Every hook that is installed.
pub const HOOKS: &[Hook] = &[
    hook("pre-commit", true, pre_commit::run),
    hook("pre-merge-commit", true, pre_merge_commit::run),
    hook("commit-msg", true, commit_msg::run),
    hook("post-commit", false, post_commit::run),
    Hook {
        reads: true,
        ..hook("post-rewrite", false, post_rewrite::run)
    },
];

const fn hook(
    name: &'static str,
    refuses: bool,
    run: fn(&Context<'_>, &Call) -> Result<Answer, Error>,
) -> Hook {
    Hook {
        name,
        reads: false,
        refuses,
        run,
    }
}

impl Hook {
    /// Finds one by git's name for it.
    pub fn named(name: &str) -> Option<&'static Self> {
        HOOKS.iter().find(|hook| hook.name == name)
    }

    /// Does what git called it for.
    pub fn run(&self, ctx: &Context<'_>, call: &Call) -> Result<Answer, Error> {
        (self.run)(ctx, call)
    }
}

/// The answer to a commit that git is about to make.
fn judged(ctx: &Context<'_>) -> Result<Answer, Error> {
    let ruling = porcelain::door::judge_next_commit(ctx)?;
    Ok(answer(ruling.objection))
}

fn answer(objection: Option<Objection>) -> Answer {
    objection.map_or(Answer::GoOn, |objection| {
        Answer::Object(Box::new(objection))
    })
}
