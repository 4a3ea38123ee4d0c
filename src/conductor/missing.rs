//! What does not hold yet, and the command that mends it.

use super::{
    MissingView, Sight,
    command::{attach, ending, isolate, rapid, resume, waive},
    sight::gate_name,
};
use crate::domain::{
    evaluate::{Assertion, Reason, counts::Answer},
    gate::GateKind,
    id::TaskId,
    policy::Witness,
    vocabulary::{AssertionStatus, Mode},
};

/// How an assertion that does not hold is mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mend {
    /// The command does it.
    Run(Vec<String>),
    /// The files have to change first; the command shows whether they did.
    EditThen(Vec<String>),
    /// A person runs it.
    Person(Vec<String>),
}

impl Mend {
    pub(super) fn command(&self) -> &[String] {
        match self {
            Self::Run(command) | Self::EditThen(command) | Self::Person(command) => command,
        }
    }
}

/// Reasons that the same command on the same tree only repeats.
const REPEATS: &[Reason] = &[
    Reason::Red,
    Reason::TimedOut,
    Reason::Contradictory,
    Reason::ZeroTests,
    Reason::Incomplete,
    Reason::StaleReport,
    Reason::TestGone,
    Reason::PassesOnBoth,
    Reason::Fewer,
    Reason::OutOfScope,
    Reason::Protected,
    Reason::ChangesRequested,
    Reason::NothingChanged,
    Reason::NotVerified,
];

/// Required assertions that do not hold and are not a person's to close, in the evaluator's
/// order.
pub(super) fn missing<'s>(sight: &'s Sight<'_>) -> impl Iterator<Item = &'s Assertion> {
    sight
        .report
        .iter()
        .flat_map(|report| &report.assertions)
        .filter(|said| {
            said.required
                && matches!(
                    said.status,
                    AssertionStatus::Fail | AssertionStatus::Unverified
                )
                && sight.human_gate(&said.id).is_none()
        })
}

/// The same for the document.
pub(super) fn views(sight: &Sight<'_>) -> Vec<MissingView> {
    missing(sight)
        .map(|said| MissingView {
            id: said.id.clone(),
            status: said.status,
            why: said.why.clone(),
            fix: Some(mend(sight, said).command().to_vec()),
        })
        .collect()
}

/// How `said`, which does not hold, is mended.
pub(super) fn mend(sight: &Sight<'_>, said: &Assertion) -> Mend {
    let why: Option<Reason> = said.why.parse().ok();
    if why == Some(Reason::Uncounted) {
        return Mend::Person(rapid(&["approve", "--test-command"]));
    }
    if let Some(gate) = sight.human_gate(&said.id) {
        return match why {
            Some(Reason::ChangesRequested) => Mend::EditThen(deciding_check(sight)),
            Some(Reason::Rejected) => Mend::Person(ending(&["abort"], &said.why)),
            _ => Mend::Person(rapid(&["approve", gate.as_str()])),
        };
    }
    let command = match family(&said.id) {
        ("run", _) => rapid(&["finish"]),
        ("spec", _) => rapid(&["fsck"]),
        ("risk", _) => {
            let risk = fact(said, "risk").unwrap_or("high");
            return Mend::Run(ending(&["supersede", "--risk", risk], &said.why));
        }
        ("direct", _) => {
            let mode = fact(said, "mode").unwrap_or(Mode::Feature.as_str());
            return Mend::Run(ending(&["supersede", mode], &said.why));
        }
        ("events", _) => {
            let mut words = vec!["resolve".to_owned()];
            words.extend(
                sight
                    .run
                    .state
                    .conflicts
                    .iter()
                    .map(|conflict| conflict.event.short(12)),
            );
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            return Mend::Person(rapid(&words));
        }
        ("task", task) => return of_task(sight, why, task),
        ("reproduction", task) => return of_reproduction(sight, why, task),
        ("gate", _) => return of_gate(sight, said, why),
        ("acceptance", criterion) => check(sight, &["--accept", criterion]),
        ("capability", capability) => return of_capability(sight, why, capability),
        ("commits", _) => rapid(&["verify", "HEAD"]),
        _ => check(sight, &[]),
    };
    of_result(sight, why, command)
}

/// Running a check mends what was not run; what it already said is mended by an edit.
pub(super) fn of_result(sight: &Sight<'_>, why: Option<Reason>, command: Vec<String>) -> Mend {
    let elsewhere = sight.scene.policy.witness == Witness::Ci
        && matches!(why, Some(Reason::OtherProducer | Reason::Unsigned));
    let repeats = why.is_some_and(|why| REPEATS.contains(&why))
        || why == Some(Reason::Unstable) && keeps_moving(sight);
    if repeats || elsewhere {
        Mend::EditThen(command)
    } else {
        Mend::Run(command)
    }
}

