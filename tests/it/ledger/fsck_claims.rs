//! What journals claim, held against what is here.

use super::{
    forge::{Forge, saying},
    scratch::*,
};
use git_rapid::{
    diagnostic::Code,
    domain::{
        digest::Digest,
        journal::{Folded, FoldedJournal, JournalHead, Sealed},
        oid::{CommitId, Oid},
        producer::Producer,
        record::{Body, Place, Record},
        vocabulary::RunStatus,
    },
    ledger::{FsckReport, Ledger, StreamName},
};

fn prove(scratch: &Scratch) -> FsckReport {
    Ledger::new(&scratch.repo()).fsck(&[]).unwrap()
}

#[track_caller]
fn expect(scratch: &Scratch, right: &[Code]) -> FsckReport {
    let found = prove(scratch);
    let mut codes: Vec<Code> = found.faults.iter().map(|fault| fault.code).collect();
    codes.sort();
    codes.dedup();
    assert_eq!(codes, right, "{:#?}", found.faults);
    found
}

fn journal_ref(letter: char) -> String {
    format!("refs/rapid/journal/{}", writer(letter))
}

fn commit(hex: &str) -> CommitId {
    CommitId(Oid::from_hex(hex).unwrap())
}

/// Two clones' journals: `a` opened and sealed a run, `b` saw that and opened another.
fn two_journals() -> Scratch {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    cancel(&repo, run_id(), 'a');
    open_as(&repo, run_named("b-run-r1-run-001"), 'b');
    assert_eq!(prove(&scratch).faults, [], "it begins whole");
    scratch
}

/// Writes the newest record of `a`'s journal again, changed, with these parents.
fn reseal(scratch: &Scratch, parents: &[&str], change: impl FnOnce(&mut Sealed)) {
    let mut forge = Forge::on(scratch, &journal_ref('a'));
    let old = forge.read(2);
    let Body::JournalSealed(mut sealed) = old.body.clone() else {
        panic!("{old:?}");
    };
    change(&mut sealed);
    let (path, _) = forge.record(2);
    forge.remove(&path);
    let new = Record::new(old.place.clone(), old.producer.clone(), *sealed);
    forge.add(&new);
    let commit = forge.commit(parents, &saying(&[new]));
    forge.set(&commit);
}

fn sealed_run() -> (Scratch, String, String) {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    cancel(&repo, run_id(), 'a');
    let own = scratch.tip(&format!("{}^1", journal_ref('a')));
    let run = scratch.tip(&run_stream().ref_name());
    (scratch, own, run)
}

#[test]
fn a_journal_that_was_cut_short_contradicts_what_others_saw() {
    let scratch = two_journals();
    let first = scratch.tip(&format!("{}^1", journal_ref('a')));
    scratch.git(&["update-ref", &journal_ref('a'), &first]);
    let found = expect(&scratch, &[Code::LedgerJournal]);
    assert_eq!(found.faults[0].stream, journal_ref('b'));
    scratch.git(&["update-ref", "-d", &journal_ref('a')]);
    expect(&scratch, &[Code::LedgerJournal]);
    // One stream's proof does not look at others.
    let only = StreamName::Journal(writer('b'));
    let found = Ledger::new(&scratch.repo()).fsck(&[only]).unwrap();
    assert_eq!(found.faults, []);
}

#[test]
fn a_journal_that_was_written_anew_contradicts_what_others_saw() {
    let scratch = two_journals();
    scratch.git(&["update-ref", "-d", &journal_ref('a')]);
    open_as(&scratch.repo(), run_named("c-run-r1-run-001"), 'a');
    expect(&scratch, &[Code::LedgerJournal]);
}

#[test]
fn an_opened_run_that_is_gone_is_a_fault_and_a_sealed_one_is_not() {
    let scratch = two_journals();
    scratch.git(&["update-ref", "-d", &run_stream().ref_name()]);
    expect(&scratch, &[]);
    scratch.git(&["update-ref", "-d", "refs/rapid/runs/b-run-r1-run-001"]);
    let found = expect(&scratch, &[Code::LedgerJournal]);
    assert!(found.faults[0].text.contains("b-run-r1-run-001"));
}

#[test]
fn a_run_under_another_name_is_not_gone() {
    let scratch = two_journals();
    let tip = scratch.tip("refs/rapid/runs/b-run-r1-run-001");
    scratch.git(&["update-ref", "refs/rapid/runs/b-run-r1-run-002", &tip]);
    scratch.git(&["update-ref", "-d", "refs/rapid/runs/b-run-r1-run-001"]);
    expect(&scratch, &[]);
}

#[test]
fn a_run_that_was_taken_back_behind_its_seal() {
    let (scratch, _, run) = sealed_run();
    scratch.git(&["update-ref", &run_stream().ref_name(), &format!("{run}^1")]);
    expect(&scratch, &[Code::LedgerJournal]);
}

#[test]
fn a_run_that_went_on_after_its_seal_is_whole() {
    let (scratch, _, _) = sealed_run();
    put(
        &Ledger::new(&scratch.repo()),
        &run_stream(),
        draft("later", vec![note("later")]),
    );
    expect(&scratch, &[]);
}

