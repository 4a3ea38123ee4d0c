//! The run a verb is about, and the worktree it lives in.

use super::{
    Context, Error,
    error::refuse,
    session::{self, Stored},
};
use crate::{
    diagnostic::Code,
    domain::{
        evidence::{Payload, WorkspaceSeen},
        id::RunId,
        run::Run,
        vocabulary::RunStatus,
    },
    git::{Head, Repository, WorktreeInfo},
    ledger::{self, Ledger},
};

/// A run with the worktree it lives in.
pub(super) struct Target<'c> {
    /// The run.
    pub(super) run: Run,
    /// Its worktree.
    pub(super) place: Place<'c>,
}

/// A worktree: the caller's, or another one of the same repository.
pub(super) enum Place<'c> {
    /// Where the caller stands.
    Here(&'c Repository),
    /// Another worktree.
    There(Box<Repository>),
}

impl std::ops::Deref for Place<'_> {
    type Target = Repository;

    fn deref(&self) -> &Repository {
        match self {
            Self::Here(repo) => repo,
            Self::There(repo) => repo,
        }
    }
}

impl Place<'_> {
    /// Whether it is another worktree than the caller's.
    pub(super) fn is_elsewhere(&self) -> bool {
        matches!(self, Self::There(_))
    }
}

/// What is bound to a worktree.
pub(super) struct Bound {
    /// The run, if there is one.
    pub(super) run: Option<Run>,
    /// Whether the pointer did not say so and the ledger did.
    pub(super) recovered: bool,
    /// What the pointer names, when that is not in this ledger and nothing took its place.
    gone: Option<session::Pointer>,
    /// The live run that the pointer names and that works on another branch than this.
    aside: Option<RunId>,
}

impl Bound {
    /// The run, if there is one; refused (RAPID1304) when the pointer names one that is gone.
    /// For verbs that go on with a run. Those that lead out of it look at `run` alone. Says
    /// what a person may not expect: a pointer that was lost, a run on another branch.
    pub(super) fn known(self, ctx: &Context<'_>) -> Result<Option<Run>, Error> {
        if let Some(pointer) = self.gone {
            return Err(not_here(&pointer));
        }
        match (&self.run, &self.aside) {
            (Some(run), _) if self.recovered => ctx.watch.note(&format!(
                "this worktree's pointer was lost; the ledger says {} is bound here (git rapid resume {} writes it again)",
                run.id, run.id
            )),
            (None, Some(aside)) => ctx.watch.note(&format!(
                "{aside} works on another branch than the one checked out here (git rapid resume {aside} binds it to this one)",
            )),
            _ => {}
        }
        Ok(self.run)
    }
}

/// The run that is bound to the worktree of `repo` and the branch checked out there.
/// A paused run is bound; a run that ended is not.
pub(super) fn bound(repo: &Repository) -> Result<Bound, Error> {
    let ledger = Ledger::new(repo);
    let none = Bound {
        run: None,
        recovered: false,
        gone: None,
        aside: None,
    };
    if repo.work_dir().is_err() {
        return Ok(none);
    }
    let head = repo.head()?;
    let stored = session::read(repo)?;
    let pointer = match &stored {
        Stored::Session(session) => session.run.as_ref(),
        Stored::Absent | Stored::Damaged => None,
    };
    if let Some(pointer) = pointer
        && let Some(run) = pointed_at(&ledger, pointer)?
    {
        if run.state.status.is_terminal() {
            return Ok(none);
        }
        if !names_place(&run, repo, &head) {
            return Ok(Bound {
                aside: Some(run.id),
                ..none
            });
        }
        return Ok(Bound {
            run: Some(run),
            ..none
        });
    }
    // The pointer says nothing, or nothing that is here: ask this clone's journal.
    let says_null = matches!(stored, Stored::Session(_)) && pointer.is_none();
    for (id, contract) in ledger.open_runs()? {
        let Ok(run) = ledger.read_run(&id) else {
            continue;
        };
        let live = run.contract_digest == contract
            && !run.state.status.is_terminal()
            && !(says_null && run.state.status == RunStatus::Paused);
        if live && names_place(&run, repo, &head) {
            return Ok(Bound {
                run: Some(run),
                recovered: true,
                ..none
            });
        }
    }
    Ok(Bound {
        gone: pointer.cloned(),
        ..none
    })
}

