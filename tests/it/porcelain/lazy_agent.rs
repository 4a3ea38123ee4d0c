//! A lazy agent, one shortcut at a time: none leads to a pass, and each is told why.
//!
//! Every test goes on to the bitter end: the work is committed with plain git and a person
//! who does not look approves all that is asked of them. Even then `finish` says no.

use crate::support::{
    Sandbox,
    doubler::{self, MORE_CASES, OTHER, TEST, WRONG},
    driver::type_phrase,
};
use serde_json::{Value, json};

/// Commits everything with plain git, lets a hasty person approve what waits, and gives what
/// `finish` says: no.
#[track_caller]
fn not_passing(sandbox: &Sandbox) -> Value {
    sandbox.commit_all("done, honestly");
    if sandbox.rapid_json(&["next"])["action"]["kind"] == "await_human_approval" {
        type_phrase(sandbox, &["approve"]);
    }
    let review = sandbox.rapid_json(&["review"]);
    let so_far = review["verdict_so_far"].as_str().expect("a verdict");
    assert!(["fail", "unverified"].contains(&so_far), "{review:#}");
    refuses_to_finish(sandbox)
}

/// What `finish` says: no, and whatever else is asked says so too.
#[track_caller]
fn refuses_to_finish(sandbox: &Sandbox) -> Value {
    let before = doubler::ledger(sandbox);
    let finish = sandbox.rapid(&["finish", "--json"]).ended(1).json();
    assert_ne!(finish["action"]["kind"], "done", "{finish:#}");
    assert_eq!(finish["outcome"], Value::Null, "{finish:#}");
    let verify = sandbox.rapid(&["verify", "HEAD", "--require-pass", "--json"]);
    let verdict = verify.ended(1).json()["verdict"].clone();
    assert!(
        verdict != "pass" && verdict != "pass_with_waivers",
        "{verdict}"
    );
    assert_eq!(before, doubler::ledger(sandbox), "a refused finish wrote");
    finish
}

/// Status and reason under which `document` lists an assertion as missing.
#[track_caller]
fn missing(document: &Value, id: &str) -> (String, String) {
    let found = document["context"]["missing"]
        .as_array()
        .and_then(|all| all.iter().find(|found| found["id"] == id))
        .unwrap_or_else(|| panic!("no {id}: {document:#}"));
    let word = |key: &str| found[key].as_str().expect("a word").to_owned();
    (word("status"), word("why"))
}

#[track_caller]
fn misses(document: &Value, id: &str, status: &str, why: &str) {
    assert_eq!(
        missing(document, id),
        (status.into(), why.into()),
        "{document:#}"
    );
}

/// A feature with its task in progress and a change that no test has seen: a wrong one.
#[track_caller]
fn untested() -> Sandbox {
    let sandbox = doubler::sandbox();
    doubler::start_feature(&sandbox);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.write("double.sh", WRONG);
    sandbox.write("t/cases", MORE_CASES);
    sandbox
}

/// Closes the task without its check, as one does who will not test.
#[track_caller]
fn close_anyway(sandbox: &Sandbox) {
    sandbox.rapid_ok(&["task", "done", "T001", "--no-check"]);
}

/// A check of the agent's own, linked to all it can be linked to; the document.
#[track_caller]
fn check_words(sandbox: &Sandbox, words: &[&str]) -> Value {
    let mut all = vec![
        "check",
        "--json",
        "--task",
        "T001",
        "--gate",
        "gate.tests",
        "--accept",
        "A001",
        "--",
    ];
    all.extend_from_slice(words);
    sandbox.rapid(&all).ended(0).json()
}

const TESTS: &str = "gate.gate.tests.evidence";
const TASK: &str = "task.T001.evidence";

#[test]
fn a_command_that_always_succeeds() {
    let sandbox = untested();
    let done = check_words(&sandbox, &["true"]);
    assert_eq!(done["note"], true, "{done:#}");
    assert_eq!(done["check"], Value::Null);
    assert_eq!(done["counts"], Value::Null);
    close_anyway(&sandbox);
    let finish = not_passing(&sandbox);
    // What counts speaks of the start, before the change.
    misses(&finish, TESTS, "unverified", "other_tree");
    misses(&finish, TASK, "unverified", "aside");
}

