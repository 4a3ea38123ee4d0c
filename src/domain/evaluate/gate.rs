//! `gate.G.evidence` of the machine gates: does what counts say yes?
//!
//! A waiver that holds lets the gate go. Else what counts says no: FAIL, even while the
//! gate is pending. What counts says yes: PASS once the gate is addressed.

use super::{
    Assertion, BaselineState, Reason, baseline,
    case::Case,
    counts::{Answer, Decision},
    judgement::Judgement,
    latest::latest,
    review::{Waiver, is_addressed, waiver},
};
use crate::domain::{
    bytes::ByteText,
    contract::Gate,
    evidence::Payload,
    gate::GateKind,
    path::RepoPath,
    producer::Producer,
    run::EvidenceRecord,
    vocabulary::{AssertionStatus, Expectation, Workspace},
};

/// The command that closes gate.architecture, word by word.
const ARCHITECTURE: [&str; 5] = ["git", "rapid", "arch", "check", "--new-only"];

pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    case.contract
        .gates
        .iter()
        .filter(|gate| !gate.human)
        .map(|gate| judge(case, gate).asserted(format!("gate.{}.evidence", gate.id), true))
        .collect()
}

fn judge(case: &Case<'_>, gate: &Gate) -> Judgement {
    if gate.kind == GateKind::ImplementationTests && case.none_due() {
        return Judgement::not_applicable(Reason::NoneDue);
    }
    let state = case.input.state;
    let void = match waiver(case.run, state, case.input.subject, gate) {
        Waiver::Holds(record) => {
            return Judgement::waived(Reason::Waived).decided_by([record.digest]);
        }
        Waiver::Void(why) => Some(why),
        Waiver::None => None,
    };
    let said = match gate.kind {
        GateKind::WorkspaceIsolation => isolation(case),
        GateKind::BaselineCheck => measured(case),
        GateKind::ArchitectureCheck => architecture(case),
        _ => tests(case),
    };
    let said = match void {
        Some(why) => said.fact("waiver", why.as_str()),
        None => said,
    };
    if said.status == AssertionStatus::Pass && !is_addressed(state, gate) {
        return Judgement::unverified(Reason::Pending);
    }
    said
}

fn isolation(case: &Case<'_>) -> Judgement {
    let latest = latest_workspaces(case);
    let judgement = match latest.iter().map(|(_, mode)| *mode).min() {
        None => Judgement::unverified(Reason::NoResult),
        Some(Workspace::Current) => Judgement::fail(Reason::NotIsolated),
        Some(Workspace::Isolated) => Judgement::pass(Reason::Isolated),
    };
    judgement.decided_by(latest.iter().map(|(record, _)| record.digest))
}

/// The latest workspace records of our own verbs.
pub(super) fn latest_workspaces<'a>(case: &Case<'a>) -> Vec<(&'a EvidenceRecord, Workspace)> {
    let own: Vec<&EvidenceRecord> = case
        .run
        .evidence
        .iter()
        .filter(|record| {
            matches!(record.body.payload, Payload::Workspace(_))
                && matches!(record.producer, Producer::Rapid(_))
        })
        .collect();
    latest(&case.run.history, &own)
        .into_iter()
        .filter_map(|record| match &record.body.payload {
            Payload::Workspace(seen) => Some((record, seen.mode)),
            _ => None,
        })
        .collect()
}

fn measured(case: &Case<'_>) -> Judgement {
    match baseline(case.run, case.input.policy) {
        BaselineState::Pending { missing } => {
            Judgement::unverified(Reason::NoResult).list("missing", missing)
        }
        BaselineState::Green { records } => {
            let why = if records.is_empty() {
                Reason::NoneDue
            } else {
                Reason::Green
            };
            Judgement::pass(why).decided_by(records)
        }
        BaselineState::Red { records } => Judgement::fail(Reason::Red).decided_by(records),
    }
}

