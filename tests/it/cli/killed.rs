//! `kill -9` at any moment: nothing is half there, and the next verb goes on.
//!
//! Each verb is killed at moments spread over the time it takes, the first and the last
//! included; where exactly is seeded, so that a failure can be had again. How often is told
//! by `RAPID_TEST_KILLS`.

use crate::support::{
    Sandbox,
    driver::{drive, type_phrase},
};
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// How often each verb is killed when nobody asks for more.
const KILLS: u32 = 8;

/// Long, because it only bounds a failure.
const PATIENCE: Duration = Duration::from_secs(60);

/// A project whose test takes a moment and leaves nothing.
fn project() -> Sandbox {
    let sandbox = Sandbox::repo();
    sandbox.write("t.sh", "sleep 0.05\nprintf '1..1\\nok 1 - all\\n'\n");
    sandbox.write("code.txt", "one\n");
    sandbox.commit_all("begin");
    sandbox.git(&["config", "rapid.testCommand", "sh t.sh"]);
    sandbox
}

/// A sandbox with everything that lies in `template`.
fn copy_of(template: &Sandbox) -> Sandbox {
    let sandbox = Sandbox::empty();
    let from = template.path(".");
    sandbox
        .finish(sandbox.command("cp").args([
            OsStr::new("-a"),
            from.as_ref(),
            sandbox.dir().as_ref(),
        ]))
        .ended(0);
    sandbox
}

/// Numbers that look random and are the same every time.
struct Seeded(u64);

impl Seeded {
    /// Between 0 and 1.
    fn part(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(self.0 >> 32).unwrap()) / f64::from(u32::MAX)
    }
}

/// Processes that work below `root`.
fn at_work_below(root: &Path) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(id) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse::<u32>().ok())
        else {
            continue;
        };
        let cwd = fs::read_link(entry.path().join("cwd")).unwrap_or_default();
        if cwd.starts_with(root) {
            let words = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            found.push((id, String::from_utf8_lossy(&words).replace('\0', " ")));
        }
    }
    found
}

/// Waits until nothing works below `root` any more.
#[track_caller]
fn assert_nothing_goes_on(root: &Path) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let left = at_work_below(root);
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < deadline, "left behind: {left:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Runs a verb and kills it after a time; whether it was still at work.
fn kill_after(sandbox: &Sandbox, words: &[&str], delay: Duration) -> bool {
    let mut child = sandbox
        .rapid_command(words)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(delay);
    let at_work = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    at_work
}

fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap().flatten() {
        if entry.file_type().unwrap().is_dir() {
            found.extend(files_below(&entry.path()));
        } else {
            found.push(entry.path());
        }
    }
    found
}

fn locks_of(sandbox: &Sandbox) -> Vec<PathBuf> {
    files_below(&sandbox.path(".git"))
        .into_iter()
        .filter(|path| path.extension() == Some(OsStr::new("lock")))
        .collect()
}

/// What must hold right after a kill, whatever was going on.
#[track_caller]
fn assert_nothing_is_half_there(sandbox: &Sandbox, files: &str) {
    assert_nothing_goes_on(&sandbox.root());
    // The lock of a ref of ours goes with the next verb that writes.
    let ours = sandbox.path(".git/refs/rapid");
    let locks = locks_of(sandbox);
    assert!(
        locks.iter().all(|lock| lock.starts_with(&ours)),
        "{locks:?}"
    );
    for lock in &locks {
        eprintln!("left behind: {}", lock.display());
    }
    let names = sandbox.git(&["ls-files", "--cached", "--others", "--exclude-standard"]);
    assert_eq!(names, files, "no stray files");
    if let Ok(session) = fs::read(sandbox.path(".git/rapid/session.json")) {
        serde_json::from_slice::<serde_json::Value>(&session).expect("a whole pointer");
    }
    let fsck = sandbox.rapid_json(&["fsck"]);
    assert_eq!(fsck["ok"], true, "{fsck:#}");
    sandbox.git(&["fsck", "--strict"]);
}

/// A verb to kill: where it starts from, and the words.
struct Case {
    name: &'static str,
    template: Sandbox,
    words: &'static [&'static str],
    /// What is called when no run is there yet.
    start: &'static [&'static str],
}

