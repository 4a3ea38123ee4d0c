//! An honest agent in the situations of every day: it always gets through, and what is not
//! its work does not count as its work.

use crate::support::{
    Sandbox,
    doubler::{self, MORE_CASES, OTHER},
    driver::{drive, start_from_form, type_phrase},
    project::{Code, Project},
};
use serde_json::{Value, json};
use std::path::Path;

/// Drives to the end, doing the work of the only task; the verdict.
#[track_caller]
fn drive_on(sandbox: &Sandbox) -> String {
    let story = drive(sandbox, |asked| asked.place.write("t/cases", MORE_CASES));
    let verdict = story.verdict().to_owned();
    clean(sandbox);
    verdict
}

/// The ledger is whole.
#[track_caller]
fn clean(sandbox: &Sandbox) {
    let fsck = sandbox.rapid(&["fsck", "--json"]).json();
    assert_eq!(fsck["ok"], true, "{fsck:#}");
    assert_eq!(fsck["warnings"], json!([]), "{fsck:#}");
}

/// Finishes; the verdict and the stored report.
#[track_caller]
fn finish(sandbox: &Sandbox) -> (Value, Value) {
    let done = sandbox.rapid(&["finish", "--json"]).ended(0).json();
    let record = done["outcome"]["report"].as_str().expect("a report");
    let report = sandbox.rapid_json(&["show", record])["body"].clone();
    clean(sandbox);
    (done["outcome"]["verdict"].clone(), report)
}

/// An assertion of a report.
#[track_caller]
fn assertion<'r>(report: &'r Value, id: &str) -> &'r Value {
    report["assertions"]
        .as_array()
        .and_then(|all| all.iter().find(|found| found["id"] == id))
        .unwrap_or_else(|| panic!("no {id}: {report:#}"))
}

/// The paths of a run's change, as its report has them.
fn changed(report: &Value) -> Vec<&str> {
    report["facts"]["paths"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|fact| fact["path"].as_str())
        .collect()
}

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
fn main_is_merged_in_the_middle() {
    let sandbox = doubler::sandbox();
    sandbox.git(&["checkout", "--quiet", "-b", "work"]);
    doubler::start_feature(&sandbox);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.write("t/cases", MORE_CASES);
    sandbox.rapid_ok(&["commit", "-a", "-m", "a third case"]);
    // Others go on: outside this run's scope, and inside it.
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.write("README", "Doubles any number.\n");
    sandbox.write("docs/more.txt", "much\n");
    sandbox.write("double.sh", OTHER);
    sandbox.commit_all("what others did");
    sandbox.git(&["checkout", "--quiet", "work"]);
    sandbox.git(&["merge", "--quiet", "--no-edit", "main"]);
    sandbox.rapid_ok(&["task", "done", "T001"]);
    let next = sandbox.rapid_json(&["next"]);
    assert_eq!(next["action"]["kind"], "await_human_approval", "{next:#}");
    doubler::approve(&sandbox);
    let (verdict, report) = finish(&sandbox);
    assert_eq!(verdict, "pass", "{report:#}");
    assert_eq!(changed(&report), ["t/cases"], "{report:#}");
    let main = sandbox.git(&["rev-parse", "main"]);
    assert_eq!(report["facts"]["base"]["commit"], format!("sha1:{main}"));
}

#[test]
fn main_is_pulled_in_the_middle_of_work_on_main() {
    let sandbox = doubler::sandbox();
    let hub = sandbox.root().join("hub.git");
    let hub = hub.to_str().unwrap();
    sandbox.git(&["clone", "--quiet", "--bare", ".", hub]);
    sandbox.git(&["remote", "add", "origin", hub]);
    sandbox.git(&["fetch", "--quiet", "origin"]);
    let other = sandbox.root().join("other");
    sandbox.git(&["clone", "--quiet", hub, other.to_str().unwrap()]);
    doubler::start_feature(&sandbox);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.write("t/cases", MORE_CASES);
    sandbox.rapid_ok(&["commit", "-a", "-m", "a third case"]);
    std::fs::write(other.join("README"), "Doubles any number.\n").unwrap();
    let there = other.to_str().unwrap();
    sandbox.git(&["-C", there, "commit", "--quiet", "-am", "what others did"]);
    sandbox.git(&["-C", there, "push", "--quiet", "origin", "main"]);
    sandbox.git(&[
        "pull",
        "--quiet",
        "--no-rebase",
        "--no-edit",
        "origin",
        "main",
    ]);
    sandbox.rapid_ok(&["task", "done", "T001"]);
    doubler::approve(&sandbox);
    let (verdict, report) = finish(&sandbox);
    assert_eq!(verdict, "pass", "{report:#}");
    assert_eq!(changed(&report), ["t/cases"], "{report:#}");
}

