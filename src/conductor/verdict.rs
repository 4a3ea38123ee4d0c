//! Rows 6 to 9: the work is done; does everything hold?

use super::{
    ActionKind, Sight, Step, Why,
    command::{ending, rapid},
    missing::{Mend, check, commit, mend, of_result},
    sight::gate_name,
    standing::{approve, words},
    tasks::{shortened, with_counts},
};
use crate::domain::{
    evaluate::{Assertion, Reason, counts::Answer},
    id::GateId,
    vocabulary::{AssertionStatus, Mode},
};
use serde_json::Value;

/// Row 6: something says no.
pub(super) fn failing(sight: &Sight<'_>) -> Option<Step> {
    let fails: Vec<&Assertion> = sight.required(AssertionStatus::Fail).collect();
    if sight.run.contract.mode == Mode::Refactor
        && let Some(said) = fails.iter().find(|said| said.id == "tests.not-fewer")
    {
        let step = Step::new(ActionKind::Blocked, Why::TestsLost)
            .then(check(sight, &[]))
            .by(said.records.iter().copied());
        return Some(number(
            number(step, said, "passed"),
            said,
            "baseline_passed",
        ));
    }
    // What an edit mends comes before what ends the run.
    let edit = fails.iter().find_map(|said| match mend(sight, said) {
        Mend::EditThen(after) => Some(edit(sight, said, after)),
        Mend::Run(_) | Mend::Person(_) => None,
    });
    edit.or_else(|| red_commit_check(sight))
        .or_else(|| fails.first().map(|said| failed(sight, said)))
}

/// A FAIL that an edit can mend: edit first, then the check that decides.
fn edit(sight: &Sight<'_>, said: &Assertion, after: Vec<String>) -> Step {
    let why = match said.why.parse() {
        Ok(Reason::OutOfScope | Reason::Protected) => Why::OutOfScope,
        Ok(Reason::ChangesRequested) => Why::ChangesRequested,
        Ok(Reason::Red | Reason::TimedOut | Reason::Contradictory) => Why::Red,
        _ => Why::Failed,
    };
    let step = Step::new(ActionKind::Verify, why)
        .then(after)
        .fact("id", &said.id)
        .fact("reason", &said.why)
        .by(said.records.iter().copied());
    match why {
        Why::OutOfScope => {
            let mut outside = paths(said, "paths");
            outside.extend(paths(said, "protected"));
            step.fact("paths", shortened(&outside))
        }
        Why::ChangesRequested => {
            let step = step.fact("words", words(sight, &said.records));
            let report = sight.run.contract.mode == Mode::Research;
            Step { report, ..step }
        }
        _ => with_counts(sight, step, said.records.last()),
    }
}

/// A check of the commit tier that says no: no gate asks for it, and no commit gets by it.
fn red_commit_check(sight: &Sight<'_>) -> Option<Step> {
    let (_, record) = sight.red_check()?;
    let step = Step::new(ActionKind::Verify, Why::Red)
        .then(check(sight, &[]))
        .by([record.digest]);
    Some(with_counts(sight, step, Some(&record.digest)))
}

/// Any other FAIL: its command, or a person's.
fn failed(sight: &Sight<'_>, said: &Assertion) -> Step {
    let step = Step::new(ActionKind::Blocked, Why::Failed)
        .fact("id", &said.id)
        .fact("reason", &said.why)
        .by(said.records.iter().copied());
    match mend(sight, said) {
        Mend::Run(command) | Mend::EditThen(command) => step.run(command),
        Mend::Person(_) if gate_name(&said.id).is_some() => {
            // Its time is over: what a person could have let go before the work is lost for
            // this run, and the next one begins anew.
            step.run(ending(&["supersede"], &said.why))
        }
        Mend::Person(command) => step.for_person(command),
    }
}

/// Row 7: a task, a machine gate or a due check is not verified on this tree.
pub(super) fn unverified_work(sight: &Sight<'_>) -> Option<Step> {
    let tests = sight.tests_wanted();
    let first =
        sight
            .required(AssertionStatus::Unverified)
            .find(|said| match said.id.split_once('.') {
                Some(("task", _)) => true,
                Some(("gate", _)) => sight.human_gate(&said.id).is_none(),
                Some(("capability", "tests.execute.observed")) => tests,
                _ => false,
            });
    if let Some(said) = first {
        return Some(unverified(sight, said));
    }
    open_check(sight)
}

