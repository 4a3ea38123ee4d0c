//! Every other way of git to make a commit: parts of the work, picks, rebases, patches.

use super::kit::*;
use crate::support::{Run, Sandbox};
use std::{fs, io::Write, process::Stdio};

/// Runs git with something on standard input.
fn git_typed(sandbox: &Sandbox, words: &[&str], typed: &str) -> (i32, String) {
    let mut child = sandbox
        .command("git")
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdin.take().unwrap().write_all(typed.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap_or(-1), said)
}

/// A second worktree, detached at HEAD, in which trees can be made and checked under the same run.
fn tested_elsewhere(sandbox: &Sandbox, path: &str, content: &str) {
    let kept = fs::read(sandbox.path(path)).unwrap();
    let index = fs::read(sandbox.path(".git/index")).unwrap();
    sandbox.git(&["reset", "-q", "--hard"]);
    sandbox.write(path, content);
    check(sandbox);
    fs::write(sandbox.path(path), kept).unwrap();
    fs::write(sandbox.path(".git/index"), index).unwrap();
    sandbox.git(&["checkout-index", "-f", "-a"]);
    sandbox.write(path, content);
}

#[test]
fn a_part_of_the_work_is_another_tree() {
    let sandbox = new();
    sandbox.write("src/a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    sandbox.git(&["add", "-A"]);
    check(&sandbox);
    accepts(&sandbox, &["commit", "-qm", "lines"]);
    sandbox.write("src/a", "one\n2\n3\n4\n5\n6\n7\n8\nnine\n");
    check(&sandbox);
    let before = sandbox.git(&["rev-parse", "HEAD"]);
    let (code, said) = git_typed(&sandbox, &["commit", "-qpm", "half"], "y\nn\n");
    assert!(
        code != 0 && said.contains("RAPID1503") && said.contains("src/a"),
        "{said}"
    );
    assert_eq!(before, sandbox.git(&["rev-parse", "HEAD"]));
    let (code, said) = git_typed(&sandbox, &["commit", "-qpm", "all"], "y\ny\n");
    assert_eq!(code, 0, "{said}");
    head_is_proven(&sandbox);
}

#[test]
fn all_and_include_need_no_special_case() {
    let sandbox = new();
    add(&sandbox, "src/a", "2");
    refuses(&sandbox, &["commit", "-qam", "m"], "RAPID1502", &[]);
    check(&sandbox);
    accepts(&sandbox, &["commit", "-qam", "m"]);
    sandbox.write("src/b", "b\n");
    sandbox.git(&["add", "src/b"]);
    add(&sandbox, "src/a", "3");
    refuses(
        &sandbox,
        &["commit", "-qm", "m", "-i", "src/a"],
        "RAPID1503",
        &["src/a"],
    );
    check(&sandbox);
    accepts(&sandbox, &["commit", "-qm", "m", "-i", "src/a"]);
    head_is_proven(&sandbox);
}

#[test]
fn case_11_only_commits_the_named_path_and_is_judged_on_that_tree() {
    let sandbox = new();
    sandbox.write("src/b", "1\n");
    sandbox.git(&["add", "-A"]);
    check(&sandbox);
    accepts(&sandbox, &["commit", "-qm", "m"]);
    add(&sandbox, "src/b", "2");
    sandbox.git(&["add", "src/b"]);
    add(&sandbox, "src/a", "2");
    let run = refuses(
        &sandbox,
        &["commit", "-qm", "m", "--only", "src/a"],
        "RAPID1503",
        &["src/a"],
    );
    assert!(!run.stderr.contains("unable to read"), "{run:?}");
    let content = sandbox.read("src/a");
    let staged = sandbox.git(&["ls-files", "-s", "src/b"]);
    tested_elsewhere(&sandbox, "src/a", &content);
    accepts(&sandbox, &["commit", "-qm", "m", "--only", "src/a"]);
    head_is_proven(&sandbox);
    assert_eq!(staged, sandbox.git(&["ls-files", "-s", "src/b"]));
}

#[test]
fn case_12_only_what_is_named_enters_the_commit() {
    let sandbox = new();
    add(&sandbox, "src/a", "2");
    check(&sandbox);
    accepts(&sandbox, &["commit", "-qm", "m", "--only", "src/a"]);
    assert_eq!(
        sandbox.git(&["show", "--name-only", "--format=", "HEAD"]),
        "src/a"
    );
}

#[test]
fn case_01_a_test_that_makes_a_repository_does_not_write_into_ours() {
    let sandbox = guarded();
    let body = "#!/bin/sh\nset -e\nd=$(mktemp -d)\nunset $(git rev-parse --local-env-vars)\ngit init -q $d\ncd $d\necho l >l\ngit add l\necho 1..1\necho 'ok 1 - x'\n";
    let test = sandbox.write_program("../test.sh", body);
    sandbox.git(&["config", "rapid.testCommand", test.to_str().unwrap()]);
    start(&sandbox, &["src/**"]);
    add(&sandbox, "src/a", "2");
    sandbox.write_program(
        ".git/hooks/pre-commit.before-rapid",
        &format!("#!/bin/sh\n{}\n", test.display()),
    );
    sandbox.rapid_ok(&["commit", "-a", "-m", "m"]);
    assert_eq!(
        sandbox.git(&["ls-tree", "-r", "--name-only", "HEAD"]),
        "README\nsrc/a"
    );
    sandbox.git(&["fsck"]);
}

#[test]
fn case_04_an_index_that_another_hook_replaced_is_not_committed() {
    let sandbox = new();
    let body = "#!/bin/sh\nd=$(mktemp -d); git init -q $d; echo f >$d/f; git -C $d add f\n";
    add(&sandbox, "src/a", "2");
    check(&sandbox);
    sandbox.write_program(".git/hooks/pre-commit.before-rapid", body);
    let run = sandbox.try_git(&["commit", "-qam", "m"]);
    let listed = sandbox.git(&["ls-tree", "-r", "--name-only", "HEAD"]);
    assert_eq!(listed, "README\nsrc/a", "{run:?}");
}

#[test]
fn a_hook_that_runs_after_the_early_word_is_caught_by_the_last() {
    let sandbox = new();
    add(&sandbox, "src/a", "2");
    check(&sandbox);
    let body = "#!/bin/sh\necho late >>src/a\ngit add src/a\n";
    sandbox.write_program(".git/hooks/prepare-commit-msg", body);
    let run = sandbox.try_git(&["commit", "-qm", "m", "src/a"]);
    // Git has read the index by then: whatever it commits, it is what was tested.
    if run.code == 0 {
        head_is_proven(&sandbox);
    } else {
        assert!(run.stderr.contains("RAPID150"), "{run:?}");
    }
}

#[test]
fn a_pick_or_a_revert_onto_other_content_is_unproven_and_onto_the_same_is_proven() {
    let sandbox = new();
    sandbox.write("src/b", "b\n");
    sandbox.git(&["add", "-A"]);
    check(&sandbox);
    accepts(&sandbox, &["commit", "-qm", "b"]);
    good_commit(&sandbox, "2");
    let picked = sandbox.git(&["rev-parse", "HEAD"]);
    let tree = sandbox.git(&["rev-parse", "HEAD~^{tree}"]);
    // Back to a tree that was tested.
    accepts(&sandbox, &["revert", "--no-edit", "HEAD"]);
    assert_eq!(tree, sandbox.git(&["rev-parse", "HEAD^{tree}"]));
    head_is_proven(&sandbox);
    sandbox.git(&["reset", "-q", "--hard", "HEAD~2"]);
    accepts(&sandbox, &["cherry-pick", &picked]);
    head_is_proven(&sandbox);
    sandbox.git(&["reset", "-q", "--hard", "HEAD~"]);
    sandbox.write("src/b", "other\n");
    accepts(&sandbox, &["commit", "-qam", "b", "--no-verify"]);
    accepts(&sandbox, &["cherry-pick", &picked]);
    head_is_unproven(&sandbox);
}

#[test]
fn a_patch_that_is_applied_has_to_stand_on_its_own_tree() {
    let sandbox = new();
    good_commit(&sandbox, "2");
    let patch = sandbox.git(&["format-patch", "-1", "--stdout"]);
    let file = sandbox.write("../patch", patch + "\n");
    let file = file.to_str().unwrap();
    sandbox.git(&["reset", "-q", "--hard", "HEAD~"]);
    accepts(&sandbox, &["am", "-q", file]);
    sandbox.rapid_ok(&["check"]);
    sandbox.git(&["reset", "-q", "--hard", "HEAD~"]);
    sandbox.write("src/b", "b\n");
    sandbox.git(&["add", "-A"]);
    accepts(&sandbox, &["commit", "-qm", "b", "--no-verify"]);
    accepts(&sandbox, &["am", "-q", file]);
    head_is_unproven(&sandbox);
}

#[test]
fn a_stash_is_no_commit_of_the_run() {
    let sandbox = new();
    add(&sandbox, "README", "aside");
    sandbox.git(&["stash"]);
    sandbox.git(&["stash", "pop"]);
    assert_eq!(milestones(&sandbox), []);
}

#[test]
fn case_08_a_check_in_a_rebase_speaks_of_each_commit() {
    let sandbox = new();
    good_commit(&sandbox, "1");
    good_commit(&sandbox, "2");
    let program = env!("CARGO_BIN_EXE_git-rapid");
    let exec = format!("'{program}' check --fresh");
    let trees = sandbox.git(&["log", "-2", "--format=sha1:%T"]);
    let before = results(&sandbox).len();
    sandbox.git(&["rebase", "-q", "-f", "--exec", &exec, "HEAD~2"]);
    let after = results(&sandbox);
    assert_eq!(after.len(), before + 2, "{after:?}");
    for tree in trees.lines() {
        assert!(
            after[before..].iter().any(|found| found == tree),
            "{after:?}"
        );
    }
}

fn results(sandbox: &Sandbox) -> Vec<String> {
    of_kind(sandbox, "test_result")
        .into_iter()
        .map(|payload| payload["subject"]["tree"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn case_31_a_rewritten_commit_is_proven_by_its_tree_alone() {
    let mut sandbox = new();
    good_commit(&sandbox, "2");
    accepts(&sandbox, &["commit", "-q", "--allow-empty", "-m", "e"]);
    sandbox.set("GIT_SEQUENCE_EDITOR", "true");
    sandbox.git(&["rebase", "-qif", "HEAD~2"]);
    assert_eq!(unproven(&sandbox), 0);
    assert_eq!(of_kind(&sandbox, "rewrite").len(), 2);
    head_is_proven(&sandbox);

    sandbox.git(&["checkout", "-q", "-b", "base", "HEAD~2"]);
    sandbox.write("src/b", "b\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "-qm", "b"]);
    sandbox.git(&["checkout", "-q", "main"]);
    sandbox.git(&["rebase", "-q", "base"]);
    head_is_unproven(&sandbox);
    assert!(unproven(&sandbox) >= 2);
    sandbox.rapid_ok(&["fsck"]);
}

fn unproven(sandbox: &Sandbox) -> usize {
    let status = sandbox.rapid_json(&["status"]);
    status["unproven"].as_array().unwrap().len()
}

#[test]
fn case_30_a_rebase_in_a_linked_worktree_does_not_meet_a_lock() {
    let sandbox = guarded();
    sandbox.git(&["worktree", "add", "-q", "../w", "-b", "w"]);
    let dir = sandbox.root().join("w");
    let git = |words: &[&str]| -> Run {
        sandbox
            .finish(sandbox.command("git").args(words).current_dir(&dir))
            .ended(0)
    };
    sandbox
        .rapid_in(&dir, &["start", "direct", "-m", "x", "--paths", "src/**"])
        .ended(0);
    for line in ["1", "2", "3"] {
        fs::write(dir.join("src/a"), line).unwrap();
        sandbox
            .rapid_in(&dir, &["commit", "-a", "-m", line])
            .ended(0);
    }
    for _ in 0..4 {
        git(&["rebase", "-q", "-f", "HEAD~3"]);
    }
    let status = sandbox.rapid_in(&dir, &["status", "--json"]).json();
    assert_eq!(
        status["unproven"].as_array().unwrap().len(),
        0,
        "{status:#}"
    );
}

#[test]
fn a_rebased_commit_keeps_its_number_of_trailers() {
    let sandbox = new();
    good_commit(&sandbox, "2");
    sandbox.git(&["rebase", "-q", "-f", "HEAD~"]);
    assert_eq!(trailers(&sandbox, "Rapid-Run").len(), 1);
    head_is_proven(&sandbox);
}

#[test]
fn case_03_a_check_is_the_same_within_a_hook_and_outside() {
    let sandbox = new();
    let script = "git init -q t && cd t && git commit -q --allow-empty -m i && git worktree add -q ../t2 && cd .. && rm -rf t t2";
    let check = ["check", "--", "sh", "-c", script];
    sandbox.rapid(&check).ended(0);
    let mut command = sandbox.rapid_command(&check);
    command.env("GIT_INDEX_FILE", ".git/index");
    sandbox.finish(&mut command).ended(0);
}

#[test]
fn case_06_config_of_one_call_does_not_reach_a_check() {
    let sandbox = new();
    let script = "git init -q t; git -C t config foo.bar; code=$?; rm -rf t; test $code -ne 0";
    let words = [
        "-c",
        "foo.bar=1",
        "-c",
        "user.name=LEAK",
        "rapid",
        "check",
        "--",
        "sh",
        "-c",
        script,
    ];
    sandbox.try_git(&words).ended(0);
}
