//! The script itself: what it decides alone, and what it does when the program is gone or
//! fails.

use super::kit::*;
use crate::support::Sandbox;
use std::fs;

/// Makes the hooks name a program that is not there, and takes ours off `PATH`.
fn without_program(sandbox: &mut Sandbox) {
    for name in git_rapid::porcelain::hooks::HOOKS {
        let path = sandbox.path(".git/hooks").join(name);
        let text = fs::read_to_string(&path).unwrap();
        let line = text
            .lines()
            .find(|line| line.starts_with("program="))
            .unwrap();
        fs::write(
            &path,
            text.replace(line, "program='/nowhere/it'\\''s gone'"),
        )
        .unwrap();
    }
    sandbox.set("PATH", "/usr/local/bin:/usr/bin:/bin");
}

/// The same with a program that ends with `code`.
fn with_program(sandbox: &Sandbox, body: &str) {
    let program = sandbox.root().join("program");
    sandbox.write_program(&program, &format!("#!/bin/sh\n{body}\n"));
    for name in git_rapid::porcelain::hooks::HOOKS {
        let path = sandbox.path(".git/hooks").join(name);
        let text = fs::read_to_string(&path).unwrap();
        let line = text
            .lines()
            .find(|line| line.starts_with("program="))
            .unwrap();
        fs::write(
            &path,
            text.replace(line, &format!("program='{}'", program.display())),
        )
        .unwrap();
    }
}

#[test]
fn a_missing_program_refuses_while_a_run_is_bound() {
    let mut sandbox = new();
    add(&sandbox, "src/a", "two");
    check(&sandbox);
    without_program(&mut sandbox);
    refuses(
        &sandbox,
        &["commit", "-qam", "x"],
        "not there any more",
        &["git rapid init"],
    );
}

#[test]
fn a_missing_program_says_so_and_lets_pass_without_a_run() {
    let mut sandbox = new();
    sandbox.rapid_ok(&["abort", "--reason", "no"]);
    add(&sandbox, "src/a", "two");
    without_program(&mut sandbox);
    let run = sandbox.try_git(&["commit", "-qam", "x"]).ended(0);
    assert!(run.stderr.contains("git rapid init"), "{run:?}");
}

#[test]
fn the_one_in_the_path_stands_in() {
    let mut sandbox = new();
    let path = sandbox
        .environment()
        .into_iter()
        .find(|(name, _)| name == "PATH")
        .unwrap()
        .1;
    without_program(&mut sandbox);
    sandbox.set("PATH", path);
    add(&sandbox, "src/a", "two");
    refuses(&sandbox, &["commit", "-qam", "x"], "RAPID1502", &[]);
}

#[test]
fn a_program_that_fails_refuses_only_while_a_run_is_bound() {
    let sandbox = new();
    add(&sandbox, "src/a", "two");
    with_program(&sandbox, "echo broken >&2; exit 101");
    refuses(&sandbox, &["commit", "-qam", "x"], "broken", &[]);
    sandbox.rapid_ok(&["abort", "--reason", "no"]);
    accepts(&sandbox, &["commit", "-qam", "x"]);
}

#[test]
fn nothing_is_started_where_rapid_was_never_used() {
    let sandbox = guarded();
    with_program(&sandbox, "touch started");
    add(&sandbox, "src/a", "two");
    accepts(&sandbox, &["commit", "-qam", "x"]);
    assert!(!sandbox.path("started").exists());
}

#[test]
fn a_lost_pointer_does_not_open_the_door() {
    let sandbox = new();
    sandbox.git(&["pack-refs", "--all"]);
    fs::remove_dir_all(sandbox.path(".git/rapid")).unwrap();
    fs::remove_dir_all(sandbox.path(".git/refs/rapid")).ok();
    add(&sandbox, "src/a", "two");
    refuses(&sandbox, &["commit", "-qam", "x"], "RAPID1502", &[]);
}

#[test]
fn a_failure_is_told_apart_from_a_refusal() {
    let sandbox = new();
    let run = sandbox.git(&["for-each-ref", "--format=%(refname)", "refs/rapid/runs"]);
    sandbox.write(format!(".git/{run}"), "no id\n");
    add(&sandbox, "src/a", "two");
    refuses(
        &sandbox,
        &["commit", "-qam", "x"],
        "that is no refusal",
        &["error[RAPID"],
    );
}

