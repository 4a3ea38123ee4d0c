use super::{forge::Forge, scratch::*};
use git_rapid::{
    domain::{digest::Digest, oid::CommitId, vocabulary::RunStatus},
    ledger::{Error, Ledger, StreamName},
};

#[test]
fn what_is_not_here_is_none() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    let ledger = Ledger::new(&repo);
    assert!(ledger.read(&run_stream()).unwrap().is_none());
    assert!(ledger.read_sealed(&run_id()).unwrap().is_none());
    assert!(matches!(
        ledger.read_run(&run_id()),
        Err(Error::NoStream { .. })
    ));
    assert!(matches!(
        ledger.artifact(&run_stream(), Digest::of(SPEC)),
        Err(Error::NoStream { .. })
    ));
    assert_eq!(ledger.streams().unwrap(), []);
    assert_eq!(ledger.runs().unwrap(), []);
    assert_eq!(ledger.open_runs().unwrap(), []);
    assert!(ledger.seal_of(Digest::of(b"x")).unwrap().is_none());
}

#[test]
fn streams_are_listed_by_name_with_the_tips_that_git_knows() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    put(
        &Ledger::new(&repo),
        &StreamName::Spec("a-run".parse().unwrap()),
        revision(SPEC),
    );
    scratch.git(&["update-ref", "refs/rapid/elsewhere/x", "HEAD"]);
    let ours: Vec<String> = Ledger::new(&repo)
        .streams()
        .unwrap()
        .into_iter()
        .map(|(name, tip)| format!("{} {}", tip.hex(), name.ref_name()))
        .collect();
    let mut gits: Vec<String> = scratch
        .git(&[
            "for-each-ref",
            "--format=%(objectname) %(refname)",
            "refs/rapid",
        ])
        .lines()
        .filter(|line| !line.contains("elsewhere"))
        .map(str::to_owned)
        .collect();
    let mut sorted = ours.clone();
    sorted.sort();
    gits.sort();
    assert_eq!(sorted, gits);
    assert_eq!(ours.len(), 3);
}

#[test]
fn a_run_is_folded_from_its_records() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    let run = Ledger::new(&repo).read_run(&run_id()).unwrap();
    assert_eq!(run.state.status, RunStatus::Prepared);
    assert_eq!(run.evidence.len(), 4);
    // A spec's records are no run, whatever the ref is called.
    put(
        &Ledger::new(&repo),
        &StreamName::Spec("a-run".parse().unwrap()),
        revision(SPEC),
    );
    scratch.git(&[
        "update-ref",
        "refs/rapid/runs/b-run-r1-run-001",
        "refs/rapid/specs/a-run",
    ]);
    assert!(matches!(
        Ledger::new(&repo).read_run(&run_named("b-run-r1-run-001")),
        Err(Error::NotARun { .. })
    ));
}

#[test]
fn a_record_is_found_by_its_first_digits() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    let ledger = Ledger::new(&repo);
    for record in &ledger.read(&run_stream()).unwrap().unwrap().records {
        let hex = record.digest.hex();
        for digits in [8, 15, 16, 17, 40, 64] {
            let found = ledger.find_record(&hex[..digits]).unwrap();
            let [found] = found.as_slice() else {
                panic!("{digits} digits: {found:?}");
            };
            assert_eq!(&found.record, record);
            assert_eq!(found.stream, run_stream());
        }
        let wrong_end = format!(
            "{}{}",
            &hex[..63],
            if hex.ends_with('0') { '1' } else { '0' }
        );
        assert!(ledger.find_record(&wrong_end).unwrap().is_empty());
    }
    for nothing in ["", "abc", "xyzw", "ABCDEF", "0000000g", &"0".repeat(65)] {
        assert!(
            ledger.find_record(nothing).unwrap().is_empty(),
            "{nothing:?}"
        );
    }
}

#[test]
fn commits_are_those_that_git_says_added_the_files() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    cancel(&repo, run_id(), 'a');
    let ledger = Ledger::new(&repo);
    for name in [run_stream(), StreamName::Journal(writer('a'))] {
        let stream = ledger.read(&name).unwrap().unwrap();
        let commits = ledger.commits(&stream).unwrap();
        assert_eq!(commits.len(), stream.records.len());
        for record in &stream.records {
            let commit = commits.iter().find(|(digest, _)| *digest == record.digest);
            let path = format!(":(glob)records/**/*-{}.*", record.digest.short(16));
            let gits = scratch.git(&[
                "log",
                "--first-parent",
                "--diff-filter=A",
                "--format=%H",
                &name.ref_name(),
                "--",
                &path,
            ]);
            assert_eq!(commit.unwrap().1.hex(), gits);
        }
        assert_eq!(commits[0].1, stream.tip);
    }
}

