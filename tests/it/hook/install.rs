//! `init` puts the hooks beside what is there, and `init --uninstall` takes them back.

use super::kit::*;
use crate::support::Sandbox;
use git_rapid::porcelain::hooks::HOOKS;
use std::{fs, path::PathBuf};

fn hooks(sandbox: &Sandbox, name: &str) -> PathBuf {
    sandbox.path(".git/hooks").join(name)
}

fn status_of_hooks(sandbox: &Sandbox) -> String {
    let status = sandbox.rapid_json(&["status"]);
    status["hooks"].as_str().expect("a word").to_owned()
}

/// All files of the hooks folder, with bytes and modes.
fn folder(sandbox: &Sandbox) -> Vec<(String, (Vec<u8>, u32))> {
    let mut files: Vec<_> = fs::read_dir(sandbox.path(".git/hooks"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, hook_file(&entry.path()).unwrap_or_default())
        })
        .collect();
    files.sort();
    files
}

fn project() -> Sandbox {
    let sandbox = Sandbox::project();
    fs::create_dir_all(sandbox.path(".git/hooks")).unwrap();
    sandbox
}

#[test]
fn case_113_every_hook_is_installed_whatever_autocrlf_says_and_all_of_it_is_taken_back() {
    let sandbox = project();
    assert_eq!(status_of_hooks(&sandbox), "absent");
    sandbox.git(&["config", "core.autocrlf", "true"]);
    let before = folder(&sandbox);
    let done = sandbox.rapid_json(&["init"]);
    assert_eq!(done["hooks"], "active");
    assert_eq!(status_of_hooks(&sandbox), "active");
    for name in HOOKS {
        let (bytes, mode) = hook_file(&hooks(&sandbox, name)).expect("it is there");
        assert_eq!(mode & 0o777, 0o755, "{name}");
        assert!(!bytes.contains(&b'\r'), "{name}");
    }
    let once = folder(&sandbox);
    sandbox.rapid_ok(&["init"]);
    assert_eq!(once, folder(&sandbox), "running it again changed something");
    sandbox.rapid_ok(&["init", "--uninstall"]);
    assert_eq!(before, folder(&sandbox));
    assert_eq!(status_of_hooks(&sandbox), "absent");
    sandbox.rapid_ok(&["init", "--uninstall"]);
    assert_eq!(before, folder(&sandbox));
}

#[test]
fn without_hooks_none_are_written() {
    let sandbox = project();
    let before = folder(&sandbox);
    let done = sandbox.rapid_json(&["init", "--no-hooks"]);
    assert_eq!(done["hooks"], "absent");
    assert_eq!(before, folder(&sandbox));
    let told = sandbox.rapid_ok(&["next"]);
    assert!(told.contains("git rapid init"), "{told}");
}

#[test]
fn case_112_former_hooks_of_any_bytes_run_first_and_come_back() {
    let sandbox = project();
    // A script of another language, one with bytes that are no text, one that is switched off.
    sandbox.write_program(
        ".git/hooks/pre-commit",
        "#!/usr/bin/env -S awk -f\nBEGIN { print \"former\" > \"/dev/stderr\" }\n",
    );
    let binary = [b"#!/bin/sh\nexit 0\n".as_slice(), &[0xff, 0, b'\r', b'\n']].concat();
    sandbox.write(".git/hooks/commit-msg", &binary);
    sandbox.write(
        ".git/hooks/post-commit",
        "#!/bin/sh\ntouch ran-although-off\n",
    );
    std::os::unix::fs::symlink("nowhere", hooks(&sandbox, "post-rewrite")).unwrap();
    let before = folder(&sandbox);
    let told = sandbox.rapid_json(&["init"]);
    assert_eq!(
        told["installed"]["kept"].as_array().unwrap().len(),
        4,
        "{told:#}"
    );
    sandbox.git(&["config", "rapid.testCommand", "true"]);
    start(&sandbox, &["src/**"]);
    add(&sandbox, "src/lib.txt", "two");
    let run = refuses(&sandbox, &["commit", "-qam", "x"], "RAPID1502", &[]);
    assert!(run.stderr.starts_with("former\n"), "{run:?}");
    assert!(!sandbox.path("ran-although-off").exists());
    sandbox.rapid_ok(&["init"]);
    sandbox.rapid_ok(&["init", "--uninstall"]);
    assert_eq!(before, folder(&sandbox));
    let link = fs::read_link(hooks(&sandbox, "post-rewrite")).unwrap();
    assert_eq!(link.to_str(), Some("nowhere"));
}

