//! The records of runs that ended, read with git alone: each digest is what it says, `prev` is
//! a closed chain, and the history of the ref reads as the story.

use crate::support::{
    Sandbox, SandboxKind,
    doubler::{self, CASES, MORE_CASES, OTHER, WRONG},
    driver::{drive, type_phrase},
};
use git_rapid::domain::digest::Digest;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The same project in a repository of some kind.
fn sandbox_of(kind: SandboxKind) -> Sandbox {
    let model = doubler::sandbox();
    let sandbox = Sandbox::repo_of(kind);
    for file in ["README", "double.sh", "t/cases", "t/run.sh"] {
        sandbox.write(file, model.read(file));
    }
    sandbox.commit_all("begin");
    sandbox.git(&["config", "rapid.testCommand", doubler::TEST]);
    sandbox
}

/// Runs of several ends in one ledger: passed, passed with a waiver, given up, superseded,
/// and one that lives in a worktree of its own.
fn several_ends(kind: SandboxKind) -> Sandbox {
    let sandbox = sandbox_of(kind);
    doubler::start(&sandbox, &doubler::spec("feature", 2));
    doubler::do_task(&sandbox);
    sandbox.rapid_ok(&["task", "skip", "T002", "--reason", "the first does it"]);
    sandbox.rapid_ok(&["commit", "-a", "-m", "three"]);
    doubler::approve(&sandbox);
    sandbox.rapid_ok(&["finish"]);

    sandbox.rapid_ok(&["start", "-m", "a change of mind", "--paths", "double.sh"]);
    sandbox.rapid_ok(&["abort", "--reason", "not needed"]);

    sandbox.rapid_ok(&["start", "-m", "small at first", "--paths", "double.sh"]);
    sandbox.rapid_ok(&["supersede", "feature", "--reason", "larger than thought"]);
    drive(&sandbox, |asked| asked.place.write("double.sh", OTHER)).verdict();

    sandbox.write("double.sh", WRONG);
    sandbox.write("t/cases", CASES);
    sandbox.commit_all("broken, and nobody saw it");
    doubler::start(&sandbox, &doubler::spec("bugfix", 2));
    drive(&sandbox, |asked| match asked.task() {
        "T001" => {
            asked.place.write("t/cases", MORE_CASES);
            asked.rapid(&["check", "--expect", "fail", "--task", "T001"]);
        }
        _ => asked.place.write("double.sh", OTHER),
    })
    .verdict();

    doubler::start(&sandbox, &doubler::spec("hardening", 1));
    let more = format!("{MORE_CASES}four 4 8\n");
    drive(&sandbox, |asked| asked.place.write("t/cases", &more)).verdict();
    sandbox
}

/// A record as `git cat-file` gives it.
struct Raw {
    name: String,
    digest: String,
    value: Value,
}

/// The names of the streams of a kind.
fn streams(sandbox: &Sandbox, below: &str) -> Vec<String> {
    let names = sandbox.git(&["for-each-ref", "--format=%(refname)", below]);
    names.lines().map(str::to_owned).collect()
}

/// The records of a stream's tip: each blob is canonical bytes and one newline, and its
/// digest is in its name.
#[track_caller]
fn records(sandbox: &Sandbox, stream: &str) -> Vec<Raw> {
    let listing = sandbox.git(&["ls-tree", "-r", "--name-only", stream, "records/"]);
    listing
        .lines()
        .map(|path| {
            let blob = sandbox
                .finish(sandbox.command("git").args([
                    "cat-file",
                    "blob",
                    &format!("{stream}:{path}"),
                ]))
                .ended(0)
                .stdout;
            let canonical = blob.strip_suffix('\n').expect("one newline at the end");
            assert!(!canonical.contains('\n'), "{path}: {blob}");
            let value: Value = serde_json::from_str(canonical).expect("JSON");
            let digest = Digest::of(canonical.as_bytes()).hex();
            let name = path.rsplit('/').next().unwrap().to_owned();
            let seq = value["seq"].as_u64().expect("a number");
            let record_type = value["type"].as_str().expect("a word");
            let expected = format!("{seq:06}-{}.{record_type}.json", &digest[..16]);
            assert_eq!(name, expected);
            assert!(
                path.starts_with(&format!("records/{:04}/", seq / 100)),
                "{path}"
            );
            Raw {
                name,
                digest,
                value,
            }
        })
        .collect()
}

