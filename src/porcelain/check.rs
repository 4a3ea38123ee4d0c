//! `check`: runs named checks, or any command, and records how it ended on which tree.

use super::{
    Context, Error, baseline,
    error::refuse,
    measure::{self, Plan},
    milestone, observe,
    target::{self, Place, Target},
};
use crate::{
    diagnostic::Code,
    domain::{
        bytes::ByteText,
        contract::NamedCheck,
        digest::Digest,
        evaluate::{Facts, counts::due_checks},
        evidence::{CheckResult, Counts, Evidence},
        gate::GateKind,
        id::{AcceptanceId, GateId, TaskId},
        oid::TreeId,
        path::RepoPath,
        policy::PolicyDocument,
        producer::Producer,
        run::{EvidenceRecord, Run, is_aside},
        vocabulary::{Expectation, Note, RunStatus, TaskStatus, Tier},
    },
};
use serde::Serialize;
use std::time::Duration;

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Named checks.
    pub names: Vec<String>,
    /// Tasks it speaks for.
    pub tasks: Vec<TaskId>,
    /// Gates it speaks for.
    pub gates: Vec<GateId>,
    /// Criteria it speaks for.
    pub accept: Vec<AcceptanceId>,
    /// A failure is expected.
    pub expect_fail: bool,
    /// When the command is ended.
    pub timeout: Option<Duration>,
    /// Report files it writes.
    pub reports: Vec<ByteText>,
    /// Repeat what could be cited.
    pub fresh: bool,
    /// A command of the user's own.
    pub argv: Vec<ByteText>,
}

/// What came of it: one result for each command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The version of this schema.
    pub schema_version: u32,
    /// The results, in order.
    pub checks: Vec<CheckDone>,
    /// Whether all did what they should, on a steady tree.
    pub met: bool,
}

/// One result, as `check --json` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckDone {
    /// The version of this schema.
    pub schema_version: u32,
    /// The record's digest.
    pub record: Digest,
    /// Its name for people.
    pub alias: String,
    /// `test_result` or `command_result`.
    pub kind: &'static str,
    /// The named check, or null.
    pub check: Option<String>,
    /// The exit code; null when a signal ended it.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// Whether its time ran out.
    pub timed_out: bool,
    /// What was counted.
    pub counts: Option<Counts>,
    /// Names of failed tests.
    pub failed_tests: Vec<String>,
    /// The tree it speaks of.
    pub tree: TreeId,
    /// Whether the tree stayed the same.
    pub stable: bool,
    /// Paths that moved when it did not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<RepoPath>,
    /// Whether it did what it should.
    pub met: bool,
    /// Whether an earlier result was cited.
    pub cited: bool,
    /// Whether it is an aside: kept, shown, never decisive.
    pub note: bool,
    /// Remarks of the machine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// What it speaks for.
    pub linked: Linked,
    /// Whether a failure was expected (for people).
    #[serde(skip)]
    pub expectation: Expectation,
    /// The command (for people).
    #[serde(skip)]
    pub command: String,
    /// How long it ran, in milliseconds (for people).
    #[serde(skip)]
    pub duration_ms: u64,
}

/// What a result speaks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Linked {
    /// Tasks.
    pub tasks: Vec<TaskId>,
    /// Gates.
    pub gates: Vec<GateId>,
    /// Criteria.
    pub acceptance: Vec<AcceptanceId>,
}

impl CheckDone {
    /// What a record says.
    pub(super) fn of(run: &Run, record: &EvidenceRecord, cited: bool) -> Option<Self> {
        let result = record.body.check()?;
        Some(Self {
            schema_version: 1,
            record: record.digest,
            alias: record.alias.clone(),
            kind: record.body.payload.kind(),
            check: result.check.clone(),
            exit_code: result.exit_code,
            signal: result.signal,
            timed_out: result.timed_out,
            counts: result.counts,
            failed_tests: result.failed_tests.clone(),
            tree: result.subject.tree,
            stable: result.subject.stable,
            changed: result.subject.changed.clone(),
            met: measure::is_met(&record.body),
            cited,
            note: is_aside(run, result),
            notes: record.body.notes.clone(),
            linked: Linked {
                tasks: record.body.tasks.clone(),
                gates: record.body.gates.clone(),
                acceptance: record.body.acceptance.clone(),
            },
            expectation: result.expectation,
            command: shell_words::join(result.argv.iter().map(ByteText::lossy)),
            duration_ms: result.duration_ms,
        })
    }

