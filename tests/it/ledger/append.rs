use super::scratch::*;
use git_rapid::{
    domain::{
        digest::Digest,
        record::{Place, Record},
    },
    git::{self, OpenOptions, Repository},
    ledger::{AppendError, Draft, Error, JournalNote, Ledger, Stream, StreamName},
};
use std::convert::Infallible;

/// Every way a repository can be laid out.
fn kinds() -> [Scratch; 4] {
    [
        Scratch::of(&[]),
        Scratch::of(&["--object-format=sha256"]),
        Scratch::of(&["--ref-format=reftable"]),
        Scratch::of(&["--ref-format=reftable", "--object-format=sha256"]),
    ]
}

#[test]
fn a_story_is_whole_and_read_back_in_every_kind_of_repository() {
    for scratch in kinds() {
        let repo = scratch.repo();
        story(&repo);
        cancel(&repo, run_id(), 'a');
        let stream = Ledger::new(&repo).read(&run_stream()).unwrap().unwrap();
        assert_eq!(
            stream.tip.hex(),
            scratch.tip("refs/rapid/runs/a-run-r1-run-001")
        );
        let seqs: Vec<u64> = stream.records.iter().map(Record::seq).collect();
        assert_eq!(seqs, [1, 2, 3, 4, 5, 6]);
        scratch.git_fsck();
        let found = Ledger::new(&repo).fsck(&[]).unwrap();
        assert_eq!(found.faults, []);
        assert_eq!((found.streams, found.records), (2, 8));
    }
}

#[test]
fn a_commit_holds_what_git_can_check() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    let name = "refs/rapid/runs/a-run-r1-run-001";
    let files = scratch.git(&["ls-tree", "-r", "--format=%(objectmode) %(path)", name]);
    let mut trailers = 0;
    for line in files.lines() {
        let (mode, path) = line.split_once(' ').unwrap();
        assert_eq!(mode, "100644", "{path}");
        let bytes = scratch.git_with(&["cat-file", "blob", &format!("{name}:{path}")], &[], b"");
        if let Some(file) = path.strip_prefix("artifacts/") {
            let digest = Digest::of(&bytes).hex();
            assert_eq!(file, format!("{}/{digest}", &digest[..2]));
            continue;
        }
        let digest = Digest::of(bytes.strip_suffix(b"\n").unwrap());
        let stem = path
            .rsplit_once('/')
            .unwrap()
            .1
            .strip_suffix(".json")
            .unwrap();
        assert!(stem.contains(&digest.short(16)));
        // The commit that git says added the file names it in full.
        let message = scratch.git(&[
            "log",
            "--diff-filter=A",
            "--format=%(trailers:only,unfold)",
            name,
            "--",
            path,
        ]);
        let pair = format!("Rapid-Record: {stem}\nRapid-Digest: sha256:{digest}");
        assert!(message.contains(&pair), "{message}");
        trailers += 1;
    }
    assert_eq!(trailers, 5);
}

#[test]
fn the_log_reads_as_the_runs_story() {
    let scratch = Scratch::new();
    story(&scratch.repo());
    let log = scratch.git(&[
        "log",
        "--format=%s (%an)",
        "--reverse",
        "refs/rapid/runs/a-run-r1-run-001",
    ]);
    insta::assert_snapshot!(log, @r"
    chore(rapid): open a run (A Person)
    chore(rapid): note one (A Person)
    chore(rapid): attach file.txt (A Person)
    chore(rapid): note two and three (A Person)
    ");
}

#[test]
fn records_of_one_draft_follow_one_another_in_one_commit() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    let ledger = Ledger::new(&repo);
    let first = put(&ledger, &run_stream(), opening(&repo));
    let added = put(
        &ledger,
        &run_stream(),
        draft("two", vec![note("one"), note("two")]),
    );
    let [one, two] = added.records.as_slice() else {
        panic!("{added:?}");
    };
    assert_eq!(one.prev(), [first.records[0].digest]);
    assert_eq!(two.prev(), [one.digest]);
    assert_eq!(two.stream(), first.records[0].digest);
    let parents = scratch.git(&["rev-list", "--parents", "-1", &added.tip.hex()]);
    assert_eq!(parents, format!("{} {}", added.tip.hex(), first.tip.hex()));
}

