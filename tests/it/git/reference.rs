use super::scratch::{Scratch, open_with};
use git_rapid::{
    domain::oid::{CommitId, Oid},
    git::{Error, Expected, RefEdit, RefTarget, Repository},
};
use std::{fs, thread};

const BACKENDS: [&[&str]; 4] = [
    &[],
    &["--ref-format=reftable"],
    &["--object-format=sha256"],
    &["--object-format=sha256", "--ref-format=reftable"],
];

fn edit(name: &str, new: Option<Oid>, expected: Expected) -> RefEdit {
    RefEdit {
        name: name.to_owned(),
        new,
        expected,
    }
}

/// `git for-each-ref` below a prefix.
fn listed(scratch: &Scratch, prefix: &str) -> Vec<RefTarget> {
    let text = scratch.git(&["for-each-ref", "--format=%(refname) %(objectname)", prefix]);
    text.lines()
        .map(|line| {
            let (name, hex) = line.split_once(' ').unwrap();
            RefTarget {
                name: name.to_owned(),
                target: Oid::from_hex(hex).unwrap(),
            }
        })
        .collect()
}

#[test]
fn head_symbolic_detached_and_unborn() {
    for backend in BACKENDS {
        let scratch = Scratch::with(backend);
        let repo = scratch.open();
        assert_eq!(
            repo.refs_through_git(),
            backend.concat().contains("reftable")
        );
        let head = repo.head().unwrap();
        assert_eq!(
            (head.commit, head.branch.as_deref()),
            (None, Some(&b"main"[..]))
        );

        let commit = scratch.commit("a", "one");
        let head = repo.head().unwrap();
        assert_eq!(head.commit, Some(commit));
        assert_eq!(head.branch.as_deref(), Some(&b"main"[..]));
        assert_eq!(repo.find_ref("HEAD").unwrap(), Some(commit.0));

        scratch.git(&["checkout", "-q", "-b", "topic/deep"]);
        let branch = repo.head().unwrap().branch.unwrap();
        assert_eq!(branch, b"topic/deep");

        scratch.git(&["checkout", "-q", "--detach"]);
        let head = repo.head().unwrap();
        assert_eq!((head.commit, head.branch), (Some(commit), None));
    }
}

#[test]
fn head_during_a_rebase_is_the_rebased_branch() {
    for backend in [&[][..], &["--apply"]] {
        let scratch = Scratch::new();
        scratch.commit("a", "one");
        scratch.git(&["checkout", "-q", "-b", "topic"]);
        scratch.commit("a", "two");
        scratch.git(&["checkout", "-q", "main"]);
        scratch.commit("a", "three");
        let mut args = vec!["rebase", "main", "topic"];
        args.extend(backend);
        assert!(!scratch.run_in(&scratch.dir, &args, b"").status.success());
        assert!(
            !scratch
                .run_in(&scratch.dir, &["symbolic-ref", "-q", "HEAD"], b"")
                .status
                .success()
        );
        let head = scratch.open().head().unwrap();
        assert_eq!(head.branch.as_deref(), Some(&b"topic"[..]));
        assert_eq!(head.commit, Some(CommitId(scratch.oid("HEAD"))));
    }
}

