//! `gate.G.evidence` of the human gates.

use super::build::*;
use git_rapid::domain::{
    evidence::Judged,
    gate::GateKind,
    policy::Approvals,
    producer::Producer,
    vocabulary::{
        AssertionStatus::{Fail, Pass, Unverified, Waived},
        GateStatus, Mode, Outcome, ReviewType, Risk,
    },
};

const FINAL: &str = "gate.gate.final-verification.evidence";
const REVIEW: &str = "gate.gate.review.evidence";
const MANUAL: &str = "gate.gate.manual-approval.evidence";

fn feature() -> Story {
    Story::of(contract(Mode::Feature))
}

#[test]
fn a_person_approves_the_judged_tree() {
    let mut story = feature();
    assert!(story.says(FINAL, Unverified, "no_review").required);
    let record = story.review(ReviewType::Final, Outcome::Approved);
    let judged = story.says(FINAL, Pass, "approved");
    assert_eq!(judged.records, [record]);
    story.gates = vec![(GateKind::FinalVerification, GateStatus::Pending)];
    story.says(FINAL, Unverified, "pending");
}

#[test]
fn another_tree_another_type_and_another_writer_do_not() {
    let mut story = feature();
    story.review(ReviewType::Peer, Outcome::Approved);
    story.says(FINAL, Unverified, "no_review");
    for producer in ["harness:x", "ci:main", "rapid:check", "external:tool"] {
        let producer = producer.parse().unwrap();
        story.review_by(producer, ReviewType::Final, Outcome::Approved, |_| {});
        story.says(FINAL, Unverified, "other_producer");
    }
    story.review_with(ReviewType::Final, Outcome::Approved, |review| {
        review.judged = Judged::Tree(EARLIER);
    });
    story.says(FINAL, Unverified, "other_tree");
}

#[test]
fn a_no_counts_while_the_gate_is_pending() {
    let mut story = feature();
    story.gates = vec![(GateKind::FinalVerification, GateStatus::Pending)];
    story.review(ReviewType::Final, Outcome::ChangesRequested);
    story.says(FINAL, Fail, "changes_requested");
    story.review(ReviewType::Final, Outcome::Rejected);
    story.says(FINAL, Fail, "rejected");
}

#[test]
fn changes_are_wanted_of_one_tree_and_a_rejection_is_of_all() {
    let mut story = feature();
    story.review(ReviewType::Final, Outcome::ChangesRequested);
    story.subject = EARLIER;
    story.says(FINAL, Unverified, "other_tree");
    story.review_with(ReviewType::Final, Outcome::Rejected, |review| {
        review.judged = Judged::Tree(START);
    });
    story.says(FINAL, Fail, "rejected");
    story.review(ReviewType::Final, Outcome::Approved);
    story.says(FINAL, Pass, "approved");
}

#[test]
fn of_concurrent_reviews_the_worst_counts() {
    let mut story = feature();
    story.at_once(
        |story| story.review(ReviewType::Final, Outcome::Approved),
        |story| story.review(ReviewType::Final, Outcome::Rejected),
    );
    story.says(FINAL, Fail, "rejected");
    story.review(ReviewType::Final, Outcome::Approved);
    story.says(FINAL, Pass, "approved");
}

#[test]
fn an_amendment_or_a_file_makes_an_approval_stale() {
    let mut story = feature();
    story.review(ReviewType::Final, Outcome::Approved);
    story.amend(Producer::rapid("amend"), &["docs/**"], None);
    story.says(FINAL, Unverified, "amended_since");
    story.review(ReviewType::Final, Outcome::Approved);
    story.says(FINAL, Pass, "approved");
    story.attach(1);
    story.says(FINAL, Unverified, "attached_since");
    story.review(ReviewType::Final, Outcome::Approved);
    story.says(FINAL, Pass, "approved");
    // What the reviewer had not seen counts, not what comes earlier in the reading order.
    story.at_once(
        |story| story.attach(1),
        |story| {
            story.ran(ran(4));
            story.review(ReviewType::Final, Outcome::Approved)
        },
    );
    story.says(FINAL, Unverified, "attached_since");
}

#[test]
fn an_amendment_that_waits_changes_nothing_until_it_is_accepted() {
    let mut story = Story::of(contract(Mode::Hardening));
    story.review(ReviewType::Final, Outcome::Approved);
    let waiting = story.amend(Producer::rapid("amend"), &["docs/**"], None);
    story.says(FINAL, Pass, "approved");
    // Approved after it was asked for, and before it took effect.
    story.review(ReviewType::Final, Outcome::Approved);
    story.amend(Producer::User, &[], Some(waiting));
    story.says(FINAL, Unverified, "amended_since");
}

