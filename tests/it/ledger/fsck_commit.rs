//! A run, mutilated with plain git commands, one way at a time: the proof names each.

use super::{
    forge::{Forge, placed},
    scratch::*,
};
use git_rapid::{
    diagnostic::Code,
    domain::{
        digest::Digest,
        record::{Place, Record},
    },
    ledger::{Fault, FsckReport, Ledger},
};

pub fn prove(scratch: &Scratch) -> FsckReport {
    Ledger::new(&scratch.repo()).fsck(&[run_stream()]).unwrap()
}

pub fn codes(faults: &[Fault]) -> Vec<Code> {
    let mut codes: Vec<Code> = faults.iter().map(|fault| fault.code).collect();
    codes.sort();
    codes.dedup();
    codes
}

/// Tells a story, mutilates it, and expects the codes of what is found.
#[track_caller]
pub fn mutilate(right: &[Code], how: impl FnOnce(&mut Forge<'_>)) -> FsckReport {
    let scratch = Scratch::new();
    story(&scratch.repo());
    assert_eq!(prove(&scratch).faults, [], "it begins whole");
    let mut forge = Forge::on(&scratch, &run_stream().ref_name());
    how(&mut forge);
    let found = prove(&scratch);
    assert_eq!(codes(&found.faults), right, "{:#?}", found.faults);
    assert!(found.faults.iter().all(|fault| !fault.text.contains('\n')));
    // The whole ledger's proof sees it too, cache or not.
    let all = Ledger::new(&scratch.repo()).fsck(&[]).unwrap();
    assert!(found.faults.iter().all(|fault| all.faults.contains(fault)));
    found
}

fn replaced(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    assert!(text.contains(from), "{text}");
    text.replacen(from, to, 1).into_bytes()
}

#[test]
fn a_whole_stream_has_no_fault() {
    let found = mutilate(&[], |_| {});
    assert_eq!((found.streams, found.records), (1, 5));
}

#[test]
fn bytes_of_a_record_that_differ_from_its_name() {
    let found = mutilate(&[Code::LedgerDigest], |forge| {
        let (path, bytes) = forge.record(5);
        forge.write(&path, &replaced(&bytes, "three", "threE"), "100644");
        forge.amend();
    });
    assert!(found.faults.iter().all(|fault| fault.commit.is_some()));
}

#[test]
fn a_record_that_is_no_longer_json() {
    for (what, damage) in [
        (
            "cut short",
            Box::new(|bytes: &[u8]| bytes[..bytes.len() / 2].to_vec())
                as Box<dyn Fn(&[u8]) -> Vec<u8>>,
        ),
        (
            "no newline",
            Box::new(|bytes| bytes[..bytes.len() - 1].to_vec()),
        ),
        ("two newlines", Box::new(|bytes| [bytes, b"\n"].concat())),
        (
            "carriage return",
            Box::new(|bytes| replaced(bytes, "}\n", "}\r\n")),
        ),
        ("empty", Box::new(|_| Vec::new())),
        ("a newline", Box::new(|_| b"\n".to_vec())),
        ("white space", Box::new(|bytes| replaced(bytes, ":", ": "))),
        (
            "a key twice",
            Box::new(|bytes| replaced(bytes, "\"seq\":5", "\"seq\":5,\"seq\":5")),
        ),
        (
            "an unknown key",
            Box::new(|bytes| replaced(bytes, "{\"body\"", "{\"a\":1,\"body\"")),
        ),
        (
            "a float",
            Box::new(|bytes| replaced(bytes, "\"seq\":5", "\"seq\":5.0")),
        ),
        (
            "another version",
            Box::new(|bytes| replaced(bytes, "\"schema_version\":1", "\"schema_version\":2")),
        ),
        (
            "an unknown kind",
            Box::new(|bytes| replaced(bytes, "tool_invocation", "tool_invocatiom")),
        ),
        ("bytes", Box::new(|_| vec![0xff, 0xfe, 0x00])),
        (
            "deep",
            Box::new(|_| [b"[".repeat(100_000), b"\n".to_vec()].concat()),
        ),
    ] {
        let found = mutilate(&[Code::LedgerRecord], |forge| {
            let (path, bytes) = forge.record(5);
            forge.write(&path, &damage(&bytes), "100644");
            forge.amend();
        });
        assert_eq!(found.faults.len(), 1, "{what}");
    }
}

#[test]
fn what_was_there_is_changed_or_gone() {
    mutilate(&[Code::LedgerTree], |forge| {
        let (path, bytes) = forge.record(2);
        forge.write(&path, &replaced(&bytes, "one", "won"), "100644");
        forge.amend();
    });
    mutilate(&[Code::LedgerTree], |forge| {
        let (path, _) = forge.record(3);
        forge.remove(&path);
        forge.amend();
    });
    mutilate(&[Code::LedgerTree], |forge| {
        let (path, _) = forge.record(1);
        forge.remove(&path);
        forge.amend();
    });
    mutilate(&[Code::LedgerTree], |forge| {
        let (path, bytes) = forge.record(2);
        forge.write(&path, &bytes, "100755");
        forge.amend();
    });
    mutilate(&[Code::LedgerTree], |forge| {
        let hex = Digest::of(b"a file\n").hex();
        forge.remove(&format!("artifacts/{}/{hex}", &hex[..2]));
        forge.amend();
    });
    mutilate(&[Code::LedgerTree], |forge| {
        let hex = Digest::of(b"a file\n").hex();
        forge.write(
            &format!("artifacts/{}/{hex}", &hex[..2]),
            b"other",
            "100644",
        );
        forge.amend();
    });
}

#[test]
fn a_record_under_another_name() {
    // In the commit that adds it: the name is not the record's.
    for (from, to) in [("000005-", "000006-"), (".evidence", ".event")] {
        mutilate(&[Code::LedgerDigest], |forge| {
            let (path, bytes) = forge.record(5);
            forge.remove(&path);
            forge.write(&path.replace(from, to), &bytes, "100644");
            forge.amend();
        });
    }
    // Later: what was there is gone, and the copy is one too many.
    mutilate(
        &[Code::LedgerDigest, Code::LedgerChain, Code::LedgerTree],
        |forge| {
            let (path, bytes) = forge.record(2);
            forge.remove(&path);
            forge.write(&path.replace("000002-", "000009-"), &bytes, "100644");
            forge.amend();
        },
    );
}

#[test]
fn what_does_not_belong() {
    for path in [
        "extra",
        "README.md",
        "records/extra",
        "records/0000/extra",
        "records/0000/000006-5c2d10ffa3b19c44.json",
        "records/0000/6-5c2d10ffa3b19c44.event.json",
        "records/0001/000006-5c2d10ffa3b19c44.event.json",
        "records/0000/deep/000006-5c2d10ffa3b19c44.event.json",
        "artifacts/extra",
        "artifacts/5c/extra",
        "artifacts/5c/5c2d10ffa3b19c44",
        "artifacts/deep/er/file",
        "subject/extra",
        "subject/deep/er",
        "Records/0000/x",
        "ärger",
    ] {
        let found = mutilate(&[Code::LedgerTree], |forge| {
            forge.write(path, b"extra", "100644");
            forge.amend();
        });
        assert_eq!(found.faults.len(), 1, "{path}: {:?}", found.faults);
    }
    let hex = Digest::of(b"extra").hex();
    for mode in ["100755", "120000"] {
        mutilate(&[Code::LedgerTree], |forge| {
            forge.write(&format!("artifacts/{}/{hex}", &hex[..2]), b"extra", mode);
            forge.amend();
        });
    }
    // A submodule, and a name that is not UTF-8.
    mutilate(&[Code::LedgerTree], |forge| {
        let tip = forge.tip.clone();
        forge.entry("records/0000/module", &tip, "160000");
        forge.amend();
    });
    mutilate(&[Code::LedgerTree], |forge| {
        let blob = forge.blob(b"x");
        let line = [b"100644 blob ".as_slice(), blob.as_bytes(), b"\t\xff\xfe\0"].concat();
        let tree = forge.scratch.git_with(&["mktree", "-z"], &[], &line);
        let tree = String::from_utf8(tree).unwrap();
        forge.git(&["read-tree", "--prefix=artifacts/ff/", tree.trim_end()]);
        forge.amend();
    });
}

#[test]
fn a_tree_that_the_run_does_not_judge() {
    mutilate(&[Code::LedgerTree], |forge| {
        let tree = forge.scratch.git(&["rev-parse", "HEAD^{tree}"]);
        // The empty tree has no files, so it is put in by hand.
        let root = forge.tree();
        let listing = forge.scratch.git(&["ls-tree", &root]);
        let subject = forge.scratch.git_with(
            &["mktree"],
            &[],
            format!("040000 tree {tree}\t{tree}\n").as_bytes(),
        );
        let subject = String::from_utf8(subject).unwrap();
        let whole = format!("{listing}\n040000 tree {}\tsubject\n", subject.trim_end());
        let whole = forge.scratch.git_with(&["mktree"], &[], whole.as_bytes());
        let whole = String::from_utf8(whole).unwrap();
        let message = forge.message_of(&forge.tip);
        let parents = forge.parents_of(&forge.tip);
        let commit = forge.commit_tree(whole.trim_end(), &[&parents[0]], &message);
        forge.set(&commit);
    });
}

#[test]
fn an_empty_folder() {
    for folder in ["records/0007", "extra", "subject"] {
        mutilate(&[Code::LedgerTree], |forge| {
            let empty = forge.scratch.git_with(&["mktree"], &[], b"");
            let empty = String::from_utf8(empty).unwrap().trim_end().to_owned();
            let root = forge.tree();
            let (parent, name) = folder.split_once('/').unwrap_or(("", folder));
            let (place, name) = if name == folder {
                ("", folder)
            } else {
                (parent, name)
            };
            let inner = forge.scratch.git(&["ls-tree", &format!("{root}:{place}")]);
            let kept: String = inner
                .lines()
                .filter(|line| !line.ends_with(&format!("\t{name}")))
                .map(|line| format!("{line}\n"))
                .collect();
            let changed = format!("{kept}040000 tree {empty}\t{name}\n");
            let changed = forge.scratch.git_with(&["mktree"], &[], changed.as_bytes());
            let mut tree = String::from_utf8(changed).unwrap().trim_end().to_owned();
            if !place.is_empty() {
                let outer = forge.scratch.git(&["ls-tree", &root]);
                let outer: String = outer
                    .lines()
                    .filter(|line| !line.ends_with(&format!("\t{place}")))
                    .map(|line| format!("{line}\n"))
                    .collect();
                let whole = format!("{outer}040000 tree {tree}\t{place}\n");
                let whole = forge.scratch.git_with(&["mktree"], &[], whole.as_bytes());
                tree = String::from_utf8(whole).unwrap().trim_end().to_owned();
            }
            let message = forge.message_of(&forge.tip);
            let parents = forge.parents_of(&forge.tip);
            let commit = forge.commit_tree(&tree, &[&parents[0]], &message);
            forge.set(&commit);
        });
    }
}

#[test]
fn a_record_that_does_not_follow() {
    // Whole in themselves, named right, and out of place.
    mutilate(&[Code::LedgerChain], |forge| {
        let last = forge.read(5);
        forge.append(&placed(&last, 9, vec![last.digest]));
    });
    mutilate(&[Code::LedgerChain], |forge| {
        let (last, earlier) = (forge.read(5), forge.read(3));
        forge.append(&placed(&last, 6, vec![earlier.digest]));
    });
    mutilate(&[Code::LedgerChain], |forge| {
        let (last, earlier) = (forge.read(5), forge.read(3));
        let mut prev = vec![earlier.digest, last.digest];
        prev.sort();
        forge.append(&placed(&last, 6, prev));
    });
    mutilate(&[Code::LedgerChain], |forge| {
        let last = forge.read(5);
        forge.append(&placed(&last, 6, vec![Digest::of(b"nowhere")]));
    });
    mutilate(&[Code::LedgerChain], |forge| {
        let last = forge.read(5);
        let place = Place::Next {
            stream: Digest::of(b"another stream"),
            seq: 6,
            prev: vec![last.digest],
        };
        let (producer, body) = note("foreign");
        forge.append(&Record::new(place, producer, body));
    });
}

#[test]
fn a_second_beginning() {
    mutilate(&[Code::LedgerChain, Code::LedgerTree], |forge| {
        let repo = forge.scratch.repo();
        let place = Place::First {
            nonce: "0".repeat(32),
        };
        let second = Record::new(
            place,
            git_rapid::domain::producer::Producer::User,
            contract(&repo),
        );
        forge.append(&second);
    });
}

#[test]
fn another_beginning_under_the_same_history() {
    // The tree is that of another run; the history it hangs on is not.
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    open_as(&repo, run_named("b-run-r1-run-001"), 'a');
    let tip = scratch.tip(&run_stream().ref_name());
    let forge = Forge::on(&scratch, "refs/rapid/runs/b-run-r1-run-001");
    let message = forge.message_of(&forge.tip);
    let commit = forge.commit(&[&tip], &message);
    scratch.git(&["update-ref", &run_stream().ref_name(), &commit]);
    assert_eq!(codes(&prove(&scratch).faults), [Code::LedgerTree]);
}

#[test]
fn trailers_that_do_not_fit_the_files() {
    let edits: [fn(&str) -> String; 6] = [
        |message| message.replacen("sha256:", "sha256:0", 1),
        |message| {
            let at = message.find("sha256:").unwrap() + 7;
            let digit = if message.as_bytes()[at] == b'0' {
                "1"
            } else {
                "0"
            };
            format!("{}{digit}{}", &message[..at], &message[at + 1..])
        },
        |message| message.replacen("Rapid-Record: 000004", "Rapid-Record: 000005", 1),
        |message| message.lines().next().unwrap().to_owned(),
        |message| {
            // The pairs in the wrong order.
            let (subject, pairs) = message.trim_end().split_once("\n\n").unwrap();
            let lines: Vec<&str> = pairs.lines().collect();
            format!(
                "{subject}\n\n{}\n{}\n{}\n{}\n",
                lines[2], lines[3], lines[0], lines[1]
            )
        },
        |message| {
            let pair: Vec<&str> = message.trim_end().lines().rev().take(2).collect();
            format!("{}\n{}\n{}\n", message.trim_end(), pair[1], pair[0])
        },
    ];
    for edit in edits {
        let found = mutilate(&[Code::LedgerDigest], |forge| {
            let message = edit(&forge.message_of(&forge.tip));
            forge.amend_saying(&message);
        });
        assert_eq!(found.faults.len(), 1);
    }
}

#[test]
fn another_subject_is_no_fault() {
    mutilate(&[], |forge| {
        let message = forge.message_of(&forge.tip);
        let (_, trailers) = message.split_once("\n\n").unwrap();
        forge.amend_saying(&format!("something else\n\nwith a body\n\n{trailers}"));
    });
}

#[test]
fn a_commit_that_adds_no_record() {
    mutilate(&[Code::LedgerTree], |forge| {
        forge.on_top("chore(rapid): nothing\n");
    });
    mutilate(&[Code::LedgerTree], |forge| {
        let hex = Digest::of(b"more").hex();
        forge.write(&format!("artifacts/{}/{hex}", &hex[..2]), b"more", "100644");
        forge.on_top("chore(rapid): only a file\n");
    });
}

#[test]
fn an_artifact_that_is_not_what_its_name_says() {
    let hex = Digest::of(b"more").hex();
    mutilate(&[Code::LedgerDigest], |forge| {
        forge.write(&format!("artifacts/{}/{hex}", &hex[..2]), b"less", "100644");
        forge.amend();
    });
    // In the wrong folder it has no right name at all.
    mutilate(&[Code::LedgerTree], |forge| {
        forge.write(&format!("artifacts/00/{hex}"), b"more", "100644");
        forge.amend();
    });
}