#[test]
fn reads_loose_packed_and_symbolic_refs_as_git_does() {
    for backend in BACKENDS {
        let scratch = Scratch::with(backend);
        let one = scratch.commit("a", "one");
        for name in ["refs/rapid/runs/a", "refs/rapid/runs/b/c", "refs/rapidly/x"] {
            scratch.git(&["update-ref", name, "HEAD"]);
        }
        scratch.git(&["tag", "-a", "-m", "t", "annotated"]);
        scratch.git(&["pack-refs", "--all"]);
        let two = scratch.commit("a", "two");
        scratch.git(&["update-ref", "refs/rapid/runs/a", "HEAD"]);
        scratch.git(&["update-ref", "refs/rapid/runs/B", "HEAD"]);
        scratch.git(&["symbolic-ref", "refs/rapid/alias", "refs/rapid/runs/b/c"]);
        scratch.git(&["symbolic-ref", "refs/rapid/nowhere", "refs/rapid/none"]);
        let repo = scratch.open();
        for prefix in [
            "refs/rapid/",
            "refs/rapid/runs/",
            "refs/tags/",
            "refs/none/",
        ] {
            assert_eq!(
                repo.refs_below(prefix).unwrap(),
                listed(&scratch, prefix),
                "{prefix}"
            );
        }
        assert_eq!(repo.find_ref("refs/rapid/runs/a").unwrap(), Some(two.0));
        assert_eq!(repo.find_ref("refs/rapid/runs/b/c").unwrap(), Some(one.0));
        assert_eq!(repo.find_ref("refs/rapid/alias").unwrap(), Some(one.0));
        assert_eq!(repo.find_ref("refs/rapid/nowhere").unwrap(), None);
        for (name, target) in [
            ("refs/rapid/alias", Some("refs/rapid/runs/b/c")),
            ("refs/rapid/nowhere", Some("refs/rapid/none")),
            ("refs/rapid/runs/a", None),
            ("refs/rapid/none", None),
            ("HEAD", Some("refs/heads/main")),
        ] {
            assert_eq!(
                repo.symbolic_target(name).unwrap().as_deref(),
                target,
                "{name}"
            );
        }
        assert_eq!(repo.find_ref("refs/rapid/runs/b").unwrap(), None);
        assert_eq!(repo.find_ref("refs/rapid/runs").unwrap(), None);
        assert_eq!(repo.find_ref("not a ref..").unwrap(), None);
        let tag = scratch.oid("refs/tags/annotated");
        assert_eq!(repo.find_ref("refs/tags/annotated").unwrap(), Some(tag));
    }
}

#[test]
fn sees_refs_that_others_pack_while_the_handle_is_open() {
    let scratch = Scratch::new();
    scratch.commit("a", "one");
    let repo = scratch.open();
    for round in 0..5 {
        let name = format!("refs/rapid/runs/{round}");
        scratch.git(&["update-ref", &name, "HEAD"]);
        assert!(repo.find_ref(&name).unwrap().is_some());
        scratch.git(&["pack-refs", "--all"]);
        assert!(repo.find_ref(&name).unwrap().is_some());
    }
}

#[test]
fn sees_all_refs_while_others_pack_them() {
    let scratch = Scratch::new();
    let one = scratch.commit("a", "one").0;
    let names: Vec<_> = (0..20).map(|n| format!("refs/rapid/runs/{n:02}")).collect();
    let edits: Vec<_> = names
        .iter()
        .map(|name| edit(name, Some(one), Expected::Any))
        .collect();
    scratch.open().update_refs(&edits, "m").unwrap();
    let two = scratch.commit("a", "two").0;
    thread::scope(|scope| {
        let packing = scope.spawn(|| {
            let repo = scratch.open();
            for round in 0..25 {
                let new = Some(if round % 2 == 0 { two } else { one });
                for name in &names {
                    repo.update_refs(&[edit(name, new, Expected::Any)], "m")
                        .unwrap();
                }
                scratch.git(&["pack-refs", "--all"]);
            }
        });
        let repo = scratch.open();
        while !packing.is_finished() {
            assert_eq!(repo.refs_below("refs/rapid/").unwrap().len(), names.len());
            assert!(repo.find_ref(&names[7]).unwrap().is_some());
        }
    });
}

