//! `tests.not-fewer`.

use super::build::*;
use git_rapid::domain::vocabulary::{
    AssertionStatus::{Fail, NotApplicable, Pass, Unverified, Waived},
    Mode, Verdict,
};
use serde_json::json;

const ID: &str = "tests.not-fewer";

/// A run of this mode measured with `before` and judged with `now`.
fn measured(mode: Mode, before: Ran, now: Ran) -> Story {
    let mut story = Story::of(contract(mode));
    story.ran(before.on(START));
    story.ran(now);
    story
}

#[test]
fn as_many_or_more_pass() {
    for now in [3, 4] {
        let story = measured(Mode::Refactor, ran(3), ran(now));
        let judged = story.says(ID, Pass, "not_fewer");
        assert!(judged.required);
        assert_eq!(judged.facts["passed"], now);
        assert_eq!(judged.facts["baseline_passed"], 3);
        assert_eq!(judged.records.len(), 2);
    }
}

#[test]
fn fewer_fails_a_refactor_and_is_only_told_elsewhere() {
    let judged = measured(Mode::Refactor, ran(3), ran(2)).says(ID, Fail, "fewer");
    assert!(judged.required);
    assert_eq!(judged.facts["fewer"], json!(["test"]));

    let mut story = Story::good(Mode::Feature);
    story.ran(ran(2).task(1));
    let judged = story.says(ID, Fail, "fewer");
    assert!(!judged.required);
    story.verdict(Verdict::Pass);
}

#[test]
fn no_test_at_all_is_fewer() {
    measured(Mode::Refactor, ran(3), ran(0)).says(ID, Fail, "fewer");
}

#[test]
fn a_sum_hides_nothing() {
    let mut contract = contract(Mode::Refactor);
    contract.checks.push(named("web", "npm test"));
    let mut story = Story::of(contract);
    let web = |passed| ran(passed).check("web", "npm test");
    story.ran(ran(3).on(START));
    story.ran(web(3).on(START));
    story.ran(ran(9));
    story.ran(web(2));
    let judged = story.says(ID, Fail, "fewer");
    assert_eq!(judged.facts["fewer"], json!(["web"]));
}

#[test]
fn without_a_measurement_there_is_nothing_to_compare() {
    let mut story = Story::of(contract(Mode::Refactor));
    story.ran(ran(2));
    story.says(ID, NotApplicable, "no_baseline");
}

#[test]
fn what_is_not_judged_yet_is_unverified() {
    let mut story = Story::of(contract(Mode::Refactor));
    story.ran(ran(3).on(START));
    story.says(ID, Unverified, "other_tree");
    story.facts.paths = None;
    story.says(ID, Unverified, "other_tree");
}

#[test]
fn checks_that_hang_on_unknown_paths_are_unverified() {
    let mut contract = contract(Mode::Refactor);
    contract.checks[0].paths = patterns(&["src/**"]);
    let mut story = Story::of(contract);
    story.facts.paths = None;
    story.says(ID, Unverified, "object_missing");
}

#[test]
fn a_refactor_must_be_countable_or_accepted() {
    let quiet = || ran(0).uncounted();
    let mut story = measured(Mode::Refactor, quiet(), quiet());
    story.says(ID, Unverified, "uncounted");
    story.accept_uncounted("test");
    story.says(ID, Waived, "accepted_uncounted");
    measured(Mode::Feature, quiet(), quiet()).says(ID, NotApplicable, "uncounted");
}

#[test]
fn what_was_counted_before_can_be_counted() {
    let mut story = measured(Mode::Refactor, ran(3), ran(0).uncounted());
    story.says(ID, Unverified, "uncounted");
    story.accept_uncounted("test");
    story.says(ID, Unverified, "uncounted");
}
