//! What is refused: the code, a message that names the fact, the exit code, and a ledger,
//! index and worktree that stay as they were.

use crate::support::{
    Run, Sandbox,
    doubler::{self, MORE_CASES, OTHER, WRONG},
    driver::type_phrase,
};
use serde_json::{Value, json};

/// Runs a verb that must be refused with `code`, saying `fact`, and change nothing.
#[track_caller]
fn refused(sandbox: &Sandbox, words: &[&str], code: &str, fact: &str) -> Value {
    refused_with(sandbox, words, 1, code, fact)
}

#[track_caller]
fn refused_with(sandbox: &Sandbox, words: &[&str], exit: i32, code: &str, fact: &str) -> Value {
    let before = sandbox.fingerprint();
    let mut all = vec!["--json"];
    all.extend_from_slice(words);
    let run = sandbox.rapid(&all).ended(exit);
    says(&run, code, fact);
    assert_eq!(before, sandbox.fingerprint(), "{words:?} changed something");
    run.json()["error"].clone()
}

/// The same at a terminal, where a person does not get as far as a phrase.
#[track_caller]
fn refused_at_terminal(sandbox: &Sandbox, words: &[&str], code: &str, fact: &str) {
    let before = sandbox.fingerprint();
    let mut all = vec!["--json"];
    all.extend_from_slice(words);
    let run = sandbox.terminal(&all).finish().ended(1);
    says(&run, code, fact);
    assert_eq!(before, sandbox.fingerprint(), "{words:?} changed something");
}

#[track_caller]
fn says(run: &Run, code: &str, fact: &str) {
    let error = run.json()["error"].clone();
    assert_eq!(error["code"], code, "{error:#}");
    let message = error["message"].as_str().expect("a message");
    assert!(message.contains(fact), "{message:?} does not say {fact:?}");
    assert!(!message.contains('\n'), "{message:?}");
    assert!(error["details"].is_object(), "{error:#}");
    assert!(error["hints"].is_array(), "{error:#}");
}

/// A feature with two tasks, active.
#[track_caller]
fn feature() -> Sandbox {
    let sandbox = doubler::sandbox();
    doubler::start(&sandbox, &doubler::spec("feature", 2));
    sandbox
}

/// A feature that is prepared only: its baseline is red and nobody waived it.
#[track_caller]
fn prepared() -> Sandbox {
    let sandbox = doubler::sandbox();
    sandbox.write("double.sh", WRONG);
    sandbox.write("t/cases", MORE_CASES);
    sandbox.commit_all("red");
    let next = doubler::start_feature(&sandbox);
    assert_eq!(next["context"]["why"]["code"], "baseline_red", "{next:#}");
    sandbox
}

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
fn gates_that_are_not_due_or_not_there() {
    let sandbox = feature();
    let early = ["approve", "gate.final-verification"];
    refused_at_terminal(&sandbox, &early, "RAPID1014", "when every task is done");
    refused_at_terminal(&sandbox, &["approve"], "RAPID1014", "nothing waits");
    let early = ["approve", "gate.tests", "--waive", "--reason", "x"];
    refused_at_terminal(&sandbox, &early, "RAPID1014", "when every task is done");
    let late = ["approve", "gate.baseline", "--waive", "--reason", "x"];
    refused_at_terminal(&sandbox, &late, "RAPID1014", "due before the work");
    refused_at_terminal(
        &sandbox,
        &["approve", "gate.review"],
        "RAPID1013",
        "has no gate.review",
    );
    refused_at_terminal(
        &sandbox,
        &["approve", "gate.tests"],
        "RAPID1013",
        "gate.tests is closed by evidence",
    );
    let never = [
        "approve",
        "gate.final-verification",
        "--waive",
        "--reason",
        "x",
    ];
    refused_at_terminal(&sandbox, &never, "RAPID1013", "cannot be waived");
    let silent = ["approve", "gate.final-verification", "--reject"];
    refused_at_terminal(&sandbox, &silent, "RAPID1014", "reason");
    let silent = [
        "approve",
        "gate.final-verification",
        "--request-changes",
        "--reason",
        " ",
    ];
    refused_at_terminal(&sandbox, &silent, "RAPID1014", "reason");
    refused_at_terminal(
        &sandbox,
        &["approve", "--test-command"],
        "RAPID1014",
        "uncounted",
    );
}

#[test]
fn a_waiver_without_a_reason() {
    let sandbox = prepared();
    let silent = ["approve", "gate.baseline", "--waive"];
    refused_at_terminal(&sandbox, &silent, "RAPID1013", "reason");
    let silent = ["approve", "gate.baseline", "--waive", "--reason", ""];
    refused_at_terminal(&sandbox, &silent, "RAPID1013", "reason");
}

