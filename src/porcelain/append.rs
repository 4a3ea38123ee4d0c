//! Appending to a run: decided on the run as it stands at that moment.

use super::{Error, error::refuse};
use crate::{
    diagnostic::Code,
    domain::{
        event::{Event, EventCode, EventSubject},
        id::{GateId, RunId, TaskId},
        producer::Producer,
        record::{Body, Place, Record},
        run::{Run, check_event, fold},
        vocabulary::{GateStatus, RunStatus, TaskStatus},
    },
    git::Repository,
    ledger::{Draft, Ledger, Stream, StreamName},
};

/// Appends what `decide` makes of the run, and gives the run as it is afterwards with the
/// records that were added. `decide` may be asked again when another process was faster.
pub(super) fn to_run(
    repo: &Repository,
    id: &RunId,
    mut decide: impl FnMut(&Run) -> Result<Option<Draft>, Error>,
) -> Result<(Run, Vec<Record>), Error> {
    let ledger = Ledger::new(repo);
    let name = StreamName::Run(id.clone());
    let mut base: Option<Run> = None;
    let appended = ledger.append(&name, |stream| -> Result<Option<Draft>, Error> {
        let run = folded(id, stream)?;
        let draft = decide(&run)?;
        base = Some(run);
        Ok(draft)
    })?;
    let run = base.expect("append asks at least once");
    match appended {
        None => Ok((run, Vec::new())),
        Some(appended) => {
            let mut records = run.records.clone();
            records.extend(appended.records.iter().cloned());
            let run = fold(id.clone(), records).map_err(|source| not_a_run(id, source))?;
            Ok((run, appended.records))
        }
    }
}

fn folded(id: &RunId, stream: Option<&Stream>) -> Result<Run, Error> {
    let Some(stream) = stream else {
        return Err(refuse(
            Code::RunNotFound,
            format!("no run named {id} in this ledger"),
        )
        .into());
    };
    fold(id.clone(), stream.records.clone()).map_err(|source| not_a_run(id, source))
}

fn not_a_run(id: &RunId, source: crate::domain::run::FoldError) -> Error {
    crate::ledger::Error::NotARun {
        stream: StreamName::Run(id.clone()).ref_name(),
        source,
    }
    .into()
}

/// A run with more records on its end, as appending them would make it: for judging what
/// does not exist yet. The digests are those the ledger will give as long as nothing else
/// is appended meanwhile.
pub(super) fn hypothetical(run: &Run, bodies: &[(Producer, Body)]) -> Result<Run, Error> {
    let mut records = run.records.clone();
    let mut prev = run.heads();
    let last = records.iter().map(Record::seq).max().unwrap_or(0);
    for (seq, (producer, body)) in (last + 1..).zip(bodies) {
        let place = Place::Next {
            stream: run.contract_digest,
            seq,
            prev,
        };
        let record = Record::new(place, producer.clone(), body.clone());
        prev = vec![record.digest];
        records.push(record);
    }
    fold(run.id.clone(), records).map_err(|source| not_a_run(&run.id, source))
}

/// An event that is legal now, or the refusal that says why not.
pub(super) fn legal(run: &Run, producer: &Producer, event: Event) -> Result<Event, Error> {
    check_event(run, &run.state, &event, producer).map_err(|illegal| {
        refuse(illegal.code, illegal.fact)
            .detail("subject", event.subject.to_string())
            .hint("see what comes next", &["git", "rapid", "next"])
    })?;
    Ok(event)
}

/// The event that moves the run.
pub(super) fn run_event(
    run: &Run,
    to: RunStatus,
    code: EventCode,
    reason: Option<String>,
) -> Event {
    Event {
        subject: EventSubject::Run,
        from: Some(run.state.status.to_string()),
        to: Some(to.to_string()),
        code,
        reason,
    }
}

/// The event that moves a task.
pub(super) fn task_event(
    run: &Run,
    task: &TaskId,
    to: TaskStatus,
    code: EventCode,
    reason: Option<String>,
) -> Event {
    Event {
        subject: EventSubject::Task(task.clone()),
        from: run.state.tasks.get(task).map(ToString::to_string),
        to: Some(to.to_string()),
        code,
        reason,
    }
}

/// The event that closes a gate.
pub(super) fn gate_event(
    run: &Run,
    gate: &GateId,
    to: GateStatus,
    code: EventCode,
    reason: Option<String>,
) -> Event {
    Event {
        subject: EventSubject::Gate(gate.clone()),
        from: run.state.gates.get(gate).map(ToString::to_string),
        to: Some(to.to_string()),
        code,
        reason,
    }
}

/// A draft of records without artifacts.
pub(super) fn draft(subject: impl Into<String>, records: Vec<(Producer, Body)>) -> Draft {
    Draft {
        subject: subject.into(),
        records,
        artifacts: Vec::new(),
        subject_tree: None,
        journal: None,
    }
}
