//! What a run's records need and say, its parents, refs and dates: mutilated likewise.

use super::{
    forge::{Forge, path_of, placed, saying},
    fsck_commit::{codes, mutilate, prove},
    scratch::*,
};
use git_rapid::{
    diagnostic::Code,
    domain::{
        digest::Digest,
        event::EventCode,
        record::{Body, Place, Record},
    },
    ledger::{Fault, Ledger, StreamName},
};

#[test]
fn a_file_that_a_record_needs_is_missing() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    let without = draft("open", opening(&repo).records);
    put(&Ledger::new(&repo), &run_stream(), without);
    let found = prove(&scratch);
    assert_eq!(codes(&found.faults), [Code::LedgerMissing]);
    assert_eq!(found.faults.len(), 2, "the spec and the policy");
    // Brought in later, it still was not there when it was needed.
    let mut later = draft("later", vec![note("later")]);
    later.artifacts = vec![SPEC.to_vec(), POLICY.to_vec()];
    put(&Ledger::new(&repo), &run_stream(), later);
    assert_eq!(prove(&scratch).faults.len(), 2);
    // An attachment and a spec's bytes; and one whose size is told wrong.
    let mut attached = attachment(b"gone");
    attached.artifacts.clear();
    put(&Ledger::new(&repo), &run_stream(), attached);
    assert_eq!(prove(&scratch).faults.len(), 3);
    let mut attached = attachment(b"size");
    if let Body::Evidence(evidence) = &mut attached.records[0].1 {
        evidence.artifacts[0].size = 5;
    }
    put(&Ledger::new(&repo), &run_stream(), attached);
    assert_eq!(
        codes(&prove(&scratch).faults),
        [Code::LedgerDigest, Code::LedgerMissing]
    );
    let spec = StreamName::Spec("a-run".parse().unwrap());
    let mut revised = revision(SPEC);
    revised.artifacts.clear();
    put(&Ledger::new(&repo), &spec, revised);
    let found = Ledger::new(&repo).fsck(&[spec]).unwrap();
    assert_eq!(codes(&found.faults), [Code::LedgerMissing]);
}

#[test]
fn an_object_that_is_missing_or_damaged() {
    let object = |forge: &Forge<'_>, what: &str| {
        let id = forge.scratch.git(&["rev-parse", what]);
        forge
            .scratch
            .dir
            .join(format!(".git/objects/{}/{}", &id[..2], &id[2..]))
    };
    for what in [
        "^{tree}",
        ":records",
        ":records/0000",
        "~1^{tree}",
        "~2",
        "~3^{tree}",
    ] {
        let found = mutilate_any(|forge| {
            let file = object(forge, &format!("{}{what}", forge.name));
            std::fs::remove_file(file).unwrap();
        });
        assert!(
            codes(&found).contains(&Code::LedgerMissing),
            "{what}: {found:#?}"
        );
        let found = mutilate_any(|forge| {
            let file = object(forge, &format!("{}{what}", forge.name));
            // Objects are read-only.
            std::fs::remove_file(&file).unwrap();
            std::fs::write(file, b"damaged").unwrap();
        });
        assert!(
            codes(&found).contains(&Code::LedgerMissing),
            "{what}: {found:#?}"
        );
    }
    mutilate(&[Code::LedgerMissing], |forge| {
        let (path, _) = forge.record(4);
        let file = object(forge, &format!("{}:{path}", forge.name));
        std::fs::remove_file(file).unwrap();
    });
    mutilate(&[Code::LedgerMissing], |forge| {
        let hex = Digest::of(b"a file\n").hex();
        let file = object(
            forge,
            &format!("{}:artifacts/{}/{hex}", forge.name, &hex[..2]),
        );
        std::fs::remove_file(file).unwrap();
    });
}

