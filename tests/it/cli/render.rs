//! What people see, for views made by hand.

use git_rapid::{
    cli::render::{
        self, Page, REASONS, Render, clean, day_and_time, duration, fsck::FsckView, next::NextView,
        width_of, wrap,
    },
    conductor::{Action, ActionKind, Context, Lang, NextAction, Progress, Who, Why, WhyView},
    diagnostic::Code,
    domain::{
        digest::Digest,
        evaluate::{Reason, Trust},
        event::{Event, EventCode, EventSubject},
        evidence::Counts,
        oid::{CommitId, Oid, TreeId},
        path::RepoPath,
        producer::Producer,
        record::{Place, Record},
        vocabulary::{AssertionStatus, Change, Classification, Expectation, Mode, Risk, Verdict},
    },
    ledger::{Fault, FsckReport},
    porcelain::{
        RecordView,
        check::{self, CheckDone, Linked},
        log,
        review::{CommandRow, FileRow, OpenRow, Screen},
        verify::{self, CommitAnswer, State},
    },
};

const NOW: i64 = 1_893_456_000;

fn shown(view: &impl Render, lang: Lang) -> String {
    let mut page = Page::new(80, NOW, lang);
    view.render(&mut page);
    anstream::adapter::strip_str(page.text()).to_string()
}

fn oid(byte: &str) -> Oid {
    Oid::from_hex(&byte.repeat(20)).unwrap()
}

fn next(kind: ActionKind) -> NextAction {
    let words = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect());
    NextAction {
        schema_version: 1,
        run_id: Some("tax-r1-run-001".parse().unwrap()),
        mode: Some(Mode::Bugfix),
        action: Action {
            kind,
            task_id: None,
            gate_ids: None,
            instructions: "Run the checks that are due.".to_owned(),
            command: words(&["git", "rapid", "check"]),
            after: None,
            spec_template: None,
            spec_path: None,
            report_path: None,
            workspace_path: None,
        },
        awaiting_human: Vec::new(),
        missing: Vec::new(),
        progress: Progress {
            tasks_done: 1,
            tasks_total: 2,
        },
        outcome: None,
        context: Some(Context {
            who: Who::Agent,
            cwd: "/w".to_owned(),
            why: Some(WhyView {
                code: Why::Red,
                text: "1 of 4 tests fails".to_owned(),
                records: Vec::new(),
            }),
            task: None,
            scope: None,
            last_check: None,
            missing: None,
            tell_human: None,
            never: None,
        }),
    }
}

fn checked(met: bool) -> CheckDone {
    CheckDone {
        schema_version: 1,
        record: Digest::of(b"x"),
        alias: "E003".to_owned(),
        kind: "test_result",
        check: Some("test".to_owned()),
        exit_code: Some(if met { 0 } else { 101 }),
        signal: None,
        timed_out: false,
        counts: Some(Counts {
            passed: 3,
            failed: u64::from(!met),
            ..Counts::default()
        }),
        failed_tests: if met {
            Vec::new()
        } else {
            vec!["tax_once".to_owned()]
        },
        tree: TreeId(oid("9b")),
        stable: true,
        changed: Vec::new(),
        met,
        cited: met,
        note: false,
        notes: Vec::new(),
        linked: Linked {
            tasks: vec!["T001".parse().unwrap()],
            ..Linked::default()
        },
        expectation: Expectation::Pass,
        command: "cargo test".to_owned(),
        duration_ms: 4230,
    }
}

