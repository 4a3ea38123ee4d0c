//! A project with hooks and a run: whatever is in `src/`, its one test passes, so that only
//! the tree decides.

use crate::support::{Run, Sandbox};
use serde_json::Value;
use std::{fs, path::Path};

/// The one test, as a TAP runner would report it.
const TEST: &str = "sh -c 'echo 1..1; echo \"ok 1 - fine\"'";

/// `src/a` and `README`, committed; hooks installed; nothing started.
pub fn guarded() -> Sandbox {
    let sandbox = Sandbox::repo();
    sandbox.write("README", "a project\n");
    sandbox.write("src/a", "one\n");
    sandbox.commit_all("first");
    sandbox.git(&["config", "rapid.testCommand", TEST]);
    sandbox.rapid_ok(&["init"]);
    sandbox
}

/// The same with an active run whose scope is `src/**`.
pub fn new() -> Sandbox {
    let sandbox = guarded();
    start(&sandbox, &["src/**"]);
    sandbox
}

/// Starts a run with this scope.
#[track_caller]
pub fn start(sandbox: &Sandbox, paths: &[&str]) {
    let mut words = vec!["start", "direct", "-m", "change it"];
    for path in paths {
        words.extend(["--paths", path]);
    }
    sandbox.rapid_ok(&words);
}

/// Runs the run's check.
#[track_caller]
pub fn check(sandbox: &Sandbox) {
    sandbox.rapid_ok(&["check"]);
}

/// Adds a line to a file.
pub fn add(sandbox: &Sandbox, path: &str, line: &str) {
    let mut text = fs::read_to_string(sandbox.path(path)).unwrap_or_default();
    text.push_str(line);
    text.push('\n');
    sandbox.write(path, text);
}

/// Edits `src/a`, stages it, checks it, commits it.
#[track_caller]
pub fn good_commit(sandbox: &Sandbox, line: &str) {
    add(sandbox, "src/a", line);
    sandbox.git(&["add", "src/a"]);
    check(sandbox);
    accepts(sandbox, &["commit", "-q", "-m", line]);
}

/// Git does it, HEAD moves and its tree is in the index; HEAD's message.
#[track_caller]
pub fn accepts(sandbox: &Sandbox, words: &[&str]) -> String {
    let before = sandbox.try_git(&["rev-parse", "HEAD"]).stdout;
    let run = sandbox.try_git(words).ended(0);
    let after = sandbox.git(&["rev-parse", "HEAD"]);
    assert_ne!(before.trim(), after, "{run:?}");
    sandbox.git(&["log", "-1", "--format=%B"])
}

/// Git refuses with this code, names all of `names`, and nothing changes.
#[track_caller]
pub fn refuses(sandbox: &Sandbox, words: &[&str], code: &str, names: &[&str]) -> Run {
    let before = state(sandbox);
    let run = sandbox.try_git(words);
    assert_ne!(run.code, 0, "{run:?}");
    assert!(run.stderr.contains(code), "no {code}: {run:?}");
    for name in names {
        assert!(run.stderr.contains(name), "no {name}: {run:?}");
    }
    assert_eq!(before, state(sandbox), "a refusal changed something");
    run
}

/// What a refusal leaves alone: refs, HEAD, what is staged and what lies in the worktree.
#[track_caller]
pub fn state(sandbox: &Sandbox) -> String {
    [
        sandbox.git(&["for-each-ref"]),
        sandbox.try_git(&["rev-parse", "HEAD"]).stdout,
        sandbox.git(&["ls-files", "--stage"]),
        sandbox.git(&["status", "--porcelain", "--untracked-files=all"]),
        sandbox.git(&["diff"]),
        sandbox.git(&["stash", "list"]),
    ]
    .join("\n")
}

/// Every milestone of the bound run: commit, and what verified it.
#[track_caller]
pub fn milestones(sandbox: &Sandbox) -> Vec<(String, Value)> {
    of_kind(sandbox, "milestone")
        .into_iter()
        .map(|payload| {
            let commit = payload["commit"].as_str().expect("an id");
            let commit = commit.split_once(':').expect("with its algorithm").1;
            (commit.to_owned(), payload["verified_by"].clone())
        })
        .collect()
}

/// The payloads of one kind in the bound run.
#[track_caller]
pub fn of_kind(sandbox: &Sandbox, kind: &str) -> Vec<Value> {
    let list = sandbox.rapid_json(&["evidence", "list"]);
    let records = list["records"].as_array().expect("a list").clone();
    records
        .into_iter()
        .map(|record| record["body"].clone())
        .filter(|body| body["kind"] == kind)
        .map(|body| body["payload"].clone())
        .collect()
}

/// HEAD has exactly one milestone, and it is verified.
#[track_caller]
pub fn head_is_proven(sandbox: &Sandbox) {
    let head = sandbox.git(&["rev-parse", "HEAD"]);
    let found: Vec<Value> = milestones(sandbox)
        .into_iter()
        .filter(|(commit, _)| *commit == head)
        .map(|(_, verified)| verified)
        .collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].is_string(), "{found:?}");
}

/// No milestone of HEAD names a proof, and `status` names it as unproven.
#[track_caller]
pub fn head_is_unproven(sandbox: &Sandbox) {
    let head = sandbox.git(&["rev-parse", "HEAD"]);
    assert!(
        milestones(sandbox)
            .iter()
            .all(|(commit, proof)| *commit != head || proof.is_null()),
        "{head} got a proof"
    );
    let status = sandbox.rapid_json(&["status"]);
    let unproven = status["unproven"].as_array().expect("a list");
    let named = |commit: &Value| commit["commit"] == format!("sha1:{head}");
    assert!(unproven.iter().any(named), "{status:#}");
}

/// How often a trailer stands in HEAD's message.
#[track_caller]
pub fn trailers(sandbox: &Sandbox, name: &str) -> Vec<String> {
    let format = format!("--format=%(trailers:key={name},valueonly)");
    let found = sandbox.git(&["log", "-1", &format]);
    found
        .lines()
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

/// A file of the hooks folder with all its bytes and its mode; `None` when it is not there.
pub fn hook_file(path: &Path) -> Option<(Vec<u8>, u32)> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::symlink_metadata(path).ok()?.permissions().mode();
    Some((fs::read(path).ok()?, mode))
}