#[test]
fn a_former_hook_that_refuses_has_the_first_word() {
    let sandbox = guarded();
    sandbox.write_program(
        ".git/hooks/pre-commit.before-rapid",
        "#!/bin/sh\necho former >&2\nexit 3\n",
    );
    add(&sandbox, "src/a", "two");
    refuses(&sandbox, &["commit", "-qam", "x"], "former", &[]);
}

#[test]
fn a_former_hook_gets_the_same_arguments_and_input() {
    let sandbox = new();
    for name in ["commit-msg", "post-rewrite"] {
        let path = format!(".git/hooks/{name}.before-rapid");
        let body = format!("#!/bin/sh\necho \"$@\" >>.git/{name}.seen\ncat >>.git/{name}.seen\n");
        sandbox.write_program(path, &body);
    }
    good_commit(&sandbox, "two");
    let old = sandbox.git(&["rev-parse", "HEAD"]);
    accepts(&sandbox, &["commit", "-q", "--amend", "-m", "other"]);
    let new = sandbox.git(&["rev-parse", "HEAD"]);
    assert!(
        sandbox
            .read(".git/commit-msg.seen")
            .contains(".git/COMMIT_EDITMSG")
    );
    assert_eq!(
        sandbox.read(".git/post-rewrite.seen"),
        format!("amend\n{old} {new}\n")
    );
    assert_eq!(of_kind(&sandbox, "rewrite").len(), 1);
}

/// Its hooks look for a script by their own name, and read another file beside them.
#[test]
fn hooks_that_ask_for_their_own_name_find_it() {
    let sandbox = new();
    sandbox.git(&["config", "core.hooksPath", ".husky/_"]);
    sandbox.write(".husky/_/.gitignore", "*\n");
    sandbox.write(
        ".husky/_/h",
        "n=$(basename \"$0\")\nsh -e \"$(dirname \"$(dirname \"$0\")\")/$n\" \"$@\"\n",
    );
    sandbox.write_program(
        ".husky/_/pre-commit",
        "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"\n",
    );
    sandbox.write(".husky/pre-commit", "echo theirs >&2\n");
    sandbox.git(&["add", "."]);
    sandbox.rapid_ok(&["init"]);
    let run = sandbox.try_git(&["commit", "-qm", "x"]);
    assert!(
        run.stderr.starts_with("theirs\n") && run.stderr.contains("RAPID1501"),
        "{run:?}"
    );
    sandbox.write(".husky/pre-commit", "echo no >&2; exit 1\n");
    let run = sandbox.try_git(&["commit", "-qm", "x"]);
    assert!(run.code != 0 && run.stderr == "no\n", "{run:?}");
}

#[test]
fn the_command_line_takes_installed_hooks_only() {
    let sandbox = guarded();
    sandbox.rapid(&["hook", "pre-push"]).ended(2);
    let run = sandbox.rapid(&["hook", "commit-msg"]).ended(4);
    assert!(run.stderr.contains("0 arguments"), "{run:?}");
    let run = sandbox.rapid_with_input(&["hook", "post-rewrite", "amend"], b"what\n");
    assert!(run.ended(4).stderr.contains("what"));
}

#[test]
fn with_json_a_refusal_is_the_error_document() {
    let sandbox = new();
    add(&sandbox, "src/a", "two");
    sandbox.git(&["add", "."]);
    let run = sandbox.rapid(&["--json", "hook", "pre-commit"]).ended(1);
    assert_eq!(run.error_code(), "RAPID1502");
}

#[test]
fn case_114_a_short_path_changes_nothing() {
    let mut sandbox = new();
    sandbox.set("PATH", "/usr/bin:/bin");
    add(&sandbox, "src/a", "two");
    refuses(&sandbox, &["commit", "-qam", "x"], "RAPID1502", &[]);
    check(&sandbox);
    accepts(&sandbox, &["commit", "-qam", "x"]);
    head_is_proven(&sandbox);
}

#[test]
fn a_hook_of_yours_that_changes_files_is_named_as_a_cause() {
    let sandbox = new();
    sandbox.write_program(
        ".git/hooks/pre-commit.before-rapid",
        "#!/bin/sh\necho formatted >>src/a\ngit add src/a\n",
    );
    add(&sandbox, "src/a", "two");
    sandbox.git(&["add", "-A"]);
    check(&sandbox);
    let run = sandbox.try_git(&["commit", "-qm", "x"]);
    assert!(run.code != 0 && run.stderr.contains("RAPID1503"), "{run:?}");
    assert!(run.stderr.contains("ran before this one"), "{run:?}");
}
