//! `start`: from a spec to a run that can be worked on.
//!
//! A sequence of appends, each leaving a run that `next` can continue: the spec; contract,
//! workspace and journal together; the baseline; the step into work.

mod contract;
mod ground;
mod source;
mod test_command;

pub(super) use contract::{ContractParts, contract_of, next_run_id, open_run, workspace_seen};
pub(super) use ground::{make_worktree, remember_elsewhere, scope_of};
pub(super) use test_command::{not_eligible, project_check};

use super::{
    Context, Error, baseline,
    error::refuse,
    judge, session, spec_store,
    target::{self, Place},
};
use crate::{
    conductor::NextAction,
    diagnostic::{Code, Refusal},
    domain::{
        bytes::ByteText,
        contract::{Base, Contract, NamedCheck},
        gate::GateKind,
        id::{RunId, SpecId},
        path::RepoPath,
        policy::{self, Decision, PolicyDocument, Request as PolicyRequest},
        run::Run,
        scope::Pattern,
        vocabulary::{Mode, Risk, RunStatus},
    },
    git::WorktreeInfo,
};
use std::path::PathBuf;

/// Where the spec comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// One sentence; the mode's template supplies the rest.
    Sentence(String),
    /// A document's bytes, and what to call it in errors.
    Document(Vec<u8>),
    /// A stored spec, at a revision or the newest.
    Stored(SpecId, Option<u32>),
}

/// What the user asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The mode, when one was named.
    pub mode: Option<Mode>,
    /// The spec.
    pub source: Source,
    /// The write scope of a sentence's spec.
    pub paths: Vec<Pattern>,
    /// A linked worktree on request: `Some(None)` at the usual place.
    pub worktree: Option<Option<PathBuf>>,
    /// The test command.
    pub test_command: Option<Vec<ByteText>>,
    /// More care than the rules ask.
    pub risk: Option<Risk>,
    /// A plan is asked for.
    pub plan: bool,
    /// No change is asked for.
    pub read_only: bool,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The next action; its `run_id` is null when the spec is only a draft.
    pub next: NextAction,
    /// What a person may want to know.
    pub started: Option<Started>,
    /// Why the spec is only a draft: exit 1.
    pub draft: Option<Vec<String>>,
}

/// The run that was started.
#[derive(Clone, Debug)]
pub struct Started {
    /// Its name.
    pub run: RunId,
    /// What was decided.
    pub decision: Decision,
    /// The row that chose the mode, when none was named.
    pub mode_row: Option<&'static str>,
    /// The pinned checks.
    pub checks: Vec<NamedCheck>,
    /// The linked worktree that was made.
    pub worktree: Option<PathBuf>,
    /// Tracked changes that were there and count as this run's.
    pub dirty: Vec<RepoPath>,
    /// Uncommitted work that stays behind when the run lives elsewhere.
    pub left_behind: Vec<RepoPath>,
    /// Untracked files that are not this run's.
    pub bystanders: Vec<RepoPath>,
}