#[test]
fn two_streams_begun_alike_differ() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    let one = open_as(&repo, run_named("a-run-r1-run-001"), 'a');
    let two = open_as(&repo, run_named("a-run-r1-run-002"), 'a');
    let (Place::First { nonce: one }, Place::First { nonce: two }) =
        (&one.records[0].place, &two.records[0].place)
    else {
        panic!("not first records");
    };
    assert_ne!(one, two);
    assert_eq!(one.len(), 32);
}

#[test]
fn a_decision_against_it_adds_nothing_and_comes_back() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    let ledger = Ledger::new(&repo);
    let nothing = ledger.append(&run_stream(), |stream| {
        assert!(stream.is_none());
        Ok::<_, Infallible>(None)
    });
    assert!(nothing.unwrap().is_none());
    let without_records = draft("nothing", Vec::new());
    let nothing = ledger.append(&run_stream(), |_| {
        Ok::<_, Infallible>(Some(without_records.clone()))
    });
    assert!(nothing.unwrap().is_none());
    let refused = ledger.append(&run_stream(), |_| Err("not now"));
    assert!(matches!(refused, Err(AppendError::Decided("not now"))));
    assert_eq!(scratch.git(&["for-each-ref", "refs/rapid"]), "");
}

#[test]
fn a_decision_is_taken_again_when_the_stream_moved_meanwhile() {
    let scratch = Scratch::new();
    let (repo, other) = (scratch.repo(), scratch.repo());
    put(&Ledger::new(&repo), &run_stream(), opening(&repo));
    let mut seen = Vec::new();
    let added = Ledger::new(&repo)
        .append(&run_stream(), |stream: Option<&Stream>| {
            seen.push(stream.unwrap().records.len());
            if seen.len() == 1 {
                let theirs = draft("theirs", vec![note("theirs")]);
                put(&Ledger::new(&other), &run_stream(), theirs);
            }
            Ok::<_, Infallible>(Some(draft("ours", vec![note("ours")])))
        })
        .unwrap()
        .unwrap();
    assert_eq!(seen, [1, 2]);
    assert_eq!(added.records[0].seq(), 3);
    assert_eq!(Ledger::new(&repo).fsck(&[run_stream()]).unwrap().faults, []);
}

#[test]
fn two_that_begin_the_same_stream_do_not_overwrite_each_other() {
    let scratch = Scratch::new();
    let (repo, other) = (scratch.repo(), scratch.repo());
    let mut asked = 0;
    let outcome = Ledger::new(&repo).append(&run_stream(), |stream| {
        asked += 1;
        match stream {
            None => {
                put(&Ledger::new(&other), &run_stream(), opening(&other));
                Ok(Some(opening(&repo)))
            }
            Some(_) => Err("taken"),
        }
    });
    assert!(matches!(outcome, Err(AppendError::Decided("taken"))));
    assert_eq!(asked, 2);
}

#[test]
fn a_note_goes_into_the_journal_with_the_record_or_neither_does() {
    let scratch = Scratch::new();
    let (repo, other) = (scratch.repo(), scratch.repo());
    // The journal moves while the run's opening is under way: both are tried again.
    let mut asked = 0;
    Ledger::new(&repo)
        .append(&run_stream(), |_| {
            asked += 1;
            Ok::<_, Infallible>(Some(Draft {
                journal: Some(JournalNote::Opened {
                    writer: writer('a'),
                }),
                ..opening(&repo)
            }))
        })
        .unwrap();
    assert_eq!(asked, 1);
    open_as(&other, run_named("other-r1-run-001"), 'a');
    let journal = Ledger::new(&repo)
        .read(&StreamName::Journal(writer('a')))
        .unwrap()
        .unwrap();
    assert_eq!(journal.records.len(), 2);
    // A run that goes on cannot be sealed, and then nothing at all is appended.
    let before = scratch.git(&["for-each-ref", "refs/rapid"]);
    let seal = Draft {
        journal: Some(JournalNote::Sealed {
            writer: writer('a'),
        }),
        ..draft("seal", vec![note("not an end")])
    };
    let refused =
        Ledger::new(&repo).append(&run_stream(), |_| Ok::<_, Infallible>(Some(seal.clone())));
    assert!(matches!(
        refused,
        Err(AppendError::Ledger(Error::NotEnded { .. }))
    ));
    // And what is no run is not noted.
    let spec = StreamName::Spec("a-run".parse().unwrap());
    let noted = Draft {
        journal: Some(JournalNote::Opened {
            writer: writer('a'),
        }),
        ..revision(SPEC)
    };
    let refused = Ledger::new(&repo).append(&spec, |_| Ok::<_, Infallible>(Some(noted.clone())));
    assert!(matches!(
        refused,
        Err(AppendError::Ledger(Error::NotARun { .. }))
    ));
    assert_eq!(scratch.git(&["for-each-ref", "refs/rapid"]), before);
}

