//! The tree of the index against `git write-tree`, where it is not what a snapshot's
//! situations already show.

use super::oracle::Lab;
use git_rapid::{domain::oid::TreeId, git::Error};
use std::ffi::OsStr;

#[test]
fn its_trees_can_be_read_though_they_are_not_stored() {
    let lab = Lab::new(
        "sha1",
        "mkdir -p a/b; echo 1 >a/b/c; echo 2 >d; git add -A; git commit -qm m; \
        echo 3 >a/b/c; git add -A",
    );
    let repo = lab.open();
    let tree = repo.index_tree().unwrap();
    let entry = repo.entry_at(tree, b"a/b/c").unwrap().unwrap();
    assert_eq!(repo.read_blob(entry.oid).unwrap(), b"3\n");
    assert!(!lab.open().has_object(tree.0));
}

/// What a `pre-commit` hook sees of the index git is about to commit: `-a` has it in
/// `index.lock`, a commit of single paths in `next-index-*.lock`.
#[test]
fn the_index_about_to_be_committed_is_read() {
    for (args, other) in [
        ("-a", "index.lock"),
        ("--only a", "next-index-"),
        ("", "/index"),
    ] {
        let lab = Lab::new(
            "sha1",
            "echo 1 >a; echo 1 >b; git add -A; git commit -qm m; \
            echo 2 >a; echo 2 >b; git add b",
        );
        lab.sh("cat >.git/hooks/pre-commit <<'EOS'
#!/bin/sh
case $GIT_INDEX_FILE in /*) echo $GIT_INDEX_FILE ;; *) echo $PWD/$GIT_INDEX_FILE ;; esac >$HOME/name
cp -p $GIT_INDEX_FILE .git/copy-index
git write-tree --missing-ok >$HOME/tree
exit 1
EOS
chmod +x .git/hooks/pre-commit");
        lab.sh(&format!("git commit -qm n {args} || true"));
        let name = std::fs::read_to_string(lab.home.join("name")).unwrap();
        assert!(name.contains(other), "{name}");
        let copy = lab.dir.join(".git/copy-index");
        let repo = lab.open_with(&[("GIT_INDEX_FILE", copy.as_os_str())]);
        let expected = std::fs::read_to_string(lab.home.join("tree")).unwrap();
        assert_eq!(repo.index_tree().unwrap().hex(), expected.trim(), "{args}");
        let tree = repo.index_tree().unwrap();
        assert!(repo.entry_at(tree, b"a").unwrap().is_some(), "{args}");
    }
}

#[test]
fn a_relative_index_file_is_found_from_the_root() {
    let lab = Lab::new(
        "sha1",
        "mkdir d; echo 1 >d/a; git add -A; git commit -qm m; \
        echo 2 >d/a; GIT_INDEX_FILE=.git/other git add -A",
    );
    let mut below = lab;
    below.dir = below.dir.join("d");
    let repo = below.open_with(&[("GIT_INDEX_FILE", OsStr::new(".git/other"))]);
    let expected = below.sh("cd ..; GIT_INDEX_FILE=.git/other git write-tree");
    assert_eq!(repo.index_tree().unwrap().hex(), expected);
}

#[test]
fn unmerged_paths_are_named_and_have_no_tree() {
    let lab = Lab::new(
        "sha1",
        "echo 1 >b; echo 1 >a; echo 1 >c; git add -A; git commit -qm m; \
        git checkout -qb o; echo o >b; git rm -q a; git commit -qam o; git checkout -q main; \
        echo m >b; echo m >a; git commit -qam m; git merge o >/dev/null 2>&1 || true",
    );
    let repo = lab.open();
    let paths: Vec<_> = repo.unmerged_paths().unwrap();
    let paths: Vec<_> = paths.iter().map(|path| path.quoted()).collect();
    assert_eq!(paths, ["a", "b"]);
    match repo.index_tree() {
        Err(Error::Unmerged { path }) => assert_eq!(path.quoted(), "a"),
        other => panic!("{other:?}"),
    }
    lab.sh("git add -A");
    assert_eq!(lab.open().unmerged_paths().unwrap(), []);
}

#[test]
fn an_empty_index_is_the_empty_tree() {
    let lab = Lab::new("sha256", ":");
    let repo = lab.open();
    let tree: TreeId = repo.index_tree().unwrap();
    assert_eq!(tree, repo.empty_tree());
    assert_eq!(repo.read_tree(tree).unwrap(), []);
}

#[test]
fn a_damaged_index_is_an_error() {
    let lab = Lab::new("sha1", "echo 1 >a; git add a");
    std::fs::write(lab.dir.join(".git/index"), b"DIRC nonsense").unwrap();
    assert!(lab.open().index_tree().is_err());
}
