//! Records to run.
//!
//! Total: whatever the ledger can hold folds. Each record is applied in reading
//! order if it is legal where it then stands; one that is not is told apart by what
//! its writer had seen. Legal there: two clones contradicted each other, and a person
//! has to say so (`resolve`). Illegal even there: it never counted.

use super::{
    Conflict, EvidenceRecord, History, Run, RunState,
    precondition::{IllegalMove, check_amendment, check_event},
};
use crate::domain::{
    amendment::Amendment,
    contract::Contract,
    digest::Digest,
    event::{Event, EventSubject},
    id::RunId,
    producer::Producer,
    record::{Body, Record},
    resolution::Resolution,
    vocabulary::{GateStatus, Risk, RunStatus, TaskStatus},
};
use std::collections::HashSet;

/// Why records are not a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// There is no record.
    #[error("the stream has no record")]
    Empty,
    /// The first record is not a contract.
    #[error("the first record {0} is not a contract")]
    NoContract(Digest),
    /// A second contract, a record of another stream, or of a type that no run holds.
    #[error("the record {0} does not belong to this run")]
    Foreign(Digest),
}

/// Folds `records` (any order) into the run they add up to.
pub fn fold(id: RunId, mut records: Vec<Record>) -> Result<Run, FoldError> {
    records.sort_by_key(|record| (record.seq(), record.digest));
    records.dedup_by(|a, b| a.digest == b.digest);
    let first = records.first().ok_or(FoldError::Empty)?;
    let Body::Contract(contract) = &first.body else {
        return Err(FoldError::NoContract(first.digest));
    };
    let contract_digest = first.digest;
    if first.stream() != contract_digest {
        return Err(FoldError::Foreign(contract_digest));
    }
    if let Some(foreign) = records[1..]
        .iter()
        .find(|record| record.stream() != contract_digest || !belongs(&record.body))
    {
        return Err(FoldError::Foreign(foreign.digest));
    }

    let history = History::of(&records);
    let mut run = begin(id, contract_digest, contract.as_ref().clone());
    run.history = history;
    let mut resolutions: Vec<(Digest, &Resolution)> = Vec::new();
    let mut conflicts: Vec<Conflict> = Vec::new();
    for (place, record) in records.iter().enumerate().skip(1) {
        if let Body::Resolution(resolution) = &record.body
            && record.producer == Producer::User
        {
            resolutions.push((record.digest, resolution));
        }
        if step(&mut run, record).is_ok() {
            continue;
        }
        if legal_where_written(&run, &records[..place], record) {
            conflicts.push(Conflict {
                event: record.digest,
                subject: subject(record),
            });
        } else {
            run.state.illegal.push(record.digest);
        }
    }
    let resolved: HashSet<Digest> = resolutions
        .iter()
        .flat_map(|(by, resolution)| resolution.events.iter().map(move |event| (by, event)))
        .filter(|(by, event)| run.history.had_seen(by, event))
        .map(|(_, event)| *event)
        .collect();
    conflicts.retain(|conflict| !resolved.contains(&conflict.event));
    run.state.conflicts = conflicts;
    run.records = records;
    Ok(run)
}

/// Whether a run's stream may hold it after the contract.
fn belongs(body: &Body) -> bool {
    matches!(
        body,
        Body::Event(_)
            | Body::Amendment(_)
            | Body::Evidence(_)
            | Body::Report(_)
            | Body::Resolution(_)
    )
}

fn begin(id: RunId, contract_digest: Digest, contract: Contract) -> Run {
    Run {
        id,
        contract_digest,
        state: RunState::initial(&contract),
        contract,
        records: Vec::new(),
        history: History::default(),
        evidence: Vec::new(),
        amendments: Vec::new(),
        waiting_amendments: Vec::new(),
    }
}

