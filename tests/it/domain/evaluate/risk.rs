//! `risk.observed`.

use super::build::*;
use git_rapid::domain::{
    contract::Signal,
    vocabulary::{
        AssertionStatus::{Fail, Pass, Unverified},
        Change, Mode, Risk,
    },
};
use serde_json::json;

#[test]
fn paths_that_say_nothing_new_pass() {
    let story = Story::good(Mode::Feature);
    assert!(story.says("risk.observed", Pass, "no_new_signal").required);
}

#[test]
fn a_new_signal_wants_a_higher_class() {
    let mut story = Story::good(Mode::Feature);
    story.facts.paths = Some(vec![changed("src/auth/login.rs", Change::Added, 9, 0)]);
    let judged = story.says("risk.observed", Fail, "new_signal");
    assert_eq!(judged.facts["signals"], json!(["scope.authentication"]));
    assert_eq!(judged.facts["risk"], "high");
}

#[test]
fn a_signal_that_the_contract_knows_is_not_new() {
    let mut contract = contract(Mode::Feature);
    contract.signals.push(Signal {
        id: "scope.authentication".to_owned(),
        level: Risk::High,
        source: "auth".into(),
    });
    let mut story = Story::good_of(contract);
    story.facts.paths = Some(vec![changed("src/auth/login.rs", Change::Added, 9, 0)]);
    story.says("risk.observed", Pass, "no_new_signal");
    // Another one is, even at the same level: it brings a reviewer of its own.
    story.facts.paths = Some(vec![changed("src/migrations/1.sql", Change::Added, 9, 0)]);
    story.says("risk.observed", Fail, "new_signal");
}

#[test]
fn a_missing_object_says_so() {
    let mut story = Story::good(Mode::Feature);
    story.facts.paths = None;
    story.says("risk.observed", Unverified, "object_missing");
}