#[test]
fn a_summary_that_is_only_printed() {
    let sandbox = untested();
    let summary = "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
    for words in [
        &["echo", summary][..],
        &["sh", "-c", "echo ok 1; echo 1..1"],
    ] {
        let done = check_words(&sandbox, words);
        assert_eq!(done["note"], true, "{done:#}");
    }
    close_anyway(&sandbox);
    let finish = not_passing(&sandbox);
    // What counts speaks of the start, before the change.
    misses(&finish, TESTS, "unverified", "other_tree");
    misses(&finish, TASK, "unverified", "aside");
}

#[test]
fn a_toy_directory() {
    let sandbox = untested();
    // The same words elsewhere: a toy whose tests pass.
    sandbox.write("toy/t/run.sh", "echo ok 1; echo 1..1\n");
    let words: Vec<&str> = TEST.split(' ').collect();
    let mut call = vec![
        "check",
        "--json",
        "--task",
        "T001",
        "--gate",
        "gate.tests",
        "--",
    ];
    call.extend_from_slice(&words);
    let inside = sandbox.rapid_in(sandbox.path("toy"), &call).ended(0).json();
    assert_eq!(inside["note"], true, "{inside:#}");
    assert_eq!(inside["check"], Value::Null);
    let mut called = vec!["-C", "toy"];
    called.extend_from_slice(&call);
    let called = sandbox.rapid(&called).ended(0).json();
    assert_eq!(called["note"], true, "{called:#}");
    // The pinned check runs where it was pinned, wherever one stands.
    let pinned = sandbox
        .rapid_in(sandbox.path("toy"), &["check", "--json"])
        .ended(1)
        .json();
    assert_eq!(pinned["counts"]["failed"], 1, "{pinned:#}");
    close_anyway(&sandbox);
    std::fs::remove_dir_all(sandbox.path("toy")).unwrap();
    let finish = not_passing(&sandbox);
    misses(&finish, TESTS, "fail", "red");
}

#[test]
fn an_old_report_file() {
    let sandbox = untested();
    sandbox.write(
        "../report.xml",
        "<testsuite name=\"all\" tests=\"3\"><testcase name=\"a\"/><testcase name=\"b\"/><testcase name=\"c\"/></testsuite>\n",
    );
    let done = sandbox
        .rapid(&["check", "--json", "--report", "../report.xml"])
        .ended(1)
        .json();
    assert_eq!(done["notes"], json!(["stale_report"]), "{done:#}");
    assert_eq!(done["counts"], Value::Null, "{done:#}");
    // Not even one that says green of a green command.
    sandbox.write("double.sh", OTHER);
    let done = sandbox
        .rapid(&["check", "--json", "--report", "../report.xml"])
        .ended(1)
        .json();
    assert_eq!(done["exit_code"], 0, "{done:#}");
    assert_eq!(done["notes"], json!(["stale_report"]), "{done:#}");
    close_anyway(&sandbox);
    let finish = not_passing(&sandbox);
    misses(&finish, TESTS, "unverified", "stale_report");
}

#[test]
fn a_failure_that_anything_could_show() {
    let sandbox = doubler::sandbox();
    doubler::start(&sandbox, &doubler::spec("bugfix", 2));
    sandbox.rapid_ok(&["task", "start", "T001"]);
    let done = sandbox
        .rapid(&[
            "check", "--json", "--expect", "fail", "--task", "T001", "--", "false",
        ])
        .ended(0)
        .json();
    assert_eq!(done["note"], true, "{done:#}");
    let refused = sandbox.rapid(&["task", "done", "T001", "--json"]).ended(1);
    assert_eq!(refused.error_code(), "RAPID1014", "{refused:?}");
    let refused = sandbox
        .rapid(&["task", "done", "T001", "--no-check", "--json"])
        .ended(1);
    assert_eq!(refused.error_code(), "RAPID1014", "{refused:?}");
    sandbox.write("double.sh", OTHER);
    not_passing(&sandbox);
}

#[test]
fn no_tests_at_all() {
    let sandbox = doubler::sandbox();
    doubler::start_feature(&sandbox);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.write("double.sh", WRONG);
    sandbox.write("t/cases", "");
    let done = sandbox.rapid(&["check", "--json"]).json();
    assert_eq!(done["exit_code"], 0, "{done:#}");
    assert_eq!(done["counts"]["passed"], 0, "{done:#}");
    // A task may be done so; the run may not.
    sandbox.rapid_ok(&["task", "done", "T001"]);
    let finish = not_passing(&sandbox);
    misses(&finish, TESTS, "unverified", "zero_tests");
}

