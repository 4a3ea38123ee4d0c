//! What the loop costs, against git doing the same in the same run.
//!
//! `cargo bench` prints one line for each pair: both medians and minima in milliseconds, and
//! their ratio. The two sides take turns, so that a noisy machine is noisy for both.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program of its own that measures and prints"
)]

use git_rapid::{
    domain::{
        digest::Digest,
        evidence::{ArtifactLabel, Evidence, Payload},
        id::RunId,
        producer::Producer,
        record::Body,
    },
    git::{OpenOptions, Repository},
    ledger::{Draft, Ledger, StreamName},
};
use std::{
    convert::Infallible,
    ffi::OsString,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// How often each side runs.
const ROUNDS: usize = 40;

fn main() {
    println!(
        "{:<52} {:>9} {:>9} {:>9} {:>9} {:>7} {:>6}",
        "", "ours", "(min)", "git", "(min)", "ratio", "aim"
    );
    start_up();
    for (records, aim) in [(10, 2.0), (100, 4.0)] {
        next(records, aim);
    }
    for files in [10, 10_000] {
        check(files);
    }
    append();
}

/// A repository in a folder of its own, with an identity and nobody's config.
struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    fn new(files: usize) -> Self {
        let scratch = Self {
            folder: tempfile::tempdir().expect("a temporary folder can be made"),
        };
        std::fs::create_dir(scratch.dir()).expect("it is empty");
        scratch.git(&["init", "-q", "-b", "main"]);
        for number in 0..files {
            let folder = scratch.dir().join(format!("src/{:03}", number / 100));
            std::fs::create_dir_all(&folder).expect("writable");
            std::fs::write(
                folder.join(format!("{number}.txt")),
                format!("file {number}\n"),
            )
            .expect("writable");
        }
        scratch.git(&["add", "-A"]);
        scratch.git(&["commit", "-q", "-m", "begin"]);
        // Entries written in the same second as the index are looked at twice by everyone.
        std::thread::sleep(Duration::from_millis(1100));
        scratch.git(&["update-index", "-q", "--really-refresh"]);
        scratch
    }

    fn dir(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    fn command(&self, program: &str, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(words)
            .current_dir(self.dir())
            .env_clear()
            .envs(self.environment())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    fn environment(&self) -> Vec<(OsString, OsString)> {
        let mut environment: Vec<(OsString, OsString)> = [
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_AUTHOR_NAME", "Bench"),
            ("GIT_AUTHOR_EMAIL", "bench@example.org"),
            ("GIT_COMMITTER_NAME", "Bench"),
            ("GIT_COMMITTER_EMAIL", "bench@example.org"),
            ("LC_ALL", "C"),
        ]
        .map(|(name, value)| (name.into(), value.into()))
        .to_vec();
        environment.push(("HOME".into(), self.folder.path().into()));
        environment.push(("PATH".into(), std::env::var_os("PATH").unwrap_or_default()));
        environment
    }

    fn git(&self, words: &[&str]) {
        let status = self
            .command("git", words)
            .status()
            .expect("git is installed");
        assert!(status.success(), "git {words:?}");
    }

    fn rapid(&self, words: &[&str]) {
        let status = self
            .command(RAPID, words)
            .status()
            .expect("the program was built");
        assert!(status.success(), "git-rapid {words:?}");
    }

    /// A run that goes on, with so many records.
    fn with_run(self, records: usize) -> Self {
        self.rapid(&["start", "-m", "bench", "--test-command", "true"]);
        // Contract, workspace and the first step are three already.
        for _ in 3..records {
            self.rapid(&["check", "--fresh", "--", "true"]);
        }
        self
    }
}

const RAPID: &str = env!("CARGO_BIN_EXE_git-rapid");

/// Runs both sides in turn and prints what they took.
fn compare(name: &str, aim: f64, mut ours: impl FnMut(), mut git: impl FnMut()) {
    let (mut our_times, mut git_times) = (Vec::new(), Vec::new());
    let time = |side: &mut dyn FnMut()| {
        let start = Instant::now();
        side();
        start.elapsed().as_secs_f64() * 1000.0
    };
    // Once for warm caches.
    ours();
    git();
    for _ in 0..ROUNDS {
        our_times.push(time(&mut ours));
        git_times.push(time(&mut git));
    }
    let (our_median, our_least) = summary(our_times);
    let (git_median, git_least) = summary(git_times);
    println!(
        "{name:<52} {our_median:>9.2} {our_least:>9.2} {git_median:>9.2} {git_least:>9.2} {:>7.2} {aim:>6.1}",
        our_median / git_median
    );
}

fn summary(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[0])
}

fn start_up() {
    let scratch = Scratch::new(1);
    compare(
        "--version / git --version",
        1.5,
        || scratch.rapid(&["--version"]),
        || scratch.git(&["--version"]),
    );
}

fn next(records: usize, aim: f64) {
    let scratch = Scratch::new(10).with_run(records);
    compare(
        &format!("next --json, {records} records / git rev-parse HEAD"),
        aim,
        || scratch.rapid(&["next", "--json"]),
        || scratch.git(&["rev-parse", "HEAD"]),
    );
}

fn check(files: usize) {
    let scratch = Scratch::new(files).with_run(3);
    compare(
        &format!("check -- true, {files} files / git status + write-tree"),
        1.5,
        || scratch.rapid(&["check", "--fresh", "--", "true"]),
        || {
            scratch.git(&["status", "--porcelain"]);
            scratch.git(&["write-tree"]);
        },
    );
}

/// One record in one commit, from opening the repository to moving the ref, against the five
/// processes a script would start for it.
fn append() {
    let scratch = Scratch::new(1).with_run(10);
    let dir = scratch.dir();
    let open = || {
        Repository::open(&OpenOptions {
            start: dir.clone(),
            environment: scratch.environment(),
        })
        .expect("it was just made")
    };
    let run: RunId = {
        let repository = open();
        Ledger::new(&repository).runs().expect("readable").remove(0)
    };
    let name = StreamName::Run(run);
    let ours = || {
        let repository = open();
        Ledger::new(&repository)
            .append(&name, |_| {
                let evidence = Evidence::of(Payload::Artifact(ArtifactLabel {
                    label: "bench".into(),
                }));
                Ok::<_, Infallible>(Some(Draft {
                    subject: "bench".into(),
                    records: vec![(Producer::External("bench".into()), Body::from(evidence))],
                    artifacts: Vec::new(),
                    subject_tree: None,
                    journal: None,
                }))
            })
            .expect("nobody else appends");
    };
    let mut number = 0;
    let git = || {
        number += 1;
        five_processes(&scratch, &dir, number);
    };
    compare(
        "append / hash-object, mktree, rev-parse, commit-tree, update-ref",
        0.4,
        ours,
        git,
    );
}

fn five_processes(scratch: &Scratch, dir: &Path, number: usize) {
    let text = format!(
        "{{\"record\":{number},\"digest\":\"{}\"}}\n",
        Digest::of(&number.to_le_bytes())
    );
    let file = dir.join(".git/bench.json");
    std::fs::write(&file, text).expect("writable");
    let said = |words: &[&str], input: Option<&str>| {
        use std::io::Write as _;
        let mut child = scratch
            .command("git", words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("git is installed");
        let mut stdin = child.stdin.take().expect("it is piped");
        stdin
            .write_all(input.unwrap_or_default().as_bytes())
            .expect("git reads");
        drop(stdin);
        let output = child.wait_with_output().expect("git ends");
        String::from_utf8(output.stdout)
            .expect("hex")
            .trim()
            .to_owned()
    };
    let blob = said(&["hash-object", "-w", ".git/bench.json"], None);
    let tree = said(
        &["mktree"],
        Some(&format!("100644 blob {blob}\trecord.json\n")),
    );
    let tip = said(&["rev-parse", "-q", "--verify", "refs/bench/log"], None);
    let mut words = vec!["commit-tree", &tree, "-m", "bench"];
    if !tip.is_empty() {
        words.extend(["-p", &tip]);
    }
    let commit = said(&words, None);
    said(&["update-ref", "refs/bench/log", &commit], None);
}
