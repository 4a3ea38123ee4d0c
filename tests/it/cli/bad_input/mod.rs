//! Input that is wrong in every way there is: one clear error with a code and a hint, an exit
//! code of the table, and a ledger that is as it was.

mod documents;
mod holes;
mod places;

use crate::support::{Run, Sandbox, SandboxKind};
use std::{
    ffi::{OsStr, OsString},
    fs,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

/// Everything that tells a person's or a program's verb from an accident.
#[track_caller]
fn assert_refused(run: &Run, exit: i32, code: &str) {
    assert_eq!(run.code, exit, "{run:?}");
    assert_eq!(run.error_code(), code, "{run:?}");
    let error = &run.json()["error"];
    let hints = error["hints"].as_array().expect("a list");
    assert!(!hints.is_empty(), "no hint: {run:?}");
    assert!(!error["message"].as_str().unwrap().is_empty());
    assert!(!run.stderr.contains("error["), "said once: {run:?}");
}

/// Not a mistake of the program, whatever else it is.
#[track_caller]
fn assert_no_panic(run: &Run) {
    assert!((0..=4).contains(&run.code), "{run:?}");
    for text in [&run.stdout, &run.stderr] {
        assert!(!text.contains("RAPID4019"), "{run:?}");
        assert!(!text.contains("panicked"), "{run:?}");
    }
    if run.code != 0 {
        assert!(!run.stdout.is_empty() || !run.stderr.is_empty(), "{run:?}");
    }
}

fn project() -> Sandbox {
    let sandbox = Sandbox::project();
    // Words of the config are split as a shell would; printf reads the rest.
    sandbox.git(&["config", "rapid.testCommand", r"printf '1..1\nok 1\n'"]);
    sandbox
}

fn with_run() -> Sandbox {
    let sandbox = project();
    sandbox.rapid_ok(&["start", "direct", "-m", "mend it"]);
    sandbox.write("src/lib.txt", "two\n");
    sandbox
}

const RUN: &str = "mend-it-r1-run-001";

fn refs(sandbox: &Sandbox) -> String {
    sandbox.git(&["for-each-ref"])
}

fn json(sandbox: &Sandbox, words: &[&str]) -> Run {
    let mut all = vec!["--json"];
    all.extend_from_slice(words);
    sandbox.rapid(&all)
}

/// Every verb, with words that are right.
const VERBS: &[&[&str]] = &[
    &["next"],
    &["next", "feature"],
    &["init"],
    &["start", "direct", "-m", "x"],
    &["check"],
    &["check", "--", "true"],
    &["task", "list"],
    &["task", "start", "T001"],
    &["task", "done", "T001"],
    &["task", "block", "T001", "--reason", "x"],
    &["task", "skip", "T001", "--reason", "x"],
    &["attach", "README", "--task", "T001"],
    &["commit", "-a", "-m", "x"],
    &["commit"],
    &["finish"],
    &["approve"],
    &["resolve", "0123456789abcdef"],
    &["status"],
    &["abort", "--reason", "x"],
    &["pause"],
    &["resume"],
    &["resume", RUN],
    &["supersede", "--reason", "x"],
    &["log"],
    &["log", RUN],
    &["show", "HEAD"],
    &["show", RUN],
    &["review"],
    &["verify"],
    &["verify", "HEAD"],
    &["verify", RUN],
    &["spec", "list"],
    &["spec", "show", "mend-it"],
    &["spec", "template"],
    &["evidence", "list"],
    &["evidence", "show", "E001"],
    &["evidence", "cat", "E001"],
    &["eval", "run"],
    &["fsck"],
    &["completions", "bash"],
];

/// Runs every verb on a sandbox that something was done to; none panics, none changes a ref
/// but where `may_write` says so.
#[track_caller]
fn every_verb_stands(name: &str, sandbox: &Sandbox) {
    for verb in VERBS {
        let run = json(sandbox, verb);
        assert!(
            (0..=4).contains(&run.code)
                && !run.stdout.contains("RAPID4019")
                && !run.stderr.contains("panicked"),
            "{name}: {run:?}"
        );
        // `evidence cat` and `completions` print raw bytes.
        if !["evidence", "completions", "spec"].contains(&verb[0]) {
            assert!(!run.stdout.is_empty(), "{name}: {run:?}");
        }
        if run.code != 0 && run.stdout.contains("\"error\"") {
            let error = &run.json()["error"];
            assert!(
                !error["hints"].as_array().unwrap().is_empty(),
                "{name}: no hint: {run:?}"
            );
        }
    }
}

fn object_file(sandbox: &Sandbox, name: &str) -> PathBuf {
    let id = sandbox.git(&["rev-parse", name]);
    sandbox.path(format!(".git/objects/{}/{}", &id[..2], &id[2..]))
}

/// A file of the run's tree whose name holds `part`.
fn ledger_file(sandbox: &Sandbox, part: &str) -> String {
    let tip = format!("refs/rapid/runs/{RUN}");
    let names = sandbox.git(&["ls-tree", "-r", "--name-only", &tip]);
    let name = names
        .lines()
        .find(|name| name.contains(part))
        .unwrap_or_else(|| panic!("no {part} in {names}"));
    format!("{tip}:{name}")
}