/// Whether running once more is no help to an unstable result: the latest two both changed
/// the tree they spoke of, or an earlier good one that does not count would only be cited.
fn keeps_moving(sight: &Sight<'_>) -> bool {
    let mut results = sight
        .run
        .evidence
        .iter()
        .rev()
        .filter_map(|record| record.body.check());
    let unstable = [results.next(), results.next()];
    let twice = unstable
        .iter()
        .all(|result| result.is_some_and(|result| !result.subject.stable));
    let cited = sight.wanted_checks().into_iter().any(|check| {
        sight.counting(check).answer == Answer::Nothing && sight.cited(check).is_some()
    });
    twice || cited
}

fn of_task(sight: &Sight<'_>, why: Option<Reason>, task: &str) -> Mend {
    if why == Some(Reason::NothingAttached) || sight.run.contract.checks.is_empty() {
        return match task.parse::<TaskId>() {
            Ok(task) => Mend::EditThen(attach(sight.scene.report_path, &task)),
            Err(_) => Mend::EditThen(rapid(&["task", "list"])),
        };
    }
    of_result(sight, why, check(sight, &["--task", task]))
}

fn of_reproduction(sight: &Sight<'_>, why: Option<Reason>, task: &str) -> Mend {
    let open = task
        .parse::<TaskId>()
        .ok()
        .and_then(|task| sight.run.state.tasks.get(&task))
        .is_some_and(|status| !status.is_terminal());
    match why {
        _ if open => Mend::EditThen(check(sight, &["--expect", "fail", "--task", task])),
        // It was seen and does not pass yet: the check has to run here, or the bug is still there.
        Some(Reason::NotGreenYet) if sight.red_check().is_none() => {
            Mend::Run(check(sight, &["--task", task]))
        }
        _ => Mend::EditThen(check(sight, &["--task", task])),
    }
}

fn of_gate(sight: &Sight<'_>, said: &Assertion, why: Option<Reason>) -> Mend {
    let gate = gate_name(&said.id).unwrap_or_default();
    let kind = sight
        .run
        .contract
        .gates
        .iter()
        .find(|one| one.id.as_str() == gate)
        .map(|gate| gate.kind);
    match kind {
        Some(GateKind::WorkspaceIsolation) => Mend::Run(isolate(&sight.run.id)),
        Some(GateKind::BaselineCheck) if why == Some(Reason::Red) => Mend::Person(waive(gate)),
        Some(GateKind::BaselineCheck) => Mend::Run(rapid(&["check", "--gate", gate])),
        Some(GateKind::ArchitectureCheck) => of_result(
            sight,
            why,
            rapid(&[
                "check",
                "--gate",
                gate,
                "--",
                "git",
                "rapid",
                "arch",
                "check",
                "--new-only",
            ]),
        ),
        _ => of_result(sight, why, check(sight, &[])),
    }
}

fn of_capability(sight: &Sight<'_>, why: Option<Reason>, id: &str) -> Mend {
    match id.strip_suffix(".observed").unwrap_or(id) {
        "workspace.current" => Mend::Run(resume(&sight.run.id)),
        "workspace.isolated" => Mend::Run(isolate(&sight.run.id)),
        "tests.execute" | "shell.execute" | "repository.write" => {
            of_result(sight, why, check(sight, &[]))
        }
        "git.modify" => Mend::Run(commit(sight)),
        _ => Mend::EditThen(rapid(&["evidence", "add", "--input", "-"])),
    }
}

/// `git rapid check` with these words. Without words it runs all that is due; when nothing
/// is, what is pinned is named, or it would run nothing.
pub(super) fn check(sight: &Sight<'_>, words: &[&str]) -> Vec<String> {
    let mut command = vec!["check"];
    if sight.all_due().is_empty() {
        let pinned = &sight.run.contract.checks;
        command.extend(pinned.iter().map(|check| check.name.as_str()));
    }
    command.extend(words);
    rapid(&command)
}

/// The command that shows whether an edit helped: the due checks, or in research the report
/// handed in again.
pub(super) fn deciding_check(sight: &Sight<'_>) -> Vec<String> {
    let last = sight.run.tasks().last().map(|task| task.id.clone());
    match last {
        Some(task) if sight.run.contract.mode == Mode::Research => {
            attach(sight.scene.report_path, &task)
        }
        _ => check(sight, &[]),
    }
}

/// `git rapid commit` of all that this run changed.
pub(super) fn commit(sight: &Sight<'_>) -> Vec<String> {
    rapid(&["commit", "-a", "-m", sight.scene.title])
}

/// An assertion's family and what it is about: `task.T001.evidence` is (`task`, `T001`).
fn family(id: &str) -> (&str, &str) {
    let (family, rest) = id.split_once('.').unwrap_or((id, ""));
    (family, rest.strip_suffix(".evidence").unwrap_or(rest))
}

fn fact<'s>(said: &'s Assertion, name: &str) -> Option<&'s str> {
    said.facts.get(name)?.as_str()
}