#[test]
fn a_message_is_amended() {
    for plain in [true, false] {
        let sandbox = doubler::committed_feature();
        let first = sandbox.git(&["rev-parse", "HEAD"]);
        if plain {
            sandbox.git(&["commit", "--quiet", "--amend", "-m", "double three, too"]);
        } else {
            sandbox.rapid_ok(&["commit", "-m", "double three, too", "--", "--amend"]);
            let message = sandbox.git(&["log", "-1", "--format=%B"]);
            assert_eq!(message.matches("Rapid-Run:").count(), 1, "{message}");
            assert_eq!(message.matches("Rapid-Verified:").count(), 1, "{message}");
        }
        assert_ne!(first, sandbox.git(&["rev-parse", "HEAD"]));
        assert_eq!(sandbox.git(&["rev-list", "--count", "HEAD"]), "2");
        let next = sandbox.rapid_json(&["next"]);
        assert_eq!(next["action"]["kind"], "await_human_approval", "{next:#}");
        doubler::approve(&sandbox);
        let (verdict, report) = finish(&sandbox);
        assert_eq!(verdict, "pass", "plain: {plain}");
        let verified = assertion(&report, "commits.verified");
        assert_eq!(verified["status"], "pass", "plain: {plain}: {verified:#}");
        sandbox.rapid_ok(&["verify", "HEAD", "--require-pass"]);
    }
}

#[test]
fn an_approval_outlives_the_commit_of_what_was_approved() {
    let sandbox = doubler::sandbox();
    doubler::start_feature(&sandbox);
    doubler::do_task(&sandbox);
    doubler::approve(&sandbox);
    sandbox.rapid_ok(&["commit", "-a", "-m", "three"]);
    let (verdict, _) = finish(&sandbox);
    assert_eq!(verdict, "pass");
}

