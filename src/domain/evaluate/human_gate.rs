//! `gate.G.evidence` of the human gates: did a person approve what is judged?
//!
//! The latest review of the gate's type by a person decides. A rejection is a no wherever
//! it was said; a wish for changes only on the tree it was said of.

use super::{
    Assertion, Reason,
    case::Case,
    judgement::Judgement,
    latest::latest,
    review::{Waiver, is_addressed, is_signed_by, latest_by_user, reviews, stale, waiver},
};
use crate::domain::{
    bytes::ByteText,
    contract::Gate,
    evidence::Review,
    producer::Producer,
    run::EvidenceRecord,
    vocabulary::{AssertionStatus, Outcome, ReviewType},
};
use std::collections::BTreeMap;

pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    case.contract
        .gates
        .iter()
        .filter(|gate| gate.human)
        .map(|gate| judge(case, gate).asserted(format!("gate.{}.evidence", gate.id), true))
        .collect()
}

fn judge(case: &Case<'_>, gate: &Gate) -> Judgement {
    let Some(review_type) = gate.kind.row().review else {
        return Judgement::unverified(Reason::NoReview);
    };
    if let Waiver::Holds(record) = waiver(case.run, case.input.state, case.input.subject, gate) {
        return Judgement::waived(Reason::Waived).decided_by([record.digest]);
    }
    let latest = latest_by_user(case.run, review_type);
    let Some(said) = latest
        .iter()
        .map(|(record, review)| one(case, gate, record, review))
        .min_by_key(|judgement| severity(judgement.status))
    else {
        let others = reviews(case.run, review_type).next().is_some();
        return Judgement::unverified(if others {
            Reason::OtherProducer
        } else {
            Reason::NoReview
        });
    };
    if said.status != AssertionStatus::Pass {
        return said;
    }
    if let Some(short) = too_few(case, gate, review_type) {
        return short;
    }
    if !is_addressed(case.input.state, gate) {
        return Judgement::unverified(Reason::Pending);
    }
    said.decided_by(latest.iter().map(|(record, _)| record.digest))
}

/// Of concurrent reviews that disagree the worst counts.
fn severity(status: AssertionStatus) -> u8 {
    match status {
        AssertionStatus::Fail => 0,
        AssertionStatus::Pass => 2,
        _ => 1,
    }
}

/// What one review says.
fn one(case: &Case<'_>, gate: &Gate, record: &EvidenceRecord, review: &Review) -> Judgement {
    let stale = stale(case.run, gate.phase, case.input.subject, record, review);
    let judgement = match (review.outcome, stale) {
        (Outcome::Rejected, _) => Judgement::fail(Reason::Rejected),
        (_, Some(why)) => Judgement::unverified(why),
        (Outcome::ChangesRequested, None) => Judgement::fail(Reason::ChangesRequested),
        (Outcome::Waived, None) => Judgement::unverified(Reason::WaiverVoid),
        (Outcome::Approved, None) => {
            let listed = case.input.policy.signed.get(&gate.id);
            if listed.is_some_and(|listed| !is_signed_by(case.input, record, listed)) {
                Judgement::unverified(Reason::Unsigned)
            } else {
                Judgement::pass(Reason::Approved).fact("reviewer", review.reviewer.to_string())
            }
        }
    };
    let judgement = judgement.decided_by([record.digest]);
    match judgement.status {
        AssertionStatus::Unverified => judgement.fact("outcome", review.outcome.as_str()),
        _ => judgement,
    }
}

/// Whether the policy wants more people than approved what is judged.
fn too_few(case: &Case<'_>, gate: &Gate, review_type: ReviewType) -> Option<Judgement> {
    let rule = case.input.policy.approvals.get(&gate.id)?;
    let people = approving(case, gate, review_type);
    let author = case.contract.author.as_deref();
    let others = people
        .iter()
        .filter(|(reviewer, _)| {
            // Without a known author no approval can be told from the author's own.
            !rule.not_author || author.is_some_and(|author| !is_same_person(reviewer, author))
        })
        .count();
    if others >= usize::try_from(rule.min.max(1)).unwrap_or(usize::MAX) {
        return None;
    }
    let why = if rule.not_author && others == 0 {
        Reason::AuthorsOwn
    } else {
        Reason::TooFewApprovals
    };
    Some(
        Judgement::unverified(why)
            .fact("approvals", others)
            .fact("wanted", rule.min)
            .by(&people.values().copied().collect::<Vec<_>>()),
    )
}

/// The people whose latest word on this gate is an approval that holds.
fn approving<'a>(
    case: &Case<'a>,
    gate: &Gate,
    review_type: ReviewType,
) -> BTreeMap<&'a ByteText, &'a EvidenceRecord> {
    let mut said: BTreeMap<&ByteText, Vec<&EvidenceRecord>> = BTreeMap::new();
    for (record, review) in reviews(case.run, review_type) {
        if record.producer == Producer::User {
            said.entry(&review.reviewer).or_default().push(record);
        }
    }
    said.into_iter()
        .filter_map(|(reviewer, records)| {
            let latest = latest(&case.run.history, &records);
            let holds = latest.iter().all(|record| {
                record.body.review().is_some_and(|review| {
                    one(case, gate, record, review).status == AssertionStatus::Pass
                })
            });
            holds.then_some((reviewer, *latest.last()?))
        })
        .collect()
}

/// Whether two names with addresses are one person's: the same address, else the same text.
fn is_same_person(reviewer: &ByteText, author: &str) -> bool {
    let reviewer = reviewer.lossy();
    let address = |text: &str| {
        let (_, rest) = text.rsplit_once('<')?;
        Some(rest.trim_end_matches('>').to_ascii_lowercase())
    };
    match (address(&reviewer), address(author)) {
        (Some(one), Some(other)) => one == other,
        (Some(address), None) => address == author.to_ascii_lowercase() || reviewer == author,
        _ => reviewer == author,
    }
}
