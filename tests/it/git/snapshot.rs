//! Snapshots against `git add -A && git write-tree`, and what a request leaves out.

use super::{oracle::Lab, situations::SITUATIONS};
use git_rapid::{
    domain::{
        path::RepoPath,
        scope::{Matcher, Pattern},
    },
    git::{Refused, RefusedWhy, Snapshot, SnapshotRequest},
};
use std::{fs, os::unix::fs::PermissionsExt};

fn take(lab: &Lab) -> Result<Snapshot, Refused> {
    lab.open().snapshot(&SnapshotRequest::default()).unwrap()
}

fn taken(lab: &Lab, request: &SnapshotRequest<'_>) -> Snapshot {
    lab.open().snapshot(request).unwrap().unwrap()
}

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

fn names<'a>(paths: impl IntoIterator<Item = &'a RepoPath>) -> Vec<String> {
    paths.into_iter().map(RepoPath::quoted).collect()
}

const BASE: &str = "mkdir src; echo 1 >src/a; echo 2 >b; git add -A; git commit -qm base; ";
const SUBMODULE: &str = "git init -q ../home/sub; echo s >../home/sub/s; git -C ../home/sub add s; \
    git -C ../home/sub commit -qm s; git -c protocol.file.allow=always submodule --quiet add \
    ../home/sub mod; git commit -qm sub; ";

fn lab(more: &str) -> Lab {
    Lab::new("sha1", &format!("{BASE}{more}"))
}