    /// Whether it may count: it did what it should on a steady tree, to its end.
    pub fn holds(&self) -> bool {
        self.met
            && self.stable
            && !self
                .notes
                .iter()
                .any(|note| matches!(note, Note::Incomplete | Note::StaleReport))
    }
}

/// A result in a few words: `42 passed`, `2 failed of 41`, `exit 1`.
pub fn result_words(result: &CheckResult, notes: &[Note]) -> String {
    let mut words = if result.timed_out {
        "timed out".to_owned()
    } else if let Some(signal) = result.signal {
        format!("signal {signal}")
    } else {
        match &result.counts {
            Some(counts) => count_words(counts),
            None => format!("exit {}", result.exit_code.unwrap_or(-1)),
        }
    };
    if result.expectation == Expectation::Fail {
        words.push_str(" (failure expected)");
    }
    if !result.subject.stable {
        words.push_str(", files changed while it ran");
    }
    for note in notes {
        if matches!(
            note,
            Note::Contradictory | Note::Incomplete | Note::StaleReport
        ) {
            words.push_str(&format!(", {}", note.as_str().replace('_', " ")));
        }
    }
    words
}

/// Counts in a few words.
pub fn count_words(counts: &Counts) -> String {
    let total = counts.passed + counts.failed;
    let mut words = if counts.failed > 0 {
        format!("{} failed of {total}", counts.failed)
    } else {
        format!("{} passed", counts.passed)
    };
    if counts.errors > 0 {
        words.push_str(&format!(", {} errors", counts.errors));
    }
    if counts.skipped > 0 {
        words.push_str(&format!(", {} skipped", counts.skipped));
    }
    words
}

/// Runs what was asked for.
pub fn run(ctx: &Context<'_>, request: &Request) -> Result<Outcome, Error> {
    let Target { run, place } = target::target(ctx)?;
    refuse_ended(&run)?;
    ctx.repo.committer()?;
    let policy = observe::policy_of(&place, &run)?;
    if is_baseline(request) && run.state.status == RunStatus::Prepared {
        let run = milestone::recover(&place, run)?;
        return run_baseline(ctx, &place, run, &policy);
    }
    let tasks = linked_tasks(&run, request)?;
    refuse_unknown_links(&run, request, &tasks)?;
    if request.expect_fail && tasks.is_empty() {
        return Err(refuse(
            Code::ExpectFailWithoutTask,
            "--expect fail needs the task whose bug it shows",
        )
        .hint(
            "name it",
            &[
                "git", "rapid", "check", "--expect", "fail", "--task", "T001",
            ],
        )
        .hint("or start it", &["git", "rapid", "task", "start", "T001"])
        .into());
    }
    let mut plans = plans(ctx, &place, &run, request)?;
    for plan in &mut plans {
        plan.tasks.clone_from(&tasks);
        plan.gates.clone_from(&request.gates);
        plan.acceptance.clone_from(&request.accept);
        plan.reports.extend(request.reports.iter().cloned());
        if request.expect_fail {
            plan.expectation = Expectation::Fail;
        }
        if request.timeout.is_some() {
            plan.timeout = request.timeout;
        }
    }
    let why = if request.expect_fail {
        "a failure is expected"
    } else {
        "asked for"
    };
    let mut run = milestone::recover(&place, run)?;
    let mut checks = Vec::new();
    for plan in &plans {
        let (after, done) = one(ctx, &place, run, &policy, plan, request.fresh, why)?;
        run = after;
        checks.push(done);
    }
    let met = checks.iter().all(CheckDone::holds);
    Ok(Outcome {
        schema_version: 1,
        checks,
        met,
    })
}

/// Runs one plan, or cites what is known, and records it.
pub(super) fn one(
    ctx: &Context<'_>,
    place: &Place<'_>,
    run: Run,
    policy: &PolicyDocument,
    plan: &Plan,
    fresh: bool,
    why: &str,
) -> Result<(Run, CheckDone), Error> {
    if !fresh
        && plan.reports.is_empty()
        && let Some(done) = cite(ctx, place, &run, plan)?
    {
        return Ok(done);
    }
    let measured = measure::measure(ctx, place, &run, policy, plan, why)?;
    measure::keep_log(place, &run, &measured)?;
    let (run, records) = baseline::record(place, &run, "check", measured.evidence)?;
    Ok(done_of(run, records[0].digest, false))
}