#[test]
fn moves_one_ref_only_from_where_it_was_seen() {
    for backend in BACKENDS {
        let scratch = Scratch::with(backend);
        let one = scratch.commit("a", "one").0;
        let two = scratch.commit("a", "two").0;
        let repo = scratch.open();
        let name = "refs/rapid/runs/r";
        let conflict = |result: Result<(), Error>| {
            assert!(
                matches!(&result, Err(Error::Conflict { name: moved }) if moved == name),
                "{backend:?} {result:?}"
            );
        };
        conflict(repo.update_refs(&[edit(name, Some(one), Expected::At(two))], "m"));
        repo.update_refs(&[edit(name, Some(one), Expected::Absent)], "first\nline")
            .unwrap();
        // The same value again is a conflict too: somebody else made it.
        conflict(repo.update_refs(&[edit(name, Some(one), Expected::Absent)], "m"));
        conflict(repo.update_refs(&[edit(name, Some(two), Expected::Absent)], "m"));
        conflict(repo.update_refs(&[edit(name, Some(one), Expected::At(two))], "m"));
        repo.update_refs(&[edit(name, Some(two), Expected::At(one))], "second")
            .unwrap();
        assert_eq!(scratch.oid(name), two);
        assert_eq!(
            scratch.git(&["reflog", "show", "--format=%gs|%gn|%ge", name]),
            "second|Ada|ada@example.org\nfirst line|Ada|ada@example.org"
        );
        scratch.git(&["pack-refs", "--all"]);
        conflict(repo.update_refs(&[edit(name, None, Expected::At(one))], "m"));
        conflict(repo.update_refs(&[edit(name, None, Expected::Absent)], "m"));
        repo.update_refs(&[edit(name, None, Expected::At(two))], "m")
            .unwrap();
        assert_eq!(repo.find_ref(name).unwrap(), None);
        assert!(listed(&scratch, "refs/rapid/").is_empty());
        conflict(repo.update_refs(&[edit(name, None, Expected::At(two))], "m"));
        repo.update_refs(&[edit(name, None, Expected::Absent)], "m")
            .unwrap();
        repo.update_refs(&[edit(name, Some(one), Expected::Any)], "m")
            .unwrap();
        repo.update_refs(&[edit(name, None, Expected::Any)], "m")
            .unwrap();
        repo.update_refs(&[edit(name, None, Expected::Any)], "m")
            .unwrap();
        assert!(
            repo.update_refs(&[edit("refs/rapid/a b", Some(one), Expected::Any)], "m")
                .is_err()
        );
        assert!(
            repo.update_refs(&[edit("refs/rapid/../x", Some(one), Expected::Any)], "m")
                .is_err()
        );
    }
}

#[test]
fn moves_several_refs_or_none() {
    for backend in BACKENDS {
        let scratch = Scratch::with(backend);
        let one = scratch.commit("a", "one").0;
        let two = scratch.commit("a", "two").0;
        let repo = scratch.open();
        let (run, journal) = ("refs/rapid/runs/r", "refs/rapid/journal/w");
        repo.update_refs(
            &[
                edit(run, Some(one), Expected::Absent),
                edit(journal, Some(two), Expected::Absent),
            ],
            "open",
        )
        .unwrap();
        assert_eq!(listed(&scratch, "refs/rapid/").len(), 2);
        for name in [run, journal] {
            assert_eq!(
                scratch.git(&["reflog", "show", "--format=%gs|%gn", name]),
                "open|Ada"
            );
        }
        let refused = repo.update_refs(
            &[
                edit(run, Some(two), Expected::At(one)),
                edit(journal, Some(one), Expected::At(one)),
            ],
            "seal",
        );
        assert!(
            matches!(&refused, Err(Error::Conflict { name }) if name == journal),
            "{refused:?}"
        );
        assert_eq!((scratch.oid(run), scratch.oid(journal)), (one, two));
        let refused = repo.update_refs(
            &[
                edit(run, Some(two), Expected::At(one)),
                edit(journal, Some(two), Expected::Absent),
            ],
            "seal",
        );
        assert!(
            matches!(&refused, Err(Error::Conflict { name }) if name == journal),
            "{refused:?}"
        );
        repo.update_refs(
            &[
                edit(run, None, Expected::At(one)),
                edit(journal, Some(one), Expected::At(two)),
                edit("refs/rapid/none", None, Expected::Absent),
            ],
            "pack",
        )
        .unwrap();
        assert_eq!(repo.find_ref(run).unwrap(), None);
        assert_eq!(scratch.oid(journal), one);
    }
}