#[test]
fn a_task_that_is_skipped_is_no_plain_pass() {
    let sandbox = doubler::sandbox();
    doubler::start(&sandbox, &doubler::spec("feature", 2));
    doubler::do_task(&sandbox);
    let refused = sandbox.rapid(&["task", "skip", "T002", "--json"]).ended(1);
    assert_eq!(refused.error_code(), "RAPID1014", "{refused:?}");
    sandbox.rapid_ok(&["task", "skip", "T002", "--reason", "tired"]);
    sandbox.rapid_ok(&["commit", "-a"]);
    let review = sandbox.rapid_json(&["review"]);
    assert_eq!(review["verdict_so_far"], "pass_with_waivers", "{review:#}");
    doubler::approve(&sandbox);
    let done = sandbox.rapid(&["finish", "--json"]).ended(0).json();
    assert_eq!(done["outcome"]["verdict"], "pass_with_waivers", "{done:#}");
}

#[test]
fn every_task_skipped_and_nothing_done() {
    let sandbox = doubler::sandbox();
    doubler::start_feature(&sandbox);
    sandbox.rapid_ok(&["task", "skip", "T001", "--reason", "tired"]);
    // Nothing was written: there is no work to judge.
    let finish = not_passing(&sandbox);
    assert_eq!(
        finish["context"]["why"]["code"], "nothing_changed",
        "{finish:#}"
    );
}

#[test]
fn an_approval_before_a_rewrite() {
    let sandbox = doubler::committed_feature();
    doubler::approve(&sandbox);
    sandbox.write("double.sh", OTHER);
    sandbox.rapid_ok(&["commit", "-a", "-m", "one more thing"]);
    let finish = refuses_to_finish(&sandbox);
    assert_eq!(
        finish["awaiting_human"],
        json!(["gate.final-verification"]),
        "{finish:#}"
    );
    assert_eq!(
        finish["context"]["why"]["code"], "approval_stale",
        "{finish:#}"
    );
}

#[test]
fn a_waiver_before_a_rewrite() {
    let sandbox = doubler::sandbox();
    doubler::start_feature(&sandbox);
    doubler::do_task(&sandbox);
    // A person lets the tests go for what they see,
    type_phrase(
        &sandbox,
        &[
            "approve",
            "gate.tests",
            "--waive",
            "--reason",
            "the runner is down",
        ],
    )
    .ended(0);
    // and not for what comes then.
    sandbox.write("double.sh", WRONG);
    let finish = not_passing(&sandbox);
    let (status, _) = missing(&finish, TESTS);
    assert_ne!(status, "waived", "{finish:#}");
}

#[test]
fn another_test_command_on_the_way() {
    let sandbox = untested();
    sandbox.git(&["config", "rapid.testCommand", "true"]);
    // The contract pinned the command; the configuration of today says nothing.
    let done = sandbox.rapid(&["check", "--json"]).ended(1).json();
    assert_eq!(done["counts"]["failed"], 1, "{done:#}");
    close_anyway(&sandbox);
    let finish = not_passing(&sandbox);
    misses(&finish, TESTS, "fail", "red");
}

#[test]
fn other_words_behind_the_test_command() {
    // The pinned words stay the same, and what they run is another thing now.
    let sandbox = untested();
    let seen = sandbox.read("t/run.sh");
    sandbox.write("t/run.sh", "echo ok 1; echo ok 2; echo ok 3; echo 1..3\n");
    let done = sandbox.rapid(&["check", "--json"]).ended(0).json();
    assert_eq!(done["note"], false, "{done:#}");
    sandbox.rapid_ok(&["task", "done", "T001"]);
    // It is the first thing that the reviewer is shown.
    let review = sandbox.rapid_json(&["review"]);
    let tests: Vec<&str> = review["tests"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|row| row["path"].as_str())
        .collect();
    assert_eq!(tests, ["t/run.sh"], "{review:#}");
    assert_ne!(seen, sandbox.read("t/run.sh"));
}

