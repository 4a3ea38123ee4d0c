//! Rows 1 to 4: what is settled before any work is looked at.

use super::{
    ActionKind, Sight, Step, Why,
    command::{ending, isolate, rapid, resume, waive},
    sight::holds,
    tasks,
};
use crate::domain::{
    digest::Digest,
    evaluate::{BaselineState, Reason, baseline, counts::Answer},
    gate::GateKind,
    id::GateId,
    record::Body,
    run::is_waivable,
    vocabulary::{AssertionStatus, GateStatus, Phase, RunStatus},
};

/// Row 1: the run has ended.
pub(super) fn ended(sight: &Sight<'_>) -> Option<Step> {
    let state = &sight.run.state;
    state.status.is_terminal().then(|| {
        Step::new(ActionKind::Done, Why::Ended)
            .fact("status", state.status)
            .by(state.last_run_event)
    })
}

/// Row 2: the run stands still.
pub(super) fn stopped(sight: &Sight<'_>) -> Option<Step> {
    let state = &sight.run.state;
    let why = match state.status {
        RunStatus::Blocked => Why::Blocked,
        RunStatus::Paused => Why::Paused,
        _ => return None,
    };
    let reason = state.last_run_event.and_then(|event| reason(sight, event));
    Some(
        Step::new(ActionKind::Blocked, why)
            .run(resume(&sight.run.id))
            .fact("reason", reason.unwrap_or_default())
            .by(state.last_run_event),
    )
}

fn reason(sight: &Sight<'_>, digest: Digest) -> Option<String> {
    let mut records = sight.run.records.iter();
    match &records.find(|record| record.digest == digest)?.body {
        Body::Event(event) => event.reason.clone(),
        _ => None,
    }
}

/// Row 3: a person said no.
pub(super) fn rejected(sight: &Sight<'_>) -> Option<Step> {
    let said = sight
        .required(AssertionStatus::Fail)
        .find(|said| said.why == Reason::Rejected.as_str())?;
    let gate = sight.human_gate(&said.id)?;
    let abort = ending(&["abort"], Why::Rejected.as_str());
    Some(
        Step::new(ActionKind::Blocked, Why::Rejected)
            .run(abort.clone())
            .for_person(abort)
            .at(vec![gate.clone()])
            .fact("words", words(sight, &said.records))
            .by(said.records.iter().copied()),
    )
}

/// What the reviewers of these records wrote.
pub(super) fn words(sight: &Sight<'_>, records: &[Digest]) -> String {
    let texts: Vec<&str> = records
        .iter()
        .filter_map(|digest| {
            let review = sight.run.evidence(digest)?.body.review()?;
            review.text.as_deref()
        })
        .collect();
    texts.join("\n")
}

/// Row 3b: something waits for a person's answer.
pub(super) fn question(sight: &Sight<'_>) -> Option<Step> {
    let run = sight.run;
    if !run.waiting_amendments.is_empty() {
        let reasons: Vec<&str> = run
            .waiting_amendments
            .iter()
            .map(|(_, amendment)| amendment.reason.as_str())
            .collect();
        return Some(
            Step::new(ActionKind::AwaitHumanApproval, Why::AmendmentWaiting)
                .for_person(rapid(&["approve"]))
                .fact("reason", reasons.join("; "))
                .by(run.waiting_amendments.iter().map(|(digest, _)| *digest)),
        );
    }
    let conflicts = &run.state.conflicts;
    if !conflicts.is_empty() {
        let names: Vec<String> = conflicts
            .iter()
            .map(|conflict| conflict.event.short(12))
            .collect();
        let mut resolve = vec!["resolve"];
        resolve.extend(names.iter().map(String::as_str));
        let subjects: Vec<&str> = conflicts
            .iter()
            .map(|conflict| conflict.subject.as_str())
            .collect();
        return Some(
            Step::new(ActionKind::AwaitHumanApproval, Why::MergeConflict)
                .for_person(rapid(&resolve))
                .fact("subjects", subjects.join(", "))
                .by(conflicts.iter().map(|conflict| conflict.event)),
        );
    }
    uncounted(sight)
}

/// A wanted check ended well on this tree and its tests cannot be counted.
fn uncounted(sight: &Sight<'_>) -> Option<Step> {
    let (check, record) = sight.wanted_checks().into_iter().find_map(|check| {
        let decision = sight.counting(check);
        let asked = decision.answer == Answer::Nothing
            && matches!(decision.why, Reason::Uncounted | Reason::Unstable);
        let record = sight.cited(check).filter(|_| asked)?;
        let uncounted = record.body.check()?.counts.is_none();
        uncounted.then_some((check, record))
    })?;
    Some(
        Step::new(ActionKind::AwaitHumanApproval, Why::Uncounted)
            .for_person(rapid(&["approve", "--test-command"]))
            .fact("check", &check.name)
            .by([record.digest]),
    )
}

