//! Interrupts, deadlines, closed streams: what was begun is ended, and nothing is recorded of
//! what was not done.

use crate::support::{Run, Sandbox};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::Value;
use std::{
    fs,
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

/// Long, because it only bounds a failure.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command that says it began, has a child, and would go on for ever.
const ENDLESS: &str = "sleep 1000 & echo begun > ../tmp/begun; sleep 1000; wait";

fn begun() -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.git(&["config", "rapid.testCommand", &format!("sh -c '{ENDLESS}'")]);
    sandbox.rapid_ok(&["start", "direct", "-m", "patience"]);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.write("src/lib.txt", "two\n");
    sandbox
}

/// Whether any process works below `root`.
fn at_work_below(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let cwd = fs::read_link(entry.path().join("cwd")).unwrap_or_default();
        if cwd.starts_with(root) {
            let words = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            found.push(String::from_utf8_lossy(&words).replace('\0', " "));
        }
    }
    found
}

#[track_caller]
fn wait_for(what: &str, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[track_caller]
fn assert_no_orphan(sandbox: &Sandbox) {
    wait_for("nothing is left running", || {
        at_work_below(&sandbox.root()).is_empty()
    });
}

fn records(sandbox: &Sandbox) -> Vec<Value> {
    let run = sandbox.rapid_json(&["log", "patience-r1-run-001"]);
    run["records"].as_array().unwrap().clone()
}

/// Runs a verb, sends a signal once the command under it began.
fn interrupted(sandbox: &Sandbox, words: &[&str], signal: Signal) -> Run {
    let child = sandbox
        .rapid_command(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = sandbox.root().join("tmp/begun");
    wait_for("the command begins", || started.exists());
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), signal).unwrap();
    let output = child.wait_with_output().unwrap();
    fs::remove_file(started).unwrap();
    Run {
        called: words.join(" "),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code().unwrap_or(-1),
    }
}

#[test]
fn a_signal_ends_a_check_and_nothing_is_recorded() {
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        let sandbox = begun();
        let before = (records(&sandbox), sandbox.fingerprint());
        let run = interrupted(&sandbox, &["--json", "check"], signal).ended(130);
        assert_eq!(run.error_code(), "RAPID4014", "{signal}");
        assert_no_orphan(&sandbox);
        assert_eq!(
            (records(&sandbox), sandbox.fingerprint()),
            before,
            "{signal}"
        );
        assert_eq!(sandbox.rapid_json(&["fsck"])["ok"], true);
    }
}

#[test]
fn every_verb_that_runs_a_command_can_be_interrupted() {
    let verbs: [&[&str]; 4] = [
        &["check", "--fresh", "--", "sh", "-c", ENDLESS],
        &["check", "--task", "T001"],
        &["task", "done", "T001"],
        &["commit", "-a"],
    ];
    let sandbox = begun();
    let before = (records(&sandbox), sandbox.fingerprint());
    for verb in verbs {
        let run = interrupted(&sandbox, verb, Signal::SIGINT).ended(130);
        assert!(run.stderr.contains("RAPID4014"), "{run:?}");
        assert_no_orphan(&sandbox);
        assert_eq!(
            (records(&sandbox), sandbox.fingerprint()),
            before,
            "{verb:?}"
        );
    }
}

#[test]
fn an_interrupted_baseline_is_measured_later() {
    let sandbox = Sandbox::project();
    sandbox.git(&["config", "rapid.testCommand", &format!("sh -c '{ENDLESS}'")]);
    interrupted(
        &sandbox,
        &["start", "feature", "-m", "patience"],
        Signal::SIGINT,
    )
    .ended(130);
    assert_no_orphan(&sandbox);
    let next = sandbox.rapid_json(&["next"]);
    assert_eq!(next["action"]["kind"], "run_baseline", "{next:#}");
    assert_eq!(sandbox.rapid_json(&["fsck"])["ok"], true);
}

#[cfg(target_os = "linux")]
#[test]
fn the_interrupt_key_reaches_the_whole_foreground_and_ends_it() {
    let sandbox = begun();
    let before = records(&sandbox);
    let mut terminal = sandbox.terminal(&["check"]);
    let started = sandbox.root().join("tmp/begun");
    wait_for("the command begins", || started.exists());
    terminal.type_interrupt();
    terminal.finish().ended(130);
    assert_no_orphan(&sandbox);
    assert_eq!(records(&sandbox), before);
}

#[test]
fn a_deadline_ends_a_check_and_is_recorded() {
    let sandbox = begun();
    let run = sandbox
        .rapid(&["--json", "check", "--timeout", "1s"])
        .ended(1);
    assert_eq!(run.json()["met"], false, "{run:?}");
    assert_eq!(run.json()["timed_out"], true, "{run:?}");
    assert_no_orphan(&sandbox);
    let record = records(&sandbox).pop().unwrap();
    assert_eq!(record["body"]["payload"]["timed_out"], true, "{record:#}");
}

#[test]
fn what_a_command_leaves_behind_is_ended_and_noted() {
    let sandbox = Sandbox::project();
    let script = "sleep 1000 & printf '1..1\\nok 1\\n'";
    sandbox.write("t.sh", script);
    sandbox.commit_all("a test");
    sandbox.git(&["config", "rapid.testCommand", "sh t.sh"]);
    sandbox.rapid_ok(&["start", "direct", "-m", "patience"]);
    sandbox.rapid_ok(&["check"]);
    assert_no_orphan(&sandbox);
    let record = records(&sandbox).pop().unwrap();
    assert_eq!(
        record["body"]["notes"],
        serde_json::json!(["leftover_processes"]),
        "{record:#}"
    );
}

#[test]
fn closed_standard_streams_are_no_reason_to_panic() {
    let sandbox = Sandbox::project();
    sandbox.git(&["config", "rapid.testCommand", "true"]);
    sandbox.rapid_ok(&["start", "direct", "-m", "patience"]);
    let shell = |script: &str| sandbox.finish(sandbox.command("sh").args(["-c", script]));
    let before = records(&sandbox).len();
    shell("git-rapid check --fresh <&-").ended(0);
    shell("git-rapid check --fresh <&- >&- 2>&-; test $? -lt 5").ended(0);
    assert_eq!(records(&sandbox).len(), before + 2, "each left its record");
    shell("git-rapid next --json >&-; test $? -lt 5").ended(0);
    shell("git-rapid approve <&- 2>&-; test $? = 1").ended(0);
    assert_eq!(sandbox.rapid_json(&["fsck"])["ok"], true);
}

#[test]
fn a_reader_that_goes_away_ends_the_talk_without_a_word() {
    let sandbox = Sandbox::project();
    sandbox.git(&["config", "rapid.testCommand", "true"]);
    sandbox.rapid_ok(&["start", "direct", "-m", "patience"]);
    let verbs: [&[&str]; 7] = [
        &["log", "patience-r1-run-001"],
        &["next"],
        &["next", "--json"],
        &["status"],
        &["fsck"],
        &["check", "--fresh"],
        &["completions", "bash"],
    ];
    for words in verbs {
        let mut child = sandbox
            .rapid_command(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("error["), "{words:?}: {said}");
        assert!(!said.contains("panicked"), "{words:?}: {said}");
    }
    let full = sandbox.finish(
        sandbox
            .command("sh")
            .args(["-c", "git-rapid log patience-r1-run-001 >/dev/full"]),
    );
    assert_eq!(full.code, 4, "a full disk is said: {full:?}");
    assert!(full.stderr.contains("RAPID4008"), "{full:?}");
}
