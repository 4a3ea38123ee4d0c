use super::scratch::*;
use git_rapid::{
    domain::{
        journal::JournalHead,
        record::{Body, Record},
    },
    ledger::{Error, Ledger, Stream, StreamName},
};

fn journal(ledger: &Ledger<'_>, letter: char) -> Stream {
    ledger
        .read(&StreamName::Journal(writer(letter)))
        .unwrap()
        .unwrap()
}

fn heads(record: &Record) -> Vec<JournalHead> {
    match &record.body {
        Body::JournalOpened(opened) => opened.heads.clone(),
        Body::JournalSealed(sealed) => sealed.heads.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_id_is_made_once_and_kept_in_config() {
    let scratch = Scratch::new();
    let made = Ledger::new(&scratch.repo()).writer().unwrap();
    assert_eq!(
        scratch.git(&["config", "--local", "rapid.writer"]),
        made.as_str()
    );
    assert_eq!(Ledger::new(&scratch.repo()).writer().unwrap(), made);
    // Every clone has one of its own.
    assert_ne!(Ledger::new(&Scratch::new().repo()).writer().unwrap(), made);
}

#[test]
fn an_id_lost_from_config_comes_back_and_a_bad_one_is_named() {
    let scratch = Scratch::new();
    let made = Ledger::new(&scratch.repo()).writer().unwrap();
    scratch.git(&["config", "--unset", "rapid.writer"]);
    assert_eq!(Ledger::new(&scratch.repo()).writer().unwrap(), made);
    assert_eq!(scratch.git(&["config", "rapid.writer"]), made.as_str());
    scratch.git(&["config", "rapid.writer", "me"]);
    assert!(matches!(
        Ledger::new(&scratch.repo()).writer(),
        Err(Error::BadWriter { text }) if text == "me"
    ));
}

#[test]
fn a_linked_worktree_has_the_same_id() {
    let scratch = Scratch::new();
    let linked = scratch.dir.join("../linked");
    scratch.git(&["worktree", "add", "--quiet", linked.to_str().unwrap()]);
    let there = Ledger::new(&scratch.repo_at(&linked)).writer().unwrap();
    assert_eq!(Ledger::new(&scratch.repo()).writer().unwrap(), there);
}

#[test]
fn what_is_open_is_opened_and_not_sealed() {
    let scratch = Scratch::new();
    scratch.git(&["config", "rapid.writer", writer('a').as_str()]);
    let repo = scratch.repo();
    let ledger = Ledger::new(&repo);
    let one = open_as(&repo, run_named("a-run-r1-run-001"), 'a');
    let two = open_as(&repo, run_named("a-run-r1-run-002"), 'a');
    open_as(&repo, run_named("b-run-r1-run-001"), 'b');
    let open = |run: &str, first: &Record| (run_named(run), first.digest);
    assert_eq!(
        ledger.open_runs().unwrap(),
        [
            open("a-run-r1-run-001", &one.records[0]),
            open("a-run-r1-run-002", &two.records[0]),
        ]
    );
    cancel(&repo, run_named("a-run-r1-run-001"), 'a');
    assert_eq!(
        ledger.open_runs().unwrap(),
        [open("a-run-r1-run-002", &two.records[0])]
    );
}

#[test]
fn a_seal_holds_the_run_whose_ref_is_gone() {
    for format in ["sha1", "sha256"] {
        let scratch = Scratch::of(&[&format!("--object-format={format}")]);
        let repo = scratch.repo();
        story(&repo);
        let sealed = cancel(&repo, run_id(), 'a');
        let ledger = Ledger::new(&repo);
        let before = ledger.read_run(&run_id()).unwrap().records;
        // The parents: the journal's own commit, then the sealed tip.
        let journal_ref = format!("refs/rapid/journal/{}", writer('a'));
        let parents = scratch.git(&["rev-list", "--parents", "-1", &journal_ref]);
        assert_eq!(parents.split(' ').nth(2), Some(sealed.tip.hex().as_str()));
        scratch.git(&["update-ref", "-d", "refs/rapid/runs/a-run-r1-run-001"]);
        scratch.git(&["reflog", "expire", "--expire=now", "--all"]);
        scratch.git(&["gc", "--quiet", "--prune=now"]);
        std::fs::remove_dir_all(scratch.dir.join(".git/rapid/cache")).unwrap();
        let repo = scratch.repo();
        let ledger = Ledger::new(&repo);
        assert_eq!(ledger.read_run(&run_id()).unwrap().records, before);
        assert_eq!(ledger.runs().unwrap(), [run_id()]);
        let artifact = git_rapid::domain::digest::Digest::of(b"a file\n");
        assert_eq!(
            ledger.artifact(&run_stream(), artifact).unwrap(),
            b"a file\n"
        );
        let found = ledger.find_record(&before[2].digest.short(8)).unwrap();
        assert_eq!(found.len(), 1);
        assert!(ledger.read(&run_stream()).unwrap().is_none());
        let report = ledger.fsck(&[]).unwrap();
        assert_eq!(report.faults, []);
        assert_eq!((report.streams, report.records), (2, 8));
        assert_eq!(ledger.fsck(&[run_stream()]).unwrap().records, 6);
    }
}

#[test]
fn a_run_that_goes_on_under_another_name_is_not_listed_twice() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    open(&repo, 'a');
    let sealed = cancel(&repo, run_id(), 'a');
    scratch.git(&[
        "update-ref",
        "refs/rapid/runs/a-run-r1-run-002",
        &sealed.tip.hex(),
    ]);
    scratch.git(&["update-ref", "-d", "refs/rapid/runs/a-run-r1-run-001"]);
    assert_eq!(
        Ledger::new(&repo).runs().unwrap(),
        [run_named("a-run-r1-run-002")]
    );
}

#[test]
fn other_journals_are_noted_as_far_as_they_were_seen() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    let ledger = Ledger::new(&repo);
    open_as(&repo, run_named("b-run-r1-run-001"), 'b');
    let seen = journal(&ledger, 'b').records[0].digest;
    open(&repo, 'a');
    let noted = JournalHead {
        writer: writer('b'),
        record: seen,
    };
    assert_eq!(heads(&journal(&ledger, 'a').records[0]), [noted]);
    // A fetched copy that is further than the one here.
    cancel(&repo, run_named("b-run-r1-run-001"), 'b');
    let further = journal(&ledger, 'b');
    let name = format!("refs/rapid/journal/{}", writer('b'));
    let copy = format!("refs/rapid-remote/some/remote/journal/{}", writer('b'));
    scratch.git(&["update-ref", &copy, &further.tip.hex()]);
    scratch.git(&["update-ref", &name, &format!("{}^1", further.tip.hex())]);
    // A copy of this clone's own journal, and something that is none: neither is noted.
    let own = format!("refs/rapid-remote/origin/journal/{}", writer('a'));
    scratch.git(&["update-ref", &own, &journal(&ledger, 'a').tip.hex()]);
    let junk = format!("refs/rapid-remote/origin/journal/{}", writer('c'));
    scratch.git(&["update-ref", &junk, "HEAD"]);
    cancel(&repo, run_id(), 'a');
    let noted = JournalHead {
        writer: writer('b'),
        record: further.records[1].digest,
    };
    assert_eq!(heads(&journal(&ledger, 'a').records[1]), [noted]);
    // The copy is enough to show what was seen.
    assert_eq!(ledger.fsck(&[]).unwrap().faults, []);
}

