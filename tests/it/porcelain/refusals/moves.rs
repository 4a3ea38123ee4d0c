//! Illegal moves of runs and tasks, and what has to happen first.

use super::{feature, prepared, refused, refused_at_terminal, refused_with, says};
use crate::support::doubler::{self, MORE_CASES, OTHER, WRONG};
use serde_json::json;

#[test]
fn moves_of_a_run_that_is_prepared() {
    let sandbox = prepared();
    let fact = "the run is prepared and cannot become paused";
    refused(&sandbox, &["pause"], "RAPID1009", fact);
    refused(
        &sandbox,
        &["task", "start", "T001"],
        "RAPID1014",
        "it is prepared",
    );
    refused(
        &sandbox,
        &["task", "skip", "T001", "--reason", "x"],
        "RAPID1014",
        "it is prepared",
    );
    refused(&sandbox, &["commit", "-m", "x"], "RAPID1504", "prepared");
    // Machine gates are not a person's to approve, and gates after the work not due yet.
    refused_at_terminal(
        &sandbox,
        &["approve", "gate.baseline"],
        "RAPID1013",
        "gate.baseline",
    );
    let late = ["approve", "gate.final-verification"];
    refused_at_terminal(&sandbox, &late, "RAPID1014", "gate.final-verification");
    let late = ["approve", "gate.tests", "--waive", "--reason", "x"];
    refused_at_terminal(&sandbox, &late, "RAPID1014", "gate.tests");
    // Neither resume nor finish get past the gate.
    let before = doubler::ledger(&sandbox);
    let next = sandbox.rapid_json(&["resume"]);
    assert_eq!(next["context"]["why"]["code"], "baseline_red", "{next:#}");
    let finish = sandbox.rapid(&["finish", "--json"]).ended(1).json();
    assert_eq!(
        finish["context"]["why"]["code"], "baseline_red",
        "{finish:#}"
    );
    assert_eq!(before, doubler::ledger(&sandbox));
}

#[test]
fn moves_of_tasks() {
    let sandbox = doubler::sandbox();
    let mut spec = doubler::spec("feature", 3);
    spec["implementation_tasks"] = json!([
        "one",
        {"description": "two", "after": ["T001"]},
        "three",
    ]);
    doubler::start(&sandbox, &spec);
    let task = |verb: &'static str, task: &'static str| ["task", verb, task];
    for verb in ["done", "block"] {
        refused(
            &sandbox,
            &task(verb, "T001"),
            "RAPID1010",
            "task T001 is pending",
        );
    }
    refused(
        &sandbox,
        &task("start", "T002"),
        "RAPID1014",
        "starts after T001",
    );
    refused(
        &sandbox,
        &task("skip", "T001"),
        "RAPID1014",
        "only with a reason",
    );
    refused(
        &sandbox,
        &["task", "skip", "T001", "--reason", "  "],
        "RAPID1014",
        "only with a reason",
    );
    refused(
        &sandbox,
        &task("start", "T009"),
        "RAPID1010",
        "no task T009",
    );
    sandbox.rapid_ok(&task("start", "T001"));
    refused(
        &sandbox,
        &task("start", "T001"),
        "RAPID1010",
        "task T001 is in_progress",
    );
    sandbox.rapid_ok(&["task", "block", "T001", "--reason", "waits"]);
    refused(
        &sandbox,
        &task("done", "T001"),
        "RAPID1010",
        "task T001 is blocked",
    );
    refused(
        &sandbox,
        &task("block", "T001"),
        "RAPID1010",
        "task T001 is blocked",
    );
    sandbox.rapid_ok(&task("start", "T001"));
    sandbox.rapid_ok(&task("done", "T001"));
    for verb in ["start", "done", "block"] {
        refused(
            &sandbox,
            &task(verb, "T001"),
            "RAPID1010",
            "task T001 is done, which is final",
        );
    }
    let skip = ["task", "skip", "T001", "--reason", "x"];
    refused(
        &sandbox,
        &skip,
        "RAPID1010",
        "task T001 is done, which is final",
    );
    sandbox.rapid_ok(&["task", "skip", "T003", "--reason", "not needed"]);
    refused(
        &sandbox,
        &task("start", "T003"),
        "RAPID1010",
        "task T003 is skipped, which is final",
    );
    // Not while the run is put aside.
    sandbox.rapid_ok(&["pause"]);
    refused(
        &sandbox,
        &task("start", "T002"),
        "RAPID1014",
        "it is paused",
    );
    refused(&sandbox, &["pause"], "RAPID1009", "the run is paused");
}

#[test]
fn the_first_task_of_a_bugfix() {
    let sandbox = doubler::sandbox();
    doubler::start(&sandbox, &doubler::spec("bugfix", 2));
    let skip = ["task", "skip", "T001", "--reason", "x"];
    refused(&sandbox, &skip, "RAPID1014", "cannot be skipped");
    let expected = ["check", "--expect", "fail"];
    let error = refused(&sandbox, &expected, "RAPID1320", "needs the task");
    assert!(error["hints"][0]["command"].is_array(), "{error:#}");
    sandbox.rapid_ok(&["task", "start", "T001"]);
    let unchecked = ["task", "done", "T001", "--no-check"];
    refused(
        &sandbox,
        &unchecked,
        "RAPID1014",
        "done once the bug was seen",
    );
    refused(&sandbox, &["task", "done", "T001"], "RAPID1014", "bug");
}