fn done_of(run: Run, digest: Digest, cited: bool) -> (Run, CheckDone) {
    let done = run
        .evidence(&digest)
        .and_then(|record| CheckDone::of(&run, record, cited))
        .expect("the record was just appended and is a check");
    (run, done)
}

/// Cites a good result: as it is when it says all that is asked, else as a copy with the
/// new links.
fn cite(
    ctx: &Context<'_>,
    place: &Place<'_>,
    run: &Run,
    plan: &Plan,
) -> Result<Option<(Run, CheckDone)>, Error> {
    let snapshot = observe::snapshot(place, run, &[])?
        .map_err(|refused| observe::refuse_no_snapshot(&refused))?;
    let Some(found) = measure::citable(ctx, place, run, snapshot.tree, plan)? else {
        return Ok(None);
    };
    let covers = plan
        .tasks
        .iter()
        .all(|task| found.body.tasks.contains(task))
        && plan
            .gates
            .iter()
            .all(|gate| found.body.gates.contains(gate))
        && plan
            .acceptance
            .iter()
            .all(|criterion| found.body.acceptance.contains(criterion));
    if covers {
        return Ok(CheckDone::of(run, found, true).map(|done| (run.clone(), done)));
    }
    let mut copy: Evidence = found.body.clone();
    copy.tasks.clone_from(&plan.tasks);
    copy.gates.clone_from(&plan.gates);
    copy.acceptance.clone_from(&plan.acceptance);
    copy.notes.push(Note::Cached);
    copy.notes.sort();
    copy.notes.dedup();
    let (run, records) = baseline::record(place, run, "cite", copy)?;
    Ok(Some(done_of(run, records[0].digest, true)))
}

fn is_baseline(request: &Request) -> bool {
    request.argv.is_empty()
        && request.names.is_empty()
        && request.gates == [GateKind::BaselineCheck.gate_id()]
}

fn run_baseline(
    ctx: &Context<'_>,
    place: &Place<'_>,
    run: Run,
    policy: &PolicyDocument,
) -> Result<Outcome, Error> {
    let known = run.evidence.len();
    let run = baseline::measure_baseline(ctx, place, run)?;
    let run = baseline::activate(place, run, "check")?;
    let gate = GateKind::BaselineCheck.gate_id();
    let fresh = run.evidence.len() > known;
    let checks: Vec<CheckDone> = run
        .evidence
        .iter()
        .filter(|record| record.body.gates.contains(&gate))
        .filter_map(|record| CheckDone::of(&run, record, !fresh))
        .collect();
    let green = matches!(
        crate::domain::evaluate::baseline(&run, policy),
        crate::domain::evaluate::BaselineState::Green { .. }
    );
    Ok(Outcome {
        schema_version: 1,
        checks,
        met: green,
    })
}

pub(super) fn refuse_ended(run: &Run) -> Result<(), Error> {
    if run.state.status.is_terminal() {
        return Err(refuse(
            Code::Precondition,
            format!("{} is {}", run.id, run.state.status),
        )
        .detail("run", run.id.as_str())
        .detail("status", run.state.status.as_str())
        .hint("start another one", &["git", "rapid", "next"])
        .into());
    }
    Ok(())
}

/// The named tasks, else the one that is in progress.
fn linked_tasks(run: &Run, request: &Request) -> Result<Vec<TaskId>, Error> {
    if !request.tasks.is_empty() {
        return Ok(request.tasks.clone());
    }
    let open: Vec<&TaskId> = run
        .state
        .tasks
        .iter()
        .filter(|(_, status)| **status == TaskStatus::InProgress)
        .map(|(task, _)| task)
        .collect();
    Ok(match open.as_slice() {
        [one] => vec![(*one).clone()],
        _ => Vec::new(),
    })
}

