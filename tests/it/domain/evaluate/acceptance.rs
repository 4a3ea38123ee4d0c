//! `acceptance.A`.

use super::build::*;
use git_rapid::domain::vocabulary::{
    AssertionStatus::{Fail, Pass, Unverified},
    Mode, Verdict,
};

const ID: &str = "acceptance.A001";

#[test]
fn its_own_check_decides_on_the_judged_tree() {
    let mut contract = contract(Mode::Feature);
    contract.acceptance = vec![criterion(1, Some("make demo"))];
    let mut story = Story::good_of(contract);
    story.ran(ran(4).accept(1));
    story.says(ID, Unverified, "no_result");
    let demo = ran(0).uncounted().command("make demo");
    story.ran(demo.clone());
    story.says(ID, Pass, "green");
    story.ran(demo.exit(1));
    story.says(ID, Fail, "red");
}

#[test]
fn else_the_latest_linked_record_decides() {
    let mut story = Story::good(Mode::Feature);
    story.says(ID, Unverified, "not_linked");
    story.ran(ran(4).accept(1));
    story.says(ID, Pass, "linked");
    story.ran(ran(4).red(&["a"]).accept(1));
    story.says(ID, Fail, "red");
    story.ran(ran(4).uncounted().command("true").accept(1));
    story.says(ID, Fail, "red");
}

#[test]
fn the_verdict_depends_on_it_only_when_the_policy_says_so() {
    let mut story = Story::good(Mode::Feature);
    assert!(!story.assertion(ID).required);
    story.verdict(Verdict::Pass);
    story.policy.acceptance_links = true;
    assert!(story.assertion(ID).required);
    story.verdict(Verdict::Unverified);
    story.ran(ran(4).accept(1));
    story.verdict(Verdict::Pass);
}