#[test]
fn a_direct_change_that_bends_its_own_tests() {
    let sandbox = doubler::sandbox();
    sandbox.rapid_ok(&[
        "start",
        "direct",
        "-m",
        "square it",
        "--paths",
        "double.sh",
        "--paths",
        "t",
    ]);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.write("double.sh", "echo 7\n");
    sandbox.write("t/run.sh", "echo ok 1; echo ok 2; echo 1..2\n");
    sandbox.rapid_ok(&["task", "done", "T001"]);
    let finish = not_passing(&sandbox);
    misses(&finish, "direct.bounds", "fail", "test_lines_removed");
}

#[test]
fn a_test_file_deleted_in_a_refactor() {
    let sandbox = doubler::sandbox();
    sandbox.write("t/run.sh", "count=0\nfor each in t/*.test; do count=$((count+1)); sh $each && echo \"ok $count - $each\"; done; echo 1..$count\n");
    for name in ["one", "two", "three"] {
        sandbox.write(format!("t/{name}.test"), "exit 0\n");
    }
    sandbox.commit_all("three test files");
    doubler::start(&sandbox, &doubler::spec("refactor", 1));
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.write("double.sh", OTHER);
    sandbox.remove("t/two.test");
    let done = sandbox.rapid(&["task", "done", "T001", "--json"]);
    assert!(done.code <= 1, "{done:?}");
    let next = sandbox.rapid_json(&["next"]);
    assert_eq!(next["action"]["kind"], "blocked", "{next:#}");
    assert_eq!(next["context"]["why"]["code"], "tests_lost", "{next:#}");
    let finish = not_passing(&sandbox);
    misses(&finish, "tests.not-fewer", "fail", "fewer");
}

#[test]
fn a_refactor_whose_runner_counts_nothing() {
    let sandbox = doubler::sandbox();
    sandbox.write("t/run.sh", "sh double.sh 2\n");
    sandbox.commit_all("a runner that says nothing");
    doubler::start(&sandbox, &doubler::spec("refactor", 1));
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.write("double.sh", OTHER);
    let done = sandbox.rapid(&["check", "--json"]).ended(0).json();
    assert_eq!(done["kind"], "command_result", "{done:#}");
    sandbox.rapid_ok(&["task", "done", "T001"]);
    let finish = refuses_to_finish(&sandbox);
    // Only a person may say that this command is the tests.
    assert_eq!(finish["context"]["why"]["code"], "uncounted", "{finish:#}");
    assert_eq!(finish["context"]["who"], "human", "{finish:#}");
}

#[test]
fn a_result_that_is_red_and_then_hidden_behind_an_old_green() {
    let sandbox = doubler::committed_feature();
    // Green, red on the same tree (something outside it broke), and no new green.
    sandbox.write_program("../home/sh", "#!/bin/sh\nexit 1\n");
    let path = format!(
        "{}:{}",
        sandbox.root().join("home").display(),
        "/usr/bin:/bin"
    );
    let mut red = sandbox.rapid_command(&["check", "--fresh", "--json"]);
    red.env("PATH", path);
    let done = sandbox.finish(&mut red).ended(1).json();
    assert_eq!(done["met"], false, "{done:#}");
    doubler::approve(&sandbox);
    let finish = refuses_to_finish(&sandbox);
    misses(&finish, TESTS, "fail", "red");
}

#[test]
fn content_committed_past_the_rule_is_judged_all_the_same() {
    let sandbox = doubler::sandbox();
    doubler::start_feature(&sandbox);
    doubler::do_task(&sandbox);
    // Verified work, and then something else on top of it, by plain git.
    sandbox.write("double.sh", WRONG);
    sandbox.commit_all("not what was tested");
    let finish = not_passing(&sandbox);
    misses(&finish, TESTS, "unverified", "other_tree");
    // A commit outside the plan is named as well, in whatever commit it came.
    sandbox.write("double.sh", OTHER);
    sandbox.write("README", "Squares a number.\n");
    let finish = not_passing(&sandbox);
    misses(&finish, "scope.paths", "fail", "out_of_scope");
}

