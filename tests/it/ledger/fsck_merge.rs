//! Merges made by hand with git plumbing, right ones and wrong ones.

use super::{
    forge::{Forge, placed, saying},
    scratch::*,
};
use git_rapid::{
    diagnostic::Code,
    domain::{event::EventCode, producer::Producer, record::Body},
    ledger::{Draft, FsckReport, Ledger},
};

/// A run that two clones went on with: one tip on each side of the same commit.
struct Fork {
    scratch: Scratch,
    base: String,
    ours: String,
    theirs: String,
}

fn fork(ours: Vec<Draft>, theirs: Vec<Draft>) -> Fork {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    let name = run_stream().ref_name();
    let base = scratch.tip(&name);
    let ledger = Ledger::new(&repo);
    for draft in theirs {
        put(&ledger, &run_stream(), draft);
    }
    let theirs = scratch.tip(&name);
    scratch.git(&["update-ref", &name, &base]);
    for draft in ours {
        put(&ledger, &run_stream(), draft);
    }
    let ours = scratch.tip(&name);
    Fork {
        scratch,
        base,
        ours,
        theirs,
    }
}

fn usual() -> Fork {
    fork(
        vec![draft("ours", vec![note("ours")])],
        vec![
            draft("theirs", vec![note("theirs")]),
            attachment(b"theirs\n"),
        ],
    )
}

impl Fork {
    /// An index with the union of both trees.
    fn union(&self) -> Forge<'_> {
        let forge = Forge::on(&self.scratch, &run_stream().ref_name());
        forge.git(&["read-tree", "--empty"]);
        let args = [
            "read-tree",
            "--aggressive",
            "-m",
            &self.base,
            &self.ours,
            &self.theirs,
        ];
        forge.git(&args);
        forge
    }

    fn merge(&self, forge: &Forge<'_>, message: &str) -> FsckReport {
        let merge = forge.commit(&[&self.ours, &self.theirs], message);
        forge.set(&merge);
        self.prove()
    }

    fn prove(&self) -> FsckReport {
        Ledger::new(&self.scratch.repo())
            .fsck(&[run_stream()])
            .unwrap()
    }
}

#[track_caller]
fn expect(found: &FsckReport, right: &[Code]) {
    let mut codes: Vec<Code> = found.faults.iter().map(|fault| fault.code).collect();
    codes.sort();
    codes.dedup();
    assert_eq!(codes, right, "{:#?}", found.faults);
}

const MERGE: &str = "chore(rapid): merge\n";

#[test]
fn the_union_of_both_is_whole_and_what_follows_names_both() {
    let fork = usual();
    expect(&fork.merge(&fork.union(), MERGE), &[]);
    let repo = fork.scratch.repo();
    let ledger = Ledger::new(&repo);
    let read = ledger.read(&run_stream()).unwrap().unwrap();
    assert_eq!(read.records.len(), 8);
    // Read again, now from the cache: the same.
    assert_eq!(
        ledger.read(&run_stream()).unwrap().unwrap().records,
        read.records
    );
    let order: Vec<_> = read
        .records
        .iter()
        .map(|record| (record.seq(), record.digest))
        .collect();
    assert!(order.is_sorted());
    let added = put(&ledger, &run_stream(), draft("after", vec![note("after")]));
    assert_eq!(added.records[0].prev().len(), 2);
    assert_eq!(added.records[0].seq(), 8);
    expect(&fork.prove(), &[]);
    let stream = ledger.read(&run_stream()).unwrap().unwrap();
    let commits = ledger.commits(&stream).unwrap();
    assert_eq!(commits.len(), 9, "the merge introduced none");
    assert_eq!(commits[0].1, added.tip);
    // And a merge on top of that, with a side that merged nothing.
    fork.scratch.git_fsck();
}

#[test]
fn a_merge_with_a_side_that_is_behind_is_whole() {
    let fork = fork(Vec::new(), vec![draft("theirs", vec![note("theirs")])]);
    expect(&fork.merge(&fork.union(), MERGE), &[]);
    let repo = fork.scratch.repo();
    let added = put(
        &Ledger::new(&repo),
        &run_stream(),
        draft("after", vec![note("after")]),
    );
    assert_eq!(added.records[0].prev().len(), 1);
    expect(&fork.prove(), &[]);
}