fn kills() -> u32 {
    std::env::var("RAPID_TEST_KILLS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(KILLS)
}

/// What a whole one takes, to know where its moments lie.
fn whole_time(case: &Case) -> Duration {
    let whole = copy_of(&case.template);
    let begun = Instant::now();
    whole.rapid_ok(case.words);
    begun.elapsed()
}

fn kill_often(case: &Case) {
    let takes = (0..3)
        .map(|_| whole_time(case))
        .min()
        .expect("three were taken");
    let files = case
        .template
        .git(&["ls-files", "--cached", "--others", "--exclude-standard"]);
    let kills = kills();
    let mut seeded = Seeded(0x5eed);
    let mut killed = 0;
    for nth in 0..kills {
        let sandbox = copy_of(&case.template);
        let delay = takes.mul_f64((f64::from(nth) + seeded.part()) / f64::from(kills));
        let at_work = kill_after(&sandbox, case.words, delay);
        killed += u32::from(at_work);
        let told = format!("{} killed after {delay:?} of {takes:?}", case.name);
        eprintln!("{told}, at work: {at_work}");
        assert_nothing_is_half_there(&sandbox, &files);
        go_on(&sandbox, case);
    }
    eprintln!(
        "{}: {killed} of {kills} were at work when killed",
        case.name
    );
    assert!(killed > kills / 3, "{killed} of {kills}");
}

/// Whoever obeys `next` gets from here to a verdict.
#[track_caller]
fn go_on(sandbox: &Sandbox, case: &Case) {
    let next = sandbox.rapid_json(&["next"]);
    if next["run_id"].is_null() {
        assert_eq!(next["action"]["kind"], "author_spec", "{next:#}");
        if sandbox.rapid(&["verify", "--require-pass"]).code == 0 {
            // It was finished, and killed after that.
            return;
        }
        sandbox.rapid(case.start).ended(0);
    }
    let mut edits = 0;
    let story = drive(sandbox, |work| {
        edits += 1;
        work.place.write("code.txt", format!("edit {edits}\n"));
    });
    assert_eq!(story.verdict(), "pass", "{story:#?}");
    let run = story.last["run_id"].as_str().unwrap().to_owned();
    sandbox.rapid_ok(&["verify", &run, "--require-pass"]);
    let runs = sandbox.rapid_json(&["log"]);
    assert_eq!(
        runs["runs"].as_array().map(Vec::len),
        Some(1),
        "no second run beside it: {runs:#}"
    );
    let fsck = sandbox.rapid_json(&["fsck"]);
    assert_eq!(fsck["ok"], true, "{fsck:#}");
    sandbox.git(&["fsck", "--strict"]);
    assert_eq!(locks_of(sandbox), Vec::<PathBuf>::new());
    let notes = sandbox.path(".git/rapid/moving");
    let unread: Vec<PathBuf> = if notes.exists() {
        files_below(&notes)
    } else {
        Vec::new()
    }
    .into_iter()
    // What was killed before it wrote a word goes after some seconds.
    .filter(|note| fs::metadata(note).unwrap().len() > 0)
    .collect();
    assert_eq!(unread, Vec::<PathBuf>::new());
}

const DIRECT: &[&str] = &["start", "direct", "-m", "mend the code"];

#[test]
fn start_killed_at_any_moment_is_started_again_or_gone_on_with() {
    kill_often(&Case {
        name: "start",
        template: project(),
        words: DIRECT,
        start: DIRECT,
    });
}

#[test]
fn start_with_a_baseline_killed_at_any_moment_is_gone_on_with() {
    const FEATURE: &[&str] = &["start", "feature", "-m", "more code"];
    kill_often(&Case {
        name: "start feature",
        template: project(),
        words: FEATURE,
        start: FEATURE,
    });
}

#[test]
fn start_of_isolated_work_killed_at_any_moment_is_gone_on_with() {
    const HARDENING: &[&str] = &["start", "hardening", "-m", "sturdier"];
    kill_often(&Case {
        name: "start hardening",
        template: project(),
        words: HARDENING,
        start: HARDENING,
    });
}

#[test]
fn check_killed_at_any_moment_left_a_record_or_none() {
    let template = project();
    template.rapid_ok(DIRECT);
    template.rapid_ok(&["task", "start", "T001"]);
    template.write("code.txt", "two\n");
    kill_often(&Case {
        name: "check",
        template,
        words: &["check"],
        start: DIRECT,
    });
}

#[test]
fn commit_killed_at_any_moment_is_made_or_made_again() {
    let template = project();
    template.rapid_ok(DIRECT);
    template.rapid_ok(&["task", "start", "T001"]);
    template.write("code.txt", "two\n");
    template.rapid_ok(&["task", "done", "T001"]);
    kill_often(&Case {
        name: "commit",
        template,
        words: &["commit", "-a", "-m", "two"],
        start: DIRECT,
    });
}

#[test]
fn commit_that_tests_first_killed_at_any_moment_is_made_or_made_again() {
    let template = project();
    template.rapid_ok(DIRECT);
    template.rapid_ok(&["task", "start", "T001"]);
    template.write("code.txt", "two\n");
    kill_often(&Case {
        name: "commit with its check",
        template,
        words: &["commit", "-a", "-m", "two"],
        start: DIRECT,
    });
}

#[test]
fn finish_killed_at_any_moment_is_over_or_finished_again() {
    let template = project();
    template.rapid_ok(DIRECT);
    template.rapid_ok(&["task", "start", "T001"]);
    template.write("code.txt", "two\n");
    template.rapid_ok(&["task", "done", "T001"]);
    template.rapid_ok(&["commit", "-a", "-m", "two"]);
    kill_often(&Case {
        name: "finish",
        template,
        words: &["finish"],
        start: DIRECT,
    });
}

#[test]
fn approve_killed_at_its_question_left_nothing() {
    let sandbox = project();
    sandbox.rapid_ok(&["start", "feature", "-m", "more code"]);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.write("code.txt", "two\n");
    sandbox.rapid_ok(&["task", "done", "T001"]);
    sandbox.rapid_ok(&["commit", "-a", "-m", "two"]);
    let mut terminal = sandbox.terminal(&["approve"]);
    terminal.expect("Type \"");
    let asking = at_work_below(&sandbox.root())
        .into_iter()
        .find(|(_, words)| words.contains("git-rapid approve") && !words.starts_with("sh "))
        .expect("it waits for the phrase");
    let id = nix::unistd::Pid::from_raw(i32::try_from(asking.0).unwrap());
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGKILL).unwrap();
    assert_nothing_goes_on(&sandbox.root());
    let waits = sandbox.rapid_json(&["next"]);
    assert_eq!(waits["action"]["kind"], "await_human_approval", "{waits:#}");
    type_phrase(&sandbox, &["approve"]).ended(0);
    let next = sandbox.rapid_json(&["next"]);
    assert_eq!(next["action"]["kind"], "finish", "{next:#}");
}