/// The trailers of each commit of a stream, oldest first: names and digests.
#[track_caller]
fn trailers(sandbox: &Sandbox, stream: &str) -> Vec<Vec<(String, String)>> {
    let commits = sandbox.git(&["rev-list", "--reverse", "--first-parent", stream]);
    let of = |commit: &str, key: &str| {
        let format = format!("--format=%(trailers:key={key},valueonly)");
        let text = sandbox.git(&["log", "-1", &format, commit]);
        let values = text.lines().filter(|line| !line.is_empty());
        values.map(str::to_owned).collect::<Vec<_>>()
    };
    commits
        .lines()
        .map(|commit| {
            let names = of(commit, "Rapid-Record");
            let digests = of(commit, "Rapid-Digest");
            assert_eq!(names.len(), digests.len(), "{commit}");
            names.into_iter().zip(digests).collect()
        })
        .collect()
}

#[track_caller]
fn proves_itself(sandbox: &Sandbox) {
    let mut seen_types = BTreeSet::new();
    for stream in streams(sandbox, "refs/rapid/") {
        if stream.starts_with("refs/rapid/logs/") {
            continue;
        }
        let records = records(sandbox, &stream);
        // Every record is in exactly one commit's trailers, with the digest of its bytes.
        let told: BTreeMap<String, String> =
            trailers(sandbox, &stream).into_iter().flatten().collect();
        let computed: BTreeMap<String, String> = records
            .iter()
            .map(|record| {
                let name = record.name.trim_end_matches(".json").to_owned();
                (name, format!("sha256:{}", record.digest))
            })
            .collect();
        assert_eq!(told, computed, "{stream}");
        closed_chain(&stream, &records);
        seen_types.extend(
            records
                .iter()
                .map(|record| record.value["type"].as_str().unwrap().to_owned()),
        );
    }
    for expected in [
        "contract",
        "event",
        "evidence",
        "report",
        "spec.revision",
        "journal.opened",
        "journal.sealed",
    ] {
        assert!(seen_types.contains(expected), "{seen_types:?}");
    }
}

/// `prev` names only records of this stream, older ones, and every one but the last is named.
#[track_caller]
fn closed_chain(stream: &str, records: &[Raw]) {
    let mut by_seq: Vec<&Raw> = records.iter().collect();
    by_seq.sort_by_key(|record| record.value["seq"].as_u64());
    let first = by_seq[0];
    assert_eq!(first.value["prev"], json!([]), "{stream}");
    assert_eq!(
        first.value["nonce"].as_str().map(str::len),
        Some(32),
        "{stream}"
    );
    assert!(first.value.get("stream").is_none(), "{stream}");
    for pair in by_seq.windows(2) {
        assert_eq!(pair[1].value["prev"], json!([pair[0].digest]), "{stream}");
        assert_eq!(pair[1].value["stream"], first.digest, "{stream}");
        assert!(pair[1].value.get("nonce").is_none(), "{stream}");
        let seq = |record: &Raw| record.value["seq"].as_u64().unwrap();
        assert_eq!(seq(pair[1]), seq(pair[0]) + 1, "{stream}");
    }
}

#[track_caller]
fn every_record_proves_itself(sandbox: &Sandbox) {
    proves_itself(sandbox);
    let strict = sandbox.try_git(&["fsck", "--strict"]).ended(0);
    assert!(!strict.stderr.contains("error"), "{strict:?}");
    let fsck = sandbox.rapid(&["fsck", "--json"]).ended(0).json();
    assert_eq!(
        (&fsck["ok"], &fsck["faults"], &fsck["warnings"]),
        (&json!(true), &json!([]), &json!([]))
    );
    let count: usize = streams(sandbox, "refs/rapid/")
        .iter()
        .filter(|stream| !stream.starts_with("refs/rapid/logs/"))
        .map(|stream| records(sandbox, stream).len())
        .sum();
    assert_eq!(fsck["records"], count, "{fsck:#}");
    // Verdicts do not move, and nothing of the ledger hangs on the code's history.
    for stream in streams(sandbox, "refs/rapid/runs/") {
        let run = stream.trim_start_matches("refs/rapid/runs/");
        let once = sandbox.rapid(&["verify", run, "--json"]).ended(0);
        assert_eq!(
            once.stdout,
            sandbox.rapid(&["verify", run, "--json"]).stdout
        );
        let bases = sandbox.try_git(&["merge-base", &stream, "HEAD"]);
        assert_eq!((bases.code, bases.stdout.as_str()), (1, ""), "{stream}");
    }
}

