//! `next`, `start` and `finish`, over the situations a run comes to.

use super::{ask_next, next_document, why};
use crate::support::{
    Sandbox,
    doubler::{self, MORE_CASES, OTHER, WRONG},
    driver::type_phrase,
};
use serde_json::{Value, json};

#[test]
fn next_without_a_run() {
    let sandbox = doubler::sandbox();
    why(&ask_next(&sandbox, &[]), "author_spec", "no_run");
    for mode in [
        "direct",
        "feature",
        "bugfix",
        "refactor",
        "hardening",
        "research",
    ] {
        let document = ask_next(&sandbox, &[mode]);
        why(&document, "author_spec", "no_run");
        assert_eq!(document["run_id"], Value::Null);
        assert_eq!(document["action"]["spec_template"]["mode"], mode);
    }
    // Also where nothing was ever committed.
    let unborn = Sandbox::repo();
    why(&ask_next(&unborn, &[]), "author_spec", "no_run");
}

#[test]
fn next_start_and_finish_through_a_feature() {
    let sandbox = doubler::sandbox();
    let started = doubler::start(&sandbox, &doubler::spec("feature", 2));
    next_document(&started);
    assert_eq!(started, ask_next(&sandbox, &[]));
    why(&started, "implement_task", "task_open");
    assert_eq!(started["action"]["task_id"], "T001");
    assert_eq!(
        started["action"]["command"],
        json!(["git", "rapid", "task", "start", "T001"])
    );
    assert_eq!(
        started["action"]["after"],
        json!(["git", "rapid", "task", "done", "T001"])
    );
    let finish = sandbox.rapid(&["finish", "--json"]).ended(1).json();
    next_document(&finish);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    let open = ask_next(&sandbox, &[]);
    assert_eq!(open["action"]["command"], Value::Null, "{open:#}");
    sandbox.rapid_ok(&["task", "block", "T001", "--reason", "waits"]);
    ask_next(&sandbox, &[]);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.rapid_ok(&["task", "done", "T001", "--no-check"]);
    sandbox.rapid_ok(&["task", "skip", "T002", "--reason", "none"]);
    why(
        &ask_next(&sandbox, &[]),
        "implement_task",
        "nothing_changed",
    );
    sandbox.write("double.sh", WRONG);
    sandbox.write("t/cases", MORE_CASES);
    why(&ask_next(&sandbox, &[]), "verify", "unverified");
    sandbox.rapid(&["check"]).ended(1);
    let red = ask_next(&sandbox, &[]);
    why(&red, "verify", "red");
    assert_eq!(
        red["context"]["last_check"]["failed_tests"],
        json!(["three"]),
        "{red:#}"
    );
    assert!(red["context"]["last_check"]["tail"].is_string(), "{red:#}");
    sandbox.write("README", "Squares a number.\n");
    sandbox.write("double.sh", OTHER);
    sandbox.rapid_ok(&["check"]);
    why(&ask_next(&sandbox, &[]), "verify", "out_of_scope");
    sandbox.git(&["checkout", "--quiet", "README"]);
    sandbox.rapid_ok(&["check"]);
    let unlinked = ask_next(&sandbox, &[]);
    why(&unlinked, "verify", "unverified");
    let link = ["check", "--task", "T001"];
    assert_eq!(
        unlinked["action"]["command"],
        json!(["git", "rapid", "check", "--task", "T001"])
    );
    sandbox.rapid_ok(&link);
    let uncommitted = ask_next(&sandbox, &[]);
    why(&uncommitted, "commit", "not_committed");
    assert_eq!(
        uncommitted["action"]["command"],
        json!(["git", "rapid", "commit", "-a", "-m", "double more"])
    );
    sandbox.rapid_ok(&["commit", "-a", "-m", "double more"]);
    let waiting = ask_next(&sandbox, &[]);
    why(&waiting, "await_human_approval", "approval_pending");
    assert_eq!(
        waiting["action"]["gate_ids"],
        json!(["gate.final-verification"])
    );
    next_document(&sandbox.rapid(&["finish", "--json"]).ended(1).json());
    sandbox.rapid_ok(&["pause"]);
    why(&ask_next(&sandbox, &[]), "blocked", "paused");
    sandbox.rapid_ok(&["resume"]);
    doubler::approve(&sandbox);
    why(&ask_next(&sandbox, &[]), "finish", "holds");
    let done = sandbox.rapid(&["finish", "--json"]).ended(0).json();
    next_document(&done);
    assert_eq!(done["action"]["kind"], "done");
    let run = done["run_id"].as_str().unwrap();
    assert_eq!(
        done["outcome"],
        ask_next(&sandbox, &["--run", run])["outcome"]
    );
    why(&ask_next(&sandbox, &["--run", run]), "done", "ended");
    why(&ask_next(&sandbox, &[]), "author_spec", "no_run");
}

