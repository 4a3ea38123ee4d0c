//! `scope.paths`.

use super::build::*;
use git_rapid::domain::{
    contract::Bystander,
    oid::Oid,
    producer::Producer,
    vocabulary::{
        AssertionStatus::{Fail, Pass, Unverified},
        Change, Mode,
    },
};
use serde_json::json;

#[test]
fn planned_paths_pass() {
    let story = Story::good(Mode::Feature);
    let judged = story.says("scope.paths", Pass, "in_scope");
    assert!(judged.required);
    assert_eq!(judged.facts["changed"], 1);
}

#[test]
fn each_path_outside_is_named() {
    let mut story = Story::good(Mode::Feature);
    story.facts.paths.as_mut().unwrap().extend([
        changed("docs/a.md", Change::Added, 1, 0),
        changed("src/new.rs", Change::Added, 1, 0),
        changed("web/b.js", Change::Deleted, 0, 9),
    ]);
    let judged = story.says("scope.paths", Fail, "out_of_scope");
    assert_eq!(judged.facts["paths"], json!(["docs/a.md", "web/b.js"]));
}

#[test]
fn an_amendment_widens_the_scope() {
    let mut story = Story::good(Mode::Feature);
    story.facts.paths = Some(vec![changed("docs/a.md", Change::Added, 1, 0)]);
    story.says("scope.paths", Fail, "out_of_scope");
    story.amend(Producer::rapid("amend"), &["docs/**"], None);
    story.says("scope.paths", Pass, "in_scope");
}

#[test]
fn a_waiting_amendment_does_not() {
    let mut story = Story::good(Mode::Hardening);
    story.facts.paths = Some(vec![changed("docs/a.md", Change::Added, 1, 0)]);
    let waiting = story.amend(Producer::rapid("amend"), &["docs/**"], None);
    story.says("scope.paths", Fail, "out_of_scope");
    story.amend(Producer::User, &[], Some(waiting));
    story.says("scope.paths", Pass, "in_scope");
}

#[test]
fn without_a_scope_everything_but_the_protected_is_free() {
    let mut contract = contract(Mode::Feature);
    contract.scope.patterns = None;
    let mut story = Story::good_of(contract);
    story.facts.paths = Some(vec![changed("anything", Change::Added, 1, 0)]);
    story.says("scope.paths", Pass, "scope_not_declared");
    story.facts.paths = Some(vec![changed(".rapid/policy.json", Change::Added, 1, 0)]);
    let judged = story.says("scope.paths", Fail, "protected");
    assert_eq!(judged.facts["protected"], json!([".rapid/policy.json"]));
}

#[test]
fn protected_wins_over_declared() {
    let mut contract = contract(Mode::Feature);
    contract.scope.patterns = Some(patterns(&["**"]));
    let mut story = Story::good_of(contract);
    story.facts.paths = Some(vec![changed(".rapid/policy.json", Change::Modified, 1, 1)]);
    story.says("scope.paths", Fail, "protected");
}

#[test]
fn a_pattern_that_is_a_files_name_admits_only_that_file() {
    let mut contract = contract(Mode::Feature);
    contract.scope.patterns = Some(patterns(&["src/[ab].rs"]));
    let mut story = Story::good_of(contract);
    let file = |name: &str| changed(name, Change::Modified, 1, 0);
    story.facts.paths = Some(vec![file("src/[ab].rs"), file("src/a.rs")]);
    let judged = story.says("scope.paths", Fail, "out_of_scope");
    assert_eq!(judged.facts["paths"], json!(["src/a.rs"]));
    story.facts.paths = Some(vec![file("src/a.rs"), file("src/b.rs")]);
    story.says("scope.paths", Pass, "in_scope");
}

#[test]
fn an_empty_declared_scope_admits_nothing() {
    let mut story = Story::good(Mode::Research);
    story.says("scope.paths", Pass, "in_scope");
    story.facts.paths = Some(vec![changed("notes.md", Change::Added, 1, 0)]);
    story.says("scope.paths", Fail, "out_of_scope");
}

#[test]
fn a_missing_object_says_so() {
    let mut story = Story::good(Mode::Feature);
    story.facts.paths = None;
    let judged = story.says("scope.paths", Unverified, "object_missing");
    assert_eq!(judged.facts["missing"], "paths");
}

#[test]
fn bystanders_are_listed() {
    let mut contract = contract(Mode::Feature);
    contract.bystanders = vec![Bystander {
        path: path("notes.txt"),
        blob: Oid::Sha1([5; 20]),
    }];
    let mut story = Story::of(contract);
    let judged = story.assertion("scope.paths");
    assert_eq!(judged.facts["bystanders"], json!(["notes.txt"]));

    story.ran(ran(1).result(|result| result.subject.bystanders = vec![path("todo.txt")]));
    story.ran(ran(1).on(EARLIER));
    let judged = story.assertion("scope.paths");
    assert_eq!(judged.facts["bystanders"], json!(["todo.txt"]));
}