/// A check that no assertion asks for. Without gate.tests the commit runs it by itself, so
/// only what would say the same again is told.
fn open_check(sight: &Sight<'_>) -> Option<Step> {
    let tests = sight.tests_wanted();
    sight.wanted_checks().into_iter().find_map(|open| {
        let decision = sight.counting(open);
        if decision.answer != Answer::Nothing {
            return None;
        }
        let step = Step::new(ActionKind::Verify, Why::Unverified)
            .fact("id", &open.name)
            .fact("reason", decision.why)
            .by(decision.records.iter().map(|record| record.digest));
        match of_result(sight, Some(decision.why), check(sight, &[])) {
            Mend::Run(command) => tests.then(|| step.run(command)),
            Mend::EditThen(after) | Mend::Person(after) => {
                Some(step.then(after).fact("edit", "yes"))
            }
        }
    })
}

fn unverified(sight: &Sight<'_>, said: &Assertion) -> Step {
    let step = Step::new(ActionKind::Verify, Why::Unverified)
        .fact("id", &said.id)
        .fact("reason", &said.why)
        .by(said.records.iter().copied());
    match mend(sight, said) {
        Mend::Run(command) => step.run(command),
        Mend::EditThen(after) => step.then(after).fact("edit", "yes"),
        Mend::Person(command) => Step {
            kind: ActionKind::AwaitHumanApproval,
            ..step
        }
        .for_person(command),
    }
}

/// Row 7b: what is verified is not what HEAD holds.
pub(super) fn not_committed(sight: &Sight<'_>) -> Option<Step> {
    let snapshot = sight.scene.snapshot.ok()?;
    (sight.scene.head_tree != Some(snapshot)).then(|| {
        Step::new(ActionKind::Commit, Why::NotCommitted)
            .run(commit(sight))
            .fact("tree", snapshot.short())
    })
}

/// Row 8: a person's turn.
pub(super) fn human_gates(sight: &Sight<'_>) -> Option<Step> {
    let gates = sight.awaiting_human();
    if gates.is_empty() {
        return None;
    }
    let said = |gate: &GateId| sight.gate(gate);
    let stale: Vec<&Assertion> = gates
        .iter()
        .filter_map(said)
        .filter(|said| {
            matches!(
                said.why.parse(),
                Ok(Reason::OtherTree | Reason::AmendedSince | Reason::AttachedSince)
            )
        })
        .collect();
    let why = if stale.is_empty() {
        Why::ApprovalPending
    } else {
        Why::ApprovalStale
    };
    let records: Vec<_> = stale
        .iter()
        .flat_map(|said| said.records.iter().copied())
        .collect();
    let command = approve(&gates);
    Some(
        Step::new(ActionKind::AwaitHumanApproval, why)
            .at(gates)
            .for_person(command)
            .by(records),
    )
}

/// Row 8b: any other required assertion is not verified.
pub(super) fn unverified_rest(sight: &Sight<'_>) -> Option<Step> {
    let said = sight.required(AssertionStatus::Unverified).next()?;
    Some(unverified(sight, said))
}

/// Row 9: everything holds.
pub(super) fn holds(sight: &Sight<'_>) -> Option<Step> {
    let verdict = sight.report.as_ref()?.verdict;
    verdict.is_passing().then(|| {
        Step::new(ActionKind::Finish, Why::Holds)
            .run(rapid(&["finish"]))
            .fact("verdict", verdict)
    })
}

/// No row applies: the run cannot be judged here, as one of a ruleset this version lacks.
pub(super) fn undecided(sight: &Sight<'_>) -> Step {
    Step::new(ActionKind::Blocked, Why::Failed)
        .run(rapid(&["fsck"]))
        .fact(
            "id",
            format!("ruleset {}", sight.run.contract.ruleset_version),
        )
        .fact("reason", "unsupported")
}

fn number(step: Step, said: &Assertion, name: &'static str) -> Step {
    match said.facts.get(name) {
        Some(value) => step.fact(name, value),
        None => step,
    }
}

/// Paths among an assertion's facts; one that is not text is shown by its bytes.
fn paths(said: &Assertion, name: &str) -> Vec<String> {
    let listed = said.facts.get(name).and_then(Value::as_array);
    listed
        .into_iter()
        .flatten()
        .map(|path| match path {
            Value::String(text) => text.clone(),
            other => serde_json::from_value::<crate::domain::path::RepoPath>(other.clone())
                .map_or_else(|_| other.to_string(), |path| path.to_string()),
        })
        .collect()
}