/// The run of a pointer, by its name; when that belongs to another run by now, by its
/// identity. `None` when it is not in this ledger.
fn pointed_at(ledger: &Ledger<'_>, pointer: &session::Pointer) -> Result<Option<Run>, Error> {
    match ledger.read_run(&pointer.id) {
        Ok(run) if run.contract_digest == pointer.contract => return Ok(Some(run)),
        Ok(_) | Err(ledger::Error::NoStream { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    for id in ledger.runs()? {
        if let Ok(run) = ledger.read_run(&id)
            && run.contract_digest == pointer.contract
        {
            return Ok(Some(run));
        }
    }
    Ok(None)
}

/// The refusal of a pointer that leads nowhere.
fn not_here(pointer: &session::Pointer) -> Error {
    refuse(
        Code::SessionNoRun,
        format!(
            "this worktree is bound to {}, which is not in this ledger",
            pointer.id
        ),
    )
    .detail("run", pointer.id.as_str())
    .detail("contract", pointer.contract.hex())
    .hint("see which runs are here", &["git", "rapid", "log"])
    .hint("bind another run", &["git", "rapid", "resume", "<run>"])
    .hint("or start anew", &["git", "rapid", "start", "-m", "<title>"])
    .into()
}

/// The latest word on where the run's work happens.
pub(super) fn workspace_of(run: &Run) -> Option<&WorkspaceSeen> {
    run.evidence
        .iter()
        .rev()
        .find_map(|record| match &record.body.payload {
            Payload::Workspace(workspace) => Some(workspace),
            _ => None,
        })
}

/// Whether the run's latest workspace record names this worktree and branch. A run started
/// on a detached HEAD is bound to the worktree alone.
fn names_place(run: &Run, repo: &Repository, head: &Head) -> bool {
    workspace_of(run).is_some_and(|workspace| {
        workspace.worktree == repo.worktree_id()
            && workspace
                .branch
                .as_ref()
                .is_none_or(|branch| head.branch.as_ref() == Some(&branch.0))
    })
}

/// The run named with `--run`, else the one bound here; with its worktree.
pub(super) fn target<'c>(ctx: &'c Context<'_>) -> Result<Target<'c>, Error> {
    if let Some(name) = &ctx.run {
        let run = named(&ctx.repo, name)?;
        let place = place_of(ctx, &run)?;
        return Ok(Target { run, place });
    }
    match bound(&ctx.repo)?.known(ctx)? {
        Some(run) => Ok(Target {
            run,
            place: Place::Here(&ctx.repo),
        }),
        None => Err(no_run(ctx)?),
    }
}

/// The refusal when nothing is bound here, with what there is instead.
fn no_run(ctx: &Context<'_>) -> Result<Error, Error> {
    if ctx.repo.work_dir().is_err() {
        return Ok(refuse(
            Code::RunNotFound,
            "this repository is bare, so no run is bound here: name one with --run",
        )
        .hint("see which runs are here", &["git", "rapid", "log"])
        .into());
    }
    let mut refusal = refuse(
        Code::RunNotFound,
        "no run is bound to this worktree and branch",
    );
    if let Stored::Session(session) = session::read(&ctx.repo)? {
        for run in &session.elsewhere {
            refusal = refusal.hint(
                format!("{} lives in {}", run.id, run.worktree),
                &["git", "-C", &run.worktree, "rapid", "next"],
            );
        }
    }
    Ok(refusal
        .hint("see what can be started", &["git", "rapid", "next"])
        .into())
}

/// A run by its name or an unambiguous beginning of its contract's digest.
pub(super) fn named(repo: &Repository, name: &str) -> Result<Run, Error> {
    let ledger = Ledger::new(repo);
    let missing = || {
        refuse(
            Code::RunNotFound,
            format!("no run named {name} in this ledger"),
        )
        .detail("run", name)
        .hint("see which runs are here", &["git", "rapid", "log"])
    };
    let id: RunId = name.parse().map_err(|_| missing())?;
    match ledger.read_run(&id) {
        Ok(run) => Ok(run),
        Err(ledger::Error::NoStream { .. }) => Err(missing().into()),
        Err(error) => Err(error.into()),
    }
}

/// The worktree a run lives in; the caller's own when its worktree is not in this clone.
pub(super) fn place_of<'c>(ctx: &'c Context<'_>, run: &Run) -> Result<Place<'c>, Error> {
    let Some(info) = worktree_of(&ctx.repo, run)? else {
        return Ok(Place::Here(&ctx.repo));
    };
    if ctx.repo.work_dir().is_ok() && info.id == ctx.repo.worktree_id() {
        return Ok(Place::Here(&ctx.repo));
    }
    Ok(Place::There(Box::new(ctx.repo.open_worktree(&info)?)))
}

/// The worktree of this clone that a run's latest workspace record names, if the run was
/// opened here.
pub(super) fn worktree_of(repo: &Repository, run: &Run) -> Result<Option<WorktreeInfo>, Error> {
    let Some(workspace) = workspace_of(run) else {
        return Ok(None);
    };
    let opened_here = Ledger::new(repo)
        .open_runs()?
        .iter()
        .any(|(_, contract)| *contract == run.contract_digest);
    if !opened_here {
        return Ok(None);
    }
    Ok(repo
        .worktrees()?
        .into_iter()
        .find(|info| info.id == workspace.worktree))
}

/// The run that a commit's `Rapid-Run` trailer names.
pub(super) fn run_of_commit(
    repo: &Repository,
    data: &crate::git::CommitData,
) -> Result<Run, Error> {
    run_of_message(repo, &data.message.lossy())
}

/// The run that a message's `Rapid-Run` trailer names: by name, checked by identity.
pub(super) fn run_of_message(repo: &Repository, message: &str) -> Result<Run, Error> {
    let none = || {
        refuse(Code::RunNotFound, "the commit names no run of this ledger").hint(
            "name the run",
            &[
                "git", "rapid", "review", "--run", "<run>", "--commit", "<rev>",
            ],
        )
    };
    let value =
        super::milestone::trailer(message, super::milestone::RUN_TRAILER).ok_or_else(none)?;
    let (name, contract) = value.split_once(' ').ok_or_else(none)?;
    let ledger = Ledger::new(repo);
    if let Ok(id) = name.parse::<RunId>()
        && let Ok(run) = ledger.read_run(&id)
        && run.contract_digest.short(12) == contract
    {
        return Ok(run);
    }
    // The name may belong to another run by now; the identity does not.
    for id in ledger.runs()? {
        if let Ok(run) = ledger.read_run(&id)
            && run.contract_digest.short(12) == contract
        {
            return Ok(run);
        }
    }
    Err(none().into())
}
