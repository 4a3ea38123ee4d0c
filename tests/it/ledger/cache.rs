//! The cache saves time and never has a say.

use super::scratch::*;
use git_rapid::{
    domain::record::Record,
    git::Repository,
    ledger::{Ledger, StreamName},
};
use std::path::PathBuf;

fn folder(scratch: &Scratch) -> PathBuf {
    scratch.dir.join(".git/rapid/cache/streams")
}

fn cached(scratch: &Scratch) -> PathBuf {
    folder(scratch).join(scratch.tip("refs/rapid/runs/a-run-r1-run-001"))
}

fn read(repo: &Repository) -> Vec<Record> {
    Ledger::new(repo)
        .read(&run_stream())
        .unwrap()
        .unwrap()
        .records
}

#[test]
fn an_append_leaves_the_next_reader_a_warm_cache() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    let lines: Vec<Vec<u8>> = std::fs::read(cached(&scratch))
        .unwrap()
        .strip_suffix(b"\n")
        .unwrap()
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let right: Vec<Vec<u8>> = read(&repo).iter().map(Record::canonical_bytes).collect();
    assert_eq!(lines, right);
    // Only the newest state of the run and of the journal is kept.
    assert_eq!(std::fs::read_dir(folder(&scratch)).unwrap().count(), 2);
}

#[test]
fn it_is_used_when_it_is_right() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    let right = read(&repo);
    // Without the record's objects only the cache can answer.
    let name = "refs/rapid/runs/a-run-r1-run-001";
    let blob = scratch.git(&["rev-parse", &format!("{name}:records")]);
    let object = scratch
        .dir
        .join(format!(".git/objects/{}/{}", &blob[..2], &blob[2..]));
    std::fs::remove_file(object).unwrap();
    assert_eq!(read(&scratch.repo()), right);
    std::fs::remove_file(cached(&scratch)).unwrap();
    assert!(Ledger::new(&scratch.repo()).read(&run_stream()).is_err());
}

#[test]
fn whatever_lies_there_the_answer_is_the_same() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    story(&repo);
    let right = read(&repo);
    let file = cached(&scratch);
    let good = std::fs::read(&file).unwrap();
    let lines: Vec<&[u8]> = good.split_inclusive(|byte| *byte == b'\n').collect();

    // A run that is valid in itself, and one that goes on from this one.
    open_as(&repo, run_named("b-run-r1-run-001"), 'a');
    let other =
        std::fs::read(folder(&scratch).join(scratch.tip("refs/rapid/runs/b-run-r1-run-001")))
            .unwrap();
    put(
        &Ledger::new(&repo),
        &run_stream(),
        draft("more", vec![note("more")]),
    );
    let longer = std::fs::read(cached(&scratch)).unwrap();
    let old = right.len();
    scratch.git(&["update-ref", "refs/rapid/runs/a-run-r1-run-001", "HEAD@{0}"]);
    scratch.git(&[
        "update-ref",
        "refs/rapid/runs/a-run-r1-run-001",
        file.file_name().unwrap().to_str().unwrap(),
    ]);

    let mut flipped = good.clone();
    flipped[200] ^= 1;
    let mut lies: Vec<(&str, Vec<u8>)> = vec![
        ("empty", Vec::new()),
        ("a newline", b"\n".to_vec()),
        ("no JSON", b"hello\n".to_vec()),
        ("bytes", vec![0xff; 300]),
        ("no last newline", good[..good.len() - 1].to_vec()),
        ("cut off", good[..good.len() / 2].to_vec()),
        ("a flipped bit", flipped),
        ("another run", other.clone()),
        ("both runs", [good.clone(), other].concat()),
        ("a record too many", longer),
        (
            "twice the same",
            [good.clone(), lines[lines.len() - 1].to_vec()].concat(),
        ),
    ];
    for left_out in 0..old {
        let mut fewer = lines.clone();
        fewer.remove(left_out);
        lies.push(("one left out", fewer.concat()));
        lies.push(("only the beginning", lines[..left_out].concat()));
    }
    for (what, lie) in lies {
        std::fs::write(&file, &lie).unwrap();
        assert_eq!(read(&scratch.repo()), right, "{what}");
        assert_eq!(
            std::fs::read(&file).unwrap(),
            good,
            "{what}: mended on the way"
        );
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_no_fault() {
    let scratch = Scratch::new();
    std::fs::create_dir_all(scratch.dir.join(".git/rapid/cache")).unwrap();
    std::fs::write(folder(&scratch), "a file where a folder should be").unwrap();
    let repo = scratch.repo();
    story(&repo);
    assert_eq!(read(&repo).len(), 5);
}

#[test]
fn the_number_of_files_is_bounded() {
    let scratch = Scratch::new();
    let repo = scratch.repo();
    for n in 0..100 {
        let name = StreamName::Spec(format!("spec-{n}").parse().unwrap());
        put(&Ledger::new(&repo), &name, revision(SPEC));
    }
    let files = std::fs::read_dir(folder(&scratch)).unwrap().count();
    assert!((1..=64).contains(&files), "{files}");
}
