//! What lies around, what grows, what is left out.

use super::{changed, clean, drive_on, finish};
use crate::support::{
    Sandbox,
    doubler::{self, MORE_CASES, OTHER},
    driver::{drive, start_from_form, type_phrase},
    project::{Code, Project},
};
use serde_json::{Value, json};

#[test]
fn a_note_that_lay_there_before() {
    for scope in [true, false] {
        let sandbox = doubler::sandbox();
        sandbox.write("notes.txt", "buy milk\n");
        sandbox.write("t/notes.txt", "in the middle of it\n");
        let mut spec = doubler::spec("feature", 1);
        if !scope {
            spec.as_object_mut().unwrap().remove("affected_paths");
        }
        doubler::start(&sandbox, &spec);
        assert_eq!(drive_on(&sandbox), "pass", "scope: {scope}");
        let committed = sandbox.git(&["ls-files"]);
        assert!(!committed.contains("notes.txt"), "{committed}");
        assert_eq!(sandbox.read("notes.txt"), "buy milk\n");
    }
}

#[test]
fn a_note_that_is_written_on_the_way() {
    let sandbox = doubler::sandbox();
    doubler::start_feature(&sandbox);
    doubler::do_task(&sandbox);
    // Outside the declared scope it is nobody's, whatever it says.
    sandbox.write("notes.txt", "remember\n");
    let check = sandbox.rapid_json(&["check"]);
    assert_eq!(check["cited"], true, "the same tree as before: {check:#}");
    sandbox.rapid_ok(&["commit", "-a", "-m", "three"]);
    let review = sandbox.rapid_json(&["review"]);
    doubler::approve(&sandbox);
    let (verdict, report) = finish(&sandbox);
    assert_eq!(verdict, "pass");
    assert_eq!(changed(&report), ["t/cases"], "{review:#}");
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "?? notes.txt");
}

#[test]
fn a_note_on_the_way_where_no_scope_was_declared() {
    let sandbox = doubler::sandbox();
    sandbox.rapid_ok(&["start", "-m", "double three"]);
    doubler::do_task(&sandbox);
    sandbox.write("notes.txt", "remember\n");
    // It counts as this run's until it is put away; either way it gets through.
    sandbox.rapid_ok(&["commit", "-a", "-m", "three"]);
    let (verdict, report) = finish(&sandbox);
    assert_eq!(verdict, "pass");
    assert_eq!(changed(&report), ["notes.txt", "t/cases"]);
}

#[test]
fn the_first_test_run_writes_a_lock_file() {
    for scope in [
        &["src/**", "tests/**"][..],
        &["src/**", "tests/**", "Cargo.lock"],
        &[],
    ] {
        let project = Project::Rust;
        let sandbox = project.sandbox();
        assert!(!sandbox.path("Cargo.lock").exists());
        let mut words = vec!["start", "feature", "-m", "another shape"];
        for path in scope {
            words.extend(["--paths", path]);
        }
        sandbox.rapid_ok(&words);
        assert!(
            sandbox.path("Cargo.lock").exists(),
            "the baseline ran cargo"
        );
        let story = drive(&sandbox, |asked| {
            let (file, text) = project.code(Code::Product);
            asked.place.write(file, text);
        });
        assert_eq!(story.verdict(), "pass", "{scope:?}: {story:#?}");
        clean(&sandbox);
    }
}

#[test]
fn a_task_is_left_out_with_a_reason() {
    let sandbox = doubler::sandbox();
    doubler::start(&sandbox, &doubler::spec("feature", 2));
    sandbox.rapid_ok(&[
        "task",
        "skip",
        "T002",
        "--reason",
        "the first does it already",
    ]);
    assert_eq!(drive_on(&sandbox), "pass_with_waivers");
}

#[test]
fn in_a_folder_below_the_root() {
    let sandbox = doubler::sandbox();
    doubler::start_feature(&sandbox);
    let below = sandbox.path("t");
    let rapid = |words: &[&str]| sandbox.rapid_in(&below, words).ended(0);
    rapid(&["task", "start", "T001"]);
    sandbox.write("t/cases", MORE_CASES);
    rapid(&["task", "done", "T001"]);
    rapid(&["commit", "-a", "-m", "three"]);
    type_phrase(&sandbox, &["-C", "t", "approve"]).ended(0);
    let done = rapid(&["finish", "--json"]).json();
    assert_eq!(done["outcome"]["verdict"], "pass", "{done:#}");
}

#[test]
fn work_that_lay_there_already_counts() {
    let sandbox = doubler::sandbox();
    // Begun before the run was: inside the scope it is this run's.
    sandbox.write("double.sh", OTHER);
    doubler::start_feature(&sandbox);
    assert_eq!(drive_on(&sandbox), "pass");
    assert_eq!(sandbox.git(&["show", "HEAD:double.sh"]) + "\n", OTHER);
}

