//! `task.T.evidence`: is the task done, and does something show it?
//!
//! A task's own checks decide on the judged tree. A task without any is shown by what is
//! linked to it: the latest good or bad result, or files that were handed in. A research
//! task always needs a file.

use super::{
    Assertion, Reason,
    case::Case,
    counts::{Answer, Decision},
    judgement::Judgement,
    latest::latest,
    standing::Standing,
};
use crate::domain::{
    contract::Task,
    evidence::Payload,
    run::{EvidenceRecord, is_aside},
    vocabulary::{AssertionStatus, Mode, TaskStatus},
};

pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    case.run
        .tasks()
        .into_iter()
        .map(|task| {
            let status = case
                .input
                .state
                .tasks
                .get(&task.id)
                .copied()
                .unwrap_or(TaskStatus::Pending);
            judge(case, task, status).asserted(format!("task.{}.evidence", task.id), true)
        })
        .collect()
}

fn judge(case: &Case<'_>, task: &Task, status: TaskStatus) -> Judgement {
    if status == TaskStatus::Skipped {
        return Judgement::waived(Reason::Skipped);
    }
    let shown = shown(case, task);
    let holds = shown.status == AssertionStatus::Pass;
    if holds && status != TaskStatus::Done {
        return Judgement::unverified(Reason::NotDone).fact("status", status.as_str());
    }
    shown.fact("status", status.as_str())
}

/// What the evidence says, whether or not the task is closed.
fn shown(case: &Case<'_>, task: &Task) -> Judgement {
    let files: Vec<&EvidenceRecord> = linked(case, task)
        .filter(|record| is_attachment(record))
        .collect();
    if case.contract.mode == Mode::Research && files.is_empty() {
        return Judgement::unverified(Reason::NothingAttached);
    }
    if !task.checks.is_empty() {
        return of_decisions(
            task.checks
                .iter()
                .map(|argv| case.results.own(argv, case.input.subject)),
        );
    }
    let deciding: Vec<&EvidenceRecord> = linked(case, task)
        .filter(|record| is_attachment(record) || is_deciding(case, record))
        .collect();
    of_linked(case, &latest(&case.run.history, &deciding)).unwrap_or_else(|| {
        let aside = linked(case, task).any(|record| {
            record
                .body
                .check()
                .is_some_and(|result| is_aside(case.run, result))
        });
        Judgement::unverified(if aside {
            Reason::Aside
        } else {
            Reason::NoResult
        })
    })
}

fn linked<'a>(case: &Case<'a>, task: &Task) -> impl Iterator<Item = &'a EvidenceRecord> {
    case.run
        .evidence
        .iter()
        .filter(|record| record.body.tasks.contains(&task.id))
}

/// All must hold; one that does not decides.
pub(super) fn of_decisions<'a>(decisions: impl Iterator<Item = Decision<'a>>) -> Judgement {
    let decisions: Vec<Decision<'a>> = decisions.collect();
    let records: Vec<&EvidenceRecord> = decisions
        .iter()
        .filter(|decision| decision.answer != Answer::Nothing)
        .flat_map(|decision| decision.records.iter().copied())
        .collect();
    let first = |answer| decisions.iter().find(|one| one.answer == answer);
    let judgement = if let Some(bad) = first(Answer::Bad) {
        Judgement::fail(bad.why)
    } else if let Some(open) = first(Answer::Nothing) {
        Judgement::unverified(open.why)
    } else {
        Judgement::pass(Reason::Green)
    };
    judgement.by(&records)
}

/// What the latest of the linked records say; `None` when there is none.
pub(super) fn of_linked(case: &Case<'_>, latest: &[&EvidenceRecord]) -> Option<Judgement> {
    let mut answer: Option<Judgement> = None;
    for record in latest {
        let stands = match record.body.check() {
            Some(result) => case.results.linked(record, result),
            None => Standing::Good(Reason::Attached),
        };
        match stands {
            Standing::Bad(why) => return Some(Judgement::fail(why).decided_by([record.digest])),
            Standing::Good(why) if answer.is_none() => {
                answer = Some(Judgement::pass(why).by(latest));
            }
            _ => {}
        }
    }
    answer
}

/// Whether it is a good or bad result by `check` of a command that the run knows.
pub(super) fn is_deciding(case: &Case<'_>, record: &EvidenceRecord) -> bool {
    record.producer.is_rapid("check")
        && record.body.check().is_some_and(|result| {
            !is_aside(case.run, result)
                && !matches!(case.results.linked(record, result), Standing::Neutral(_))
        })
}

/// Whether files were handed in with it.
pub(super) fn is_attachment(record: &EvidenceRecord) -> bool {
    matches!(record.body.payload, Payload::Artifact(_))
        && record.producer.is_rapid("attach")
        && !record.body.artifacts.is_empty()
}
