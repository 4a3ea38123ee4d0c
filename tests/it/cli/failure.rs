//! What went wrong, as a person reads it and as a program does.

use crate::support::Sandbox;
use git_rapid::{
    cli::failure::Failure,
    diagnostic::{Code, Refusal},
    domain::oid::Oid,
    git, ledger,
};
use std::{io, path::PathBuf};

fn plain(failure: &Failure) -> String {
    anstream::adapter::strip_str(&failure.to_text()).to_string()
}

#[test]
fn the_fact_its_causes_and_what_to_do() {
    let failure = Failure::new(Code::OutOfScope, "notes.txt lies outside the scope")
        .cause("it was staged")
        .detail("paths", vec!["notes.txt"])
        .hint(
            "take it out",
            &["git", "restore", "--staged", "my notes.txt"],
        )
        .advice("or widen the run");
    insta::assert_snapshot!(plain(&failure), @r"
    error[RAPID1501]: notes.txt lies outside the scope
    caused by: it was staged
    hint: take it out
      git restore --staged 'my notes.txt'
    hint: or widen the run
    ");
    insta::assert_snapshot!(failure.to_json(), @r#"{"schema_version":1,"error":{"code":"RAPID1501","message":"notes.txt lies outside the scope","details":{"paths":["notes.txt"],"caused_by":["it was staged"]},"hints":[{"text":"take it out","command":["git","restore","--staged","my notes.txt"]},{"text":"or widen the run"}]}}"#);
}

#[test]
fn foreign_text_cannot_play_with_the_terminal() {
    let failure = Failure::new(Code::GitFailed, "a\u{1b}[2Jb\u{7}\u{202e}c\nsecond");
    let text = failure.to_text();
    assert!(!text.contains("\u{1b}[2J") && !text.contains('\u{7}') && !text.contains('\u{202e}'));
    assert!(text.contains("\n  second"), "{text}");
}

#[test]
fn every_code_ends_with_its_status() {
    for code in Code::ALL {
        let status = Failure::new(*code, "x").status().0;
        match code {
            Code::Interrupted => assert_eq!(status, 130),
            other => assert_eq!(status, other.exit().status(), "{other}"),
        }
    }
}

#[test]
fn a_refusal_keeps_its_facts() {
    let refusal = Refusal::new(Code::RunNotFound, "no run")
        .detail("run", "x")
        .hint("h", &["git", "rapid", "next"]);
    let json = Failure::from(refusal).to_json();
    assert!(json.contains(r#""details":{"run":"x"}"#), "{json}");
    assert!(json.contains(r#"["git","rapid","next"]"#), "{json}");
}

#[test]
fn errors_of_git_have_codes() {
    let io = || git::Error::Io {
        doing: "cannot write",
        path: "x".into(),
        source: io::Error::from(io::ErrorKind::PermissionDenied),
    };
    let oid = Oid::from_hex(&"ab".repeat(20)).unwrap();
    let locked = git::Error::Locked {
        path: "x.lock".into(),
        seconds: 3,
    };
    let cases: Vec<(git::Error, Code, u8)> = vec![
        (
            git::Error::NotARepository(PathBuf::from("/x")),
            Code::NotARepository,
            4,
        ),
        (git::Error::Bare, Code::NoWorkTree, 4),
        (
            git::Error::Conflict {
                name: "refs/x".into(),
            },
            Code::LockHeld,
            4,
        ),
        (locked, Code::LockHeld, 4),
        (git::Error::Missing { oid }, Code::ObjectMissing, 4),
        (git::Error::BadRevision("nope".into()), Code::Usage, 2),
        (
            git::Error::NoIdentity("tell me".into()),
            Code::NoIdentity,
            4,
        ),
        (io(), Code::FileSystem, 4),
    ];
    for (error, code, status) in cases {
        let text = error.to_string();
        let failure = Failure::from(error);
        assert_eq!(
            (failure.code(), failure.status().0),
            (code, status),
            "{text}"
        );
    }
    let text = plain(&Failure::from(io()));
    assert!(text.contains("caused by: permission denied"), "{text}");
}

#[test]
fn errors_of_the_ledger_have_codes_and_git_errors_keep_theirs() {
    let missing = |stream: &str| ledger::Error::NoStream {
        stream: stream.to_owned(),
    };
    let read_only = ledger::Error::NotWritable {
        source: git::Error::Bare,
    };
    let busy = ledger::Error::Busy {
        stream: "s".into(),
        attempts: 3,
        tip: None,
    };
    let cases: Vec<(ledger::Error, Code)> = vec![
        (missing("refs/rapid/runs/a-r1-run-001"), Code::RunNotFound),
        (missing("refs/rapid/specs/a"), Code::SpecNotFound),
        (
            missing("refs/rapid/journal/0123456789abcdef"),
            Code::LedgerMissing,
        ),
        (ledger::Error::Git(git::Error::Bare), Code::NoWorkTree),
        (read_only, Code::LedgerNotWritable),
        (busy, Code::LockHeld),
    ];
    for (error, code) in cases {
        assert_eq!(Failure::from(error).code(), code);
    }
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let sandbox = Sandbox::empty();
    sandbox.write("file", "x");
    for folder in ["nowhere", "file"] {
        let run = sandbox.rapid(&["-C", folder, "--json", "status"]).ended(4);
        assert_eq!(run.error_code(), "RAPID4008");
        assert!(run.stdout.contains(folder), "{run:?}");
    }
}