/// Mutilates and gives what is found, of whatever kind: only that nothing panics is sure.
#[track_caller]
fn mutilate_any(how: impl FnOnce(&mut Forge<'_>)) -> Vec<Fault> {
    let scratch = Scratch::new();
    story(&scratch.repo());
    let mut forge = Forge::on(&scratch, &run_stream().ref_name());
    how(&mut forge);
    let _ = Ledger::new(&scratch.repo()).fsck(&[]);
    prove(&scratch).faults
}

#[test]
fn a_parent_that_is_not_of_the_stream() {
    mutilate(&[Code::LedgerTree], |forge| {
        let last = forge.read(5);
        let record = placed(&last, 6, vec![last.digest]);
        forge.add(&record);
        let head = forge.scratch.tip("HEAD");
        let commit = forge.commit(&[&forge.tip.clone(), &head], &saying(&[record]));
        forge.set(&commit);
    });
    // The history cut off: the commit says it added one record and has them all.
    mutilate(&[Code::LedgerDigest], |forge| {
        let message = forge.message_of(&forge.tip);
        let commit = forge.commit(&[], &message);
        forge.set(&commit);
    });
}

#[test]
fn a_ref_that_names_no_commit() {
    let scratch = Scratch::new();
    story(&scratch.repo());
    let name = run_stream().ref_name();
    let tree = scratch.git(&["rev-parse", &format!("{name}^{{tree}}")]);
    for object in [tree, scratch.git(&["hash-object", "-w", "--stdin"])] {
        // Git itself refuses to write such a ref outside of tags.
        let file = scratch.dir.join(".git").join(&name);
        std::fs::write(file, format!("{object}\n")).unwrap();
        let found = Ledger::new(&scratch.repo()).fsck(&[]).unwrap();
        assert!(
            codes(&found.faults).contains(&Code::LedgerMissing),
            "{found:?}"
        );
    }
    // A commit, but of something else.
    scratch.git(&["update-ref", &name, "HEAD"]);
    let found = prove(&scratch);
    assert_eq!(codes(&found.faults), [Code::LedgerChain]);
}

#[test]
fn a_move_that_was_not_legal() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    let illegal = run_move("prepared", "finished", EventCode::Finished);
    let added = put(
        &Ledger::new(&repo),
        &run_stream(),
        draft("finish", vec![illegal]),
    );
    let found = prove(&scratch);
    assert_eq!(codes(&found.faults), [Code::LedgerEvent]);
    assert_eq!(found.faults[0].record, Some(added.records[0].digest));
    assert_eq!(found.faults[0].commit, Some(added.tip));
}

#[test]
fn a_record_of_another_kind_of_stream() {
    mutilate(&[Code::LedgerTree], |forge| {
        let last = forge.read(5);
        let place = Place::Next {
            stream: last.stream(),
            seq: 6,
            prev: vec![last.digest],
        };
        let (producer, body) = revision(SPEC).records.remove(0);
        forge.append(&Record::new(place, producer, body));
    });
    // A spec under a run's name, and the other way round.
    let scratch = Scratch::new();
    let repo = scratch.repo();
    put(&Ledger::new(&repo), &run_stream(), revision(SPEC));
    assert_eq!(codes(&prove(&scratch).faults), [Code::LedgerTree]);
}

#[test]
fn a_date_that_cannot_be_right_is_worth_a_word() {
    for date in ["@0 +0000", "@5000000000 +0000", "@1893300000 +0000"] {
        let scratch = Scratch::new();
        story(&scratch.repo());
        let mut forge = Forge::on(&scratch, &run_stream().ref_name());
        let last = forge.read(5);
        let record = placed(&last, 6, vec![last.digest]);
        let path = forge.add(&record);
        assert_eq!(path, path_of(&record));
        let tree = forge.tree();
        let tip = forge.tip.clone();
        let commit = scratch.git_with(
            &["commit-tree", &tree, "-p", &tip, "-F", "-"],
            &[("GIT_COMMITTER_DATE", date)],
            saying(&[record]).as_bytes(),
        );
        forge.set(String::from_utf8(commit).unwrap().trim_end());
        let found = prove(&scratch);
        assert_eq!(found.faults, [], "a date decides nothing");
        assert_eq!(codes(&found.warnings), [Code::LedgerTree], "{date}");
    }
}
