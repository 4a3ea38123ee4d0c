//! Which review decides, and whether it still holds.
//!
//! Only records by `user` are a person's. A review of a pre gate holds for the
//! contract, one of a post gate for the tree it was given on; an amendment that the
//! reviewer had not seen, or for a post gate a file handed in, makes it stale.

use super::{Input, Reason, latest::latest};
use crate::domain::{
    contract::{Contract, Gate},
    digest::Digest,
    evidence::{Judged, Payload, Review},
    oid::TreeId,
    producer::Producer,
    record::Body,
    run::{EvidenceRecord, Run, RunState},
    vocabulary::{GateStatus, Outcome, Phase, ReviewType, Risk},
};

/// Every review of this type, whoever wrote it, in reading order.
pub(super) fn reviews(
    run: &Run,
    review_type: ReviewType,
) -> impl Iterator<Item = (&EvidenceRecord, &Review)> {
    run.evidence
        .iter()
        .filter_map(|record| Some((record, record.body.review()?)))
        .filter(move |(_, review)| review.review_type == review_type)
}

/// The latest reviews of this type by a person.
pub(super) fn latest_by_user(
    run: &Run,
    review_type: ReviewType,
) -> Vec<(&EvidenceRecord, &Review)> {
    let own: Vec<_> = reviews(run, review_type)
        .filter(|(record, _)| record.producer == Producer::User)
        .map(|(record, _)| record)
        .collect();
    latest(&run.history, &own)
        .into_iter()
        .filter_map(|record| Some((record, record.body.review()?)))
        .collect()
}

/// Why a person's review does not speak of what is judged now; `None`: it does.
pub(super) fn stale(
    run: &Run,
    phase: Phase,
    subject: TreeId,
    record: &EvidenceRecord,
    review: &Review,
) -> Option<Reason> {
    let judged = match phase {
        Phase::Pre => Judged::Contract(run.contract_digest),
        Phase::Post => Judged::Tree(subject),
    };
    if review.judged != judged {
        return Some(Reason::OtherTree);
    }
    let unseen = |digest: &Digest| !run.history.had_seen(&record.digest, digest);
    if amendments(run).any(unseen) {
        return Some(Reason::AmendedSince);
    }
    let attached = run.evidence.iter().any(|other| {
        matches!(other.body.payload, Payload::Artifact(_))
            && other.producer.is_rapid("attach")
            && unseen(&other.digest)
    });
    (phase == Phase::Post && attached).then_some(Reason::AttachedSince)
}

/// Every record that put an amendment into effect, or is one that is in effect.
fn amendments(run: &Run) -> impl Iterator<Item = &Digest> {
    run.records.iter().filter_map(|record| {
        let Body::Amendment(amendment) = &record.body else {
            return None;
        };
        let in_effect = run
            .amendments
            .iter()
            .any(|(digest, _)| *digest == record.digest);
        (in_effect || amendment.accepts.is_some() && record.producer == Producer::User)
            .then_some(&record.digest)
    })
}

/// What became of a person's waiver of a gate.
pub(super) enum Waiver<'a> {
    /// It holds.
    Holds(&'a EvidenceRecord),
    /// There is one, and it does not: the gate is judged as if acknowledged.
    Void(Reason),
    /// The latest review, if any, is no waiver.
    None,
}

/// Whether a waiver of `gate` holds. A baseline waiver speaks of what was measured before
/// the work; an amendment does not touch that.
pub(super) fn waiver<'a>(
    run: &'a Run,
    state: &RunState,
    subject: TreeId,
    gate: &Gate,
) -> Waiver<'a> {
    let Some(review_type) = gate.kind.row().review else {
        return Waiver::None;
    };
    let latest = latest_by_user(run, review_type);
    let waived = latest
        .iter()
        .find(|(_, review)| review.outcome == Outcome::Waived);
    let Some((record, review)) = waived else {
        return Waiver::None;
    };
    if latest
        .iter()
        .any(|(_, other)| other.outcome != Outcome::Waived)
    {
        return Waiver::Void(Reason::WaiverVoid);
    }
    let reason = review.text.as_deref().unwrap_or_default();
    if !may_be_waived(&run.contract, gate) || reason.trim().is_empty() {
        return Waiver::Void(Reason::WaiverVoid);
    }
    if !is_addressed(state, gate) {
        return Waiver::None;
    }
    let judged_now = match review_type {
        ReviewType::Baseline => {
            if review.judged == Judged::Contract(run.contract_digest) {
                None
            } else {
                Some(Reason::OtherTree)
            }
        }
        _ => stale(run, gate.phase, subject, record, review),
    };
    match judged_now {
        None => Waiver::Holds(record),
        Some(why) => Waiver::Void(why),
    }
}

fn may_be_waived(contract: &Contract, gate: &Gate) -> bool {
    gate.waivable && contract.risk < Risk::Critical
}

/// Whether the gate was acknowledged or waived. Both are final: what a review said later
/// counts without another event.
pub(super) fn is_addressed(state: &RunState, gate: &Gate) -> bool {
    matches!(
        state.gates.get(&gate.id),
        Some(GateStatus::Acknowledged | GateStatus::Waived)
    )
}

/// Whether a person accepted that the pinned check `name` cannot be counted.
pub(super) fn accepts_uncounted(run: &Run, name: &str) -> bool {
    let own: Vec<_> = reviews(run, ReviewType::TestCommand)
        .filter(|(record, review)| {
            record.producer == Producer::User && review.text.as_deref() == Some(name)
        })
        .map(|(record, _)| record)
        .collect();
    let latest = latest(&run.history, &own);
    !latest.is_empty()
        && latest.iter().all(|record| {
            record.body.review().is_some_and(|review| {
                review.outcome == Outcome::Approved
                    && review.judged == Judged::Contract(run.contract_digest)
            })
        })
}

/// The principal whose signature on the record was checked, if it is one of `listed`.
pub(super) fn is_signed_by(input: &Input<'_>, record: &EvidenceRecord, listed: &[String]) -> bool {
    input
        .facts
        .signatures
        .iter()
        .any(|signature| signature.record == record.digest && listed.contains(&signature.principal))
}

/// The review by which a person let a gate of the run go, where that holds for `subject`.
pub(crate) fn holding_waiver<'a>(
    run: &'a Run,
    state: &RunState,
    subject: TreeId,
    gate: &Gate,
) -> Option<&'a EvidenceRecord> {
    match waiver(run, state, subject, gate) {
        Waiver::Holds(record) => Some(record),
        Waiver::Void(_) | Waiver::None => None,
    }
}