#[test]
fn plain_git_commit_of_what_was_tested() {
    let sandbox = doubler::sandbox();
    doubler::start_feature(&sandbox);
    doubler::do_task(&sandbox);
    sandbox.git(&["commit", "--quiet", "-am", "three, by hand"]);
    let next = sandbox.rapid_json(&["next"]);
    assert_eq!(next["action"]["kind"], "await_human_approval", "{next:#}");
    doubler::approve(&sandbox);
    let (verdict, report) = finish(&sandbox);
    assert_eq!(verdict, "pass");
    assert_eq!(assertion(&report, "commits.verified")["status"], "pass");
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
fn high_risk_inside_a_linked_worktree() {
    let sandbox = doubler::sandbox();
    let linked = sandbox.root().join("linked");
    let place = linked.to_str().unwrap();
    sandbox.git(&["worktree", "add", "--quiet", "-b", "mine", place]);
    let spec = sandbox.root().join("spec.json");
    std::fs::write(&spec, doubler::spec("hardening", 1).to_string()).unwrap();
    let words = ["start", "--spec-file", spec.to_str().unwrap(), "--json"];
    let started = sandbox.rapid_in(&linked, &words).ended(0).json();
    assert!(
        started["action"].get("workspace_path").is_none(),
        "{started:#}"
    );
    assert_eq!(started["context"]["cwd"], place, "{started:#}");
    let worktrees = sandbox.git(&["worktree", "list"]);
    assert_eq!(worktrees.lines().count(), 2, "{worktrees}");
    let rapid = |words: &[&str]| sandbox.rapid_in(&linked, words).ended(0);
    rapid(&["task", "start", "T001"]);
    std::fs::write(linked.join("t/cases"), MORE_CASES).unwrap();
    rapid(&["task", "done", "T001"]);
    rapid(&["commit", "-a", "-m", "three"]);
    type_phrase(&sandbox, &["-C", place, "approve"]).ended(0);
    let done = rapid(&["finish", "--json"]).json();
    assert_eq!(done["outcome"]["verdict"], "pass", "{done:#}");
    assert_eq!(sandbox.git(&["-C", place, "status", "--porcelain"]), "");
    clean(&sandbox);
    // Where it was started from nothing is bound, and nothing moved.
    assert_eq!(
        sandbox.rapid_json(&["next"])["action"]["kind"],
        "author_spec"
    );
    assert_eq!(
        sandbox.git(&["rev-parse", "HEAD"]),
        sandbox.git(&["rev-parse", "mine~1"])
    );
}

#[test]
fn a_reviewer_approves_in_a_clone_of_their_own() {
    let sandbox = doubler::sandbox();
    let hub = sandbox.root().join("hub.git");
    let hub = hub.to_str().unwrap().to_owned();
    sandbox.git(&["clone", "--quiet", "--bare", ".", &hub]);
    sandbox.git(&["remote", "add", "origin", &hub]);
    sandbox.git(&["checkout", "--quiet", "-b", "work"]);
    doubler::start_feature(&sandbox);
    doubler::do_task(&sandbox);
    sandbox.rapid_ok(&["commit", "-a", "-m", "three"]);
    let waiting = sandbox.rapid_json(&["next"]);
    let run = waiting["run_id"].as_str().unwrap().to_owned();
    let told = waiting["context"]["tell_human"].as_str().unwrap();
    assert!(told.contains("--commit"), "{told}");
    let ledger = format!("refs/rapid/runs/{run}");
    // The ledger travels like any other refs.
    sandbox.git(&[
        "push",
        "--quiet",
        "origin",
        "work",
        "refs/rapid/*:refs/rapid/*",
    ]);
    let desk = sandbox.root().join("desk");
    let desk = desk.to_str().unwrap().to_owned();
    sandbox.git(&["clone", "--quiet", &hub, &desk]);
    let at_desk = |words: &[&str]| {
        let mut all = vec!["-C", desk.as_str()];
        all.extend_from_slice(words);
        sandbox.git(&all)
    };
    at_desk(&["fetch", "--quiet", "origin", "refs/rapid/*:refs/rapid/*"]);
    // Without the commit there is nothing to look at there.
    let blind = ["-C", &desk, "--json", "--run", &run, "approve"];
    let refused = sandbox.terminal(&blind).finish().ended(1);
    assert_eq!(refused.error_code(), "RAPID1014", "{refused:?}");
    let review = [
        "-C",
        &desk,
        "review",
        "--run",
        &run,
        "--commit",
        "origin/work",
        "--json",
    ];
    let shown = sandbox.rapid(&review).ended(0).json();
    assert_eq!(
        shown["waiting"],
        json!(["gate.final-verification"]),
        "{shown:#}"
    );
    assert_eq!(shown["verdict_so_far"], "pass", "{shown:#}");
    let approve = [
        "-C",
        &desk,
        "approve",
        "--run",
        &run,
        "--commit",
        "origin/work",
    ];
    type_phrase(&sandbox, &approve).ended(0);
    at_desk(&["push", "--quiet", "origin", &ledger]);
    // Back in the first clone: a fast-forward into place.
    sandbox.git(&["fetch", "--quiet", "origin", &format!("{ledger}:{ledger}")]);
    let next = sandbox.rapid_json(&["next"]);
    assert_eq!(next["action"]["kind"], "finish", "{next:#}");
    let (verdict, report) = finish(&sandbox);
    assert_eq!(verdict, "pass");
    let gate = assertion(&report, "gate.gate.final-verification.evidence");
    assert_eq!(gate["status"], "pass", "{gate:#}");
    // And the verdict the same way back.
    sandbox.git(&["push", "--quiet", "origin", "refs/rapid/*:refs/rapid/*"]);
    at_desk(&["fetch", "--quiet", "origin", "refs/rapid/*:refs/rapid/*"]);
    let verify = [
        "-C",
        &desk,
        "verify",
        "origin/work",
        "--require-pass",
        "--json",
    ];
    let there = sandbox.rapid(&verify).ended(0).json();
    assert_eq!(there, sandbox.rapid_json(&["verify", "work"]));
    let fsck = sandbox
        .rapid(&["-C", &desk, "fsck", "--json"])
        .ended(0)
        .json();
    assert_eq!(fsck["ok"], true, "{fsck:#}");
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
    assert!(Path::new(&sandbox.path("t/cases")).exists());
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
fn plain_commits_that_reached_the_target_before_the_end() {
    // On a branch that was merged, without the run's own commit verb.
    let sandbox = doubler::sandbox();
    sandbox.git(&["checkout", "--quiet", "-b", "work"]);
    doubler::start_feature(&sandbox);
    doubler::do_task(&sandbox);
    sandbox.git(&["commit", "--quiet", "-am", "three, by hand"]);
    sandbox.git(&["branch", "--force", "main", "work"]);
    doubler::approve(&sandbox);
    let (verdict, report) = finish(&sandbox);
    assert_eq!(verdict, "pass");
    assert_eq!(changed(&report), ["t/cases"]);
    // On the target itself, pushed.
    let sandbox = doubler::sandbox();
    let hub = sandbox.root().join("hub.git");
    let hub = hub.to_str().unwrap();
    sandbox.git(&["clone", "--quiet", "--bare", ".", hub]);
    sandbox.git(&["remote", "add", "origin", hub]);
    doubler::start_feature(&sandbox);
    doubler::do_task(&sandbox);
    sandbox.git(&["commit", "--quiet", "-am", "three, by hand"]);
    sandbox.git(&["push", "--quiet", "origin", "main"]);
    let next = sandbox.rapid_json(&["next"]);
    assert_eq!(next["action"]["kind"], "await_human_approval", "{next:#}");
    doubler::approve(&sandbox);
    let (verdict, report) = finish(&sandbox);
    assert_eq!(verdict, "pass");
    assert_eq!(changed(&report), ["t/cases"]);
}

#[test]
fn a_branch_that_is_rebased_or_squashed() {
    for squash in [false, true] {
        let sandbox = doubler::sandbox();
        sandbox.git(&["checkout", "--quiet", "-b", "work"]);
        doubler::start_feature(&sandbox);
        sandbox.rapid_ok(&["task", "start", "T001"]);
        sandbox.write("t/cases", MORE_CASES);
        sandbox.rapid_ok(&["commit", "-a", "-m", "a third case"]);
        sandbox.write("double.sh", OTHER);
        sandbox.rapid_ok(&["commit", "-a", "-m", "another shape"]);
        if squash {
            sandbox.git(&["reset", "--quiet", "--soft", "main"]);
            sandbox.git(&["commit", "--quiet", "-m", "both at once"]);
        } else {
            sandbox.git(&["checkout", "--quiet", "main"]);
            sandbox.write("README", "Doubles any number.\n");
            sandbox.commit_all("what others did");
            sandbox.git(&["checkout", "--quiet", "work"]);
            sandbox.git(&["rebase", "--quiet", "main"]);
        }
        let story = drive(&sandbox, |_| ());
        assert_eq!(story.verdict(), "pass", "squash: {squash}: {story:#?}");
        clean(&sandbox);
    }
}

#[test]
fn a_repository_without_a_first_commit() {
    let model = doubler::sandbox();
    for mode in ["direct", "feature"] {
        let sandbox = Sandbox::repo();
        sandbox.git(&["config", "rapid.testCommand", doubler::TEST]);
        sandbox.rapid_ok(&["start", mode, "-m", "begin"]);
        let story = drive(&sandbox, |asked| {
            for file in ["README", "double.sh", "t/cases", "t/run.sh"] {
                asked.place.write(file, model.read(file));
            }
        });
        assert_eq!(story.verdict(), "pass", "{mode}: {story:#?}");
        clean(&sandbox);
    }
}

#[test]
fn on_a_detached_head() {
    let sandbox = doubler::sandbox();
    sandbox.git(&["checkout", "--quiet", "--detach"]);
    doubler::start_feature(&sandbox);
    assert_eq!(drive_on(&sandbox), "pass");
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
        assert_eq!(next["action"]["kind"], "run_baseline", "{next:#}");
        assert_eq!(next["action"]["command"], Value::Null, "{next:#}");
        // Put the files back as they were, measure, bring them forth again.
        let head = sandbox.git(&["rev-parse", "HEAD"]);
        if !committed {
            sandbox.git(&["stash", "--quiet", "--include-untracked"]);
        } else {
            sandbox.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
        }
        sandbox.rapid_ok(&["check", "--gate", "gate.baseline"]);
        sandbox.git(&["reset", "--quiet", "--hard", &head]);
        if !committed {
            sandbox.git(&["stash", "pop", "--quiet"]);
        }
        let story = drive(&sandbox, |_| ());
        assert_eq!(
            story.verdict(),
            "pass",
            "committed: {committed}: {story:#?}"
        );
        clean(&sandbox);
    }
}