#[test]
fn a_run_that_has_ended() {
    let (sandbox, run) = doubler::finished_feature();
    let ended = "finished";
    for (words, code) in [
        (&["pause"][..], "RAPID1009"),
        (&["resume"], "RAPID1009"),
        (&["abort", "--reason", "x"], "RAPID1009"),
        (&["supersede", "--reason", "x"], "RAPID1009"),
        (&["check"], "RAPID1014"),
        (&["check", "--", "true"], "RAPID1014"),
        (&["attach", "README", "--task", "T001"], "RAPID1014"),
    ] {
        let mut all = vec!["--run", run.as_str()];
        all.extend_from_slice(words);
        refused(&sandbox, &all, code, ended);
    }
    let approve = [
        "--run",
        &run,
        "approve",
        "gate.final-verification",
        "--commit",
        "HEAD",
    ];
    refused_at_terminal(&sandbox, &approve, "RAPID1014", ended);
    // Asking what comes next, and finishing again, tell the outcome.
    let next = sandbox.rapid_json(&["--run", &run, "next"]);
    assert_eq!(next["outcome"]["verdict"], "pass", "{next:#}");
}

#[test]
fn a_run_that_was_given_up() {
    let sandbox = feature();
    let done = sandbox.rapid_json(&["abort", "--reason", "changed my mind"]);
    let run = done["run_id"].as_str().expect("a run").to_owned();
    assert_eq!(
        done["outcome"],
        json!({"status": "cancelled", "verdict": null, "report": null}),
        "{done:#}"
    );
    refused(
        &sandbox,
        &["--run", &run, "resume"],
        "RAPID1009",
        "cancelled",
    );
    refused(
        &sandbox,
        &["--run", &run, "abort"],
        "RAPID1009",
        "cancelled",
    );
    for words in [&["start", "T001"][..], &["skip", "T001", "--reason", "x"]] {
        let mut all = vec!["--run", run.as_str(), "task"];
        all.extend_from_slice(words);
        refused(&sandbox, &all, "RAPID1014", "it is cancelled");
    }
    refused_with(&sandbox, &["check"], 2, "RAPID1007", "no run");
}

#[test]
fn a_commit_outside_the_plan_or_untested() {
    let sandbox = feature();
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.write("README", "Squares.\n");
    let error = refused(&sandbox, &["commit", "-a"], "RAPID1501", "README");
    assert!(
        error["hints"]
            .as_array()
            .is_some_and(|hints| !hints.is_empty()),
        "{error:#}"
    );
    sandbox.git(&["checkout", "--quiet", "README"]);
    // Red: nothing verified this content.
    sandbox.write("double.sh", WRONG);
    sandbox.write("t/cases", MORE_CASES);
    let index = sandbox.read(".git/HEAD") + &sandbox.git(&["ls-files", "-s"]);
    let head = sandbox.git(&["rev-parse", "HEAD"]);
    let run = sandbox.rapid(&["commit", "-a", "--json"]).ended(1);
    says(&run, "RAPID1340", "1 failed of 3");
    assert_eq!(head, sandbox.git(&["rev-parse", "HEAD"]));
    assert_eq!(
        index,
        sandbox.read(".git/HEAD") + &sandbox.git(&["ls-files", "-s"])
    );
    // Part of it: what would be tested is not what would be committed.
    sandbox.write("double.sh", OTHER);
    sandbox.rapid_ok(&["check"]);
    sandbox.git(&["add", "double.sh"]);
    let error = refused(&sandbox, &["commit", "-m", "part"], "RAPID1506", "t/cases");
    assert!(error["hints"].to_string().contains("-a"), "{error:#}");
}

#[test]
fn an_agent_that_gives_up_says_why() {
    let mut sandbox = feature();
    sandbox.set("CLAUDECODE", "1");
    refused(&sandbox, &["abort"], "RAPID1014", "reason");
    refused(&sandbox, &["abort", "--reason", " "], "RAPID1014", "reason");
    refused(&sandbox, &["supersede", "bugfix"], "RAPID1014", "reason");
    sandbox.rapid_ok(&["abort", "--reason", "the spec contradicts itself"]);
    // The next run on that branch names it.
    let next = doubler::start_feature(&sandbox);
    let run = sandbox.rapid_json(&["show", next["run_id"].as_str().unwrap()]);
    assert!(run.to_string().contains("\"predecessor\":\""), "{run:#}");
}

#[test]
fn a_refusal_leaves_a_commit_for_the_next_verb_to_catch_up() {
    let sandbox = feature();
    sandbox.write("double.sh", OTHER);
    sandbox.commit_all("by plain git");
    refused(&sandbox, &["task", "done", "T001"], "RAPID1010", "pending");
    refused_with(
        &sandbox,
        &["check", "--task", "T009"],
        3,
        "RAPID1207",
        "T009",
    );
    let missing = ["attach", "nowhere.txt", "--task", "T001"];
    refused_with(&sandbox, &missing, 3, "RAPID4002", "nowhere.txt");
    refused(
        &sandbox,
        &["commit", "-a"],
        "RAPID1014",
        "nothing to commit",
    );
    let before = sandbox.fingerprint();
    sandbox.rapid(&["finish"]).ended(1);
    assert_eq!(before, sandbox.fingerprint());
    sandbox.rapid_ok(&["task", "start", "T001"]);
    let log = sandbox
        .rapid_json(&["log", "double-more-r1-run-001"])
        .to_string();
    assert!(log.contains("\"kind\":\"milestone\""), "{log}");
}
