//! Whether a tree is verified, as the commit rule asks.

use super::build::*;
use git_rapid::domain::{
    evaluate::{TreeVerification, counts::Results, tree_verification},
    oid::TreeId,
    path::RepoPath,
    vocabulary::{Mode, SubjectKind, Tier},
};

/// What is said of `tree`, as owned words: the state, then records or names of checks.
fn said(story: &Story, tree: TreeId, changed: Option<&[&RepoPath]>) -> (String, Vec<String>) {
    let run = story.run();
    let results = Results::of(&run, &run.state, &story.policy, &story.facts.signatures);
    match tree_verification(&run, &results, tree, changed) {
        TreeVerification::Verified { records, worktree } => (
            format!("verified, worktree {worktree}"),
            records.iter().map(ToString::to_string).collect(),
        ),
        TreeVerification::Reproduction { record } => {
            ("reproduction".to_owned(), vec![record.to_string()])
        }
        TreeVerification::NoneDue => ("none due".to_owned(), Vec::new()),
        TreeVerification::NotVerified { due } => (
            "not verified".to_owned(),
            due.iter().map(|check| check.name.clone()).collect(),
        ),
        TreeVerification::Unknown => ("unknown".to_owned(), Vec::new()),
    }
}

fn open(names: &[&str]) -> (String, Vec<String>) {
    (
        "not verified".to_owned(),
        names.iter().map(|name| (*name).to_owned()).collect(),
    )
}

#[test]
fn every_due_check_of_tier_commit_must_be_good_on_exactly_this_tree() {
    let mut contract = contract(Mode::Feature);
    contract.checks.push(named("lint", "make lint"));
    contract.checks[1].tier = Tier::Commit;
    contract.checks.push(named("slow", "make slow"));
    contract.checks[2].tier = Tier::Finish;
    contract.checks.push(named("web", "npm test"));
    contract.checks[3].paths = patterns(&["web/**"]);
    let mut story = Story::of(contract);
    let src = path("src/lib.rs");
    let web = path("web/a.js");
    let changed: &[&RepoPath] = &[&src];
    assert_eq!(said(&story, WORK, Some(changed)), open(&["test", "lint"]));
    let test = story.ran(ran(4));
    assert_eq!(said(&story, WORK, Some(changed)), open(&["lint"]));
    let lint = story.ran(
        ran(1)
            .check("lint", "make lint")
            .result(|result| result.subject.kind = SubjectKind::Clean),
    );
    assert_eq!(
        said(&story, WORK, Some(changed)),
        (
            "verified, worktree false".to_owned(),
            vec![test.to_string(), lint.to_string()]
        )
    );
    assert_eq!(
        said(&story, EARLIER, Some(changed)),
        open(&["test", "lint"])
    );
    assert_eq!(said(&story, WORK, Some(&[&web])), open(&["web"]));
    assert_eq!(said(&story, WORK, None).0, "unknown");
    story.ran(ran(3).red(&["a"]));
    assert_eq!(said(&story, WORK, Some(changed)), open(&["test"]));
}

#[test]
fn a_reproduction_does_for_a_bugfix_only() {
    let mut story = Story::of(contract(Mode::Bugfix));
    let red = story.reproduced();
    let expected = ("reproduction".to_owned(), vec![red.to_string()]);
    assert_eq!(said(&story, SHOWN, Some(&[])), expected);
    assert_eq!(said(&story, WORK, Some(&[])), open(&["test"]));
    let mut story = Story::of(contract(Mode::Feature));
    story.reproduced();
    assert_eq!(said(&story, SHOWN, Some(&[])), open(&["test"]));
}

#[test]
fn pinned_checks_of_which_none_is_due_are_told_from_none_pinned() {
    let mut docs = contract(Mode::Feature);
    docs.checks[0].paths = patterns(&["src/**"]);
    assert_eq!(said(&Story::of(docs), WORK, Some(&[])).0, "none due");
    let research = Story::of(contract(Mode::Research));
    assert_eq!(said(&research, WORK, Some(&[])), open(&[]));
}
