//! The pre gates a machine can close: isolation and the baseline, and the step into work.

use super::{
    Context, Error, append,
    judge::Sight,
    measure::{self, Plan},
    observe,
    target::Place,
};
use crate::{
    conductor::gate_satisfied,
    domain::{
        contract::{Gate, NamedCheck},
        evaluate::{BaselineState, baseline},
        event::EventCode,
        evidence::Evidence,
        gate::GateKind,
        id::GateId,
        producer::Producer,
        record::Body,
        run::Run,
        vocabulary::{GateStatus, Phase, RunStatus, SubjectKind},
    },
    git::Scratch,
};

/// Measures what the baseline still misses. Red or green, it is recorded; nothing is run
/// twice on the same tree.
pub(super) fn measure_baseline(
    ctx: &Context<'_>,
    place: &Place<'_>,
    mut run: Run,
) -> Result<Run, Error> {
    let policy = observe::policy_of(place, &run)?;
    let BaselineState::Pending { missing } = baseline(&run, &policy) else {
        return Ok(run);
    };
    let gate = GateKind::BaselineCheck.gate_id();
    let due: Vec<NamedCheck> = run
        .contract
        .checks
        .iter()
        .filter(|check| missing.contains(&check.name))
        .cloned()
        .collect();
    let scratch = start_elsewhere(place, &run)?;
    let ground = scratch.as_ref().map_or(&**place, Scratch::repository);
    for check in &due {
        let plan = Plan {
            gates: vec![gate.clone()],
            ..Plan::named(check)
        };
        let mut measured = measure::measure(
            ctx,
            ground,
            &run,
            &policy,
            &plan,
            "baseline, before the work",
        )?;
        if scratch.is_some() {
            measured.evidence.laid_out(SubjectKind::Clean);
        }
        measure::keep_log(place, &run, &measured)?;
        run = record(place, &run, "baseline", measured.evidence)?.0;
    }
    Ok(run)
}

/// A clean checkout of the start tree, when the worktree has moved on from it and it is a
/// commit's. `None`: it lies here, or it can only come back here.
fn start_elsewhere<'p>(place: &'p Place<'_>, run: &Run) -> Result<Option<Scratch<'p>>, Error> {
    let base = &run.contract.base;
    let (Some(commit), true) = (base.commit, base.start_tree == base.tree) else {
        return Ok(None);
    };
    let here = observe::snapshot(place, run, &[])?;
    if here.is_ok_and(|snapshot| snapshot.tree == base.start_tree) {
        return Ok(None);
    }
    Ok(Some(place.scratch(commit)?))
}

/// Appends one piece of evidence by `rapid:check`.
pub(super) fn record(
    place: &Place<'_>,
    run: &Run,
    verb: &str,
    evidence: Evidence,
) -> Result<(Run, Vec<crate::domain::record::Record>), Error> {
    let subject = subject_line(verb, &evidence);
    append::to_run(place, &run.id, |_| {
        Ok(Some(append::draft(
            subject.clone(),
            vec![(Producer::rapid("check"), evidence.clone().into())],
        )))
    })
}

/// What a check's commit says: `check test, 42 passed on T001`.
fn subject_line(verb: &str, evidence: &Evidence) -> String {
    let mut line = verb.to_owned();
    if let Some(result) = evidence.check() {
        let name = result.check.clone().unwrap_or_else(|| {
            shell_words::join(
                result
                    .argv
                    .iter()
                    .map(crate::domain::bytes::ByteText::lossy),
            )
        });
        line.push_str(&format!(" {name}, "));
        line.push_str(&super::check::result_words(result, &evidence.notes));
    }
    if !evidence.tasks.is_empty() {
        let tasks: Vec<&str> = evidence.tasks.iter().map(|task| task.as_str()).collect();
        line.push_str(&format!(" on {}", tasks.join(" ")));
    }
    line
}

/// Machine gates of a phase that the evidence backs and that are still open.
pub(super) fn satisfied_gates(
    run: &Run,
    sight: &Sight,
    phase: Phase,
    subject: crate::domain::oid::TreeId,
) -> Vec<GateId> {
    run.contract
        .gates
        .iter()
        .filter(|gate: &&Gate| gate.phase == phase && !gate.human)
        .filter(|gate| run.state.gates.get(&gate.id) == Some(&GateStatus::Pending))
        .filter(|gate| {
            gate_satisfied(
                run,
                &run.state,
                &sight.facts,
                &sight.policy,
                subject,
                &gate.id,
            )
        })
        .map(|gate| gate.id.clone())
        .collect()
}

/// Closes the pre gates that the evidence backs and steps into work when nothing else is
/// open. What cannot be done yet is simply not done: `next` says what is missing.
pub(super) fn activate(place: &Place<'_>, run: Run, verb: &str) -> Result<Run, Error> {
    if run.state.status != RunStatus::Prepared {
        return Ok(run);
    }
    let id = run.id.clone();
    let (run, _) = append::to_run(place, &id, |run| {
        if run.state.status != RunStatus::Prepared {
            return Ok(None);
        }
        let sight = Sight::of(place, run)?;
        let subject = sight.subject(place);
        let producer = Producer::rapid(verb);
        let mut records: Vec<(Producer, Body)> = Vec::new();
        for gate in satisfied_gates(run, &sight, Phase::Pre, subject) {
            let event = append::gate_event(
                run,
                &gate,
                GateStatus::Acknowledged,
                EventCode::EvidenceHolds,
                None,
            );
            records.push((
                producer.clone(),
                append::legal(run, &producer, event)?.into(),
            ));
        }
        let after = append::hypothetical(run, &records)?;
        let event = append::run_event(&after, RunStatus::Active, EventCode::Activated, None);
        let mut subject = "pre gates closed";
        if append::legal(&after, &producer, event.clone()).is_ok() {
            records.push((producer, event.into()));
            subject = "work begins";
        }
        Ok((!records.is_empty()).then(|| append::draft(subject, records)))
    })?;
    Ok(run)
}