#[test]
fn a_claim_in_a_message_moves_no_record() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    let ledger = Ledger::new(&repo);
    let stream = ledger.read(&run_stream()).unwrap().unwrap();
    let before = ledger.commits(&stream).unwrap();
    // A later commit that claims an earlier record as its own.
    let mut forge = Forge::on(&scratch, &run_stream().ref_name());
    let message = forge.message_of(&stream.tip.hex());
    forge.write("extra", b"x", "100644");
    let forged = forge.commit(&[&stream.tip.hex()], &message);
    forge.set(&forged);
    let mut moved = stream.clone();
    moved.tip = CommitId(git_rapid::domain::oid::Oid::from_hex(&forged).unwrap());
    assert!(matches!(
        ledger.commits(&moved),
        Err(Error::ForeignFile { .. })
    ));
    forge.remove("extra");
    let forged = forge.commit(&[&stream.tip.hex()], &message);
    moved.tip = CommitId(git_rapid::domain::oid::Oid::from_hex(&forged).unwrap());
    assert_eq!(ledger.commits(&moved).unwrap(), before);
}

#[test]
fn an_artifact_is_what_its_name_says_or_refused() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    let ledger = Ledger::new(&repo);
    let digest = Digest::of(b"a file\n");
    assert_eq!(ledger.artifact(&run_stream(), digest).unwrap(), b"a file\n");
    assert!(matches!(
        ledger.artifact(&run_stream(), Digest::of(b"none")),
        Err(Error::NoArtifact { .. })
    ));
    let mut forge = Forge::on(&scratch, &run_stream().ref_name());
    let hex = digest.hex();
    forge.write(
        &format!("artifacts/{}/{hex}", &hex[..2]),
        b"other",
        "100644",
    );
    forge.amend();
    assert!(matches!(
        ledger.artifact(&run_stream(), digest),
        Err(Error::BadArtifact { .. })
    ));
}

#[test]
fn a_damaged_stream_is_refused_and_named() {
    type Damage = fn(&mut Forge<'_>);
    let damages: [(&str, bool, Damage); 9] = [
        ("a file at the root", true, |forge| {
            forge.write("x", b"", "100644")
        }),
        ("a file among folders", true, |forge| {
            forge.write("records/x", b"", "100644")
        }),
        ("a wrong name", true, |forge| {
            forge.write("records/0000/1.json", b"{}\n", "100644");
        }),
        ("a program", true, |forge| {
            let (path, bytes) = forge.record(3);
            forge.write(&path, &bytes, "100755");
        }),
        ("a link", true, |forge| {
            let (path, bytes) = forge.record(3);
            forge.write(&path, &bytes, "120000");
        }),
        ("no newline", false, |forge| {
            let (path, bytes) = forge.record(3);
            forge.write(&path, &bytes[..bytes.len() - 1], "100644");
        }),
        ("other bytes", false, |forge| {
            let (path, bytes) = forge.record(3);
            let text = String::from_utf8(bytes).unwrap();
            forge.write(
                &path,
                text.replace("file.txt", "file.TXT").as_bytes(),
                "100644",
            );
        }),
        ("a hole", false, |forge| {
            let (path, _) = forge.record(3);
            forge.remove(&path);
        }),
        ("no record at all", false, |forge| {
            for seq in 1..=5 {
                let (path, _) = forge.record(seq);
                forge.remove(&path);
            }
        }),
    ];
    for (what, foreign, damage) in damages {
        let scratch = Scratch::new();
        story(&scratch.repo());
        let mut forge = Forge::on(&scratch, &run_stream().ref_name());
        damage(&mut forge);
        forge.amend();
        let error = Ledger::new(&scratch.repo())
            .read(&run_stream())
            .unwrap_err();
        match error {
            Error::ForeignFile { .. } => assert!(foreign, "{what}"),
            Error::BadRecord { .. } => assert!(!foreign, "{what}"),
            other => panic!("{what}: {other:?}"),
        }
    }
}