#[test]
fn a_copy_that_claims_what_it_does_not_hold_is_not_noted() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    let ledger = Ledger::new(&repo);
    open_as(&repo, run_named("b-run-r1-run-001"), 'b');
    let mut forge =
        super::forge::Forge::on(&scratch, &format!("refs/rapid/journal/{}", writer('b')));
    let (path, _) = forge.record(1);
    forge.remove(&path);
    forge.amend();
    open(&repo, 'a');
    assert_eq!(heads(&journal(&ledger, 'a').records[0]), []);
}

#[test]
fn the_nearest_word_counts_when_a_run_was_sealed_twice() {
    let scratch = Scratch::new();
    scratch.git(&["config", "rapid.writer", writer('b').as_str()]);
    let repo = scratch.repo();
    open(&repo, 'a');
    let first = scratch.tip("refs/rapid/runs/a-run-r1-run-001");
    cancel(&repo, run_id(), 'a');
    scratch.git(&["update-ref", "refs/rapid/runs/a-run-r1-run-001", &first]);
    let again = cancel(&repo, run_id(), 'b');
    let contract = Ledger::new(&repo)
        .read(&run_stream())
        .unwrap()
        .unwrap()
        .records[0]
        .digest;
    let seal = Ledger::new(&scratch.repo())
        .seal_of(contract)
        .unwrap()
        .unwrap();
    assert_eq!(seal.tip, again.tip);
}
