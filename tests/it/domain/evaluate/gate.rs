//! `gate.G.evidence` of the machine gates.

use super::build::*;
use git_rapid::domain::{
    evidence::{Evidence, Judged, Payload, WorkspaceSeen},
    gate::GateKind,
    producer::Producer,
    vocabulary::{
        AssertionStatus::{Fail, NotApplicable, Pass, Unverified, Waived},
        GateStatus, Mode, Outcome, ReviewType, Risk, Verdict, Workspace,
    },
};
use serde_json::json;

const TESTS: &str = "gate.gate.tests.evidence";
const BASELINE: &str = "gate.gate.baseline.evidence";
const ISOLATION: &str = "gate.gate.workspace-isolation.evidence";
const ARCHITECTURE: &str = "gate.gate.architecture.evidence";

#[test]
fn a_pending_gate_passes_never_and_fails_at_once() {
    let mut story = Story::good(Mode::Feature);
    story.gates = vec![
        (GateKind::ImplementationTests, GateStatus::Pending),
        (GateKind::BaselineCheck, GateStatus::Pending),
    ];
    assert!(story.says(TESTS, Unverified, "pending").required);
    story.says(BASELINE, Unverified, "pending");
    story.ran(ran(3).red(&["a"]));
    story.says(TESTS, Fail, "red");
}

#[test]
fn isolation_is_what_the_latest_workspace_says() {
    let mut story = Story::of(contract(Mode::Hardening));
    story.says(ISOLATION, Unverified, "no_result");
    story.workspace(Workspace::Current);
    story.says(ISOLATION, Fail, "not_isolated");
    let record = story.workspace(Workspace::Isolated);
    assert_eq!(story.says(ISOLATION, Pass, "isolated").records, [record]);
    story.at_once(
        |story| story.workspace(Workspace::Current),
        |story| story.workspace(Workspace::Isolated),
    );
    story.says(ISOLATION, Fail, "not_isolated");
}

#[test]
fn a_claimed_workspace_does_not_isolate() {
    let mut story = Story::of(contract(Mode::Hardening));
    story.add(
        Producer::Harness("x".to_owned()),
        Evidence::of(Payload::Workspace(WorkspaceSeen {
            mode: Workspace::Isolated,
            worktree: "w".to_owned(),
            branch: None,
        })),
    );
    story.says(ISOLATION, Unverified, "no_result");
}

#[test]
fn the_baseline_closes_its_gate_when_green() {
    let mut story = Story::of(contract(Mode::Feature));
    let judged = story.says(BASELINE, Unverified, "no_result");
    assert_eq!(judged.facts["missing"], json!(["test"]));
    let record = story.ran(ran(3).on(START));
    assert_eq!(story.says(BASELINE, Pass, "green").records, [record]);
}

#[test]
fn a_red_baseline_needs_a_persons_waiver() {
    let mut story = Story::of(contract(Mode::Feature));
    story.ran(ran(3).red(&["old"]).on(START));
    story.says(BASELINE, Fail, "red");
    story.review(ReviewType::Baseline, Outcome::Waived);
    story.gates = vec![(GateKind::BaselineCheck, GateStatus::Waived)];
    story.says(BASELINE, Waived, "waived");
    // It holds for the contract: whatever tree is judged, and after an amendment.
    story.subject = EARLIER;
    story.amend(Producer::User, &["docs/**"], None);
    story.says(BASELINE, Waived, "waived");
}

#[test]
fn known_failures_are_no_fault_of_the_work() {
    let mut story = Story::of(contract(Mode::Feature));
    story.workspace(Workspace::Current);
    story.ran(ran(3).red(&["old", "older"]).on(START));
    story.ran(ran(4).red(&["old"]).task(1));
    story.says(TESTS, Fail, "red");
    story.review(ReviewType::Baseline, Outcome::Waived);
    story.gates = vec![(GateKind::BaselineCheck, GateStatus::Waived)];
    story.says(TESTS, Pass, "known_failures");
    story.says("task.T001.evidence", Pass, "known_failures");
    story.says("capability.tests.execute.observed", Pass, "seen");
    story.review(ReviewType::Final, Outcome::Approved);
    story.verdict(Verdict::PassWithWaivers);
    // A test that the baseline passed must not fail now.
    story.ran(ran(4).red(&["new"]).task(1));
    story.says(TESTS, Fail, "red");
    // Nor may failures be explained that were never counted.
    story.ran(ran(4).uncounted().exit(101));
    story.says(TESTS, Fail, "red");
    // All green is green.
    story.ran(ran(6).task(1));
    story.says(TESTS, Pass, "green");
    story.verdict(Verdict::PassWithWaivers);
}

#[test]
fn without_names_known_failures_are_counted() {
    let nameless = |passed, failed: u64| {
        ran(passed).red(&[]).result(move |result| {
            if let Some(counts) = &mut result.counts {
                counts.failed = failed;
            }
        })
    };
    let rows = [
        (3, 2, Pass),
        (4, 1, Pass),
        (3, 3, Fail),
        // A failing test taken out and another one broken.
        (2, 2, Fail),
        (9, 0, Fail),
    ];
    for (passed, failed, status) in rows {
        let mut story = Story::of(contract(Mode::Feature));
        story.ran(nameless(3, 2).on(START));
        story.review(ReviewType::Baseline, Outcome::Waived);
        story.gates = vec![(GateKind::BaselineCheck, GateStatus::Waived)];
        story.ran(nameless(passed, failed));
        assert_eq!(story.assertion(TESTS).status, status, "{passed} {failed}");
    }
}