#[test]
fn next_with_a_run() {
    let view = NextView {
        next: next(ActionKind::Verify),
        hooks: None,
        test_command: None,
    };
    insta::assert_snapshot!(shown(&view, Lang::En), @r"
    tax-r1-run-001                                         bugfix, 1 of 2 tasks done
    Verify:
      Run the checks that are due.
        git rapid check
    Why: 1 of 4 tests fails
    ");
    insta::assert_snapshot!(shown(&view, Lang::Es), @r"
    tax-r1-run-001                                      bugfix, 1 de 2 tareas hechas
    Verifica:
      Run the checks that are due.
        git rapid check
    Motivo: 1 of 4 tests fails
    ");
}

#[test]
fn next_without_a_run() {
    let mut document = next(ActionKind::AuthorSpec);
    document.run_id = None;
    let argv = vec!["cargo".into(), "test".into()];
    let view = NextView {
        next: document,
        hooks: None,
        test_command: Some((argv, "Cargo.toml".to_owned())),
    };
    insta::assert_snapshot!(shown(&view, Lang::En), @r#"
    No run here. Start one:
      git rapid start -m "…"                   small and clear: tests, no approval
      git rapid start bugfix -m "…"            prove the bug first, then mend it
      git rapid start feature --spec-file <f>  also refactor, hardening, research
    Test command: cargo test  (from Cargo.toml; change: git config rapid.testCommand)
    "#);
    let json = serde_json::to_value(&view).unwrap();
    assert_eq!(
        json,
        serde_json::to_value(&view.next).unwrap(),
        "the document is the same"
    );
}

#[test]
fn checks() {
    let mut unstable = checked(true);
    unstable.stable = false;
    unstable.cited = false;
    unstable.changed = vec![RepoPath::new("src/a b").unwrap()];
    let view = check::Outcome {
        schema_version: 1,
        checks: vec![checked(true), checked(false), unstable],
        met: false,
    };
    insta::assert_snapshot!(shown(&view, Lang::En), @r"
    ok  test  3 passed, cited, not repeated              tree 9b9b9b9  E003 2d711642
        speaks for T001
    FAIL  test  3 passed, 1 failed, exit 101, 4.2 s      tree 9b9b9b9  E003 2d711642
        failed: tax_once
        speaks for T001
    ?  test  3 passed, 4.2 s                             tree 9b9b9b9  E003 2d711642
        counts for nothing, as the tree changed while it ran: src/a b
        speaks for T001
    ");
    let json = serde_json::to_value(checked(true)).unwrap();
    for hidden in ["expectation", "command", "duration_ms"] {
        assert!(json.get(hidden).is_none(), "{hidden} is for people");
    }
}

#[test]
fn a_review_shows_tests_first() {
    let file = |path: &str, change| FileRow {
        path: RepoPath::new(path).unwrap(),
        change,
        added: Some(2),
        deleted: Some(1),
    };
    let view = Screen {
        schema_version: 1,
        run_id: "tax-r1-run-001".parse().unwrap(),
        mode: Mode::Bugfix,
        class: Classification::Bounded,
        risk: Risk::Medium,
        title: "tax is counted twice\u{7}".to_owned(),
        subject: TreeId(oid("9b")),
        commit: None,
        waiting: vec!["gate.final-verification".parse().unwrap()],
        tests: vec![file("tests/tax", Change::Deleted)],
        files: vec![file("src/tax", Change::Modified)],
        checks: vec![checked(true)],
        commands: vec![CommandRow {
            name: "test".into(),
            command: "cargo test".into(),
            source: "Cargo.toml".into(),
        }],
        bystanders: Vec::new(),
        first: vec!["3 tests pass, 4 did at the start".into()],
        open: vec![OpenRow {
            id: "scope.paths".into(),
            status: AssertionStatus::Fail,
            why: "out_of_scope".into(),
        }],
        verdict_so_far: Verdict::Fail,
        diff: Some("@@ -1 +1 @@\n-a\n+b\u{7}".into()),
    };
    insta::assert_snapshot!(shown(&view, Lang::En), @r"
    tax-r1-run-001                                           bugfix, bounded, medium
      tax is counted twice�
      judged: tree 9b9b9b9
      ! 3 tests pass, 4 did at the start

    Changed tests: look here first
      deleted  tests/tax  +2 -1

    Changed files
      changed  src/tax  +2 -1

    Checks on this tree
    ok  test  3 passed, cited, not repeated              tree 9b9b9b9  E003 2d711642
        speaks for T001
      test  cargo test  chosen by Cargo.toml

    Does not hold yet
      FAIL  scope  outside the declared scope

    @@ -1 +1 @@
    -a
    +b�

    With your approval: FAIL
    Waits for you: gate.final-verification
    ");
}

#[test]
fn a_proof() {
    let fault = Fault {
        code: Code::LedgerDigest,
        stream: "refs/rapid/runs/tax-r1-run-001".into(),
        commit: Some(CommitId(oid("c0"))),
        record: Some(Digest::of(b"x")),
        text: "the record's bytes have another digest".into(),
    };
    let report = FsckReport {
        streams: 2,
        records: 9,
        faults: vec![fault],
        warnings: Vec::new(),
    };
    insta::assert_snapshot!(shown(&FsckView::of(report), Lang::En), @r"
    FAIL  refs/rapid/runs/tax-r1-run-001                                   RAPID1601
          the record's bytes have another digest
          commit c0c0c0c  record 2d711642
    FAIL  2 streams, 9 records: 1 fault
    ");
    let clean = FsckReport {
        streams: 1,
        records: 1,
        ..FsckReport::default()
    };
    insta::assert_snapshot!(shown(&FsckView::of(clean), Lang::Es), @r"ok  1 flujo, 1 asiento: nada mal");
}

#[test]
fn a_commit_nobody_knows() {
    let view = verify::Outcome {
        commands: Vec::new(),
        schema_version: 1,
        commit: Some(CommitId(oid("c0"))),
        run: None,
        commits: vec![CommitAnswer {
            commit: Some(CommitId(oid("c0"))),
            tree: TreeId(oid("9b")),
            run_id: None,
            record: None,
            state: State::Missing,
            verdict: None,
            trust: Some(Trust::Asserted),
        }],
        faults: Vec::new(),
        verdict: None,
        report: None,
    };
    insta::assert_snapshot!(shown(&view, Lang::En), @r"
    ?  c0c0c0c  tree 9b9b9b9  nothing is known of it
    no run in this ledger ended on this tree
    ");
    let json = serde_json::to_value(&view).unwrap();
    assert!(
        json.get("run").is_none() && json["commits"][0]["state"] == "missing",
        "{json}"
    );
}

#[test]
fn a_story() {
    let body = |code, from: &str, to: &str| Event {
        subject: EventSubject::Run,
        from: Some(from.to_owned()),
        to: Some(to.to_owned()),
        code,
        reason: None,
    };
    let view = |event| RecordView {
        record: Record::new(
            Place::First {
                nonce: "0".repeat(32),
            },
            Producer::rapid("start"),
            event,
        ),
        alias: None,
        commit: Some(CommitId(oid("c0"))),
        seconds: Some(NOW - 250),
        subject: "chore(rapid): start, bugfix".to_owned(),
    };
    let records = vec![
        view(body(EventCode::Activated, "prepared", "active")),
        view(body(EventCode::Paused, "active", "paused")),
    ];
    insta::assert_snapshot!(shown(&records[1], Lang::En), @r"
    event 403cab70                                                            4m ago
      digest          403cab700b193d005e3401693520cf8ecef376000bb42cb475d7f6235814c837
      commit          sha1:c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0
      nonce           00000000000000000000000000000000
      producer        rapid:start
      schema_version  1
      seq             1

      code  paused
      from  active
      subject  run
      to  paused
    ");
    let view = log::Outcome::Run {
        schema_version: 1,
        run_id: "tax-r1-run-001".parse().unwrap(),
        records,
    };
    insta::assert_snapshot!(shown(&view, Lang::En), @r"
    tax-r1-run-001
      4m ago  c8ced4c3  event    start, bugfix
              403cab70  event
    ");
}

#[test]
fn moments_and_durations() {
    let ages = [
        (0, "just now"),
        (59, "just now"),
        (240, "4m ago"),
        (7200, "2h ago"),
        (172_800, "2d ago"),
    ];
    for (past, text) in ages {
        assert_eq!(render::age(NOW - past, NOW, Lang::En), text);
    }
    assert_eq!(render::age(NOW - 240, NOW, Lang::Es), "hace 4m");
    let ahead = render::age(NOW + 100, NOW, Lang::En);
    assert_eq!(ahead, "2030-01-01 00:01 UTC", "a clock that is behind");
    assert_eq!(
        render::age(i64::MIN, NOW, Lang::En),
        format!("@{}", i64::MIN)
    );
    assert_eq!(day_and_time(NOW), "2030-01-01 00:00 UTC");
    for (milliseconds, text) in [(7, "7 ms"), (4230, "4.2 s"), (185_000, "3m 05s")] {
        assert_eq!(duration(milliseconds), text);
    }
}

#[test]
fn texts_are_measured_and_broken_at_blanks() {
    assert_eq!(width_of("\u{1b}[31mañ\u{301}日\u{1b}[0m"), 4);
    assert_eq!(wrap("one two three", 8), ["one two", "three"]);
    assert_eq!(wrap("incomprehensibilities", 5), ["incomprehensibilities"]);
    assert_eq!(wrap("", 5), [""]);
    assert_eq!(clean("a\tb\u{1b}[0m\u{202e}"), "a b\u{fffd}[0m\u{fffd}");
}

/// The evaluator's list and ours, in step and in order.
#[test]
fn every_reason_has_words_in_both_languages() {
    let known: Vec<&str> = Reason::ALL.iter().map(|reason| reason.as_str()).collect();
    let worded: Vec<&str> = REASONS.iter().map(|(code, _, _)| *code).collect();
    assert_eq!(worded, known);
    assert!(
        REASONS
            .iter()
            .all(|(_, english, spanish)| !english.is_empty() && !spanish.is_empty())
    );
}