#[test]
fn nothing_is_waived_where_the_risk_is_critical() {
    let sandbox = doubler::sandbox();
    sandbox.write("double.sh", WRONG);
    sandbox.write("t/cases", MORE_CASES);
    sandbox.commit_all("red");
    let mut spec = doubler::spec("feature", 1);
    spec["tags"] = json!(["critical"]);
    let next = doubler::start(&sandbox, &spec);
    let place = next["action"]["workspace_path"]
        .as_str()
        .expect("elsewhere")
        .to_owned();
    let waive = [
        "-C",
        &place,
        "approve",
        "gate.baseline",
        "--waive",
        "--reason",
        "x",
    ];
    refused_at_terminal(
        &sandbox,
        &waive,
        "RAPID1013",
        "gate.baseline cannot be waived",
    );
}

#[test]
fn only_a_person_approves() {
    let mut sandbox = doubler::committed_feature();
    let fact = "only a person may do this";
    let error = refused(&sandbox, &["approve"], "RAPID1310", fact);
    assert_eq!(error["details"]["layer"], "terminal", "{error:#}");
    refused(&sandbox, &["resolve", "5c2d10ff"], "RAPID1310", fact);
    // Markers, one of each family.
    for marker in [
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "CODEX_SANDBOX",
        "CURSOR_AGENT",
        "GEMINI_CLI",
        "COPILOT_AGENT",
        "OPENCODE",
        "AUGMENT_AGENT",
        "AMP_THREAD",
        "AI_AGENT",
    ] {
        sandbox.set(marker, "1");
        refused_at_terminal(&sandbox, &["approve"], "RAPID1310", marker);
        sandbox.unset(marker);
    }
    // An ancestor.
    for agent in ["claude", "codex", "cursor-agent", "aider"] {
        let before = sandbox.fingerprint();
        let run = sandbox
            .terminal_below(agent, &["--json", "approve"])
            .finish()
            .ended(1);
        says(&run, "RAPID1310", agent);
        assert_eq!(before, sandbox.fingerprint());
    }
    // An editor is no agent: it gets as far as the phrase.
    sandbox.set("VSCODE_PID", "1");
    sandbox.set("TERM_PROGRAM", "vscode");
    type_phrase(&sandbox, &["approve"]).ended(0);
}

#[test]
fn a_phrase_that_is_not_the_one() {
    let sandbox = doubler::committed_feature();
    let before = sandbox.fingerprint();
    for typed in [
        "",
        "yes",
        "approve",
        "approve final",
        "waive final-verification",
        "y",
    ] {
        let mut terminal = sandbox.terminal(&["approve"]);
        terminal.expect("to record it");
        terminal.type_line(typed);
        let run = terminal.finish().ended(1);
        assert!(run.stdout.contains("RAPID1311"), "{run:?}");
        assert!(run.stdout.contains("approve final-verification"), "{run:?}");
    }
    let mut terminal = sandbox.terminal(&["approve"]);
    terminal.expect("to record it");
    terminal.type_end();
    let run = terminal.finish().ended(1);
    assert!(run.stdout.contains("RAPID1310"), "{run:?}");
    let mut terminal = sandbox.terminal(&["approve"]);
    terminal.expect("to record it");
    terminal.type_interrupt();
    terminal.finish().ended(130);
    assert_eq!(before, sandbox.fingerprint());
    // The other language always does.
    let mut terminal = sandbox.terminal(&["approve"]);
    terminal.expect("to record it");
    terminal.type_line("  Aprobar  final-verification ");
    terminal.finish().ended(0);
}

#[test]
fn less_care_than_the_rules_want() {
    let sandbox = doubler::sandbox();
    let start = ["start", "feature", "-m", "more", "--risk", "low"];
    refused(&sandbox, &start, "RAPID1006", "medium");
    let start = ["start", "hardening", "-m", "more", "--risk", "medium"];
    refused(&sandbox, &start, "RAPID1006", "high");
    doubler::start_feature(&sandbox);
    let less = ["supersede", "--risk", "low", "--reason", "x"];
    refused(&sandbox, &less, "RAPID1006", "medium");
}

#[test]
fn a_mode_that_the_change_is_not_eligible_for() {
    let sandbox = doubler::sandbox();
    let direct = |key: &str, value: Value| {
        let mut spec = doubler::spec("direct", 1);
        spec[key] = value;
        spec
    };
    for (spec, fact) in [
        (direct("change", json!({"clear": false})), "clear"),
        (direct("change", json!({"bounded": false})), "bounded"),
        (direct("change", json!({"reversible": false})), "reversible"),
        (direct("change", json!({"checkable": false})), "checkable"),
        (direct("tags", json!(["auth"])), "scope.authentication"),
        (direct("data_impact", json!("writes")), "data.impact"),
    ] {
        let before = sandbox.fingerprint();
        let run = sandbox.rapid_with_input(
            &["start", "--spec-file", "-", "--json"],
            spec.to_string().as_bytes(),
        );
        says(&run.ended(1), "RAPID1330", fact);
        assert_eq!(before, sandbox.fingerprint());
    }
    let risky = ["start", "direct", "-m", "more", "--risk", "medium"];
    refused(&sandbox, &risky, "RAPID1330", "request.risk");
    // Nothing to test with.
    sandbox.git(&["config", "--unset", "rapid.testCommand"]);
    for mode in ["direct", "feature", "bugfix", "refactor", "hardening"] {
        let start = ["start", mode, "-m", "more"];
        let error = refused(&sandbox, &start, "RAPID1330", "no test command");
        assert!(
            error["hints"].to_string().contains("--test-command"),
            "{error:#}"
        );
    }
}

