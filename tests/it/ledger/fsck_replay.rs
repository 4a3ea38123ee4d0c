//! Stored reports, and the judged tree beside them.

use super::{forge::Forge, scratch::*};
use git_rapid::{
    diagnostic::Code,
    domain::{
        digest::Digest,
        evaluate::{BaseFact, Facts, Input, Report, evaluate},
        event::EventCode,
        oid::{Oid, TreeId},
        policy::PolicyDocument,
        producer::Producer,
        record::{Body, Record},
        run::fold,
        vocabulary::Verdict,
    },
    git::Repository,
    ledger::{Appended, Draft, Fault, JournalNote, Ledger, Stream},
};
use std::convert::Infallible;

fn open_judged(repo: &Repository, policy: &[u8]) {
    let mut opening = opening(repo);
    if let Body::Contract(contract) = &mut opening.records[0].1 {
        contract.policy.digest = Digest::of(policy);
    }
    opening.artifacts = vec![SPEC.to_vec(), policy.to_vec()];
    opening.journal = Some(JournalNote::Opened {
        writer: writer('a'),
    });
    put(&Ledger::new(repo), &run_stream(), opening);
}

/// What the evaluator says after `records`.
fn judge(records: Vec<Record>, subject: TreeId) -> Report {
    let run = fold(run_id(), records).unwrap();
    evaluate(&Input {
        run: &run,
        state: &run.state,
        facts: &Facts {
            base: BaseFact {
                commit: run.contract.base.commit,
                tree: run.contract.base.tree,
            },
            paths: Some(Vec::new()),
            commits: Some(Vec::new()),
            signatures: Vec::new(),
        },
        subject,
        spec_bytes: Some(Digest::of(SPEC)),
        policy: &PolicyDocument::built_in(),
        ruleset: 3,
    })
    .unwrap()
}

/// Gives the run up as failed, judges it, keeps the tree and seals, all in one append.
fn end(scratch: &Scratch, repo: &Repository, change: impl Fn(&mut Report)) -> Appended {
    let subject = scratch.git(&["rev-parse", "HEAD^{tree}"]);
    let subject = TreeId(Oid::from_hex(&subject).unwrap());
    Ledger::new(repo)
        .append(&run_stream(), |stream: Option<&Stream>| {
            let stream = stream.unwrap();
            let mut records = vec![
                run_move("prepared", "active", EventCode::Activated),
                run_move("active", "failed", EventCode::Aborted),
            ];
            let mut all = stream.records.clone();
            all.extend(stream.preview(&records));
            let mut report = judge(all, subject);
            change(&mut report);
            records.push((Producer::rapid("abort"), report.into()));
            Ok::<_, Infallible>(Some(Draft {
                subject_tree: Some(subject),
                journal: Some(JournalNote::Sealed {
                    writer: writer('a'),
                }),
                ..draft("end", records)
            }))
        })
        .unwrap()
        .unwrap()
}

fn ended(change: impl Fn(&mut Report)) -> (Scratch, Vec<Fault>) {
    let scratch = Scratch::new();
    std::fs::write(scratch.dir.join("file"), "content").unwrap();
    scratch.git(&["add", "file"]);
    scratch.git(&["commit", "--quiet", "-m", "second"]);
    let repo = scratch.repo();
    open_judged(&repo, &PolicyDocument::built_in().to_bytes());
    end(&scratch, &repo, change);
    let found = Ledger::new(&scratch.repo()).fsck(&[]).unwrap();
    (scratch, found.faults)
}

#[test]
fn a_report_that_says_what_the_records_say_is_whole() {
    let (scratch, faults) = ended(|_| {});
    assert_eq!(faults, []);
    scratch.git_fsck();
    let tree = scratch.git(&["rev-parse", "HEAD^{tree}"]);
    let kept = format!("{}:subject/{tree}/file", run_stream().ref_name());
    assert_eq!(scratch.git(&["cat-file", "blob", &kept]), "content");
    // The journal says what the report says.
    let repo = scratch.repo();
    let ledger = Ledger::new(&repo);
    let records = ledger.read(&run_stream()).unwrap().unwrap().records;
    let seal = ledger.seal_of(records[0].digest).unwrap().unwrap();
    assert_eq!(seal.report, Some(records[3].digest));
    assert_eq!(seal.verdict, Some(Verdict::Fail));
    assert_eq!(seal.subject.unwrap().hex(), tree);
}

#[test]
fn a_report_that_says_something_else_is_named() {
    let changes: [fn(&mut Report); 7] = [
        |report| report.verdict = Verdict::Pass,
        |report| report.ruleset_version = 99,
        |report| report.contract = Digest::of(b"another run"),
        |report| report.prev = vec![Digest::of(b"elsewhere")],
        |report| {
            report.assertions.pop();
        },
        |report| report.assertions[0].why = "because".into(),
        |report| report.assertions.clear(),
    ];
    for change in changes {
        let (_, faults) = ended(change);
        let codes: Vec<Code> = faults.iter().map(|fault| fault.code).collect();
        assert_eq!(codes, [Code::LedgerReport], "{faults:#?}");
    }
}

#[test]
fn a_report_by_a_policy_that_cannot_be_read_is_named() {
    for policy in [POLICY, b"no JSON"] {
        let scratch = Scratch::new();
        let repo = scratch.repo();
        open_judged(&repo, policy);
        end(&scratch, &repo, |_| {});
        let found = Ledger::new(&repo).fsck(&[run_stream()]).unwrap();
        let codes: Vec<Code> = found.faults.iter().map(|fault| fault.code).collect();
        assert_eq!(codes, [Code::LedgerReport], "{:#?}", found.faults);
    }
}

#[test]
fn a_kept_tree_that_is_not_the_judged_one_is_named() {
    let (scratch, _) = ended(|_| {});
    let name = run_stream().ref_name();
    let tree = scratch.git(&["rev-parse", "HEAD^{tree}"]);
    let codes = || {
        let found = Ledger::new(&scratch.repo()).fsck(&[run_stream()]).unwrap();
        found
            .faults
            .iter()
            .map(|fault| fault.code)
            .collect::<Vec<_>>()
    };
    let mut forge = Forge::on(&scratch, &name);
    forge.write(&format!("subject/{tree}/file"), b"other", "100644");
    forge.amend();
    assert_eq!(codes(), [Code::LedgerDigest]);
    forge.write(&format!("subject/{tree}/file"), b"content", "100644");
    forge.write("subject/other/file", b"content", "100644");
    forge.amend();
    assert_eq!(codes(), [Code::LedgerTree]);
}

#[test]
fn previewed_records_are_the_appended_ones() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    let ledger = Ledger::new(&repo);
    let bodies = vec![note("one"), note("two")];
    let stream = ledger.read(&run_stream()).unwrap().unwrap();
    let previewed = stream.preview(&bodies);
    let appended = put(&ledger, &run_stream(), draft("two", bodies));
    assert_eq!(appended.records, previewed);
}
