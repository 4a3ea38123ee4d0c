//! `status`: where the run stands, on one screen. Never fails because something is wrong
//! with the run; says it.

use super::{
    Context, Error,
    check::CheckDone,
    judge::{self, Sight},
    milestone,
    target::{self, Place},
};
use crate::{
    conductor::{NextAction, ScopeView},
    domain::{
        bytes::ByteText,
        commit_rule::Verification,
        evidence::Payload,
        id::{GateId, RunId, TaskId},
        oid::{CommitId, TreeId},
        path::RepoPath,
        run::Run,
        vocabulary::{Classification, GateStatus, Mode, Risk, RunStatus, TaskStatus},
    },
};
use serde::Serialize;

/// The screen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The version of this schema.
    pub schema_version: u32,
    /// The bound run, or null.
    pub run: Option<RunView>,
    /// The working tree; null when it cannot be compared.
    pub tree: Option<TreeId>,
    /// Whether a result that counts speaks of it.
    pub verified: bool,
    /// What may be written.
    pub scope: Option<ScopeView>,
    /// Whether the changes lie inside it, and untracked files that are not this run's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<ChangesView>,
    /// The latest result of each check.
    pub checks: Vec<CheckDone>,
    /// Whether commits are guarded by hooks.
    pub hooks: &'static str,
    /// Commits of this run whose content nothing verified.
    pub unproven: Vec<Unproven>,
    /// What comes next.
    pub next: NextAction,
}

/// The run in short.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunView {
    /// Its name.
    pub run_id: RunId,
    /// Its mode.
    pub mode: Mode,
    /// Its state.
    pub status: RunStatus,
    /// Its class.
    pub class: Classification,
    /// Its risk.
    pub risk: Risk,
    /// The branch it is bound to.
    pub branch: Option<ByteText>,
    /// Its tasks.
    pub tasks: Vec<TaskLine>,
    /// Its gates.
    pub gates: Vec<GateLine>,
}

/// A task in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskLine {
    /// Its name.
    pub id: TaskId,
    /// What is to be done.
    pub description: String,
    /// Its state.
    pub status: TaskStatus,
}

/// A gate in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GateLine {
    /// Its name.
    pub id: GateId,
    /// Its state.
    pub status: GateStatus,
    /// Whether only a person closes it.
    pub human: bool,
}

/// How the changes lie to the scope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangesView {
    /// Changed paths outside the scope.
    pub outside: Vec<RepoPath>,
    /// Untracked files that are not this run's.
    pub bystanders: Vec<RepoPath>,
}

/// A commit whose content nothing verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unproven {
    /// The commit.
    pub commit: CommitId,
    /// Its tree.
    pub tree: TreeId,
    /// Why: `no_result`.
    pub why: &'static str,
}

/// Looks.
pub fn run(ctx: &Context<'_>) -> Result<Outcome, Error> {
    let found = if ctx.run.is_some() {
        let target = target::target(ctx)?;
        Some((target.place, target.run))
    } else {
        target::bound(&ctx.repo)?.run.map(|run| (Place::Here(&ctx.repo), run))
    };
    let Some((place, run)) = found else {
        let next = super::next::run(ctx, &super::next::Request::default())?.next;
        return Ok(Outcome {
            schema_version: 1,
            run: None,
            tree: None,
            verified: false,
            scope: None,
            changes: None,
            checks: Vec::new(),
            hooks: "absent",
            unproven: Vec::new(),
            next,
        });
    };
    let sight = Sight::of(&place, &run)?;
    let next = judge::next_with(ctx, &place, &run, &sight)?;
    let paths: Vec<RepoPath> = sight.facts.paths.iter().flatten().map(|fact| fact.path.clone()).collect();
    let tree = sight.snapshot.as_ref().ok().map(|snapshot| snapshot.tree);
    let verified = tree.is_some_and(|tree| {
        !run.contract.checks.is_empty()
            && matches!(
                judge::verification(&place, &run, &sight.policy, &sight.facts, tree),
                Verification::Verified { .. } | Verification::Reproduction { .. }
            )
    });
    Ok(Outcome {
        schema_version: 1,
        run: Some(view(&run)),
        tree,
        verified,
        scope: Some(ScopeView {
            patterns: run.scope_patterns().into_iter().flatten().cloned().collect(),
            protected: run.contract.scope.protected.clone(),
        }),
        changes: Some(ChangesView {
            outside: paths
                .iter()
                .filter(|path| !super::observe::admits(run.scope_patterns(), path))
                .cloned()
                .collect(),
            bystanders: sight
                .snapshot
                .as_ref()
                .map(|snapshot| snapshot.bystanders.iter().map(|(path, _)| path.clone()).collect())
                .unwrap_or_default(),
        }),
        checks: latest_checks(&run),
        hooks: "absent",
        unproven: unproven(&place, &run, &sight)?,
        next,
    })
}

fn view(run: &Run) -> RunView {
    RunView {
        run_id: run.id.clone(),
        mode: run.contract.mode,
        status: run.state.status,
        class: run.contract.class,
        risk: run.contract.risk,
        branch: target::workspace_of(run).and_then(|seen| seen.branch.clone()),
        tasks: run
            .tasks()
            .into_iter()
            .map(|task| TaskLine {
                id: task.id.clone(),
                description: task.description.clone(),
                status: run.state.tasks.get(&task.id).copied().unwrap_or(TaskStatus::Pending),
            })
            .collect(),
        gates: run
            .contract
            .gates
            .iter()
            .map(|gate| GateLine {
                id: gate.id.clone(),
                status: run.state.gates.get(&gate.id).copied().unwrap_or(GateStatus::Pending),
                human: gate.human,
            })
            .collect(),
    }
}

/// The latest result of each command.
fn latest_checks(run: &Run) -> Vec<CheckDone> {
    let mut latest: Vec<CheckDone> = Vec::new();
    for record in run.evidence.iter().rev() {
        let Some(done) = CheckDone::of(run, record, false) else { continue };
        if !latest.iter().any(|known| known.command == done.command && known.expectation == done.expectation) {
            latest.push(done);
        }
    }
    latest
}

/// Commits since the base whose trees nothing verified. Merges bring what others made.
fn unproven(place: &Place<'_>, run: &Run, sight: &Sight) -> Result<Vec<Unproven>, Error> {
    let mut found = Vec::new();
    for fact in sight.facts.commits.iter().flatten() {
        if fact.parents.len() > 1 {
            continue;
        }
        let known = run.evidence.iter().any(|record| {
            matches!(&record.body.payload, Payload::Milestone(milestone)
                if milestone.commit == fact.commit && milestone.verified_by.is_some())
        });
        if known {
            continue;
        }
        let milestone = milestone::milestone_of(place, run, fact.commit, &place.read_commit(fact.commit)?)?;
        if matches!(&milestone.payload, Payload::Milestone(milestone) if milestone.verified_by.is_none()) {
            found.push(Unproven { commit: fact.commit, tree: fact.tree, why: "no_result" });
        }
    }
    Ok(found)
}