#[test]
fn ours_get_a_reflog_in_a_bare_repository_and_without_a_name() {
    let source = Scratch::new();
    source.commit("a", "one");
    let bare = source.root.path().canonicalize().unwrap().join("bare");
    source.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    let one = source.oid("HEAD");
    let nameless: &[&str] = &["GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"];
    for repo in [
        source.open_at(&bare),
        super::scratch::open_without(&bare, nameless),
    ] {
        let name = format!("refs/rapid/runs/{}", repo.committer().is_ok());
        repo.update_refs(&[edit(&name, Some(one), Expected::Absent)], "made")
            .unwrap();
        let log = source.git_in(&bare, &["reflog", "show", "--format=%gs", &name]);
        assert_eq!(log, "made");
    }
}

fn count_up(repo: &Repository, name: &str, tree: git_rapid::domain::oid::TreeId) {
    let identity = repo.committer().unwrap();
    loop {
        let tip = repo.find_ref(name).unwrap();
        let parents: Vec<_> = tip.map(CommitId).into_iter().collect();
        let commit = repo
            .write_commit(&git_rapid::git::NewCommit {
                tree,
                parents: &parents,
                identity: &identity,
                message: &format!("{:?}", thread::current().id()),
            })
            .unwrap();
        let expected = tip.map_or(Expected::Absent, Expected::At);
        match repo.update_refs(&[edit(name, Some(commit.0), expected)], "count") {
            Ok(()) => return,
            Err(Error::Conflict { .. } | Error::Locked { .. }) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
}

#[test]
fn no_move_is_lost_when_eight_write_at_once() {
    let scratch = Scratch::new();
    let tree = scratch.open().write_tree(None, &[]).unwrap();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let repo = scratch.open();
                for _ in 0..50 {
                    count_up(&repo, "refs/rapid/runs/busy", tree);
                }
            });
        }
    });
    let count = scratch.git(&["rev-list", "--count", "refs/rapid/runs/busy"]);
    assert_eq!(count, "400");
    assert_eq!(
        scratch.git(&[
            "rev-list",
            "--count",
            "--walk-reflogs",
            "refs/rapid/runs/busy"
        ]),
        "400"
    );
}

#[test]
fn no_move_is_lost_on_reftable() {
    let scratch = Scratch::with(&["--ref-format=reftable"]);
    let tree = scratch.open().write_tree(None, &[]).unwrap();
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let repo = scratch.open();
                for _ in 0..5 {
                    count_up(&repo, "refs/rapid/runs/busy", tree);
                }
            });
        }
    });
    let count = scratch.git(&["rev-list", "--count", "refs/rapid/runs/busy"]);
    assert_eq!(count, "15");
}

