//! `status`: where the run stands, on one screen. Never fails because something is wrong
//! with the run; says it.

use super::{
    Context, Error,
    check::CheckDone,
    hooks,
    judge::{self, Sight},
    log::{self, RunRow},
    milestone,
    target::{self, Place},
    view::records_of,
};
use crate::{
    conductor::NextAction,
    domain::{
        bytes::ByteText,
        commit_rule::Verification,
        evidence::Payload,
        id::{GateId, TaskId},
        oid::{CommitId, TreeId},
        path::RepoPath,
        run::Run,
        scope::Pattern,
        vocabulary::{GateStatus, Phase, RunStatus, TaskStatus},
    },
    ledger::StreamName,
};
use serde::Serialize;

/// The document of `status`.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The version of this schema.
    pub schema_version: u32,
    /// The bound run, or null.
    pub run: Option<RunRow>,
    /// The working tree, or null when it cannot be compared.
    pub tree: Option<TreeId>,
    /// Whether every due check is good on it.
    pub verified: bool,
    /// What may be written, and what was.
    pub scope: Option<ScopeRow>,
    /// The latest result of each check.
    pub checks: Vec<LatestCheck>,
    /// Whether commits are guarded here.
    pub hooks: Hooks,
    /// Commits of this run that nothing verified.
    pub unproven: Vec<Unproven>,
    /// What comes next.
    pub next: NextAction,
    /// The branch (for people).
    #[serde(skip)]
    pub branch: Option<ByteText>,
    /// The tasks (for people).
    #[serde(skip)]
    pub tasks: Vec<TaskRow>,
    /// What changed since the last check (for people).
    #[serde(skip)]
    pub changed_since: Vec<RepoPath>,
    /// Human gates, and whether each waits now (for people).
    #[serde(skip)]
    pub people: Vec<(GateId, bool)>,
}

/// What may be written, and what was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScopeRow {
    /// The declared patterns; null when none were declared.
    pub patterns: Option<Vec<Pattern>>,
    /// What may not be written all the same.
    pub protected: Vec<Pattern>,
    /// Changed paths outside it.
    pub outside: Vec<RepoPath>,
    /// Untracked files that are not this run's.
    pub bystanders: Vec<RepoPath>,
}

/// Whether commits are guarded here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Hooks {
    /// By hooks that work.
    Active,
    /// There are none.
    Absent,
    /// Some are missing or are not called.
    Broken,
}

impl Hooks {
    /// Whether a commit that is made now is judged.
    pub fn are_active(self) -> bool {
        self == Self::Active
    }
}

/// A commit that nothing verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unproven {
    /// Which.
    pub commit: CommitId,
    /// Its tree.
    pub tree: TreeId,
    /// Why, as a stable word.
    pub why: &'static str,
}

/// A task in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRow {
    /// Its name.
    pub id: TaskId,
    /// What is to be done.
    pub description: String,
    /// Its state.
    pub status: TaskStatus,
}

/// The latest result of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LatestCheck {
    /// The result.
    #[serde(flatten)]
    pub done: CheckDone,
    /// Seconds since 1970 of its commit (for people).
    #[serde(skip)]
    pub time: i64,
    /// Whether it is on the current tree (for people).
    #[serde(skip)]
    pub current: bool,
}

/// Looks.
pub fn run(ctx: &Context<'_>) -> Result<Outcome, Error> {
    let found = if ctx.run.is_some() {
        let target = target::target(ctx)?;
        Some((target.place, target.run))
    } else {
        target::bound(&ctx.repo)?
            .known(ctx)?
            .map(|run| (Place::Here(&ctx.repo), run))
    };
    let Some((place, run)) = found else {
        let next = super::next::run(ctx, &super::next::Request::default())?.next;
        return Ok(Outcome {
            schema_version: 1,
            run: None,
            tree: None,
            verified: false,
            scope: None,
            checks: Vec::new(),
            hooks: hooks::state(&ctx.repo)?,
            unproven: Vec::new(),
            next,
            branch: None,
            tasks: Vec::new(),
            changed_since: Vec::new(),
            people: Vec::new(),
        });
    };
    let sight = Sight::of(&place, &run)?;
    let next = judge::next_with(ctx, &place, &run, &sight)?;
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
        run: Some(log::row(&place, &run)?),
        tree,
        verified,
        scope: Some(scope(&run, &sight)),
        checks: latest_checks(&place, &run, tree)?,
        hooks: hooks::state(&place)?,
        unproven: unproven(&place, &run, &sight)?,
        next,
        branch: target::workspace_of(&run).and_then(|seen| seen.branch.clone()),
        tasks: tasks(&run),
        changed_since: changed_since(&place, &run, tree),
        people: people(&run),
    })
}

