//! `acceptance.A`: does something show that the criterion holds?
//!
//! A criterion's own check decides on the judged tree. One without any is shown by the
//! latest good or bad record that is linked to it. Required only when the policy says so.

use super::{
    Assertion, Reason,
    case::Case,
    judgement::Judgement,
    latest::latest,
    task::{is_attachment, is_deciding, of_decisions, of_linked},
};
use crate::domain::{
    contract::Criterion,
    producer::Producer,
    run::EvidenceRecord,
    vocabulary::{AssertionStatus, Outcome},
};

pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    let required = case.input.policy.acceptance_links;
    case.run
        .acceptance()
        .into_iter()
        .map(|criterion| {
            judge(case, criterion).asserted(format!("acceptance.{}", criterion.id), required)
        })
        .collect()
}

fn judge(case: &Case<'_>, criterion: &Criterion) -> Judgement {
    if let Some(argv) = &criterion.check {
        return of_decisions(std::iter::once(case.results.own(argv, case.input.subject)));
    }
    let linked: Vec<&EvidenceRecord> = case
        .run
        .evidence
        .iter()
        .filter(|record| record.body.acceptance.contains(&criterion.id))
        .filter(|record| {
            is_attachment(record) || is_deciding(case, record) || verdict_of(record).is_some()
        })
        .collect();
    let latest = latest(&case.run.history, &linked);
    let said_no = latest
        .iter()
        .find_map(|record| verdict_of(record)?.err().map(|why| (record.digest, why)));
    if let Some((record, why)) = said_no {
        return Judgement::fail(why).decided_by([record]);
    }
    match of_linked(case, &latest) {
        None => Judgement::unverified(Reason::NotLinked),
        Some(mut judgement) => {
            if judgement.status == AssertionStatus::Pass {
                judgement.why = Reason::Linked;
            }
            judgement
        }
    }
}

/// What a person's review says of what it is linked to.
fn verdict_of(record: &EvidenceRecord) -> Option<Result<(), Reason>> {
    let review = record.body.review()?;
    if record.producer != Producer::User {
        return None;
    }
    match review.outcome {
        Outcome::Approved => Some(Ok(())),
        Outcome::ChangesRequested => Some(Err(Reason::ChangesRequested)),
        Outcome::Rejected => Some(Err(Reason::Rejected)),
        Outcome::Waived => None,
    }
}