#[test]
fn next_through_a_bugfix_with_a_limit_of_attempts() {
    let sandbox = doubler::sandbox();
    sandbox.write("double.sh", WRONG);
    sandbox.commit_all("wrong for three");
    let mut spec = doubler::spec("bugfix", 2);
    spec["implementation_tasks"] =
        json!(["show it", {"description": "mend it", "attempts": 2, "paths": ["double.sh"]}]);
    doubler::start(&sandbox, &spec);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    let seen = ask_next(&sandbox, &[]);
    assert_eq!(
        seen["action"]["command"],
        json!([
            "git", "rapid", "check", "--expect", "fail", "--task", "T001"
        ]),
        "{seen:#}"
    );
    sandbox.write("t/cases", MORE_CASES);
    sandbox.rapid_ok(&["check", "--expect", "fail", "--task", "T001"]);
    sandbox.rapid_ok(&["task", "done", "T001"]);
    sandbox.rapid_ok(&["task", "start", "T002"]);
    let open = ask_next(&sandbox, &[]);
    assert_eq!(open["context"]["task"]["attempts"], 2, "{open:#}");
    assert_eq!(
        open["context"]["task"]["paths"],
        json!(["double.sh"]),
        "{open:#}"
    );
    sandbox.rapid(&["check", "--fresh"]).ended(1);
    sandbox.rapid(&["check", "--fresh"]).ended(1);
    let braked = ask_next(&sandbox, &[]);
    why(&braked, "blocked", "no_progress");
    assert_eq!(braked["context"]["who"], "human", "{braked:#}");
    type_phrase(&sandbox, &["resume"]).ended(0);
    why(&ask_next(&sandbox, &[]), "implement_task", "red");
}

#[test]
fn next_where_a_person_or_the_worktree_stands_in_the_way() {
    // A red baseline.
    let sandbox = doubler::sandbox();
    sandbox.write("double.sh", WRONG);
    sandbox.write("t/cases", MORE_CASES);
    sandbox.commit_all("red");
    next_document(&doubler::start_feature(&sandbox));
    why(
        &ask_next(&sandbox, &[]),
        "await_human_approval",
        "baseline_red",
    );
    // Unmerged files.
    let sandbox = doubler::committed_feature();
    sandbox.git(&["checkout", "--quiet", "-b", "side", "HEAD~1"]);
    sandbox.write("t/cases", "other 1 2\n");
    sandbox.commit_all("other");
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.try_git(&["merge", "side"]).ended(1);
    let unmerged = ask_next(&sandbox, &[]);
    why(&unmerged, "blocked", "no_snapshot");
    sandbox.git(&["merge", "--abort"]);
    // Sent back, and rejected.
    let send = ["approve", "--request-changes", "--reason", "name it"];
    type_phrase(&sandbox, &send).ended(0);
    why(&ask_next(&sandbox, &[]), "verify", "changes_requested");
    type_phrase(
        &sandbox,
        &[
            "approve",
            "gate.final-verification",
            "--reject",
            "--reason",
            "no",
        ],
    )
    .ended(0);
    why(&ask_next(&sandbox, &[]), "blocked", "rejected");
    let given_up = sandbox.rapid(&["abort", "--json"]).ended(0).json();
    next_document(&given_up);
}

#[test]
fn next_of_a_run_that_lives_elsewhere() {
    let sandbox = doubler::sandbox();
    let started = doubler::start(&sandbox, &doubler::spec("hardening", 1));
    next_document(&started);
    let run = started["run_id"].as_str().unwrap();
    let place = started["action"]["workspace_path"].as_str().unwrap();
    assert!(place.ends_with(&format!("work.rapid/{run}")), "{place}");
    let from_here = ask_next(&sandbox, &[]);
    why(&from_here, "implement_task", "elsewhere");
    assert_eq!(from_here["action"]["workspace_path"], place);
    let there = ask_next(&sandbox, &["-C", place]);
    why(&there, "implement_task", "task_open");
    assert!(there["action"].get("workspace_path").is_none(), "{there:#}");
    assert_eq!(there["context"]["cwd"], place);
}

#[test]
fn next_of_research_and_of_a_spec_with_a_question() {
    let sandbox = doubler::sandbox();
    let mut spec = doubler::spec("research", 1);
    spec["open_questions"] = json!(["which number?"]);
    let run = sandbox.rapid_with_input(
        &["start", "--spec-file", "-", "--json"],
        spec.to_string().as_bytes(),
    );
    let asked = run.ended(1).json();
    next_document(&asked);
    why(&asked, "await_human_approval", "open_question");
    assert_eq!(asked["run_id"], Value::Null);
    doubler::start(&sandbox, &doubler::spec("research", 1));
    sandbox.rapid_ok(&["task", "start", "T001"]);
    let open = ask_next(&sandbox, &[]);
    let report = open["action"]["report_path"]
        .as_str()
        .expect("where to write");
    assert_eq!(open["action"]["command"], Value::Null, "{open:#}");
    assert_eq!(
        open["action"]["after"],
        json!(["git", "rapid", "attach", report, "--task", "T001"]),
        "{open:#}"
    );
}

#[test]
fn next_of_a_command_that_cannot_be_counted() {
    let sandbox = doubler::sandbox();
    sandbox.write("t/run.sh", "sh double.sh 2\n");
    sandbox.commit_all("says nothing");
    doubler::start_feature(&sandbox);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.write("double.sh", OTHER);
    sandbox.rapid_ok(&["task", "done", "T001"]);
    why(
        &ask_next(&sandbox, &[]),
        "await_human_approval",
        "uncounted",
    );
    type_phrase(&sandbox, &["approve", "--test-command"]).ended(0);
    why(&ask_next(&sandbox, &[]), "commit", "not_committed");
}