/// A run with a lock on its ref and what a process that moved it would have put there.
fn locked_run() -> (Sandbox, PathBuf, String) {
    let sandbox = project();
    sandbox.rapid_ok(DIRECT);
    let run = "refs/rapid/runs/mend-the-code-r1-run-001";
    let value = sandbox.git(&["rev-parse", run]);
    let lock = sandbox.path(format!(".git/{run}.lock"));
    fs::write(&lock, format!("{value}\n")).unwrap();
    (sandbox, lock, value)
}

fn note(sandbox: &Sandbox, lock: &Path, value: &str) -> PathBuf {
    sandbox.write(
        ".git/rapid/moving/0123456789abcdef",
        format!("{}\n{value}\n", lock.display()),
    )
}

#[test]
fn the_lock_of_a_killed_process_is_taken_away() {
    let (sandbox, lock, value) = locked_run();
    let note = note(&sandbox, &lock, &value);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    assert!(!lock.exists() && !note.exists());
}

#[test]
fn the_lock_of_a_process_that_lives_is_left() {
    let (sandbox, lock, value) = locked_run();
    let note = note(&sandbox, &lock, &value);
    // As a process of ours holds it.
    let held = fs::File::open(&note).unwrap();
    held.lock().unwrap();
    let refused = sandbox.rapid(&["--json", "task", "start", "T001"]).ended(4);
    assert_eq!(refused.error_code(), "RAPID4009");
    assert!(lock.exists() && note.exists());
    drop(held);
    sandbox.rapid_ok(&["task", "start", "T001"]);
}

#[test]
fn the_lock_of_another_program_is_left_and_named() {
    let (sandbox, lock, value) = locked_run();
    // A note of a dead process that never got as far as its own lock.
    note(&sandbox, &lock, &"0".repeat(value.len()));
    let refused = sandbox.rapid(&["--json", "task", "start", "T001"]).ended(4);
    assert_eq!(refused.error_code(), "RAPID4009");
    let named = refused.json()["error"]["details"]["lock"].clone();
    assert_eq!(named, lock.to_str().unwrap());
    assert!(lock.exists());
}