#[test]
fn a_waivable_gate_is_let_go_for_one_tree() {
    let mut story = Story::of(contract(Mode::Hardening));
    story.review(ReviewType::Peer, Outcome::Waived);
    story.gates = vec![(GateKind::PeerReview, GateStatus::Waived)];
    story.says(REVIEW, Waived, "waived");
    story.subject = EARLIER;
    story.says(REVIEW, Unverified, "other_tree");
    // Judged as if acknowledged: an approval does, without another event.
    story.review(ReviewType::Peer, Outcome::Approved);
    story.says(REVIEW, Pass, "approved");
    // And a new waiver on top of an acknowledged gate.
    story.gates.clear();
    story.review(ReviewType::Peer, Outcome::Waived);
    story.says(REVIEW, Waived, "waived");
}

#[test]
fn the_last_look_cannot_be_waived() {
    let mut story = Story::of(contract(Mode::Hardening));
    story.review(ReviewType::Final, Outcome::Waived);
    story.gates = vec![(GateKind::FinalVerification, GateStatus::Waived)];
    story.says(FINAL, Unverified, "waiver_void");
}

#[test]
fn the_go_ahead_speaks_of_the_contract() {
    let mut contract = contract(Mode::Hardening);
    contract.risk = Risk::Critical;
    contract
        .gates
        .insert(2, gate(GateKind::ManualApproval, Risk::Critical));
    let mut story = Story::of(contract);
    story.review_with(ReviewType::Manual, Outcome::Approved, |review| {
        review.judged = Judged::Tree(WORK);
    });
    story.says(MANUAL, Unverified, "other_tree");
    story.review(ReviewType::Manual, Outcome::Approved);
    story.says(MANUAL, Pass, "approved");
    story.subject = EARLIER;
    story.attach(1);
    story.says(MANUAL, Pass, "approved");
    story.amend(Producer::User, &["docs/**"], None);
    story.says(MANUAL, Unverified, "amended_since");
}

#[test]
fn a_policy_may_want_more_people() {
    let mut story = Story::of(contract(Mode::Hardening));
    story.policy.approvals.insert(
        GateKind::PeerReview.gate_id(),
        Approvals {
            min: 2,
            not_author: false,
        },
    );
    story.review(ReviewType::Peer, Outcome::Approved);
    story.review(ReviewType::Peer, Outcome::Approved);
    let judged = story.says(REVIEW, Unverified, "too_few_approvals");
    assert_eq!(judged.facts["approvals"], 1);
    let omar = |story: &mut Story, outcome| {
        story.review_with(ReviewType::Peer, outcome, |review| {
            review.reviewer = "Omar <omar@example.org>".into();
        })
    };
    omar(&mut story, Outcome::Approved);
    story.says(REVIEW, Pass, "approved");
    omar(&mut story, Outcome::ChangesRequested);
    story.says(REVIEW, Fail, "changes_requested");
    story.review(ReviewType::Peer, Outcome::Approved);
    story.says(REVIEW, Unverified, "too_few_approvals");
}

#[test]
fn a_reviewer_of_two_minds_has_not_approved() {
    let mut story = Story::of(contract(Mode::Hardening));
    story.policy.approvals.insert(
        GateKind::PeerReview.gate_id(),
        Approvals {
            min: 2,
            not_author: false,
        },
    );
    story.at_once(
        |story| story.review(ReviewType::Peer, Outcome::Approved),
        |story| story.review(ReviewType::Peer, Outcome::ChangesRequested),
    );
    for name in ["Omar <omar@example.org>", "Ines <ines@example.org>"] {
        let judged = story.assertion(REVIEW);
        assert_ne!(judged.status, Pass, "{:?}", judged.facts);
        story.review_with(ReviewType::Peer, Outcome::Approved, |review| {
            review.reviewer = name.into();
        });
    }
    story.says(REVIEW, Pass, "approved");
}

#[test]
fn a_policy_may_want_someone_else_than_the_author() {
    let rule = Approvals {
        min: 1,
        not_author: true,
    };
    let story_of = |author: Option<&str>| {
        let mut contract = contract(Mode::Hardening);
        contract.author = author.map(str::to_owned);
        let mut story = Story::of(contract);
        let gate = GateKind::PeerReview.gate_id();
        story.policy.approvals.insert(gate, rule.clone());
        story.review(ReviewType::Peer, Outcome::Approved);
        story
    };
    story_of(Some("Omar <omar@example.org>")).says(REVIEW, Pass, "approved");
    story_of(Some("R. <RITA@example.org>")).says(REVIEW, Unverified, "authors_own");
    story_of(Some("rita@example.org")).says(REVIEW, Unverified, "authors_own");
    story_of(None).says(REVIEW, Unverified, "authors_own");
}

#[test]
fn a_policy_may_want_a_signature() {
    let mut story = feature();
    let record = story.review(ReviewType::Final, Outcome::Approved);
    story.policy.signed.insert(
        GateKind::FinalVerification.gate_id(),
        vec!["rita@example.org".to_owned()],
    );
    story.says(FINAL, Unverified, "unsigned");
    story.signed(record, "mallory@example.org");
    story.says(FINAL, Unverified, "unsigned");
    story.signed(record, "rita@example.org");
    story.says(FINAL, Pass, "approved");
}