#[test]
fn merges_of_merges_are_whole() {
    let fork = usual();
    let name = run_stream().ref_name();
    let one = {
        let forge = fork.union();
        forge.commit(&[&fork.ours, &fork.theirs], MERGE)
    };
    let other = {
        let forge = fork.union();
        forge.commit(&[&fork.theirs, &fork.ours], MERGE)
    };
    let repo = fork.scratch.repo();
    for side in [&one, &other] {
        fork.scratch.git(&["update-ref", &name, side]);
        expect(&fork.prove(), &[]);
    }
    put(
        &Ledger::new(&repo),
        &run_stream(),
        draft("on", vec![note("on")]),
    );
    let on = fork.scratch.tip(&name);
    let forge = Forge::at(&fork.scratch, &name, &on);
    let merge = forge.commit(&[&on, &one], MERGE);
    forge.set(&merge);
    expect(&fork.prove(), &[]);
    assert_eq!(
        Ledger::new(&repo)
            .read(&run_stream())
            .unwrap()
            .unwrap()
            .records
            .len(),
        9
    );
}

#[test]
fn a_side_left_out_is_named() {
    let fork = usual();
    let ours_only = Forge::at(&fork.scratch, &run_stream().ref_name(), &fork.ours);
    expect(&fork.merge(&ours_only, MERGE), &[Code::LedgerTree]);
}

#[test]
fn a_record_changed_or_dropped_in_a_merge_is_named() {
    for side in [6, 7] {
        let fork = usual();
        let mut forge = fork.union();
        let (path, bytes) = forge.record(side);
        forge.write(&path, &[&bytes[..], b"\n"].concat(), "100644");
        expect(&fork.merge(&forge, MERGE), &[Code::LedgerTree]);
        let mut forge = fork.union();
        let (path, _) = forge.record(side);
        forge.remove(&path);
        expect(&fork.merge(&forge, MERGE), &[Code::LedgerTree]);
    }
}

#[test]
fn a_merge_adds_nothing_of_its_own() {
    let fork = usual();
    let mut forge = fork.union();
    let last = forge.read(7);
    let record = placed(&last, 8, vec![last.digest]);
    forge.add(&record);
    let found = fork.merge(&forge, &saying(std::slice::from_ref(&record)));
    expect(
        &found,
        &[Code::LedgerDigest, Code::LedgerChain, Code::LedgerTree],
    );
    let mut forge = fork.union();
    forge.write("extra", b"x", "100644");
    expect(&fork.merge(&forge, MERGE), &[Code::LedgerTree]);
    let forge = fork.union();
    let message = forge.message_of(&fork.ours);
    expect(&fork.merge(&forge, &message), &[Code::LedgerDigest]);
}

#[test]
fn three_parents_are_one_too_many() {
    let fork = usual();
    let forge = fork.union();
    let merge = forge.commit(&[&fork.ours, &fork.theirs, &fork.base], MERGE);
    forge.set(&merge);
    expect(&fork.prove(), &[Code::LedgerTree]);
}

#[test]
fn a_record_that_ignores_one_side_is_named() {
    let fork = usual();
    fork.merge(&fork.union(), MERGE);
    let mut forge = Forge::on(&fork.scratch, &run_stream().ref_name());
    let last = forge.read(7);
    forge.append(&placed(&last, 8, vec![last.digest]));
    expect(&fork.prove(), &[Code::LedgerChain]);
}

#[test]
fn events_that_contradict_each_other_are_a_warning_and_illegal_ones_a_fault() {
    let end = |to: &str, code| draft("end", vec![run_move("prepared", to, code)]);
    let contradicting = fork(
        vec![end("cancelled", EventCode::Aborted)],
        vec![end("superseded", EventCode::Superseded)],
    );
    let found = contradicting.merge(&contradicting.union(), MERGE);
    expect(&found, &[]);
    let warned: Vec<Code> = found.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(warned, [Code::MergeConflict]);

    // Legal in the order after the merge, and not where it was written.
    let early = fork(
        vec![draft(
            "activate",
            vec![run_move("prepared", "active", EventCode::Activated)],
        )],
        vec![
            draft("wait", vec![note("wait")]),
            draft(
                "pause",
                vec![run_move("active", "paused", EventCode::Paused)],
            ),
        ],
    );
    let found = early.merge(&early.union(), MERGE);
    expect(&found, &[Code::LedgerEvent]);
    assert_eq!(found.faults.len(), 1);
}

#[test]
fn a_resolution_by_a_person_settles_a_contradiction() {
    let end = |to: &str, code| draft("end", vec![run_move("prepared", to, code)]);
    let fork = fork(
        vec![end("cancelled", EventCode::Aborted)],
        vec![end("superseded", EventCode::Superseded)],
    );
    let found = fork.merge(&fork.union(), MERGE);
    let resolution = git_rapid::domain::resolution::Resolution {
        events: vec![found.warnings[0].record.unwrap()],
        reason: Some("the other one".into()),
    };
    let settle = (Producer::User, Body::from(resolution));
    let repo = fork.scratch.repo();
    put(
        &Ledger::new(&repo),
        &run_stream(),
        draft("resolve", vec![settle]),
    );
    let found = fork.prove();
    expect(&found, &[]);
    assert_eq!(found.warnings, []);
}