#[test]
fn a_held_lock_is_named_and_left_alone() {
    let scratch = Scratch::new();
    let one = scratch.commit("a", "one").0;
    let repo = scratch.open();
    let name = "refs/rapid/runs/r";
    repo.update_refs(&[edit(name, Some(one), Expected::Absent)], "m")
        .unwrap();
    scratch.git(&["pack-refs", "--all"]);
    let other = "refs/rapid/journal/w";
    let lock = |file: &str| scratch.dir.join(".git").join(file);
    for (file, edits) in [
        (
            "refs/rapid/runs/r.lock",
            vec![edit(name, None, Expected::At(one))],
        ),
        (
            "refs/rapid/runs/x.lock",
            vec![edit("refs/rapid/runs/x", Some(one), Expected::Absent)],
        ),
        (
            "packed-refs.lock",
            vec![edit(name, None, Expected::At(one))],
        ),
        (
            "refs/rapid/journal/w.lock",
            vec![
                edit(other, Some(one), Expected::Absent),
                edit("refs/rapid/runs/y", Some(one), Expected::Absent),
            ],
        ),
    ] {
        fs::create_dir_all(lock(file).parent().unwrap()).unwrap();
        fs::write(lock(file), "").unwrap();
        let result = repo.update_refs(&edits, "m");
        assert!(
            matches!(&result, Err(Error::Locked { path, .. }) if *path == lock(file)),
            "{file}: {result:?}"
        );
        assert!(lock(file).exists());
        fs::remove_file(lock(file)).unwrap();
        assert_eq!(repo.find_ref(name).unwrap(), Some(one));
    }
    let reftable = Scratch::with(&["--ref-format=reftable"]);
    let one = reftable.commit("a", "one").0;
    let path = reftable.dir.join(".git/reftable/tables.list.lock");
    fs::write(&path, "").unwrap();
    let result = reftable
        .open()
        .update_refs(&[edit(name, Some(one), Expected::Absent)], "m");
    assert!(
        matches!(&result, Err(Error::Locked { path: at, .. }) if *at == path),
        "{result:?}"
    );
}

#[test]
fn a_folder_in_the_way_is_an_error() {
    let scratch = Scratch::new();
    let one = scratch.commit("a", "one").0;
    scratch.git(&["update-ref", "refs/rapid/runs/r/below", "HEAD"]);
    let repo = scratch.open();
    for edits in [
        vec![edit("refs/rapid/runs/r", Some(one), Expected::Absent)],
        vec![edit(
            "refs/rapid/runs/r/below/more",
            Some(one),
            Expected::Absent,
        )],
    ] {
        let result = repo.update_refs(&edits, "m");
        assert!(
            matches!(
                result,
                Err(Error::Gix { .. } | Error::Git { .. } | Error::Io { .. })
            ),
            "{result:?}"
        );
    }
    assert_eq!(listed(&scratch, "refs/rapid/").len(), 1);
}

#[test]
fn revisions() {
    for backend in BACKENDS {
        let scratch = Scratch::with(backend);
        let one = scratch.commit("a", "one");
        let two = scratch.commit("a", "two");
        scratch.git(&["tag", "-a", "-m", "t", "v1", "HEAD~1"]);
        let repo = scratch.open();
        let short = two.short();
        for (revision, commit) in [
            ("HEAD", two),
            ("HEAD~1", one),
            ("HEAD^", one),
            ("main", two),
            ("v1", one),
            ("@", two),
            (short.as_str(), two),
            (&one.hex(), one),
            (":/one", one),
            ("HEAD@{1}", one),
        ] {
            assert_eq!(repo.resolve_commit(revision).unwrap(), commit, "{revision}");
        }
        for revision in [
            "",
            "none",
            "HEAD~9",
            "HEAD..main",
            "HEAD^{tree}",
            "--all",
            "-h",
            "0123456",
        ] {
            let result = repo.resolve_commit(revision);
            assert!(
                matches!(result, Err(Error::BadRevision(_))),
                "{revision} {result:?}"
            );
        }
    }
}

#[test]
fn syncing_refs_as_configured_works() {
    for value in ["all", "committed,-loose-object", "none", "unknown"] {
        let scratch = Scratch::new();
        scratch.git(&["config", "core.fsync", value]);
        let one = scratch.commit("a", "one").0;
        let repo = open_with(&scratch.dir, &[]).unwrap();
        repo.update_refs(&[edit("refs/rapid/r", Some(one), Expected::Absent)], "m")
            .unwrap();
        let blob = repo.write_blob(b"synced").unwrap();
        assert_eq!(scratch.git(&["cat-file", "blob", &blob.hex()]), "synced");
    }
}