#[test]
fn a_seal_without_the_commit_it_names() {
    let (scratch, own, run) = sealed_run();
    let head = scratch.tip("HEAD");
    let wrong: [&[&str]; 4] = [&[&own], &[&run, &own], &[&own, &run, &head], &[&own, &head]];
    for parents in wrong {
        reseal(&scratch, parents, |_| {});
        expect(&scratch, &[Code::LedgerSeal]);
    }
    reseal(&scratch, &[&own, &run], |_| {});
    expect(&scratch, &[]);
}

#[test]
fn a_seal_that_says_something_else_than_the_run() {
    let (scratch, own, run) = sealed_run();
    reseal(&scratch, &[&own, &run], |sealed| {
        sealed.status = RunStatus::Finished
    });
    expect(&scratch, &[Code::LedgerSeal]);
    let earlier = scratch.tip(&format!("{run}^1"));
    reseal(&scratch, &[&own, &earlier], |sealed| {
        sealed.tip = commit(&earlier)
    });
    expect(&scratch, &[Code::LedgerSeal]);
    reseal(&scratch, &[&own, &run], |sealed| {
        sealed.contract = Digest::of(b"another")
    });
    expect(&scratch, &[Code::LedgerSeal]);
    reseal(&scratch, &[&own, &run], |sealed| {
        sealed.report = Some(Digest::of(b"report"))
    });
    expect(&scratch, &[Code::LedgerSeal]);
    let head = scratch.tip("HEAD");
    reseal(&scratch, &[&own, &head], |sealed| {
        sealed.tip = commit(&head)
    });
    expect(&scratch, &[Code::LedgerChain, Code::LedgerSeal]);
}

#[test]
fn a_sealed_commit_that_is_not_here() {
    let (scratch, _, run) = sealed_run();
    scratch.git(&["update-ref", "-d", &run_stream().ref_name()]);
    let object = scratch
        .dir
        .join(format!(".git/objects/{}/{}", &run[..2], &run[2..]));
    std::fs::remove_file(object).unwrap();
    let found = prove(&scratch);
    assert!(
        found
            .faults
            .iter()
            .any(|fault| fault.code == Code::LedgerMissing)
    );
    assert!(Ledger::new(&scratch.repo()).read_run(&run_id()).is_err());
}

#[test]
fn a_packed_run_that_was_mutilated_is_seen_through_its_journal() {
    let (scratch, own, _) = sealed_run();
    let mut forge = Forge::on(&scratch, &run_stream().ref_name());
    let (path, _) = forge.record(3);
    forge.remove(&path);
    let bad = forge.amend();
    reseal(&scratch, &[&own, &bad], |sealed| sealed.tip = commit(&bad));
    scratch.git(&["update-ref", "-d", &run_stream().ref_name()]);
    let found = prove(&scratch);
    assert!(
        found
            .faults
            .iter()
            .any(|fault| fault.code == Code::LedgerTree && fault.stream == run_stream().ref_name()),
        "{:#?}",
        found.faults
    );
}

#[test]
fn a_journal_is_a_stream_like_any_other() {
    let (scratch, _, _) = sealed_run();
    let mut forge = Forge::on(&scratch, &journal_ref('a'));
    let (path, _) = forge.record(1);
    forge.remove(&path);
    forge.amend();
    expect(&scratch, &[Code::LedgerTree]);
}

/// Appends a record to `a`'s journal by hand.
fn add_to_journal(scratch: &Scratch, body: Body, seals: &[&str]) {
    let mut forge = Forge::on(scratch, &journal_ref('a'));
    let last = (1..).map_while(|seq| {
        let files = forge.git(&["ls-files", &format!("records/*/{seq:06}-*")]);
        (!files.is_empty()).then_some(seq)
    });
    let last = forge.read(last.last().unwrap());
    let place = Place::Next {
        stream: last.stream(),
        seq: last.seq() + 1,
        prev: vec![last.digest],
    };
    let record = Record::new(place, Producer::rapid("pack"), body);
    forge.add(&record);
    let tip = forge.tip.clone();
    let parents: Vec<&str> = std::iter::once(tip.as_str())
        .chain(seals.iter().copied())
        .collect();
    let commit = forge.commit(&parents, &saying(&[record]));
    forge.set(&commit);
}

fn folding(tip: &str, record: Digest) -> Body {
    Folded {
        journals: vec![FoldedJournal {
            writer: writer('b'),
            tip: commit(tip),
            record,
        }],
        heads: Vec::new(),
    }
    .into()
}