#[test]
fn a_tool_that_wrote_over_ours_keeps_its_hook_and_so_does_the_first_owner() {
    let sandbox = project();
    sandbox.write_program(".git/hooks/pre-commit", "#!/bin/sh\n# first\n");
    sandbox.rapid_ok(&["init"]);
    sandbox.write_program(".git/hooks/pre-commit", "#!/bin/sh\n# second\n");
    assert_eq!(status_of_hooks(&sandbox), "broken");
    sandbox.rapid_ok(&["init"]);
    assert_eq!(status_of_hooks(&sandbox), "active");
    assert_eq!(
        sandbox.read(".git/hooks/pre-commit.before-rapid"),
        "#!/bin/sh\n# second\n"
    );
    assert_eq!(
        sandbox.read(".git/hooks/pre-commit.before-rapid.1"),
        "#!/bin/sh\n# first\n"
    );
    // A hook of somebody else is not taken away either.
    sandbox.write_program(".git/hooks/pre-commit", "#!/bin/sh\n# third\n");
    sandbox.rapid_ok(&["init", "--uninstall"]);
    assert_eq!(
        sandbox.read(".git/hooks/pre-commit"),
        "#!/bin/sh\n# third\n"
    );
}

/// As pre-commit and lefthook do it: the hook they find gets a name of theirs, and one of them
/// goes on calling it.
#[test]
fn a_copy_that_another_installer_keeps_goes_with_ours() {
    let sandbox = guarded();
    let kept = hooks(&sandbox, "pre-commit.legacy");
    fs::rename(hooks(&sandbox, "pre-commit"), &kept).unwrap();
    let theirs = "#!/bin/sh\necho theirs >&2\nexec \"$0.legacy\" \"$@\"\n";
    let theirs = theirs.replace("$0.legacy", kept.to_str().unwrap());
    sandbox.write_program(".git/hooks/pre-commit", &theirs);
    assert_eq!(status_of_hooks(&sandbox), "broken");
    sandbox.rapid_ok(&["init"]);
    start(&sandbox, &["src/**"]);
    add(&sandbox, "src/a", "two");
    let run = refuses(&sandbox, &["commit", "-qam", "x"], "RAPID1502", &["theirs"]);
    assert_eq!(run.stderr.matches("RAPID1502").count(), 1, "{run:?}");
    sandbox.rapid_ok(&["init", "--uninstall"]);
    assert_eq!(sandbox.read(".git/hooks/pre-commit"), theirs);
    assert!(!kept.exists());
}

#[test]
fn case_107_110_hooks_that_are_gone_or_not_run_are_broken() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = guarded();
    fs::remove_file(hooks(&sandbox, "commit-msg")).unwrap();
    assert_eq!(status_of_hooks(&sandbox), "broken");
    sandbox.rapid_ok(&["init"]);
    let off = fs::Permissions::from_mode(0o644);
    fs::set_permissions(hooks(&sandbox, "pre-commit"), off).unwrap();
    assert_eq!(status_of_hooks(&sandbox), "broken");
    sandbox.rapid_ok(&["init"]);
    assert_eq!(status_of_hooks(&sandbox), "active");
    sandbox.git(&["config", "core.hooksPath", "/dev/null"]);
    assert_eq!(status_of_hooks(&sandbox), "broken");
}

#[test]
fn case_115_a_hooks_path_is_seen_from_the_root_of_the_working_tree() {
    let sandbox = project();
    sandbox.git(&["config", "core.hooksPath", ".githooks"]);
    sandbox.write("sub/x", "x\n");
    let done = sandbox
        .rapid_in(sandbox.path("sub"), &["--json", "init"])
        .ended(0)
        .json();
    assert_eq!(done["installed"]["in_work_tree"], true, "{done:#}");
    assert!(sandbox.path(".githooks/pre-commit").is_file());
    assert_eq!(status_of_hooks(&sandbox), "active");
    sandbox.rapid_ok(&["init", "--uninstall"]);
    assert!(!sandbox.path(".githooks").exists());
}