pub(super) fn refuse_unknown_links(
    run: &Run,
    request: &Request,
    tasks: &[TaskId],
) -> Result<(), Error> {
    let unknown = |what: &str, id: &str, known: Vec<String>| -> Error {
        refuse(
            Code::EvidenceReference,
            format!("{} has no {what} {id}", run.id),
        )
        .detail("id", id)
        .detail("known", known)
        .hint("see the run", &["git", "rapid", "status"])
        .into()
    };
    for task in tasks {
        if !run.state.tasks.contains_key(task) {
            return Err(unknown(
                "task",
                task.as_str(),
                run.state.tasks.keys().map(ToString::to_string).collect(),
            ));
        }
    }
    for gate in &request.gates {
        if !run.state.gates.contains_key(gate) {
            return Err(unknown(
                "gate",
                gate.as_str(),
                run.state.gates.keys().map(ToString::to_string).collect(),
            ));
        }
    }
    let criteria = run.acceptance();
    for id in &request.accept {
        if !criteria.iter().any(|criterion| criterion.id == *id) {
            let known = criteria
                .iter()
                .map(|criterion| criterion.id.to_string())
                .collect();
            return Err(unknown("acceptance criterion", id.as_str(), known));
        }
    }
    Ok(())
}

/// What has to run: the user's command, the named checks, or all that are due.
fn plans(
    ctx: &Context<'_>,
    place: &Place<'_>,
    run: &Run,
    request: &Request,
) -> Result<Vec<Plan>, Error> {
    if !request.argv.is_empty() {
        let cwd = if place.is_elsewhere() {
            RepoPath::root()
        } else {
            place.relative(&ctx.cwd)?
        };
        return Ok(vec![words(run, request.argv.clone(), cwd)]);
    }
    if !request.names.is_empty() {
        return request.names.iter().map(|name| named(run, name)).collect();
    }
    let due = due_now(place, run, Tier::Finish)?;
    if due.is_empty() {
        return Err(refuse(
            Code::CheckDidNotCount,
            format!("{} has no check that is due", run.id),
        )
        .hint(
            "run a command of your own",
            &["git", "rapid", "check", "--", "<command>"],
        )
        .into());
    }
    Ok(due.iter().map(Plan::named).collect())
}

/// A command of the user's own; when it is a pinned check to the word, it is that check.
pub(super) fn words(run: &Run, argv: Vec<ByteText>, cwd: RepoPath) -> Plan {
    match run
        .contract
        .checks
        .iter()
        .find(|check| check.argv == argv && check.cwd == cwd)
    {
        Some(check) => Plan::named(check),
        None => Plan::words(argv, cwd),
    }
}

fn named(run: &Run, name: &str) -> Result<Plan, Error> {
    run.contract
        .checks
        .iter()
        .find(|check| check.name == name)
        .map(Plan::named)
        .ok_or_else(|| {
            let known: Vec<&str> = run
                .contract
                .checks
                .iter()
                .map(|check| check.name.as_str())
                .collect();
            refuse(
                Code::EvidenceReference,
                format!(
                    "no check named {name} is pinned; known: {}",
                    known.join(", ")
                ),
            )
            .detail("name", name)
            .detail("known", known)
            .hint(
                "run a command of your own",
                &["git", "rapid", "check", "--", "<command>"],
            )
            .into()
        })
}

/// The pinned checks of a tier that the changes so far make due.
pub(super) fn due_now(place: &Place<'_>, run: &Run, tier: Tier) -> Result<Vec<NamedCheck>, Error> {
    let head = place.head()?;
    let snapshot = observe::snapshot(place, run, &[])?
        .map_err(|refused| observe::refuse_no_snapshot(&refused))?;
    let facts = observe::facts(place, run, snapshot.tree, head.commit)?;
    Ok(due(run, &facts, tier))
}

/// The pinned checks of a tier that the changed paths make due; all of the tier when those
/// are not known.
pub(super) fn due(run: &Run, facts: &Facts, tier: Tier) -> Vec<NamedCheck> {
    let paths: Option<Vec<&RepoPath>> = facts
        .paths
        .as_ref()
        .map(|paths| paths.iter().map(|fact| &fact.path).collect());
    let checks = &run.contract.checks;
    match due_checks(checks, tier, paths.as_deref()) {
        Some(due) => due.into_iter().cloned().collect(),
        None => checks
            .iter()
            .filter(|check| check.tier == tier || check.tier == Tier::Both)
            .cloned()
            .collect(),
    }
}

/// Appends by `rapid:task` and the like share this producer helper.
pub(super) fn producer(verb: &str) -> Producer {
    Producer::rapid(verb)
}