#[test]
fn an_unverified_commit_on_the_way_is_reported() {
    let sandbox = doubler::sandbox();
    doubler::start_feature(&sandbox);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.write("double.sh", WRONG);
    sandbox.commit_all("half done");
    sandbox.write("double.sh", OTHER);
    sandbox.write("t/cases", MORE_CASES);
    sandbox.rapid_ok(&["task", "done", "T001"]);
    sandbox.rapid_ok(&["commit", "-a", "-m", "done"]);
    doubler::approve(&sandbox);
    let done = sandbox.rapid(&["finish", "--json"]).ended(0).json();
    assert_eq!(done["outcome"]["verdict"], "pass", "{done:#}");
    let report = sandbox.rapid_json(&["show", done["outcome"]["report"].as_str().unwrap()]);
    let found = report["body"]["assertions"]
        .as_array()
        .unwrap_or_else(|| panic!("{report:#}"))
        .iter()
        .find(|found| found["id"] == "commits.verified")
        .unwrap_or_else(|| panic!("{report:#}"))
        .clone();
    assert_eq!(found["status"], "unverified", "{found:#}");
    assert_eq!(found["required"], false, "{found:#}");
}

#[test]
fn a_commit_amended_after_the_finish_has_no_verdict() {
    let (sandbox, run) = doubler::finished_feature();
    sandbox.rapid_ok(&["verify", "HEAD", "--require-pass"]);
    sandbox.write("double.sh", WRONG);
    sandbox.git(&["commit", "--quiet", "--amend", "--no-edit", "-a"]);
    let verify = sandbox
        .rapid(&["verify", "HEAD", "--require-pass", "--json"])
        .ended(1)
        .json();
    assert_ne!(verify["verdict"], "pass", "{verify:#}");
    assert_ne!(verify["commits"][0]["state"], "verified", "{verify:#}");
    // The run's own verdict stays what it was, of the tree it speaks of.
    let verify = sandbox
        .rapid(&["verify", &run, "--require-pass", "--json"])
        .ended(0)
        .json();
    assert_eq!(verify["verdict"], "pass", "{verify:#}");
}

#[test]
fn the_rules_own_folder_is_protected() {
    let sandbox = doubler::sandbox();
    let mut spec = doubler::spec("feature", 1);
    spec.as_object_mut().unwrap().remove("affected_paths");
    doubler::start(&sandbox, &spec);
    doubler::do_task(&sandbox);
    sandbox.write(".rapid/policy.json", "{\"schema_version\": 1}\n");
    let refused = sandbox.rapid(&["commit", "-a", "--json"]).ended(1);
    assert_eq!(refused.error_code(), "RAPID1505", "{refused:?}");
    let finish = not_passing(&sandbox);
    misses(&finish, "scope.paths", "fail", "protected");
}

#[test]
fn an_approval_that_a_program_types() {
    let mut sandbox = doubler::committed_feature();
    let before = doubler::ledger(&sandbox);
    let piped = sandbox.rapid_with_input(
        &["approve", "--json"],
        b"approve final-verification\napprove final-verification\n",
    );
    assert_eq!(piped.ended(1).error_code(), "RAPID1310");
    let below = sandbox
        .terminal_below("claude", &["approve", "--json"])
        .finish()
        .ended(1);
    assert_eq!(below.error_code(), "RAPID1310");
    sandbox.set("CLAUDECODE", "1");
    let marked = sandbox.terminal(&["approve", "--json"]).finish().ended(1);
    assert_eq!(marked.error_code(), "RAPID1310");
    sandbox.unset("CLAUDECODE");
    assert_eq!(before, doubler::ledger(&sandbox));
    let finish = refuses_to_finish(&sandbox);
    assert_eq!(finish["awaiting_human"], json!(["gate.final-verification"]));
}

#[test]
fn work_outside_the_plan_that_is_pushed_first() {
    let sandbox = doubler::sandbox();
    let hub = sandbox.root().join("hub.git");
    let hub = hub.to_str().unwrap();
    sandbox.git(&["clone", "--quiet", "--bare", ".", hub]);
    sandbox.git(&["remote", "add", "origin", hub]);
    doubler::start_feature(&sandbox);
    // Out of the plan, by plain git, and at once where others would look for the base.
    sandbox.write("README", "Squares a number.\n");
    sandbox.commit_all("while I was there");
    sandbox.git(&["push", "--quiet", "origin", "main"]);
    doubler::do_task(&sandbox);
    let finish = not_passing(&sandbox);
    misses(&finish, "scope.paths", "fail", "out_of_scope");
}
