//! What a lazy agent tries, and what it is told. None leads to PASS.

use super::build::*;
use git_rapid::domain::{
    gate::GateKind,
    vocabulary::{
        AssertionStatus::{Fail, Unverified, Waived},
        Change, GateStatus, Mode, Note, Outcome, ReviewType, TaskStatus, Verdict, Workspace,
    },
};

const TESTS: &str = "gate.gate.tests.evidence";

/// A direct run in which only `result` was run, linked to its task.
fn only(result: Ran) -> Story {
    let mut story = Story::of(contract(Mode::Direct));
    story.workspace(Workspace::Current);
    story.ran(result.task(1));
    story
}

#[test]
fn a_command_that_always_ends_well() {
    let story = only(ran(0).uncounted().command("true"));
    story.says(TESTS, Unverified, "aside");
    story.says("task.T001.evidence", Unverified, "aside");
    story.verdict(Verdict::Unverified);
}

#[test]
fn an_echoed_summary() {
    let story = only(ran(42).command("echo test result: ok. 42 passed"));
    story.says(TESTS, Unverified, "aside");
    story.verdict(Verdict::Unverified);
}

#[test]
fn a_toy_working_directory() {
    let story = only(ran(42).result(|result| {
        result.check = None;
        result.cwd = path("toy");
    }));
    story.says(TESTS, Unverified, "aside");
    story.verdict(Verdict::Unverified);
}

#[test]
fn an_old_report_file() {
    let story = only(ran(42).note(Note::StaleReport));
    story.says(TESTS, Unverified, "stale_report");
    story.verdict(Verdict::Unverified);
}

#[test]
fn a_failure_that_shows_nothing() {
    let mut story = Story::of(contract(Mode::Bugfix));
    story.workspace(Workspace::Current);
    story.ran(ran(3).on(START).gate(GateKind::BaselineCheck));
    story.ran(
        ran(0)
            .uncounted()
            .command("false")
            .exit(1)
            .on(SHOWN)
            .expect_fail()
            .task(1),
    );
    story.ran(ran(4).task(1));
    story.review(ReviewType::Final, Outcome::Approved);
    story.says("reproduction.T001", Unverified, "aside");
    story.verdict(Verdict::Unverified);
}

#[test]
fn no_test_at_all() {
    let story = only(ran(0));
    story.says(TESTS, Unverified, "zero_tests");
    story.verdict(Verdict::Unverified);
}

#[test]
fn tasks_that_are_skipped() {
    let mut story = Story::good(Mode::Feature);
    story.tasks = vec![(1, TaskStatus::Skipped)];
    story.says("task.T001.evidence", Waived, "skipped");
    story.verdict(Verdict::PassWithWaivers);
}

#[test]
fn a_waiver_before_a_rewrite() {
    let mut story = Story::good(Mode::Feature);
    story.review(ReviewType::Tests, Outcome::Waived);
    story.gates = vec![(GateKind::ImplementationTests, GateStatus::Waived)];
    story.verdict(Verdict::PassWithWaivers);
    story.subject = tree(10);
    story.says(TESTS, Unverified, "other_tree");
    story.says(
        "gate.gate.final-verification.evidence",
        Unverified,
        "other_tree",
    );
    story.verdict(Verdict::Unverified);
}

#[test]
fn a_test_command_changed_on_the_way() {
    let story = only(ran(42).check("test", "cargo test one_that_passes"));
    story.says(TESTS, Unverified, "not_as_pinned");
    story.verdict(Verdict::Unverified);
}

#[test]
fn a_test_file_deleted_in_a_refactor() {
    let mut story = Story::good(Mode::Refactor);
    story.facts.paths = Some(vec![changed("tests/total.rs", Change::Deleted, 0, 40)]);
    story.ran(ran(2).task(1));
    story.says("tests.not-fewer", Fail, "fewer");
    story.verdict(Verdict::Fail);
}

#[test]
fn a_test_cut_short_in_a_direct_change() {
    let mut story = Story::good(Mode::Direct);
    story.facts.paths = Some(vec![changed("tests/total.rs", Change::Modified, 1, 4)]);
    story.says("direct.bounds", Fail, "test_lines_removed");
    story.verdict(Verdict::Fail);
}

#[test]
fn an_approval_of_ones_own() {
    let mut story = Story::of(contract(Mode::Feature));
    story.workspace(Workspace::Current);
    story.ran(ran(3).on(START).gate(GateKind::BaselineCheck));
    story.ran(ran(4).task(1));
    story.review_by(
        "harness:x".parse().unwrap(),
        ReviewType::Final,
        Outcome::Approved,
        |_| {},
    );
    story.verdict(Verdict::Unverified);
}

#[test]
fn results_from_elsewhere() {
    let story = only(ran(42).by("harness:x"));
    story.says(TESTS, Unverified, "other_producer");
    story.verdict(Verdict::Unverified);
}

#[test]
fn one_more_edit_after_the_tests() {
    let mut story = Story::good(Mode::Direct);
    story.subject = tree(10);
    story.says(TESTS, Unverified, "other_tree");
    story.verdict(Verdict::Unverified);
}

#[test]
fn a_bug_whose_test_is_taken_out_again() {
    let mut story = Story::good(Mode::Bugfix);
    story.ran(ran(3).task(1));
    story.says("reproduction.T001", Unverified, "test_gone");
    story.verdict(Verdict::Unverified);
}
