//! Several at once: threads with handles of their own, which meet only in the files.

use super::scratch::*;
use git_rapid::{
    domain::record::Record,
    ledger::{Draft, JournalNote, Ledger, StreamName},
};
use std::collections::BTreeSet;

fn append_at_once(scratch: &Scratch, threads: usize, each: usize) {
    put(
        &Ledger::new(&scratch.repo()),
        &run_stream(),
        opening(&scratch.repo()),
    );
    std::thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || {
                let repo = scratch.repo();
                for turn in 0..each {
                    let text = format!("{thread}.{turn}");
                    put(
                        &Ledger::new(&repo),
                        &run_stream(),
                        draft(&text, vec![note(&text)]),
                    );
                }
            });
        }
    });
    let repo = scratch.repo();
    let stream = Ledger::new(&repo).read(&run_stream()).unwrap().unwrap();
    let seqs: Vec<u64> = stream.records.iter().map(Record::seq).collect();
    let all: Vec<u64> = (1..=(threads * each + 1) as u64).collect();
    assert_eq!(seqs, all);
    let bodies: BTreeSet<String> = stream
        .records
        .iter()
        .map(|record| format!("{:?}", record.body))
        .collect();
    assert_eq!(bodies.len(), stream.records.len(), "nothing twice");
    assert_eq!(Ledger::new(&repo).fsck(&[run_stream()]).unwrap().faults, []);
}

#[test]
fn nothing_is_lost_when_eight_append_to_one_run() {
    append_at_once(&Scratch::new(), 8, 30);
}

#[test]
fn nothing_is_lost_in_a_reftable() {
    append_at_once(&Scratch::of(&["--ref-format=reftable"]), 4, 10);
}

#[test]
fn runs_opened_and_sealed_at_once_are_all_in_the_journal() {
    let scratch = Scratch::new();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let scratch = &scratch;
            scope.spawn(move || {
                let repo = scratch.repo();
                for turn in 1..=3 {
                    let id = run_named(&format!("t{thread}-r1-run-00{turn}"));
                    open_as(&repo, id.clone(), 'a');
                    cancel(&repo, id, 'a');
                }
            });
        }
    });
    let repo = scratch.repo();
    let ledger = Ledger::new(&repo);
    let journal = ledger
        .read(&StreamName::Journal(writer('a')))
        .unwrap()
        .unwrap();
    assert_eq!(journal.records.len(), 24);
    assert_eq!(ledger.fsck(&[]).unwrap().faults, []);
    scratch.git_fsck();
}

#[test]
fn two_that_look_for_their_id_at_once_find_the_same() {
    for _ in 0..5 {
        let scratch = Scratch::new();
        let found: BTreeSet<_> = std::thread::scope(|scope| {
            let asked: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| Ledger::new(&scratch.repo()).writer().unwrap()))
                .collect();
            asked.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert_eq!(found.len(), 1);
        let stored = scratch.git(&["config", "--get-all", "rapid.writer"]);
        assert_eq!(stored, found.first().unwrap().as_str());
    }
}

#[test]
fn one_name_is_taken_by_one_of_many() {
    let scratch = Scratch::new();
    let opened: usize = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let repo = scratch.repo();
                    let outcome = Ledger::new(&repo).append(&run_stream(), |stream| match stream {
                        None => Ok(Some(Draft {
                            journal: Some(JournalNote::Opened {
                                writer: writer('a'),
                            }),
                            ..opening(&repo)
                        })),
                        Some(_) => Err("taken"),
                    });
                    usize::from(outcome.is_ok())
                })
            })
            .collect();
        tries.into_iter().map(|one| one.join().unwrap()).sum()
    });
    assert_eq!(opened, 1);
    let journal = StreamName::Journal(writer('a'));
    let repo = scratch.repo();
    assert_eq!(
        Ledger::new(&repo)
            .read(&journal)
            .unwrap()
            .unwrap()
            .records
            .len(),
        1
    );
}
