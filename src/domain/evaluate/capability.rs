//! `capability.C.observed`: was it seen that the run used what it was to use?

use super::{
    Assertion, Reason,
    case::Case,
    counts::Answer,
    gate::latest_workspaces,
    judgement::Judgement,
    review::{Waiver, waiver},
};
use crate::domain::{
    evidence::Payload,
    gate::GateKind,
    run::{EvidenceRecord, is_aside},
    vocabulary::Workspace,
};

pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    case.contract
        .capabilities
        .iter()
        .map(|capability| {
            judge(case, capability).asserted(format!("capability.{capability}.observed"), true)
        })
        .collect()
}

fn judge(case: &Case<'_>, capability: &str) -> Judgement {
    match capability {
        // Reading leaves no trace.
        "context.consume" | "repository.read" => Judgement::not_applicable(Reason::NotObservable),
        "repository.write" => match &case.changed {
            None => Judgement::object_missing("paths"),
            Some(changed) if changed.is_empty() => Judgement::unverified(Reason::NothingChanged),
            Some(changed) => Judgement::pass(Reason::Seen).fact("changed", changed.len()),
        },
        "workspace.current" => workspace(case, Workspace::Current),
        "workspace.isolated" => workspace(case, Workspace::Isolated),
        "tests.execute" => tests(case),
        _ => asked_for(case, capability),
    }
}

fn workspace(case: &Case<'_>, wanted: Workspace) -> Judgement {
    let latest = latest_workspaces(case);
    let judgement = match latest.iter().map(|(_, mode)| *mode).min() {
        None => Judgement::unverified(Reason::NotSeen),
        // Isolated also shows current.
        Some(mode) if mode >= wanted => Judgement::pass(Reason::Seen),
        Some(_) => Judgement::fail(Reason::NotIsolated),
    };
    judgement.decided_by(latest.iter().map(|(record, _)| record.digest))
}

fn tests(case: &Case<'_>) -> Judgement {
    if case.none_due() {
        return Judgement::not_applicable(Reason::NoneDue);
    }
    let gate = case
        .contract
        .gates
        .iter()
        .find(|gate| gate.kind == GateKind::ImplementationTests);
    let waived =
        gate.and_then(
            |gate| match waiver(case.run, case.input.state, case.input.subject, gate) {
                Waiver::Holds(record) => Some(record.digest),
                _ => None,
            },
        );
    if let Some(record) = waived {
        return Judgement::not_applicable(Reason::Waived).decided_by([record]);
    }
    let Some(due) = &case.due else {
        return Judgement::object_missing("paths");
    };
    let mut seen = None;
    let mut open = Reason::NothingPinned;
    for check in due {
        let decision = case.results.counting(check, case.input.subject);
        match decision.answer {
            Answer::Bad => return Judgement::fail(decision.why).by(&decision.records),
            Answer::Good => {
                seen.get_or_insert(decision);
            }
            Answer::Nothing => open = decision.why,
        }
    }
    match seen {
        Some(decision) => Judgement::pass(Reason::Seen).by(&decision.records),
        None => Judgement::unverified(open),
    }
}

/// The capabilities that a run may ask for besides: seen where evidence that informs shows
/// them and it went well.
fn asked_for(case: &Case<'_>, capability: &str) -> Judgement {
    let shows = |record: &&EvidenceRecord| match (&record.body.payload, capability) {
        (Payload::CommandResult(result) | Payload::TestResult(result), "shell.execute") => {
            record.producer.is_rapid("check") && !is_aside(case.run, result)
        }
        (Payload::Milestone(_), "git.modify") => record.producer.is_rapid("commit"),
        (Payload::GitResult(operation), "git.inspect" | "git.modify") => {
            went_well(&operation.outcome)
                && (operation.operation == capability || lists(record, capability))
        }
        (Payload::ToolInvocation(operation), "mcp.invoke")
        | (Payload::Delegation(operation), "subagents.delegate") => went_well(&operation.outcome),
        (
            Payload::GitResult(operation)
            | Payload::ToolInvocation(operation)
            | Payload::Delegation(operation),
            _,
        ) => went_well(&operation.outcome) && lists(record, capability),
        _ => false,
    };
    match case.run.evidence.iter().rev().find(shows) {
        Some(record) => Judgement::pass(Reason::Seen).decided_by([record.digest]),
        None => Judgement::unverified(Reason::NotSeen),
    }
}

fn went_well(outcome: &str) -> bool {
    outcome == "success"
}

fn lists(record: &EvidenceRecord, capability: &str) -> bool {
    record.body.capabilities.iter().any(|one| one == capability)
}
