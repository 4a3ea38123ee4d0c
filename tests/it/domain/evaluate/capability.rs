//! `capability.C.observed`.

use super::build::*;
use git_rapid::domain::{
    evidence::{Evidence, Operation, Payload},
    producer::Producer,
    vocabulary::{
        AssertionStatus::{Fail, NotApplicable, Pass, Unverified},
        Mode, Workspace,
    },
};

fn asking(capability: &str) -> Story {
    let mut contract = contract(Mode::Feature);
    contract.capabilities = vec![capability.to_owned()];
    Story::of(contract)
}

fn id(capability: &str) -> String {
    format!("capability.{capability}.observed")
}

#[test]
fn reading_leaves_no_trace() {
    for capability in ["context.consume", "repository.read"] {
        let judged = asking(capability).says(&id(capability), NotApplicable, "not_observable");
        assert!(!judged.required);
    }
}

#[test]
fn writing_is_a_changed_path() {
    let write = id("repository.write");
    let mut story = asking("repository.write");
    assert!(story.says(&write, Pass, "seen").required);
    story.facts.paths = Some(Vec::new());
    story.says(&write, Unverified, "nothing_changed");
    story.facts.paths = None;
    story.says(&write, Unverified, "object_missing");
}

#[test]
fn isolated_also_shows_current() {
    let current = id("workspace.current");
    let mut story = asking("workspace.current");
    story.says(&current, Unverified, "not_seen");
    story.workspace(Workspace::Current);
    story.says(&current, Pass, "seen");
    story.workspace(Workspace::Isolated);
    story.says(&current, Pass, "seen");

    let isolated = id("workspace.isolated");
    let mut story = asking("workspace.isolated");
    story.says(&isolated, Unverified, "not_seen");
    story.workspace(Workspace::Isolated);
    story.says(&isolated, Pass, "seen");
    story.workspace(Workspace::Current);
    story.says(&isolated, Fail, "not_isolated");
}

#[test]
fn tests_are_seen_on_the_judged_tree() {
    let tests = id("tests.execute");
    let mut story = asking("tests.execute");
    story.says(&tests, Unverified, "no_result");
    story.ran(ran(4).on(EARLIER));
    story.says(&tests, Unverified, "other_tree");
    story.ran(ran(0).uncounted());
    story.says(&tests, Unverified, "uncounted");
    story.ran(ran(4));
    story.says(&tests, Pass, "seen");
    story.ran(ran(3).red(&["a"]));
    story.says(&tests, Fail, "red");
}

#[test]
fn what_was_asked_for_must_be_seen_and_go_well() {
    let operation = |outcome: &str| Operation {
        operation: "query".to_owned(),
        target: None,
        outcome: outcome.to_owned(),
    };
    type Kind = fn(Operation) -> Payload;
    let rows: [(&str, Kind); 2] = [
        ("mcp.invoke", Payload::ToolInvocation),
        ("subagents.delegate", Payload::Delegation),
    ];
    for (capability, payload) in rows {
        let mut story = asking(capability);
        let by = || Producer::Harness("x".to_owned());
        story.says(&id(capability), Unverified, "not_seen");
        story.add(by(), Evidence::of(payload(operation("failure"))));
        story.says(&id(capability), Unverified, "not_seen");
        story.add(by(), Evidence::of(payload(operation("success"))));
        story.says(&id(capability), Pass, "seen");
    }
    let shell = id("shell.execute");
    let mut story = asking("shell.execute");
    story.ran(ran(0).uncounted().command("true"));
    story.says(&shell, Unverified, "not_seen");
    story.ran(ran(4));
    story.says(&shell, Pass, "seen");
}
