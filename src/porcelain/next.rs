//! `next`: the next action. Changes no ref, no file, no index.

use super::{
    Context, Error, hooks, judge,
    session::{self, Stored},
    status::Hooks,
    target::{self, Place},
};
use crate::{
    conductor::{self, NextAction},
    domain::{bytes::ByteText, run::Run, vocabulary::Mode},
    ledger::Ledger,
};

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The mode of the spec to write, where no run is bound.
    pub mode: Option<Mode>,
}

/// What comes next, and what a person wants to see beside it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The next action.
    pub next: NextAction,
    /// The run, when there is one.
    pub run: Option<Run>,
    /// The project's test command and where it was found; only without a run.
    pub test_command: Option<(Vec<ByteText>, String)>,
    /// Whether commits are guarded; only without a run.
    pub hooks: Option<Hooks>,
}

/// Says what comes next.
pub fn run(ctx: &Context<'_>, request: &Request) -> Result<Outcome, Error> {
    if ctx.run.is_some() {
        let target = target::target(ctx)?;
        let next = judge::next_of(ctx, &target.place, &target.run)?;
        return Ok(Outcome {
            next,
            run: Some(target.run),
            test_command: None,
            hooks: None,
        });
    }
    ctx.repo.work_dir()?;
    if let Some(run) = target::bound(&ctx.repo)?.known(ctx)? {
        let next = judge::next_of(ctx, &Place::Here(&ctx.repo), &run)?;
        return Ok(Outcome {
            next,
            run: Some(run),
            test_command: None,
            hooks: None,
        });
    }
    if let Some((place, run)) = elsewhere(ctx)? {
        let next = judge::next_of(ctx, &place, &run)?;
        return Ok(Outcome {
            next,
            run: Some(run),
            test_command: None,
            hooks: None,
        });
    }
    let cwd = ctx.repo.work_dir()?.display().to_string();
    let spec_path = ctx
        .repo
        .git_dir()
        .join("rapid")
        .join("spec.json")
        .display()
        .to_string();
    Ok(Outcome {
        next: conductor::without_run(request.mode, ctx.lang, &cwd, &spec_path),
        run: None,
        test_command: super::start::project_check(&ctx.repo)?,
        hooks: Some(hooks::state(&ctx.repo)?),
    })
}

/// A live run that was started from here and lives in another worktree.
fn elsewhere<'c>(ctx: &'c Context<'_>) -> Result<Option<(Place<'c>, Run)>, Error> {
    let known = match session::read(&ctx.repo)? {
        Stored::Session(session) => session.elsewhere,
        Stored::Absent | Stored::Damaged => Vec::new(),
    };
    for pointer in known.iter().rev() {
        let Ok(run) = target::named(&ctx.repo, pointer.id.as_str()) else {
            continue;
        };
        if run.contract_digest != pointer.contract || run.state.status.is_terminal() {
            continue;
        }
        let place = target::place_of(ctx, &run)?;
        if place.is_elsewhere() {
            return Ok(Some((place, run)));
        }
    }
    // A `start` that was killed once the run was opened left no pointer, neither here nor there.
    for (id, contract) in Ledger::new(&ctx.repo).open_runs()?.into_iter().rev() {
        let Ok(run) = target::named(&ctx.repo, id.as_str()) else {
            continue;
        };
        if run.contract_digest != contract || run.state.status.is_terminal() {
            continue;
        }
        let place = target::place_of(ctx, &run)?;
        if place.is_elsewhere() && matches!(session::read(&place)?, Stored::Absent) {
            return Ok(Some((place, run)));
        }
    }
    Ok(None)
}