#[test]
fn a_project_without_a_test_runner_that_counts_researches() {
    let sandbox = Sandbox::project();
    start_from_form(&sandbox, "research", "what is in there", &[]);
    let story = drive(&sandbox, |asked| {
        if let Some(path) = asked.next["action"]["report_path"].as_str() {
            std::fs::write(path, "One line.\n").unwrap();
        }
    });
    assert_eq!(story.verdict(), "pass", "{story:#?}");
    clean(&sandbox);
}

#[test]
fn a_command_that_a_person_accepted_though_it_counts_nothing() {
    let sandbox = doubler::sandbox();
    sandbox.write("t/run.sh", "sh double.sh 2\n");
    sandbox.commit_all("says nothing");
    doubler::start_feature(&sandbox);
    let story = drive(&sandbox, |asked| asked.place.write("double.sh", OTHER));
    assert_eq!(story.verdict(), "pass", "{story:#?}");
    clean(&sandbox);
}

/// A direct run that outgrew its bounds, and its successor, started by the command that `next`
/// gave.
#[track_caller]
fn outgrown(measured: bool, committed: bool) -> (Sandbox, Value) {
    let sandbox = doubler::sandbox();
    sandbox.rapid_ok(&["start", "-m", "double more"]);
    if measured {
        sandbox.rapid_ok(&["check"]);
    }
    sandbox.rapid_ok(&["task", "start", "T001"]);
    for number in 0..6 {
        sandbox.write(format!("more/{number}"), "more\n");
    }
    sandbox.rapid_ok(&["task", "done", "T001"]);
    if committed {
        sandbox.rapid_ok(&["commit", "-a"]);
    }
    let blocked = sandbox.rapid_json(&["next"]);
    assert_eq!(blocked["action"]["kind"], "blocked", "{blocked:#}");
    let command: Vec<&str> = blocked["action"]["command"]
        .as_array()
        .unwrap()
        .iter()
        .map(|word| word.as_str().unwrap())
        .collect();
    // What it says can be run as it stands, by an agent too.
    let mut words = sandbox.rapid_command(&command[2..]);
    words.arg("--json").env("AI_AGENT", "1");
    let next = sandbox.finish(&mut words).ended(0).json();
    (sandbox, next)
}

#[test]
fn a_small_change_that_grew_is_superseded() {
    for committed in [false, true] {
        // What was measured before the work is the successor's baseline.
        let (sandbox, next) = outgrown(true, committed);
        assert_eq!(next["action"]["kind"], "implement_task", "{next:#}");
        let story = drive(&sandbox, |_| ());
        assert_eq!(
            story.verdict(),
            "pass",
            "committed: {committed}: {story:#?}"
        );
        clean(&sandbox);
    }
}

#[test]
fn a_small_change_that_grew_and_was_never_measured() {
    for committed in [false, true] {
        let (sandbox, next) = outgrown(false, committed);
        // The start tree is checked out elsewhere and measured there.
        assert_eq!(next["action"]["kind"], "implement_task", "{next:#}");
        let checkouts = sandbox.git(&["worktree", "list", "--porcelain"]);
        assert_eq!(checkouts.matches("worktree ").count(), 1, "{checkouts}");
        let story = drive(&sandbox, |_| ());
        assert_eq!(
            story.verdict(),
            "pass",
            "committed: {committed}: {story:#?}"
        );
        clean(&sandbox);
    }
}

#[test]
fn a_run_that_takes_over_what_was_committed() {
    let sandbox = doubler::sandbox();
    doubler::start_feature(&sandbox);
    doubler::do_task(&sandbox);
    let more = [
        "supersede",
        "--risk",
        "high",
        "--reason",
        "riskier than thought",
        "--json",
    ];
    // The successor lives elsewhere and would not see what is not committed.
    let refused = sandbox.rapid(&more).ended(1);
    assert_eq!(refused.error_code(), "RAPID1014", "{refused:?}");
    sandbox.rapid_ok(&["commit", "-a", "-m", "three"]);
    sandbox.rapid(&more).ended(0);
    // It is the successor's work now, though it lies on the target already.
    let story = drive(&sandbox, |_| ());
    assert_eq!(story.verdict(), "pass", "{story:#?}");
    let record = story.last["outcome"]["report"].as_str().expect("a report");
    let report = sandbox.rapid_json(&["show", record])["body"].clone();
    assert_eq!(changed(&report), ["t/cases"], "{report:#}");
    clean(&sandbox);
}

#[test]
fn the_highest_risk_with_every_gate_there_is() {
    let sandbox = doubler::sandbox();
    let mut spec = doubler::spec("feature", 1);
    spec["tags"] = json!(["critical", "auth", "migrations"]);
    let next = doubler::start(&sandbox, &spec);
    assert_eq!(
        next["awaiting_human"],
        json!([
            "gate.manual-approval",
            "gate.review",
            "gate.security-review",
            "gate.migration-review",
            "gate.final-verification"
        ]),
        "{next:#}"
    );
    assert_eq!(drive_on(&sandbox), "pass");
}