macro_rules! every_record_proves_itself {
    ($($name:ident: $sha256:literal, $reftable:literal;)+) => {
        $(#[test]
        fn $name() {
            every_record_proves_itself(&several_ends(SandboxKind {
                sha256: $sha256,
                reftable: $reftable,
                bare: false,
            }));
        })+
    };
}

every_record_proves_itself! {
    every_record_proves_itself_with_sha1: false, false;
    every_record_proves_itself_with_sha256: true, false;
    every_record_proves_itself_in_a_reftable: false, true;
    every_record_proves_itself_with_sha256_in_a_reftable: true, true;
}

#[test]
fn commits_of_the_ledger_only_add() {
    let sandbox = several_ends(SandboxKind::default());
    for stream in streams(&sandbox, "refs/rapid/runs/") {
        let status = sandbox.git(&[
            "log",
            "--format=",
            "--name-status",
            "--first-parent",
            &stream,
        ]);
        assert!(
            status
                .lines()
                .all(|line| line.is_empty() || line.starts_with('A')),
            "{status}"
        );
        let log = sandbox.git(&["reflog", "show", &stream]);
        assert!(!log.is_empty(), "{stream} has no reflog");
    }
}

/// The subjects of a run's ref, oldest first; a commit's id is another one each time.
fn story(sandbox: &Sandbox, run: &str) -> String {
    let head = sandbox.git(&["rev-parse", "--short=7", "HEAD"]);
    let stream = format!("refs/rapid/runs/{run}");
    let subjects = sandbox.git(&["log", "--reverse", "--format=%s", &stream]);
    subjects.replace(&head, "<commit>")
}

#[test]
fn the_log_of_the_ref_reads_as_the_story() {
    let sandbox = doubler::sandbox();
    doubler::start(&sandbox, &doubler::spec("feature", 2));
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.write("double.sh", WRONG);
    sandbox.write("t/cases", MORE_CASES);
    sandbox.rapid(&["check"]).ended(1);
    sandbox.write("double.sh", OTHER);
    sandbox.rapid_ok(&["task", "done", "T001"]);
    sandbox.rapid_ok(&["task", "skip", "T002", "--reason", "the first does it"]);
    sandbox.rapid_ok(&["pause"]);
    sandbox.rapid_ok(&["resume"]);
    sandbox.rapid_ok(&["commit", "-a", "-m", "three"]);
    type_phrase(
        &sandbox,
        &["approve", "--request-changes", "--reason", "why?"],
    )
    .ended(0);
    doubler::approve(&sandbox);
    sandbox.rapid_ok(&["finish"]);
    insta::assert_snapshot!(story(&sandbox, "double-more-r1-run-001"), @"
    chore(rapid): feature run opened, medium risk
    chore(rapid): baseline test, 2 passed
    chore(rapid): work begins
    chore(rapid): T001 in progress
    chore(rapid): check test, 1 failed of 3 on T001
    chore(rapid): check test, 3 passed on T001
    chore(rapid): T001 done
    chore(rapid): T002 skipped
    chore(rapid): paused
    chore(rapid): work goes on
    chore(rapid): milestone <commit>
    chore(rapid): changes requested final-verification
    chore(rapid): approved final-verification
    chore(rapid): finished, pass with waivers
    ");
}

#[test]
fn the_story_of_a_bugfix() {
    let sandbox = doubler::sandbox();
    sandbox.write("double.sh", WRONG);
    sandbox.commit_all("wrong for three");
    doubler::start(&sandbox, &doubler::spec("bugfix", 2));
    drive(&sandbox, |asked| match asked.task() {
        "T001" => {
            asked.place.write("t/cases", MORE_CASES);
            asked.rapid(&["check", "--expect", "fail", "--task", "T001"]);
        }
        _ => asked.place.write("double.sh", OTHER),
    })
    .verdict();
    insta::assert_snapshot!(story(&sandbox, "double-more-r1-run-001"), @"
    chore(rapid): bugfix run opened, medium risk
    chore(rapid): baseline test, 2 passed
    chore(rapid): work begins
    chore(rapid): T001 in progress
    chore(rapid): check test, 1 failed of 3 (failure expected) on T001
    chore(rapid): T001 done
    chore(rapid): T002 in progress
    chore(rapid): check test, 3 passed on T002
    chore(rapid): T002 done
    chore(rapid): milestone <commit>
    chore(rapid): approved final-verification
    chore(rapid): finished, pass
    ");
}