#[test]
fn a_second_run_in_one_place() {
    let sandbox = feature();
    let again = ["start", "feature", "-m", "another"];
    let error = refused(&sandbox, &again, "RAPID1332", "is bound to this worktree");
    assert_eq!(
        error["details"]["run"], "double-more-r1-run-001",
        "{error:#}"
    );
    // One that is put aside gives way, and does not come back while the other goes on.
    sandbox.rapid_ok(&["pause"]);
    sandbox.rapid_ok(&again);
    let back = ["resume", "double-more-r1-run-001"];
    let error = refused(&sandbox, &back, "RAPID1332", "another-r1-run-001");
    assert!(error["hints"][0]["command"].is_array(), "{error:#}");
}

#[test]
fn rules_of_the_project_that_cannot_be_applied() {
    for file in [".rapid/policy.json", ".rapid/architecture.json"] {
        let sandbox = doubler::sandbox();
        sandbox.write(file, "{\"schema_version\": 1}\n");
        // In the working tree alone it says nothing.
        sandbox.rapid_ok(&["start", "-m", "before it is there"]);
        sandbox.rapid_ok(&["abort"]);
        sandbox.commit_all("rules");
        refused_with(&sandbox, &["start", "-m", "more"], 3, "RAPID1005", file);
    }
}

#[test]
fn names_that_do_not_exist() {
    let sandbox = feature();
    let known = refused_with(
        &sandbox,
        &["check", "--task", "T009"],
        3,
        "RAPID1207",
        "T009",
    );
    assert_eq!(
        known["details"]["known"],
        json!(["T001", "T002"]),
        "{known:#}"
    );
    for words in [
        &["check", "--gate", "gate.review"][..],
        &["check", "--gate", "gate.nonsense"],
        &["check", "--accept", "A009"],
        &["check", "nonsense"],
        &["attach", "README", "--task", "T009"],
        &["attach", "README", "--task", "T001", "--accept", "A009"],
    ] {
        let name = words
            .iter()
            .rev()
            .find(|word| !word.starts_with("--"))
            .unwrap();
        refused_with(&sandbox, words, 3, "RAPID1207", name);
    }
    for words in [
        &["show", "E099"][..],
        &["evidence", "show", "E099"],
        &["evidence", "cat", "E099"],
        &["show", "0123456789abcdef"],
    ] {
        let error = refused_with(&sandbox, words, 2, "RAPID1210", words[words.len() - 1]);
        assert!(error.is_object());
    }
    for words in [
        &["next", "--run", "nobody-r1-run-001"][..],
        &["check", "--run", "nobody-r1-run-001"],
        &["finish", "--run", "nobody-r1-run-001"],
        &["resume", "nobody-r1-run-001"],
        &["log", "nobody-r1-run-001"],
        &["status", "--run", "nobody-r1-run-001"],
    ] {
        refused_with(&sandbox, words, 2, "RAPID1007", "nobody-r1-run-001");
    }
    refused_with(
        &sandbox,
        &["spec", "show", "nobody"],
        2,
        "RAPID807",
        "nobody",
    );
    refused_with(
        &sandbox,
        &["verify", "nonsense"],
        2,
        "RAPID1007",
        "nonsense",
    );
    let run = sandbox
        .terminal(&["--json", "resolve", "5c2d10ff"])
        .finish()
        .ended(2);
    says(&run, "RAPID1210", "5c2d10ff");
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
fn a_session_that_names_a_run_that_is_gone() {
    let sandbox = feature();
    sandbox.git(&["update-ref", "-d", "refs/rapid/runs/double-more-r1-run-001"]);
    refused_with(
        &sandbox,
        &["check"],
        2,
        "RAPID1304",
        "double-more-r1-run-001",
    );
    refused_with(
        &sandbox,
        &["next"],
        2,
        "RAPID1304",
        "double-more-r1-run-001",
    );
}

#[test]
fn in_words_a_refusal_names_its_code_and_the_next_command() {
    let sandbox = feature();
    let run = sandbox.rapid(&["task", "skip", "T001"]).ended(1);
    assert_eq!(run.stdout, "", "{run:?}");
    assert!(run.stderr.starts_with("error[RAPID1014]: "), "{run:?}");
    let run = sandbox.rapid(&["start", "-m", "another"]).ended(1);
    assert!(run.stderr.contains("error[RAPID1332]: "), "{run:?}");
    assert!(run.stderr.contains("hint: "), "{run:?}");
    assert!(run.stderr.contains("git rapid next"), "{run:?}");
}
