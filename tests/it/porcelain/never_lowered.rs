//! What was decided is raised and never lowered; what is tested is what is committed.

use crate::support::{Sandbox, doubler, driver::type_phrase};

fn feature() -> Sandbox {
    let sandbox = doubler::sandbox();
    doubler::start_feature(&sandbox);
    sandbox
}

#[test]
fn a_successor_has_every_gate_of_the_run_it_follows() {
    let sandbox = feature();
    let before = sandbox.git(&["for-each-ref", "refs/rapid"]);
    let refused = sandbox
        .rapid(&["supersede", "direct", "--reason", "simple", "--json"])
        .ended(1);
    assert_eq!(refused.error_code(), "RAPID1006", "{refused:?}");
    let lost = &refused.json()["error"]["details"]["lost"];
    assert!(
        lost.to_string().contains("gate.final-verification"),
        "{lost}"
    );
    assert_eq!(before, sandbox.git(&["for-each-ref", "refs/rapid"]));
}

#[test]
fn a_rejected_run_has_no_successor() {
    let sandbox = feature();
    doubler::do_task(&sandbox);
    sandbox.rapid_ok(&["commit", "-a", "-m", "three"]);
    type_phrase(
        &sandbox,
        &["approve", "--reject", "--reason", "not this way"],
    )
    .ended(0);
    for mode in ["direct", "feature", "bugfix"] {
        let refused = sandbox
            .rapid(&["supersede", mode, "--reason", "again", "--json"])
            .ended(1);
        assert_eq!(refused.error_code(), "RAPID1014", "{refused:?}");
    }
}

#[test]
fn a_risk_that_was_seen_is_the_successors_from_its_start() {
    let sandbox = doubler::sandbox();
    // No scope is declared, so nothing says at the start what it will touch.
    sandbox.rapid_ok(&["start", "feature", "-m", "double more"]);
    doubler::do_task(&sandbox);
    sandbox.write("security/notes.txt", "who may do what\n");
    // What next names can be run as it stands, and leads out of the loop.
    let mut kinds = Vec::new();
    for _ in 0..6 {
        let next = sandbox.rapid_json(&["next", "--json"]);
        let why = next["context"]["why"]["code"].as_str().unwrap().to_owned();
        kinds.push(why.clone());
        if why == "elsewhere" {
            let report = next.to_string();
            assert!(report.contains("gate.security-review"), "{next:#}");
            return;
        }
        let command: Vec<&str> = next["action"]["command"]
            .as_array()
            .unwrap_or_else(|| panic!("a command: {next:#}"))
            .iter()
            .map(|word| word.as_str().unwrap())
            .collect();
        sandbox.rapid(&command[2..]).ended(0);
    }
    panic!("no end: {kinds:?}");
}

#[test]
fn a_test_command_of_a_file_nobody_committed_is_not_the_projects() {
    let sandbox = Sandbox::project();
    sandbox.write("Makefile", "test:\n\t@echo 1..1; echo ok 1 - a\n");
    let refused = sandbox
        .rapid(&["start", "-m", "mend it", "--json"])
        .ended(1);
    assert_eq!(refused.error_code(), "RAPID1330", "{refused:?}");
    sandbox.commit_all("a test command");
    sandbox
        .rapid(&["start", "-m", "mend it", "--json"])
        .ended(0);
}

#[test]
fn what_is_handed_to_git_commit_chooses_no_content_and_writes_no_trailer_of_ours() {
    let sandbox = feature();
    doubler::do_task(&sandbox);
    sandbox.git(&["add", "-A"]);
    let head = sandbox.git(&["rev-parse", "HEAD"]);
    for words in [
        &["README"][..],
        &["-a"],
        &["--only", "README"],
        &["-sp"],
        &["--include", "README"],
        &["--pathspec-from-file=list"],
        &["--", "README"],
        &["--trailer", "Rapid-Verified: deadbeef"],
        &["--trailer=rapid-run:other"],
    ] {
        let mut line = vec!["--json", "commit", "-m", "three", "--"];
        line.extend(words);
        let refused = sandbox.rapid(&line).ended(2);
        assert_eq!(refused.error_code(), "RAPID4001", "{words:?}: {refused:?}");
    }
    assert_eq!(head, sandbox.git(&["rev-parse", "HEAD"]));
    let words = [
        "commit",
        "-m",
        "three",
        "--",
        "--signoff",
        "--author",
        "A <a@b>",
    ];
    sandbox.rapid_ok(&words);
}

#[test]
fn a_report_that_is_none_does_not_count_and_is_listed_as_hidden() {
    let sandbox = feature();
    sandbox.write("notes", "no report\n");
    let argv = ["sh", "-c", "echo again >>notes"];
    let mut words = vec!["check", "--json", "--report", "notes", "--"];
    words.extend(argv);
    let done = sandbox.rapid_json(&words);
    assert_eq!(
        done["notes"],
        serde_json::json!(["stale_report"]),
        "{done:#}"
    );
    let record = sandbox.rapid_json(&["show", done["alias"].as_str().unwrap()]);
    let hidden = &record["body"]["payload"]["subject"]["hidden"];
    assert_eq!(hidden["names"], serde_json::json!(["notes"]), "{hidden:#}");
}

#[test]
fn a_later_measurement_does_not_lower_what_a_refactor_has_to_keep() {
    let sandbox = doubler::sandbox();
    // A case is left out while OFF is set.
    let runner = sandbox.read("t/run.sh").replace(
        "while read -r name number want; do",
        "while read -r name number want; do\n  [ -n \"$OFF\" ] && [ \"$name\" = two ] && continue",
    );
    sandbox.write("t/run.sh", runner);
    sandbox.commit_all("a case that can be switched off");
    sandbox.rapid_ok(&["start", "refactor", "-m", "tidy"]);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    let mut fewer = sandbox.rapid_command(&["check", "test", "--fresh"]);
    sandbox.finish(fewer.env("OFF", "1")).ended(0);
    sandbox.write("t/cases", "zero 0 0\n");
    sandbox.rapid_ok(&["task", "done", "T001"]);
    let next = sandbox.rapid_json(&["next"]);
    assert_eq!(next["action"]["kind"], "blocked", "{next:#}");
    assert_eq!(next["context"]["why"]["code"], "tests_lost", "{next:#}");
}