#[test]
fn case_106_hooks_outside_the_repository_are_not_touched() {
    let sandbox = project();
    let shared = sandbox.root().join("shared");
    fs::create_dir(&shared).unwrap();
    sandbox.git(&["config", "core.hooksPath", shared.to_str().unwrap()]);
    let run = sandbox.rapid(&["init"]).ended(1);
    assert!(
        run.stderr.contains("core.hooksPath") && run.stderr.contains("--local"),
        "{run:?}"
    );
    assert_eq!(fs::read_dir(&shared).unwrap().count(), 0);
    assert_eq!(
        sandbox.rapid_json(&["init", "--no-hooks"])["hooks"],
        "absent"
    );
    sandbox.rapid_ok(&["init", "--uninstall"]);
    // What the refusal says to do helps.
    let hint = sandbox.rapid(&["init", "--json"]).json()["error"]["hints"][0]["command"].clone();
    let words: Vec<&str> = hint
        .as_array()
        .unwrap()
        .iter()
        .map(|word| word.as_str().unwrap())
        .collect();
    sandbox.git(&words[1..]);
    assert_eq!(sandbox.rapid_json(&["init"])["hooks"], "active");
}

#[test]
fn a_bare_repository_gets_an_id_and_no_hooks() {
    let sandbox = Sandbox::repo_of(crate::support::SandboxKind {
        bare: true,
        ..Default::default()
    });
    let done = sandbox.rapid_json(&["init"]);
    assert!(done["installed"].is_null(), "{done:#}");
}

#[test]
fn case_46_a_linked_worktree_and_a_submodule_are_guarded_and_nothing_lies_beside_them() {
    let sandbox = guarded();
    sandbox.git(&["worktree", "add", "-q", "../w", "-b", "w"]);
    let linked = sandbox.root().join("w");
    sandbox.rapid_in(&linked, &["init"]).ended(0);
    sandbox
        .rapid_in(
            &linked,
            &["start", "direct", "-m", "x", "--paths", "src/**"],
        )
        .ended(0);
    guarded_there(&sandbox, &linked);
    // The other worktree has no run.
    add(&sandbox, "README", "free");
    accepts(&sandbox, &["commit", "-qam", "free"]);

    let inner = sandbox.root().join("inner");
    sandbox.git(&["clone", "-q", ".", inner.to_str().unwrap()]);
    sandbox.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        inner.to_str().unwrap(),
        "sub",
    ]);
    let sub = sandbox.path("sub");
    sandbox.git(&[
        "-C",
        "sub",
        "config",
        "rapid.testCommand",
        "sh -c 'echo 1..1; echo \"ok 1 - x\"'",
    ]);
    sandbox.rapid_in(&sub, &["init"]).ended(0);
    sandbox
        .rapid_in(&sub, &["start", "direct", "-m", "x", "--paths", "src/**"])
        .ended(0);
    guarded_there(&sandbox, &sub);
}

/// A commit there is refused, and after a check accepted.
#[track_caller]
fn guarded_there(sandbox: &Sandbox, dir: &std::path::Path) {
    let git = |words: &[&str]| sandbox.finish(sandbox.command("git").args(words).current_dir(dir));
    fs::write(dir.join("src/a"), "other\n").unwrap();
    let run = git(&["commit", "-qam", "x"]);
    assert!(run.code != 0 && run.stderr.contains("RAPID1502"), "{run:?}");
    sandbox.rapid_in(dir, &["check"]).ended(0);
    git(&["commit", "-qam", "x"]).ended(0);
    let status = sandbox.rapid_in(dir, &["status", "--json"]).json();
    assert_eq!(status["hooks"], "active", "{status:#}");
    assert_eq!(
        status["unproven"].as_array().unwrap().len(),
        0,
        "{status:#}"
    );
    assert_eq!(git(&["status", "--porcelain"]).stdout, "");
}