/// Starts a run, or continues the one that a killed `start` left.
pub fn run(ctx: &Context<'_>, request: &Request) -> Result<Outcome, Error> {
    ctx.repo.work_dir()?;
    ctx.repo.committer()?;
    refuse_bound(ctx)?;
    let head = ctx.repo.head()?;
    let base_tree = match head.commit {
        Some(commit) => ctx.repo.tree_of(commit)?,
        None => ctx.repo.empty_tree(),
    };
    ground::refuse_project_rules(&ctx.repo, base_tree)?;
    let (spec, bytes, mode_row) = source::spec_of(ctx, request)?;
    let not_ready = spec.not_ready();
    if !not_ready.is_empty() {
        return source::draft_only(ctx, &spec, &bytes, &not_ready);
    }
    let policy = PolicyDocument::built_in();
    let checks = test_command::pinned_checks(ctx, request, &spec)?;
    let decision = policy::decide(
        &spec,
        &PolicyRequest {
            risk: request.risk,
            checks: &checks,
            base_is_empty: ctx.repo.read_tree(base_tree)?.is_empty(),
            has_architecture: false,
            policy: &policy,
        },
    )
    .map_err(|why| not_eligible(&spec, &checks, &why))?;
    let isolate = ground::wants_worktree(ctx, request, decision.workspace)?;
    if isolate && head.commit.is_none() {
        return Err(ground::no_commit().into());
    }
    let scope = scope_of(&ctx.repo, base_tree, &spec)?;
    let start = ground::start_of(ctx, request, &scope, base_tree, isolate)?;
    let stored = spec_store::store(&ctx.repo, &spec, &bytes)?;
    source::refuse_not_ready(&stored)?;
    let parts = ContractParts {
        spec: &spec,
        stored: &stored,
        decision: &decision,
        base: Base {
            commit: head.commit,
            tree: base_tree,
            start_tree: start.tree,
        },
        bystanders: &start.bystanders,
        scope,
        checks: &checks,
        policy: &policy,
        predecessor: contract::given_up_here(&ctx.repo)?,
    };
    let contract = contract_of(ctx, parts)?;
    let (place, made, run) = open(ctx, request, isolate, &contract, &stored, &policy)?;
    // In this order: `next` finds a run that is bound nowhere, and one that is written down here.
    if let Some(info) = &made {
        remember_elsewhere(ctx, &run.id, run.contract_digest, info)?;
    }
    session::bind(&place, &run.id, run.contract_digest)?;
    let run = go_on(ctx, &place, run)?;
    Ok(Outcome {
        next: judge::next_of(ctx, &place, &run)?,
        started: Some(Started {
            run: run.id.clone(),
            decision,
            mode_row,
            checks,
            worktree: made.map(|info| info.path),
            dirty: start.dirty,
            left_behind: start.left_behind,
            bystanders: start
                .bystanders
                .into_iter()
                .map(|bystander| bystander.path)
                .collect(),
        }),
        draft: None,
    })
}

/// How often a name that another process took is given up for the next one.
const NAMES_TRIED: usize = 16;

/// Opens the run under the next free name, in a worktree of its own when asked to.
fn open<'c>(
    ctx: &'c Context<'_>,
    request: &Request,
    isolate: bool,
    contract: &Contract,
    stored: &spec_store::StoredSpec,
    policy: &PolicyDocument,
) -> Result<(Place<'c>, Option<WorktreeInfo>, Run), Error> {
    let mut last = None;
    for _ in 0..NAMES_TRIED {
        // Whoever took the name may have bound a run to this very worktree.
        refuse_bound(ctx)?;
        let id = next_run_id(&ctx.repo, &stored.id, stored.revision.revision)?;
        let made = if isolate {
            let path = request.worktree.clone().flatten();
            Some(make_worktree(ctx, &id, path, contract.base.commit)?)
        } else {
            None
        };
        let place = match &made {
            Some(info) => Place::There(Box::new(ctx.repo.open_worktree(info)?)),
            None => Place::Here(&ctx.repo),
        };
        if let Some(run) = open_run(ctx, &place, &id, contract.clone(), &stored.bytes, policy)? {
            return Ok((place, made, run));
        }
        last = Some(id);
    }
    Err(name_taken(&last.expect("at least one name was tried")).into())
}

/// The refusal when other processes take every name.
pub(super) fn name_taken(id: &RunId) -> Refusal {
    refuse(Code::LockHeld, format!("{id} was taken by another process"))
        .detail("run", id.as_str())
        .advice("somebody else is starting runs; try again")
}

/// Measures the baseline and steps into work, as far as a machine can.
pub(super) fn go_on(ctx: &Context<'_>, place: &Place<'_>, run: Run) -> Result<Run, Error> {
    let has_baseline = run
        .contract
        .gates
        .iter()
        .any(|gate| gate.kind == GateKind::BaselineCheck);
    let run = if has_baseline {
        baseline::measure_baseline(ctx, place, run)?
    } else {
        run
    };
    baseline::activate(place, run, "start")
}

fn refuse_bound(ctx: &Context<'_>) -> Result<(), Error> {
    let bound = target::bound(&ctx.repo)?;
    match bound.run {
        Some(run) if run.state.status != RunStatus::Paused => Err(refuse(
            Code::RunBoundHere,
            format!("{} is bound to this worktree and branch", run.id),
        )
        .detail("run", run.id.as_str())
        .detail("status", run.state.status.as_str())
        .hint("go on with it", &["git", "rapid", "next"])
        .hint("put it aside", &["git", "rapid", "pause"])
        .hint("give it up", &["git", "rapid", "abort"])
        .into()),
        _ => Ok(()),
    }
}
