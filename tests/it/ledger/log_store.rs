use super::scratch::*;
use git_rapid::{domain::digest::Digest, ledger::Ledger};

#[test]
fn a_log_is_kept_by_its_digest_and_read_back() {
    for scratch in [Scratch::new(), Scratch::of(&["--ref-format=reftable"])] {
        let repo = scratch.repo();
        let ledger = Ledger::new(&repo);
        for bytes in [&b"one"[..], b"two\xff\0", b""] {
            let log = ledger.write_log(&run_id(), bytes).unwrap();
            assert_eq!(log.sha256, Digest::of(bytes));
            assert_eq!(log.size, bytes.len() as u64);
            assert_eq!(
                ledger.read_log(&run_id(), log.sha256).unwrap().as_deref(),
                Some(bytes)
            );
        }
        scratch.git_fsck();
        let count = scratch.git(&["rev-list", "--count", "refs/rapid/logs/a-run-r1-run-001"]);
        assert_eq!(count, "3");
        // What is there is not written again.
        ledger.write_log(&run_id(), b"one").unwrap();
        let same = scratch.git(&["rev-list", "--count", "refs/rapid/logs/a-run-r1-run-001"]);
        assert_eq!(same, count);
    }
}

#[test]
fn a_log_that_was_dropped_is_withheld() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    let ledger = Ledger::new(&repo);
    let log = ledger.write_log(&run_id(), b"one").unwrap();
    assert_eq!(
        ledger.read_log(&run_id(), Digest::of(b"two")).unwrap(),
        None
    );
    scratch.git(&["update-ref", "-d", "refs/rapid/logs/a-run-r1-run-001"]);
    assert_eq!(ledger.read_log(&run_id(), log.sha256).unwrap(), None);
}

#[test]
fn a_log_is_no_stream() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    let ledger = Ledger::new(&repo);
    ledger.write_log(&run_id(), b"one").unwrap();
    assert_eq!(ledger.streams().unwrap(), []);
    assert_eq!(ledger.runs().unwrap(), []);
    let found = ledger.fsck(&[]).unwrap();
    assert_eq!((found.faults, found.warnings), (Vec::new(), Vec::new()));
}

#[test]
fn logs_written_at_once_are_all_kept() {
    let scratch = Scratch::new();
    std::thread::scope(|scope| {
        for thread in 0..4_u8 {
            let scratch = &scratch;
            scope.spawn(move || {
                let repo = scratch.repo();
                for turn in 0..10_u8 {
                    Ledger::new(&repo)
                        .write_log(&run_id(), &[thread, turn])
                        .unwrap();
                }
            });
        }
    });
    let files = scratch.git(&["ls-tree", "-r", "refs/rapid/logs/a-run-r1-run-001"]);
    assert_eq!(files.lines().count(), 40);
}
