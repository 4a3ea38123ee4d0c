//! `reproduction.T001`.

use super::build::*;
use git_rapid::domain::{
    gate::GateKind,
    vocabulary::{
        AssertionStatus::{Fail, Pass, Unverified},
        GateStatus, Mode, Note, Outcome, ReviewType, Verdict,
    },
};
use serde_json::json;

const ID: &str = "reproduction.T001";

fn bugfix() -> Story {
    Story::of(contract(Mode::Bugfix))
}

/// An expected failure, then a green result.
fn then_green(red: Ran) -> Story {
    let mut story = bugfix();
    story.ran(red.on(SHOWN).expect_fail().task(1));
    story.ran(ran(4));
    story
}

#[test]
fn only_a_bugfix_is_asked() {
    for mode in Mode::ALL {
        let asked = Story::good(*mode).judge().assertion(ID).is_some();
        assert_eq!(asked, *mode == Mode::Bugfix);
    }
}

#[test]
fn it_failed_there_and_passes_here() {
    let mut story = bugfix();
    story.says(ID, Unverified, "no_reproduction");
    let red = story.reproduced();
    story.says(ID, Unverified, "not_green_yet");
    let green = story.ran(ran(4));
    let judged = story.says(ID, Pass, "reproduced");
    assert!(judged.required);
    let mut both = [red, green];
    both.sort_unstable();
    assert_eq!(judged.records, both);
    assert_eq!(judged.facts["failed_tests"], json!(["rounds_up"]));
    // Red again: gone is the fix.
    story.ran(ran(3).red(&["rounds_up"]));
    story.says(ID, Unverified, "not_green_yet");
}

#[test]
fn what_did_not_really_fail_does_not_do() {
    let rows = [
        (ran(3).uncounted().exit(126), "uncounted"),
        (ran(3).uncounted().exit(127), "uncounted"),
        (ran(3).exit(1), "no_reproduction"),
        (
            ran(3).red(&["a"]).result(|result| result.timed_out = true),
            "timed_out",
        ),
        (ran(3).red(&["a"]).unstable(), "unstable"),
        (
            ran(3).red(&["a"]).note(Note::Contradictory),
            "no_reproduction",
        ),
        (ran(3).red(&["a"]).note(Note::Incomplete), "no_reproduction"),
        (ran(3).red(&["a"]).by("harness:x"), "no_reproduction"),
    ];
    for (red, why) in rows {
        then_green(red).says(ID, Unverified, why);
    }
}

#[test]
fn a_compile_error_of_a_counted_command_does_not_do() {
    let mut story = then_green(ran(0).uncounted().exit(101));
    story.says(ID, Unverified, "uncounted");
    // Where the command is never counted, the exit code has to do.
    let mut uncounted = bugfix();
    uncounted.ran(ran(0).uncounted().exit(1).on(SHOWN).expect_fail().task(1));
    uncounted.ran(ran(0).uncounted());
    uncounted.says(ID, Pass, "reproduced");
    // The real thing afterwards does.
    story.reproduced();
    story.says(ID, Pass, "reproduced");
}

#[test]
fn the_same_command_in_the_same_place_must_pass() {
    let mut story = bugfix();
    story.reproduced();
    story.ran(ran(4).result(|result| result.cwd = path("toy")));
    story.ran(ran(4).command("cargo test --lib"));
    story.ran(ran(4).on(EARLIER));
    story.ran(ran(4).unstable());
    story.ran(ran(4).by("harness:x"));
    story.says(ID, Unverified, "not_green_yet");
}

#[test]
fn it_must_have_failed_on_another_tree() {
    let mut story = bugfix();
    story.ran(ran(3).red(&["flaky"]).expect_fail().task(1));
    story.ran(ran(4));
    story.says(ID, Unverified, "other_tree");
}

#[test]
fn passing_on_both_is_no_bug() {
    let mut story = then_green(ran(4));
    story.says(ID, Fail, "passes_on_both");
    // An earlier expectation that was not met is history.
    story.reproduced();
    story.ran(ran(4));
    story.says(ID, Pass, "reproduced");
}

#[test]
fn a_failing_test_that_is_taken_out_is_not_mended() {
    let mut story = bugfix();
    story.reproduced();
    story.ran(ran(3));
    story.says(ID, Unverified, "test_gone");
    story.ran(ran(4));
    story.says(ID, Pass, "reproduced");
}

#[test]
fn a_task_may_bring_its_own_reproduction() {
    let mut contract = contract(Mode::Bugfix);
    contract.tasks[0].checks = vec![words("sh repro.sh")];
    let mut story = Story::of(contract);
    let script = ran(0).uncounted().command("sh repro.sh");
    story.ran(script.clone().exit(1).on(SHOWN).expect_fail().task(1));
    story.says(ID, Unverified, "not_green_yet");
    story.ran(script);
    story.says(ID, Pass, "reproduced");
}

#[test]
fn a_red_baseline_is_a_reproduction() {
    let mut story = bugfix();
    story.ran(
        ran(3)
            .red(&["rounds_up"])
            .on(START)
            .gate(GateKind::BaselineCheck),
    );
    story.says(ID, Unverified, "not_green_yet");
    story.ran(ran(4));
    story.says(ID, Pass, "reproduced");
    // One that was not counted says nothing about a test.
    let mut story = bugfix();
    story.ran(
        ran(0)
            .uncounted()
            .exit(1)
            .on(START)
            .gate(GateKind::BaselineCheck),
    );
    story.ran(ran(0).uncounted());
    story.says(ID, Unverified, "no_reproduction");
}

/// A project with two red tests, the baseline waived.
fn red_project() -> Story {
    let mut story = bugfix();
    story.workspace(git_rapid::domain::vocabulary::Workspace::Current);
    story.ran(
        ran(3)
            .red(&["rounds_up", "unrelated"])
            .on(START)
            .gate(GateKind::BaselineCheck),
    );
    story.review(ReviewType::Baseline, Outcome::Waived);
    story.gates = vec![(GateKind::BaselineCheck, GateStatus::Waived)];
    story
}

#[test]
fn in_a_red_project_a_test_named_then_passes_now() {
    let mut story = red_project();
    story.ran(ran(4).red(&["unrelated"]).task(1));
    story.says(ID, Pass, "reproduced");
    story.review(ReviewType::Final, Outcome::Approved);
    story.verdict(Verdict::PassWithWaivers);
}

#[test]
fn in_a_red_project_the_same_failures_mend_nothing() {
    let mut story = red_project();
    story.ran(ran(4).red(&["rounds_up", "unrelated"]).task(1));
    story.says(ID, Unverified, "not_green_yet");
    // Nor does another failure.
    let mut story = red_project();
    story.ran(ran(4).red(&["new"]).task(1));
    story.says(ID, Unverified, "not_green_yet");
    // Nor is a test that was taken out one that passes.
    let mut story = red_project();
    story.ran(ran(3).red(&["unrelated"]).task(1));
    story.says(ID, Unverified, "test_gone");
    // Without the names nothing can be compared.
    let mut story = red_project();
    story.ran(
        ran(4)
            .red(&["unrelated"])
            .task(1)
            .result(|result| result.failed_tests.clear()),
    );
    story.says(ID, Unverified, "not_green_yet");
}
