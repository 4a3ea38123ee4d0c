use super::scratch::{Scratch, open_with};
use git_rapid::{
    domain::bytes::ByteText,
    git::{Error, Repository, WorktreeInfo},
};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// `git worktree list`: path and branch, without bare and missing ones.
fn listed(scratch: &Scratch, dir: &Path) -> Vec<(PathBuf, Option<ByteText>)> {
    let text = scratch.git_in(dir, &["worktree", "list", "--porcelain"]);
    let mut out: Vec<_> = text
        .split("\n\n")
        .filter(|block| !block.contains("\nbare") && !block.contains("\nprunable"))
        .map(|block| {
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
            (
                PathBuf::from(field("worktree ").unwrap()),
                field("branch refs/heads/").map(ByteText::from),
            )
        })
        .collect();
    out.sort();
    out
}

fn ours(repo: &Repository) -> Vec<(PathBuf, Option<ByteText>)> {
    let mut out: Vec<_> = repo
        .worktrees()
        .unwrap()
        .into_iter()
        .map(|found| (found.path, found.branch))
        .collect();
    out.sort();
    out
}

#[test]
fn listed_as_git_lists_them() {
    for init in [&[][..], &["--ref-format=reftable"]] {
        let scratch = Scratch::with(init);
        assert_eq!(scratch.open().worktree_id(), "main");
        scratch.commit("a", "one");
        let place = |name: &str| scratch.dir.parent().unwrap().join(name);
        for (name, args) in [
            ("one", &["-b", "topic/one"][..]),
            ("two", &["--detach"]),
            ("main", &["-b", "other"]),
            ("gone", &["-b", "gone"]),
        ] {
            let path = place(name);
            let mut all = vec!["worktree", "add", "-q"];
            all.extend(args);
            all.push(path.to_str().unwrap());
            scratch.git(&all);
        }
        fs::remove_dir_all(place("gone")).unwrap();
        for dir in [scratch.dir.clone(), place("one")] {
            let repo = scratch.open_at(&dir);
            assert_eq!(ours(&repo), listed(&scratch, &dir));
            let all = repo.worktrees().unwrap();
            assert_eq!((all[0].id.as_str(), &all[0].path), ("main", &scratch.dir));
            let ids: std::collections::BTreeSet<_> = all.iter().map(|found| &found.id).collect();
            assert_eq!(ids.len(), all.len());
            for info in &all {
                let other = repo.open_worktree(info).unwrap();
                assert_eq!(other.worktree_id(), info.id);
                assert_eq!(other.work_dir().unwrap(), info.path);
                assert_eq!(other.head().unwrap().branch.map(ByteText), info.branch);
                assert_eq!(ours(&other), ours(&repo));
            }
        }
        // A worktree that was moved with its folder.
        scratch.git(&[
            "worktree",
            "move",
            place("one").to_str().unwrap(),
            place("moved").to_str().unwrap(),
        ]);
        assert_eq!(ours(&scratch.open()), listed(&scratch, &scratch.dir));
    }
}

#[test]
fn of_a_bare_repository() {
    let source = Scratch::new();
    source.commit("a", "one");
    let bare = source.dir.parent().unwrap().join("bare");
    let tree = source.dir.parent().unwrap().join("tree");
    source.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    assert_eq!(source.open_at(&bare).worktrees().unwrap(), []);
    source.git_in(&bare, &["worktree", "add", "-q", tree.to_str().unwrap()]);
    for dir in [&bare, &tree] {
        let repo = source.open_at(dir);
        assert_eq!(ours(&repo), listed(&source, dir));
    }
    let repo = source.open_at(&tree);
    assert_eq!(repo.worktree_id(), "tree");
    assert_eq!(repo.work_dir().unwrap(), tree);
}

#[test]
fn made_without_hooks_on_a_new_branch() {
    let scratch = Scratch::new();
    let one = scratch.commit("a", "one");
    scratch.commit("a", "two");
    let hook = scratch.dir.join(".git/hooks/post-checkout");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, "#!/bin/sh\ntouch hooked\n").unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    let path = scratch.dir.parent().unwrap().join("repo.rapid/run-001");
    let repo = scratch.open();
    let made = repo.add_worktree(&path, "rapid/run-001", one).unwrap();
    assert_eq!(made.path, path);
    assert_eq!(made.branch, Some("rapid/run-001".into()));
    assert!(!path.join("hooked").exists());
    assert_eq!(fs::read_to_string(path.join("a")).unwrap(), "one");
    let other = repo.open_worktree(&made).unwrap();
    assert_eq!(other.head().unwrap().commit, Some(one));
    assert!(matches!(
        repo.add_worktree(&path, "rapid/run-002", one),
        Err(Error::Io { path: taken, .. }) if taken == path
    ));
    let free = scratch.dir.parent().unwrap().join("free");
    let taken = repo.add_worktree(&free, "rapid/run-001", one);
    assert!(matches!(taken, Err(Error::Git { .. })), "{taken:?}");
    assert!(!free.exists());
}

#[test]
fn another_one_is_opened_without_the_variables_of_a_hook() {
    let scratch = Scratch::new();
    let one = scratch.commit("a", "one");
    let path = scratch.dir.parent().unwrap().join("linked");
    let repo = open_with(
        &scratch.dir,
        &[("GIT_DIR", ".git"), ("GIT_INDEX_FILE", ".git/index.lock")],
    )
    .unwrap();
    let made: WorktreeInfo = repo.add_worktree(&path, "linked", one).unwrap();
    let other = repo.open_worktree(&made).unwrap();
    assert_eq!(other.work_dir().unwrap(), path);
    assert_eq!(other.index_file(), made.git_dir.join("index"));
    assert_eq!(scratch.git_in(&path, &["status", "--porcelain"]), "");
}