/// Row 4: what comes before the work.
pub(super) fn prepared(sight: &Sight<'_>) -> Option<Step> {
    if sight.run.state.status != RunStatus::Prepared {
        return None;
    }
    let step = isolation(sight)
        .or_else(|| approval(sight))
        .or_else(|| measurement(sight))
        .unwrap_or_else(|| Step::new(ActionKind::Activate, Why::Ready).run(rapid(&["resume"])));
    Some(step)
}

/// The machine gate of this kind, pending, and what the evaluator says of it if it does not hold.
fn unmet(sight: &Sight<'_>, kind: GateKind) -> Option<GateId> {
    let (gate, said) = sight.gate_of(kind)?;
    let pending = sight.run.state.gates.get(&gate) == Some(&GateStatus::Pending);
    (pending && !holds(said)).then_some(gate)
}

fn isolation(sight: &Sight<'_>) -> Option<Step> {
    let gate = unmet(sight, GateKind::WorkspaceIsolation)?;
    Some(
        Step::new(ActionKind::Blocked, Why::IsolationUnmet)
            .run(isolate(&sight.run.id))
            .at(vec![gate]),
    )
}

/// Manual approval pending, or a red baseline: both are a person's, and asked together.
fn approval(sight: &Sight<'_>) -> Option<Step> {
    let mut gates: Vec<GateId> = sight
        .run
        .contract
        .gates
        .iter()
        .filter(|gate| gate.human && gate.phase == Phase::Pre)
        .filter(|gate| sight.gate(&gate.id).is_none_or(|said| !holds(said)))
        .map(|gate| gate.id.clone())
        .collect();
    let red = unmet(sight, GateKind::BaselineCheck).and_then(|gate| {
        match baseline(sight.run, sight.scene.policy) {
            BaselineState::Red { records } => Some((gate, records)),
            BaselineState::Pending { .. } | BaselineState::Green { .. } => None,
        }
    });
    let Some((gate, records)) = red else {
        return (!gates.is_empty()).then(|| {
            let approve = approve(&gates);
            Step::new(ActionKind::AwaitHumanApproval, Why::ApprovalPending)
                .at(gates)
                .for_person(approve)
        });
    };
    let waivable = sight
        .run
        .contract
        .gates
        .iter()
        .any(|one| one.id == gate && is_waivable(sight.run, one));
    if !waivable {
        if !gates.is_empty() {
            let approve = approve(&gates);
            return Some(
                Step::new(ActionKind::AwaitHumanApproval, Why::ApprovalPending)
                    .at(gates)
                    .for_person(approve),
            );
        }
        // The base has to be mended first, in a run of its own.
        let abort = ending(&["abort"], Why::BaselineRed.as_str());
        let step = Step::new(ActionKind::Blocked, Why::BaselineRed)
            .at(vec![gate])
            .run(abort.clone())
            .for_person(abort)
            .fact("fixed", "yes")
            .by(records.iter().copied());
        return Some(tasks::with_counts(sight, step, records.last()));
    }
    let command = if gates.is_empty() {
        waive(gate.as_str())
    } else {
        // One screen shows all that wait.
        rapid(&["approve"])
    };
    gates.push(gate);
    let step = Step::new(ActionKind::AwaitHumanApproval, Why::BaselineRed)
        .at(gates)
        .for_person(command)
        .by(records.iter().copied());
    Some(tasks::with_counts(sight, step, records.last()))
}

/// `git rapid approve` of these gates.
pub(super) fn approve(gates: &[GateId]) -> Vec<String> {
    let mut words = vec!["approve"];
    words.extend(gates.iter().map(GateId::as_str));
    rapid(&words)
}

/// The checks were not measured before the work. They are measured on the tree of the start:
/// here, or in a clean checkout where it is a commit's; any other has to come back first.
fn measurement(sight: &Sight<'_>) -> Option<Step> {
    let gate = unmet(sight, GateKind::BaselineCheck)?;
    if let Some(step) = tasks::no_snapshot(sight) {
        return Some(step);
    }
    let measure = rapid(&["check", "--gate", gate.as_str()]);
    let step = Step::new(ActionKind::RunBaseline, Why::BaselinePending).at(vec![gate]);
    let base = &sight.run.contract.base;
    let at_start = sight.scene.snapshot == Ok(base.start_tree);
    let committed = base.commit.is_some() && base.start_tree == base.tree;
    Some(if at_start || committed {
        step.run(measure)
    } else {
        step.then(measure).fact("moved", "yes")
    })
}