#[test]
fn refs_have_a_reflog() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    let log = scratch.git(&[
        "reflog",
        "show",
        "--format=%gs",
        "refs/rapid/runs/a-run-r1-run-001",
    ]);
    assert_eq!(log.lines().count(), 4, "{log}");
    let journal = format!("refs/rapid/journal/{}", writer('a'));
    assert_eq!(
        scratch.git(&["reflog", "show", &journal]).lines().count(),
        1
    );
}

#[test]
fn a_hundred_records_and_more_share_folders() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    let ledger = Ledger::new(&repo);
    put(&ledger, &run_stream(), opening(&repo));
    let many = (0..205).map(|n| note(&n.to_string())).collect();
    put(&ledger, &run_stream(), draft("many", many));
    let folders = scratch.git(&[
        "ls-tree",
        "--name-only",
        "refs/rapid/runs/a-run-r1-run-001:records",
    ]);
    assert_eq!(folders, "0000\n0001\n0002");
    assert_eq!(
        ledger.read(&run_stream()).unwrap().unwrap().records.len(),
        206
    );
    assert_eq!(ledger.fsck(&[run_stream()]).unwrap().faults, []);
}

#[test]
fn a_linked_worktree_writes_to_the_same_ledger() {
    let scratch = Scratch::new();
    let linked = scratch.dir.join("../linked");
    scratch.git(&["worktree", "add", "--quiet", linked.to_str().unwrap()]);
    story(&scratch.repo());
    let repo = scratch.repo_at(&linked);
    let added = put(
        &Ledger::new(&repo),
        &run_stream(),
        draft("from there", vec![note("there")]),
    );
    assert_eq!(added.records[0].seq(), 6);
    let read = Ledger::new(&scratch.repo())
        .read(&run_stream())
        .unwrap()
        .unwrap();
    assert_eq!(read.records.len(), 6);
}

#[test]
fn without_a_name_nothing_is_written() {
    let scratch = Scratch::new();
    let repo = Repository::open(&OpenOptions {
        start: scratch.dir.clone(),
        environment: [
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "user.useConfigOnly"),
            ("GIT_CONFIG_VALUE_0", "true"),
        ]
        .map(|(name, value)| (name.into(), value.into()))
        .to_vec(),
    })
    .unwrap();
    let opening = opening(&repo);
    let refused = Ledger::new(&repo).append(&run_stream(), |_| {
        Ok::<_, Infallible>(Some(opening.clone()))
    });
    assert!(
        matches!(
            refused,
            Err(AppendError::Ledger(Error::Git(git::Error::NoIdentity(_))))
        ),
        "{refused:?}"
    );
}

#[test]
fn a_held_lock_is_waited_for_and_then_named() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    put(&Ledger::new(&repo), &run_stream(), opening(&repo));
    let lock = scratch
        .dir
        .join(".git/refs/rapid/runs/a-run-r1-run-001.lock");
    std::fs::write(&lock, "").unwrap();
    let waiting = std::thread::spawn({
        let lock = lock.clone();
        move || {
            std::thread::sleep(std::time::Duration::from_millis(900));
            std::fs::remove_file(lock).unwrap();
        }
    });
    put(
        &Ledger::new(&repo),
        &run_stream(),
        draft("later", vec![note("later")]),
    );
    waiting.join().unwrap();
}

#[test]
fn the_end_of_a_run_is_told_by_its_records() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    let sealed = cancel(&repo, run_id(), 'a');
    let contract = Ledger::new(&repo)
        .read(&run_stream())
        .unwrap()
        .unwrap()
        .records[0]
        .digest;
    let seal = Ledger::new(&repo).seal_of(contract).unwrap().unwrap();
    assert_eq!(seal.tip, sealed.tip);
    assert_eq!(seal.status.as_str(), "cancelled");
    assert_eq!(
        (seal.verdict, seal.report, seal.subject),
        (None, None, None)
    );
    assert_eq!(seal.run, run_id());
}
