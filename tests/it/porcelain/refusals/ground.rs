//! What a run cannot start from, and names that do not exist.

use super::{feature, refused, refused_with, says};
use crate::support::doubler;
use serde_json::{Value, json};

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

#[test]
fn what_was_changed_already_outside_the_scope() {
    let sandbox = doubler::sandbox();
    sandbox.write("README", "Squares.\n");
    let start = ["start", "-m", "more", "--paths", "double.sh"];
    let error = refused(&sandbox, &start, "RAPID1501", "README");
    assert_eq!(error["details"]["paths"], json!(["README"]), "{error:#}");
    // Each hint is a command that can be run as it stands.
    let hint = |number: usize| {
        let words = error["hints"][number]["command"].as_array().expect("words");
        let words: Vec<String> = words[2..]
            .iter()
            .map(|word| word.as_str().expect("text").to_owned())
            .collect();
        words
    };
    for number in [1, 2] {
        let words = hint(number);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let next = sandbox.rapid_json(&words);
        assert_eq!(
            next["action"]["kind"], "implement_task",
            "{words:?}: {next:#}"
        );
        let run = next["run_id"].as_str().expect("a run").to_owned();
        sandbox.rapid_ok(&["--run", &run, "abort"]);
    }
    assert_eq!(sandbox.read("README"), "Squares.\n");
}

#[test]
fn a_run_that_works_on_another_branch_is_named() {
    let sandbox = feature();
    sandbox.git(&["checkout", "--quiet", "-b", "other"]);
    let next = sandbox.rapid(&["next"]).ended(0);
    assert!(next.stderr.contains("double-more-r1-run-001"), "{next:?}");
    assert!(next.stderr.contains("git rapid resume"), "{next:?}");
    let run = sandbox.rapid(&["check", "--json"]).ended(2);
    assert_eq!(run.error_code(), "RAPID1007", "{run:?}");
    sandbox.git(&["checkout", "--quiet", "main"]);
    assert_eq!(sandbox.rapid(&["next"]).ended(0).stderr, "");
    // A pointer that was lost is said as well, and opens nothing.
    sandbox.remove(".git/rapid/session.json");
    let next = sandbox.rapid(&["next"]).ended(0);
    assert!(next.stderr.contains("pointer was lost"), "{next:?}");
    refused(
        &sandbox,
        &["start", "-m", "another"],
        "RAPID1332",
        "double-more",
    );
}