#[test]
fn a_folded_journal_lives_on_in_the_one_that_took_it_over() {
    let scratch = two_journals();
    let repo = scratch.repo();
    cancel(&repo, run_named("b-run-r1-run-001"), 'b');
    let ledger = Ledger::new(&repo);
    let folded = ledger
        .read(&StreamName::Journal(writer('b')))
        .unwrap()
        .unwrap();
    let last = folded.records.last().unwrap().digest;
    add_to_journal(
        &scratch,
        folding(&folded.tip.hex(), last),
        &[&folded.tip.hex()],
    );
    for name in [
        journal_ref('b'),
        run_stream().ref_name(),
        "refs/rapid/runs/b-run-r1-run-001".into(),
    ] {
        scratch.git(&["update-ref", "-d", &name]);
    }
    scratch.git(&["reflog", "expire", "--expire=now", "--all"]);
    scratch.git(&["gc", "--quiet", "--prune=now"]);
    let found = expect(&scratch, &[]);
    assert_eq!(found.streams, 4);
    let repo = scratch.repo();
    let ledger = Ledger::new(&repo);
    assert_eq!(
        ledger.runs().unwrap(),
        [run_id(), run_named("b-run-r1-run-001")]
    );
    assert!(ledger.read_run(&run_named("b-run-r1-run-001")).is_ok());
}

#[test]
fn a_folded_journal_that_ends_otherwise() {
    let scratch = two_journals();
    let tip = scratch.tip(&journal_ref('b'));
    add_to_journal(&scratch, folding(&tip, Digest::of(b"another")), &[&tip]);
    expect(&scratch, &[Code::LedgerSeal]);
    let scratch = two_journals();
    let tip = scratch.tip(&journal_ref('b'));
    let last = Ledger::new(&scratch.repo())
        .read(&StreamName::Journal(writer('b')))
        .unwrap()
        .unwrap()
        .records[0]
        .digest;
    add_to_journal(&scratch, folding(&tip, last), &[]);
    expect(&scratch, &[Code::LedgerSeal]);
}

#[test]
fn a_head_that_nobody_can_show() {
    let scratch = two_journals();
    let body = Folded {
        journals: Vec::new(),
        heads: vec![JournalHead {
            writer: writer('c'),
            record: Digest::of(b"never"),
        }],
    };
    add_to_journal(&scratch, body.into(), &[]);
    expect(&scratch, &[Code::LedgerJournal]);
}

#[test]
fn a_spec_that_is_not_here_is_worth_a_word() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    let ledger = Ledger::new(&repo);
    let spec = StreamName::Spec("a-run".parse().unwrap());
    let revised = put(&ledger, &spec, revision(SPEC));
    let revision = revised.records[0].digest;
    let mut opening = opening(&repo);
    if let Body::Contract(contract) = &mut opening.records[0].1 {
        contract.spec.stream = revision;
        contract.spec.record = revision;
    }
    put(&ledger, &run_stream(), opening);
    let found = expect(&scratch, &[]);
    assert_eq!(found.warnings, []);
    scratch.git(&["update-ref", "-d", &spec.ref_name()]);
    let found = expect(&scratch, &[]);
    let warned: Vec<Code> = found.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(warned, [Code::LedgerMissing]);
}

#[test]
fn a_ref_that_is_no_stream_is_worth_a_word() {
    let scratch = two_journals();
    for name in [
        "refs/rapid/x",
        "refs/rapid/runs/no-run",
        "refs/rapid/journal/me",
    ] {
        scratch.git(&["update-ref", name, "HEAD"]);
    }
    let found = expect(&scratch, &[]);
    let odd = found
        .warnings
        .iter()
        .filter(|warning| warning.code == Code::LedgerTree)
        .count();
    assert_eq!(odd, 3);
}

#[test]
fn the_proof_does_not_look_into_the_cache() {
    let (scratch, _, _) = sealed_run();
    let name = run_stream().ref_name();
    let cached = scratch
        .dir
        .join(".git/rapid/cache/streams")
        .join(scratch.tip(&name));
    let good = std::fs::read(cached).unwrap();
    let mut forge = Forge::on(&scratch, &name);
    let (path, _) = forge.record(2);
    forge.remove(&path);
    let bad = forge.amend();
    // What the cache says of the bad tip is whole in itself.
    std::fs::write(scratch.dir.join(".git/rapid/cache/streams").join(bad), good).unwrap();
    let found = Ledger::new(&scratch.repo()).fsck(&[run_stream()]).unwrap();
    assert_eq!(found.faults[0].code, Code::LedgerTree);
}

#[test]
fn a_stream_that_is_not_here_cannot_be_proved() {
    let scratch = Scratch::new();
    assert!(Ledger::new(&scratch.repo()).fsck(&[run_stream()]).is_err());
    let found = prove(&scratch);
    assert_eq!((found.streams, found.records), (0, 0));
}

#[test]
fn what_is_found_is_written_as_documented() {
    let (scratch, _, run) = sealed_run();
    scratch.git(&["update-ref", &run_stream().ref_name(), &format!("{run}^1")]);
    let found = prove(&scratch);
    let written = serde_json::to_value(&found.faults[0]).unwrap();
    assert_eq!(written["code"], "RAPID1607");
    assert_eq!(written["stream"], journal_ref('a'));
    assert!(written["commit"].as_str().unwrap().starts_with("sha1:"));
}