/// Applies one record. An error changes nothing.
fn step(run: &mut Run, record: &Record) -> Result<(), IllegalMove> {
    match &record.body {
        Body::Evidence(evidence) => {
            run.evidence.push(EvidenceRecord {
                digest: record.digest,
                seq: record.seq(),
                alias: format!("E{:03}", run.evidence.len() + 1),
                producer: record.producer.clone(),
                body: evidence.as_ref().clone(),
            });
            Ok(())
        }
        Body::Event(event) => {
            if is_redundant(&run.state, event) {
                return Ok(());
            }
            check_event(run, &run.state, event, &record.producer)?;
            move_to(&mut run.state, event, record.digest);
            Ok(())
        }
        Body::Amendment(amendment) => {
            check_amendment(run, &run.state, amendment)?;
            amend(run, amendment, record);
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Whether the state it wants already holds, as after a merge of two clones that did the same.
fn is_redundant(state: &RunState, event: &Event) -> bool {
    let Some(to) = event.to.as_deref() else {
        return false;
    };
    let now = match &event.subject {
        EventSubject::Run => Some(state.status.as_str()),
        EventSubject::Task(task) => state.tasks.get(task).map(|status| status.as_str()),
        EventSubject::Gate(gate) => state.gates.get(gate).map(|status| status.as_str()),
        EventSubject::Brake => None,
    };
    now == Some(to)
}

/// Moves the state; the event has been checked, so its words are known.
fn move_to(state: &mut RunState, event: &Event, digest: Digest) {
    let to = event.to.as_deref().unwrap_or_default();
    match &event.subject {
        EventSubject::Run => {
            if let Ok(status) = to.parse::<RunStatus>() {
                state.status = status;
                if status.is_terminal() || matches!(status, RunStatus::Blocked | RunStatus::Paused)
                {
                    state.last_run_event = Some(digest);
                }
            }
        }
        EventSubject::Task(task) => {
            if let Ok(status) = to.parse::<TaskStatus>() {
                state.tasks.insert(task.clone(), status);
                state.task_reasons.remove(task);
                if let Some(reason) = &event.reason
                    && matches!(status, TaskStatus::Blocked | TaskStatus::Skipped)
                {
                    state.task_reasons.insert(task.clone(), reason.clone());
                }
            }
        }
        EventSubject::Gate(gate) => {
            if let Ok(status) = to.parse::<GateStatus>() {
                state.gates.insert(gate.clone(), status);
            }
        }
        EventSubject::Brake => state.brake_released = Some(digest),
    }
}

/// Takes a checked amendment in. What someone other than a person asks for waits for one
/// from high risk up; a person's amendment that names a waiting one puts it into effect.
fn amend(run: &mut Run, amendment: &Amendment, record: &Record) {
    let by_user = record.producer == Producer::User;
    if !by_user && run.contract.risk >= Risk::High {
        run.waiting_amendments
            .push((record.digest, amendment.clone()));
        return;
    }
    if by_user && let Some(accepted) = amendment.accepts {
        let waiting = run
            .waiting_amendments
            .iter()
            .position(|(digest, _)| *digest == accepted);
        if let Some(place) = waiting {
            let (digest, amendment) = run.waiting_amendments.remove(place);
            take_effect(run, digest, amendment);
        }
    }
    take_effect(run, record.digest, amendment.clone());
}

fn take_effect(run: &mut Run, digest: Digest, amendment: Amendment) {
    for task in &amendment.tasks {
        run.state.tasks.insert(task.id.clone(), TaskStatus::Pending);
    }
    run.amendments.push((digest, amendment));
}

/// Whether `record`, which is not legal after `before`, was legal after what its writer
/// had seen of it. Only that can be a contradiction between two clones.
fn legal_where_written(run: &Run, before: &[Record], record: &Record) -> bool {
    if run.history.is_linear() {
        return false;
    }
    let closure: Vec<&Record> = before
        .iter()
        .filter(|earlier| run.history.had_seen(&record.digest, &earlier.digest))
        .collect();
    if closure.len() == before.len() {
        return false;
    }
    let mut there = begin(run.id.clone(), run.contract_digest, run.contract.clone());
    for earlier in closure.into_iter().skip(1) {
        // What was illegal there changed nothing there either.
        let _ = step(&mut there, earlier);
    }
    step(&mut there, record).is_ok()
}

fn subject(record: &Record) -> String {
    match &record.body {
        Body::Event(event) => event.subject.to_string(),
        body => body.record_type().to_string(),
    }
}
