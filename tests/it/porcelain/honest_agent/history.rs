//! What git lets one do to a history, in the middle of a run.

use super::{assertion, changed, clean, drive_on, finish};
use crate::support::{
    Sandbox,
    doubler::{self, MORE_CASES, OTHER},
    driver::{drive, type_phrase},
};
use serde_json::json;

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