/// Every row, in one algorithm; failures are gathered so that one run shows all.
fn every_situation(format: &str) {
    let mut wrong = Vec::new();
    for situation in SITUATIONS {
        let lab = Lab::new(format, situation.script);
        let before = lab.trace();
        let got = lab.open().snapshot(&SnapshotRequest::default());
        let index = lab.open().index_tree().unwrap();
        if lab.trace() != before {
            wrong.push(format!("{}: something was written", situation.name));
        }
        let staged = lab.git(&["write-tree"]);
        if index.hex() != staged {
            wrong.push(format!(
                "{}: index {index}, git says {staged}",
                situation.name
            ));
        }
        let expected = lab.expected(situation.left_out);
        match got {
            Ok(Ok(snapshot)) if snapshot.tree == expected => {}
            other => wrong.push(format!(
                "{}: {other:?}, git says {expected}",
                situation.name
            )),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sha1_snapshots_are_gits() {
    every_situation("sha1");
}

#[test]
fn sha256_snapshots_are_gits() {
    every_situation("sha256");
}

/// What cannot be compared, with the paths that are named.
const REFUSED: &[(&str, &str, RefusedWhy, &[&str])] = &[
    (
        "unfinished merge",
        "git checkout -qb o; echo o >b; echo o >src/a; git commit -qam o; git checkout -q main; \
         echo m >b; echo m >src/a; git commit -qam m; git merge o >/dev/null 2>&1 || true",
        RefusedWhy::Unmerged,
        &["b", "src/a"],
    ),
    (
        "assume-unchanged, edited",
        "git update-index --assume-unchanged b; echo 3 >b",
        RefusedWhy::Flagged,
        &["b"],
    ),
    (
        "assume-unchanged, deleted",
        "git update-index --assume-unchanged b; rm b",
        RefusedWhy::Flagged,
        &["b"],
    ),
    (
        "skip-worktree, edited",
        "git update-index --skip-worktree b src/a; echo 3 >b; chmod +x src/a",
        RefusedWhy::Flagged,
        &["b", "src/a"],
    ),
    (
        "sparse checkout, edited outside",
        "git sparse-checkout set --no-cone /b; mkdir -p src; echo 9 >src/a",
        RefusedWhy::Flagged,
        &["src/a"],
    ),
    (
        "sparse index, edited outside",
        "git sparse-checkout set --sparse-index none; mkdir -p src; echo 9 >src/a",
        RefusedWhy::Flagged,
        &["src/a"],
    ),
    (
        "submodule edited",
        "echo more >>mod/s",
        RefusedWhy::DirtySubmodule,
        &["mod"],
    ),
    (
        "submodule with a new file",
        "echo more >mod/new",
        RefusedWhy::DirtySubmodule,
        &["mod"],
    ),
    (
        "submodule with a staged deletion",
        "git -C mod rm -q s",
        RefusedWhy::DirtySubmodule,
        &["mod"],
    ),
    (
        "tracked file becomes a pipe",
        "rm b; mkfifo b",
        RefusedWhy::Unreadable,
        &["b"],
    ),
];

#[test]
fn refuses_what_cannot_be_compared() {
    for (name, script, why, paths) in REFUSED {
        let lab = lab(&format!("{SUBMODULE}{script}"));
        let before = lab.trace();
        let refused = take(&lab).expect_err(name);
        assert_eq!(
            (refused.why, names(&refused.paths)),
            (*why, owned(paths)),
            "{name}"
        );
        assert!(lab.trace() == before, "{name}: something was written");
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn refuses_unreadable_files_by_name() {
    let lab = lab("echo 3 >b; echo n >new");
    for name in ["b", "new"] {
        fs::set_permissions(lab.dir.join(name), fs::Permissions::from_mode(0o000)).unwrap();
    }
    if fs::read(lab.dir.join("b")).is_ok() {
        return; // Root reads everything.
    }
    let refused = take(&lab).unwrap_err();
    assert_eq!(refused.why, RefusedWhy::Unreadable);
    assert_eq!(names(&refused.paths), ["b"]);
}

#[test]
fn a_required_filter_that_fails_is_an_error_not_a_tree() {
    let lab = lab(
        "echo '*.x filter=f' >.gitattributes; git config filter.f.required true; \
         git config filter.f.clean 'cat >/dev/null; exit 1'; echo x >n.x",
    );
    let error = lab
        .open()
        .snapshot(&SnapshotRequest::default())
        .unwrap_err();
    assert!(error.to_string().contains("n.x"), "{error}");
}

#[test]
fn a_submodule_of_another_object_format_is_not_guessed_at() {
    let lab = lab(
        "GIT_DEFAULT_HASH=sha256 git init -q sub; git -C sub commit -q --allow-empty -m s; \
        git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub",
    );
    let error = lab
        .open()
        .snapshot(&SnapshotRequest::default())
        .unwrap_err();
    assert!(error.to_string().contains("object format"), "{error}");
}

#[test]
fn untracked_files_can_be_left_out_and_are_listed() {
    let lab = lab("echo n >src/new; echo x >x; echo 9 >b");
    let nothing_new = SnapshotRequest {
        no_untracked: true,
        ..Default::default()
    };
    let snapshot = taken(&lab, &nothing_new);
    assert_eq!(snapshot.tree, lab.expected(&[b"src/new", b"x"]));
    assert_eq!(
        names(snapshot.bystanders.iter().map(|(path, _)| path)),
        ["src/new", "x"]
    );
    assert_eq!(
        snapshot.bystanders[1].1.hex(),
        lab.git(&["hash-object", "x"])
    );

    // They stay out while they are the same, and are in once they differ.
    let known = snapshot.bystanders;
    let request = SnapshotRequest {
        bystanders: &known,
        ..Default::default()
    };
    assert_eq!(taken(&lab, &request).bystanders, known);
    assert_eq!(taken(&lab, &request).tree, snapshot.tree);
    lab.sh("echo other >x");
    let later = taken(&lab, &request);
    assert_eq!(later.tree, lab.expected(&[b"src/new"]));
    assert_eq!(
        names(later.bystanders.iter().map(|(path, _)| path)),
        ["src/new"]
    );

    // One that was added is no bystander.
    lab.sh("git add -N src/new");
    assert_eq!(taken(&lab, &request).bystanders, []);
    assert_eq!(taken(&lab, &request).tree, lab.expected(&[]));
}

#[test]
fn report_files_are_left_out_whatever_they_hold() {
    let lab = lab("echo 1 >report.xml; echo 2 >other");
    let leave_out = [path("report.xml"), path("b")];
    let request = SnapshotRequest {
        leave_out: &leave_out,
        ..Default::default()
    };
    let snapshot = taken(&lab, &request);
    assert_eq!(snapshot.tree, lab.expected(&[b"report.xml"]));
    assert_eq!(
        names(snapshot.bystanders.iter().map(|(path, _)| path)),
        ["report.xml"]
    );
}

#[test]
fn untracked_files_outside_the_scope_are_bystanders() {
    let lab = lab("echo n >src/new; echo x >x; echo 9 >b; mkdir y; echo z >y/z");
    let pattern: Pattern = "src/**".parse().unwrap();
    let scope = Matcher::new([&pattern]);
    let request = SnapshotRequest {
        scope: Some(&scope),
        ..Default::default()
    };
    let snapshot = taken(&lab, &request);
    // Tracked files outside are in: whoever changed them must be told.
    assert_eq!(snapshot.tree, lab.expected(&[b"x", b"y"]));
    assert_eq!(
        names(snapshot.bystanders.iter().map(|(path, _)| path)),
        ["x", "y/z"]
    );
    let nothing = Matcher::new([]);
    let request = SnapshotRequest {
        scope: Some(&nothing),
        ..Default::default()
    };
    assert_eq!(taken(&lab, &request).bystanders.len(), 3);
}

#[test]
fn a_new_file_outside_a_sparse_checkout_is_a_bystander() {
    let lab = lab("git sparse-checkout set --no-cone /b; mkdir -p src; echo n >src/n");
    let snapshot = taken(&lab, &SnapshotRequest::default());
    assert_eq!(snapshot.tree, lab.tree("HEAD"));
    assert_eq!(
        names(snapshot.bystanders.iter().map(|(path, _)| path)),
        ["src/n"]
    );
}

#[test]
fn what_cannot_be_read_may_lie_about_but_not_come_new() {
    let lab = lab(
        "echo '*.x filter=f' >.gitattributes; git config filter.f.required true; \
         git config filter.f.clean 'cat >/dev/null; exit 1'; echo x >n.x",
    );
    let repo = lab.open();
    let start = SnapshotRequest {
        no_untracked: true,
        ..Default::default()
    };
    let start = repo.snapshot(&start).unwrap().unwrap();
    let unread = start
        .bystanders
        .iter()
        .find(|(path, _)| *path == self::path("n.x"));
    assert!(unread.unwrap().1.is_null());
    let request = SnapshotRequest {
        bystanders: &start.bystanders,
        ..Default::default()
    };
    assert_eq!(taken(&lab, &request).tree, start.tree);
    assert!(repo.snapshot(&SnapshotRequest::default()).is_err());
}

#[test]
fn a_file_that_never_stands_still_is_refused() {
    // The filter writes to the file that is being read.
    let lab = lab(
        "echo 'log filter=f' >.gitattributes; git config filter.f.clean 'cat; echo more >>log'; \
         echo x >log",
    );
    let refused = take(&lab).unwrap_err();
    assert_eq!(refused.why, RefusedWhy::Unsteady);
    assert_eq!(names(&refused.paths), ["log"]);
}

#[test]
fn droppings_and_repositories_are_listed() {
    let lab = lab(
        "echo 1 >x~; mkdir -p src/__pycache__; echo 2 >src/__pycache__/m.pyc; git init -q emb; \
         echo '*.bak~' >.gitignore; echo 3 >ignored.bak~",
    );
    let snapshot = taken(&lab, &SnapshotRequest::default());
    assert_eq!(names(&snapshot.droppings), ["emb", "src/__pycache__", "x~"]);
    assert_eq!(snapshot.bystanders, []);
}

#[test]
fn hidden_files_are_those_no_ignore_file_in_the_tree_names() {
    let lab = lab(
        "echo '*.o' >.gitignore; echo 1 >x.o; echo 'secret*' >>.git/info/exclude; echo 2 >secret; \
         mkdir -p src/secrets/deep; echo 3 >src/secrets/1; echo 4 >src/secrets/deep/2; \
         mkdir env; echo '*' >env/.gitignore; echo 5 >env/lib",
    );
    let snapshot = taken(&lab, &SnapshotRequest::default());
    assert_eq!(
        names(&snapshot.hidden_names),
        ["env/.gitignore", "env/lib", "secret", "src/secrets"]
    );
    assert_eq!(snapshot.hidden_count, 4);
    assert_eq!(snapshot.tree, lab.expected(&[]));

    lab.sh("for i in $(seq 100); do echo $i >secret$i; done");
    let snapshot = taken(&lab, &SnapshotRequest::default());
    assert_eq!(snapshot.hidden_count, 104);
    assert_eq!(snapshot.hidden_names.len(), 50);
}

#[test]
fn touched_files_are_those_written_without_becoming_different() {
    let lab = lab(":");
    let before = taken(&lab, &SnapshotRequest::default());
    lab.sh("sleep 0.05; cp b b2; cat b2 >b; rm b2; echo other >src/a");
    let repo = lab.open();
    let after = taken(&lab, &SnapshotRequest::default());
    let changed: Vec<_> = [path("src/a")].to_vec();
    assert_eq!(
        names(&repo.touched_between(&before, &after, &[])),
        ["b", "src/a"]
    );
    assert_eq!(
        names(&repo.touched_between(&before, &after, &changed)),
        ["b"]
    );
    assert_eq!(repo.touched_between(&after, &after, &[]), []);
}

#[test]
fn a_linked_worktree_has_its_own_snapshot() {
    let lab = lab("git worktree add -q ../home/w; echo x >../home/w/x; echo 3 >b");
    let here = taken(&lab, &SnapshotRequest::default()).tree;
    let mut there = lab;
    there.dir = there.home.join("w");
    let tree = taken(&there, &SnapshotRequest::default()).tree;
    assert_eq!(tree, there.expected(&[]));
    assert_ne!(tree, here);
}

#[test]
fn the_result_does_not_depend_on_where_one_stands() {
    let lab = lab(
        "echo '*.up filter=up' >.gitattributes; git config filter.up.clean 'cat; cat b'; \
        echo x >src/x.up",
    );
    let expected = lab.expected(&[]);
    let mut below = lab;
    below.dir = below.dir.join("src");
    assert_eq!(taken(&below, &SnapshotRequest::default()).tree, expected);
}

#[test]
fn snapshots_can_be_read_and_kept_without_touching_the_object_store() {
    let lab = lab("echo new >src/n; echo 3 >b; head -c 2000000 /dev/zero >large");
    let repo = lab.open();
    let before = lab.trace();
    let snapshot = repo.snapshot(&SnapshotRequest::default()).unwrap().unwrap();
    let entry = repo.entry_at(snapshot.tree, b"src/n").unwrap().unwrap();
    assert_eq!(repo.read_blob(entry.oid).unwrap(), b"new\n");
    assert!(lab.trace() == before);

    // Another process sees nothing of it until it is kept.
    assert!(!lab.open().has_object(snapshot.tree.0));
    let objects = lab.git(&["count-objects", "-v"]);
    repo.keep_snapshot(&snapshot);
    repo.keep_snapshot(&snapshot);
    assert_eq!(lab.git(&["count-objects", "-v"]), objects);
    let later = lab.open();
    assert_eq!(later.read_blob(entry.oid).unwrap(), b"new\n");
    assert!(later.has_object(snapshot.tree.0));
    let large = later.entry_at(snapshot.tree, b"large").unwrap().unwrap();
    assert!(!later.has_object(large.oid), "too large to be kept");
}

#[test]
fn the_side_store_is_bounded() {
    let lab = lab(":");
    let repo = lab.open();
    // Noise does not compress: 80 files of a megabyte are more than is kept.
    for round in 0..5 {
        lab.sh(&format!(
            "for i in $(seq 16); do head -c 1000000 /dev/urandom >noise{round}-$i; done"
        ));
        let snapshot = taken_by(&repo);
        repo.keep_snapshot(&snapshot);
    }
    let size: u64 = lab
        .sh("find .git/rapid/objects -type f -printf '%s\\n' | awk '{s+=$1} END {print s}'")
        .parse()
        .unwrap();
    assert!(size <= 64 << 20, "{size} bytes are kept");
    assert!(size > 16 << 20, "{size} bytes are too few");
}

fn taken_by(repo: &git_rapid::git::Repository) -> Snapshot {
    repo.snapshot(&SnapshotRequest::default()).unwrap().unwrap()
}

#[test]
fn a_bare_repository_has_no_snapshot() {
    let lab = lab("git clone -q --bare . ../home/bare.git");
    let mut bare = lab;
    bare.dir = bare.home.join("bare.git");
    assert!(bare.open().snapshot(&SnapshotRequest::default()).is_err());
}