fn architecture(case: &Case<'_>) -> Judgement {
    let argv: Vec<ByteText> = ARCHITECTURE.iter().map(|word| (*word).into()).collect();
    let runs: Vec<&EvidenceRecord> = case
        .run
        .evidence
        .iter()
        .filter(|record| {
            record.producer.is_rapid("check")
                && record.body.check().is_some_and(|result| {
                    result.argv == argv
                        && result.cwd == RepoPath::root()
                        && result.expectation == Expectation::Pass
                        && result.subject.stable
                })
        })
        .collect();
    let here: Vec<&EvidenceRecord> = runs
        .iter()
        .copied()
        .filter(|record| {
            record
                .body
                .check()
                .is_some_and(|result| result.subject.tree == case.input.subject)
        })
        .collect();
    let latest = latest(&case.run.history, &here);
    let good = |record: &&EvidenceRecord| {
        record
            .body
            .check()
            .is_some_and(|result| result.exit_code == Some(0) && !result.timed_out)
    };
    if latest.is_empty() {
        Judgement::unverified(if runs.is_empty() {
            Reason::NoResult
        } else {
            Reason::OtherTree
        })
    } else if latest.iter().all(good) {
        Judgement::pass(Reason::Green).by(&latest)
    } else {
        Judgement::fail(Reason::Red).by(&latest)
    }
}

fn tests(case: &Case<'_>) -> Judgement {
    if case.contract.checks.is_empty() {
        return Judgement::unverified(Reason::NothingPinned);
    }
    let Some(due) = &case.due else {
        return Judgement::object_missing("paths");
    };
    let decisions: Vec<_> = due
        .iter()
        .map(|check| (*check, case.results.counting(check, case.input.subject)))
        .collect();
    let named = |answer: Answer| {
        decisions
            .iter()
            .filter(move |(_, decision)| decision.answer == answer)
            .map(|(check, _)| check.name.as_str())
    };
    let first = |answer: Answer| {
        decisions
            .iter()
            .find(|(_, decision)| decision.answer == answer)
            .map(|(_, decision)| decision)
    };
    let judgement = if let Some(bad) = first(Answer::Bad) {
        Judgement::fail(bad.why).list("failed_tests", failed_tests(&bad.records))
    } else if let Some(open) = first(Answer::Nothing) {
        let judgement = Judgement::unverified(open.why);
        judgement.list("seen", open.records.iter().map(|record| record.digest))
    } else {
        // A green by known failures alone says so.
        let known = decisions
            .iter()
            .find(|(_, decision)| decision.why == Reason::KnownFailures);
        let accepted = decisions
            .iter()
            .find(|(_, decision)| decision.why == Reason::AcceptedUncounted);
        Judgement::pass(
            known
                .or(accepted)
                .map_or(Reason::Green, |(_, decision)| decision.why),
        )
    };
    let flaky = decisions
        .iter()
        .filter(|(_, decision)| decision.flaky)
        .map(|(check, _)| check.name.as_str());
    let deciding: Vec<&EvidenceRecord> = decisions
        .iter()
        .filter(|(_, decision)| decision.answer != Answer::Nothing)
        .flat_map(|(_, decision)| decision.records.iter().copied())
        .collect();
    let judgement = judgement
        .list("red", named(Answer::Bad))
        .list("missing", named(Answer::Nothing))
        .list("flaky", flaky);
    counted(judgement, case, &decisions).by(&deciding)
}

/// The sums over the deciding results that were counted, and over what was measured before.
fn counted(
    judgement: Judgement,
    case: &Case<'_>,
    decisions: &[(&crate::domain::contract::NamedCheck, Decision<'_>)],
) -> Judgement {
    let counts: Vec<_> = decisions
        .iter()
        .filter(|(_, decision)| decision.answer != Answer::Nothing)
        .filter_map(|(_, decision)| decision.records.last()?.body.check()?.counts)
        .collect();
    let before: Vec<u64> = decisions
        .iter()
        .filter_map(|(check, _)| case.results.baseline.passed(check))
        .collect();
    let sum = |numbers: &mut dyn Iterator<Item = u64>| {
        numbers.fold(0_u64, |sum, number| sum.saturating_add(number))
    };
    let mut judgement = judgement;
    if !counts.is_empty() {
        judgement = judgement
            .fact("passed", sum(&mut counts.iter().map(|one| one.passed)))
            .fact("failed", sum(&mut counts.iter().map(|one| one.failed)))
            .fact("errors", sum(&mut counts.iter().map(|one| one.errors)))
            .fact("skipped", sum(&mut counts.iter().map(|one| one.skipped)));
    }
    if !before.is_empty() {
        judgement = judgement.fact("baseline_passed", sum(&mut before.into_iter()));
    }
    judgement
}

fn failed_tests<'a>(records: &[&'a EvidenceRecord]) -> Vec<&'a str> {
    let mut names: Vec<&str> = records
        .iter()
        .filter_map(|record| record.body.check())
        .flat_map(|result| result.failed_tests.iter().map(String::as_str))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}