fn scope(run: &Run, sight: &Sight) -> ScopeRow {
    let paths = sight.facts.paths.iter().flatten().map(|fact| &fact.path);
    ScopeRow {
        patterns: run
            .scope_patterns()
            .map(|patterns| patterns.into_iter().cloned().collect()),
        protected: run.contract.scope.protected.clone(),
        outside: paths
            .filter(|path| !super::observe::admits(run.scope_patterns(), path))
            .cloned()
            .collect(),
        bystanders: sight
            .snapshot
            .as_ref()
            .map(|snapshot| {
                snapshot
                    .bystanders
                    .iter()
                    .map(|(path, _)| path.clone())
                    .collect()
            })
            .unwrap_or_default(),
    }
}

fn tasks(run: &Run) -> Vec<TaskRow> {
    run.tasks()
        .into_iter()
        .map(|task| TaskRow {
            id: task.id.clone(),
            description: task.description.clone(),
            status: run
                .state
                .tasks
                .get(&task.id)
                .copied()
                .unwrap_or(TaskStatus::Pending),
        })
        .collect()
}

/// Human gates that are open, and whether each waits now.
fn people(run: &Run) -> Vec<(GateId, bool)> {
    run.contract
        .gates
        .iter()
        .filter(|gate| gate.human && run.state.gates.get(&gate.id) == Some(&GateStatus::Pending))
        .map(|gate| {
            let now = match gate.phase {
                Phase::Pre => run.state.status == RunStatus::Prepared,
                Phase::Post => {
                    run.state.status == RunStatus::Active && run.state.tasks_are_terminal()
                }
            };
            (gate.id.clone(), now)
        })
        .collect()
}

/// Paths that differ between the tree of the latest check and the working tree; none when
/// that tree is not here any more.
fn changed_since(place: &Place<'_>, run: &Run, tree: Option<TreeId>) -> Vec<RepoPath> {
    let last = run
        .evidence
        .iter()
        .rev()
        .find_map(|record| record.body.check())
        .map(|result| result.subject.tree);
    match (last, tree) {
        (Some(last), Some(tree)) if last != tree => place
            .diff_trees(last, tree)
            .unwrap_or_default()
            .into_iter()
            .map(|change| change.path)
            .collect(),
        _ => Vec::new(),
    }
}

/// The latest result of each command.
fn latest_checks(
    place: &Place<'_>,
    run: &Run,
    tree: Option<TreeId>,
) -> Result<Vec<LatestCheck>, Error> {
    let mut latest: Vec<LatestCheck> = Vec::new();
    let views = records_of(place, &StreamName::Run(run.id.clone()))?;
    for record in run.evidence.iter().rev() {
        let Some(done) = CheckDone::of(run, record, false) else {
            continue;
        };
        if latest.iter().any(|known| {
            known.done.command == done.command && known.done.expectation == done.expectation
        }) {
            continue;
        }
        let view = views
            .iter()
            .find(|view| view.record.digest == record.digest);
        latest.push(LatestCheck {
            time: view.and_then(|view| view.seconds).unwrap_or(0),
            current: Some(done.tree) == tree,
            done,
        });
    }
    Ok(latest)
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
        let milestone =
            milestone::milestone_of(place, run, fact.commit, &place.read_commit(fact.commit)?)?;
        if matches!(&milestone.payload, Payload::Milestone(milestone) if milestone.verified_by.is_none())
        {
            found.push(Unproven {
                commit: fact.commit,
                tree: fact.tree,
                why: "no_result",
            });
        }
    }
    Ok(found)
}