#[test]
fn known_failures_need_a_test_that_passes_and_no_new_error() {
    let judged = |now: Ran| {
        let mut story = Story::of(contract(Mode::Feature));
        story.ran(ran(3).red(&["old", "older"]).on(START));
        story.review(ReviewType::Baseline, Outcome::Waived);
        story.gates = vec![(GateKind::BaselineCheck, GateStatus::Waived)];
        story.ran(now);
        story.assertion(TESTS).status
    };
    assert_eq!(judged(ran(1).red(&["old"])), Pass);
    assert_eq!(judged(ran(0).red(&["old"])), Fail);
    // One of the two is now a file that does not load, and nobody names it.
    let unloadable = ran(3).red(&["old"]).result(|result| {
        if let Some(counts) = &mut result.counts {
            counts.errors = 1;
        }
    });
    assert_eq!(judged(unloadable), Fail);
}

#[test]
fn an_uncounted_red_baseline_explains_no_failure() {
    let mut story = Story::of(contract(Mode::Feature));
    story.ran(ran(0).uncounted().exit(101).on(START));
    story.review(ReviewType::Baseline, Outcome::Waived);
    story.gates = vec![(GateKind::BaselineCheck, GateStatus::Waived)];
    story.ran(ran(4).red(&["a"]));
    story.says(TESTS, Fail, "red");
}

#[test]
fn a_waiver_of_the_tests_holds_for_its_tree() {
    let mut story = Story::of(contract(Mode::Feature));
    story.ran(ran(3).red(&["a"]));
    story.review(ReviewType::Tests, Outcome::Waived);
    // A review without the gate's event is not yet a waiver.
    story.gates = vec![(GateKind::ImplementationTests, GateStatus::Pending)];
    story.says(TESTS, Fail, "red");
    story.gates = vec![(GateKind::ImplementationTests, GateStatus::Waived)];
    story.says(TESTS, Waived, "waived");
    story.says("capability.tests.execute.observed", NotApplicable, "waived");
    // Another tree: judged as if acknowledged.
    story.subject = EARLIER;
    let judged = story.says(TESTS, Unverified, "other_tree");
    assert_eq!(judged.facts["waiver"], "other_tree");
    story.ran(ran(4).on(EARLIER));
    story.says(TESTS, Pass, "green");
    story.says("capability.tests.execute.observed", Pass, "seen");
}

#[test]
fn a_waiver_needs_a_person_a_reason_and_less_than_critical() {
    let waived = |story: &mut Story| {
        story.gates = vec![(GateKind::ImplementationTests, GateStatus::Waived)];
    };
    let mut story = Story::of(contract(Mode::Feature));
    story.review_by(
        Producer::Harness("x".to_owned()),
        ReviewType::Tests,
        Outcome::Waived,
        |_| {},
    );
    waived(&mut story);
    story.says(TESTS, Unverified, "no_result");

    let mut story = Story::of(contract(Mode::Feature));
    story.review_with(ReviewType::Tests, Outcome::Waived, |review| {
        review.text = Some("  ".to_owned());
    });
    waived(&mut story);
    assert_eq!(
        story.says(TESTS, Unverified, "no_result").facts["waiver"],
        "waiver_void"
    );

    let mut critical = contract(Mode::Feature);
    critical.risk = Risk::Critical;
    let mut story = Story::of(critical);
    story.review(ReviewType::Tests, Outcome::Waived);
    waived(&mut story);
    story.says(TESTS, Unverified, "no_result");

    let mut story = Story::of(contract(Mode::Feature));
    story.review_with(ReviewType::Baseline, Outcome::Waived, |review| {
        review.judged = Judged::Tree(START);
    });
    story.gates = vec![(GateKind::BaselineCheck, GateStatus::Waived)];
    story.says(BASELINE, Unverified, "no_result");
}

#[test]
fn an_amendment_ends_a_waiver_of_the_tests() {
    let mut story = Story::of(contract(Mode::Feature));
    story.review(ReviewType::Tests, Outcome::Waived);
    story.gates = vec![(GateKind::ImplementationTests, GateStatus::Waived)];
    story.says(TESTS, Waived, "waived");
    story.amend(Producer::User, &["docs/**"], None);
    story.says(TESTS, Unverified, "no_result");
}

#[test]
fn the_architecture_gate_takes_exactly_its_command() {
    let mut contract = contract(Mode::Feature);
    contract
        .gates
        .insert(2, gate(GateKind::ArchitectureCheck, Risk::Medium));
    let mut story = Story::of(contract);
    let command = ran(0)
        .uncounted()
        .command("git rapid arch check --new-only");
    let others = [
        ran(0).uncounted().command("git rapid arch check"),
        command.clone().by("harness:x"),
        command.clone().unstable(),
        command.clone().result(|result| result.cwd = path("toy")),
    ];
    for other in others {
        story.ran(other);
        story.says(ARCHITECTURE, Unverified, "no_result");
    }
    story.ran(command.clone().on(EARLIER));
    story.says(ARCHITECTURE, Unverified, "other_tree");
    story.ran(command.clone());
    story.says(ARCHITECTURE, Pass, "green");
    story.ran(command.exit(1));
    story.says(ARCHITECTURE, Fail, "red");
}
