//! `commits.verified`.

use super::build::*;
use git_rapid::domain::vocabulary::{
    AssertionStatus::{NotApplicable, Pass, Unverified},
    Mode, Tier, Verdict,
};
use serde_json::json;

const ID: &str = "commits.verified";

#[test]
fn every_commit_but_merges_holds_a_verified_tree() {
    let mut story = Story::good(Mode::Feature);
    story.says(ID, NotApplicable, "no_commit");
    story.facts.commits = Some(vec![
        commit(11, &[7], EARLIER),
        commit(12, &[11, 8], SHOWN),
        commit(13, &[12], WORK),
    ]);
    let judged = story.says(ID, Unverified, "not_verified");
    assert_eq!(
        judged.facts["open"],
        json!([commit(11, &[], WORK).commit.to_string()])
    );
    assert_eq!(judged.facts["commits"], 2);
    story.ran(ran(4).on(EARLIER));
    story.says(ID, Pass, "all_verified");
    story.ran(ran(4).red(&["a"]).on(EARLIER));
    story.says(ID, Unverified, "not_verified");
}

#[test]
fn checks_of_tier_finish_are_not_asked_for() {
    let mut contract = contract(Mode::Feature);
    contract.checks.push(named("slow", "make slow"));
    contract.checks[1].tier = Tier::Finish;
    let mut story = Story::of(contract);
    story.facts.commits = Some(vec![commit(11, &[7], WORK)]);
    story.ran(ran(4));
    story.says(ID, Pass, "all_verified");
}

#[test]
fn a_commit_that_changed_nothing_needs_nothing() {
    let mut story = Story::of(contract(Mode::Feature));
    story.facts.commits = Some(vec![commit(11, &[7], START)]);
    story.says(ID, Pass, "all_verified");
}

#[test]
fn a_reproduction_verifies_a_commit_of_a_bugfix() {
    let mut story = Story::good(Mode::Bugfix);
    story.facts.commits = Some(vec![commit(11, &[7], SHOWN), commit(12, &[11], WORK)]);
    story.says(ID, Pass, "all_verified");
    let mut story = Story::good(Mode::Feature);
    story.reproduced();
    story.facts.commits = Some(vec![commit(11, &[7], SHOWN)]);
    story.says(ID, Unverified, "not_verified");
}

#[test]
fn without_a_check_nothing_could_be_verified() {
    let mut story = Story::good(Mode::Research);
    story.facts.commits = Some(vec![commit(11, &[7], WORK)]);
    story.says(ID, NotApplicable, "nothing_pinned");
}

#[test]
fn the_verdict_depends_on_it_only_when_the_policy_says_so() {
    let mut story = Story::good(Mode::Feature);
    story.facts.commits = Some(vec![commit(11, &[7], EARLIER)]);
    story.verdict(Verdict::Pass);
    story.policy.commits_verified = true;
    story.verdict(Verdict::Unverified);
}

#[test]
fn a_missing_object_says_so() {
    let mut story = Story::good(Mode::Feature);
    story.facts.commits = None;
    let judged = story.says(ID, Unverified, "object_missing");
    assert_eq!(judged.facts["missing"], "commits");
}
