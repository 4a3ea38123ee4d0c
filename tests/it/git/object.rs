use super::scratch::{Scratch, open_with};
use git_rapid::{
    domain::{
        bytes::ByteText,
        oid::{CommitId, Oid, TreeId},
    },
    git::{EntryKind, Error, Identity, NewCommit, TreeUpsert},
};
use std::{fs, os::unix::fs::PermissionsExt};

const FORMATS: [&[&str]; 2] = [&[], &["--object-format=sha256"]];

fn upsert(path: &str, kind: EntryKind, oid: Oid) -> TreeUpsert {
    TreeUpsert {
        path: path.as_bytes().to_vec(),
        kind,
        oid,
    }
}

fn identity() -> Identity {
    Identity {
        name: "Ada".into(),
        email: "ada@example.org".into(),
        seconds: 1_700_000_000,
        offset: 3600,
    }
}

fn listing(scratch: &Scratch, tree: TreeId) -> String {
    scratch.git(&[
        "ls-tree",
        "-r",
        "--format=%(objectmode) %(path)",
        &tree.hex(),
    ])
}

#[test]
fn blobs_as_git_writes_them() {
    for format in FORMATS {
        let scratch = Scratch::with(format);
        let repo = scratch.open();
        for bytes in [&b""[..], b"text\n", &[0, 255, 10, 13].repeat(50_000)] {
            let id = repo.blob_id(bytes);
            let hex = scratch.git_with(&scratch.dir, &["hash-object", "--stdin"], bytes);
            assert_eq!(id.hex(), hex);
            assert!(!repo.has_object(id));
            assert!(matches!(repo.read_blob(id), Err(Error::Missing { oid }) if oid == id));
            assert_eq!(repo.write_blob(bytes).unwrap(), id);
            assert!(repo.has_object(id));
            assert_eq!(repo.read_blob(id).unwrap(), bytes);
            let (folder, file) = hex.split_at(2);
            let path = scratch.dir.join(".git/objects").join(folder).join(file);
            let before = fs::metadata(&path).unwrap();
            assert_eq!(before.permissions().mode() & 0o777, 0o444);
            repo.write_blob(bytes).unwrap();
            let after = fs::metadata(&path).unwrap();
            assert_eq!(before.modified().unwrap(), after.modified().unwrap());
        }
        scratch.git(&["fsck", "--strict"]);
    }
}

#[test]
fn trees_and_commits_as_git_writes_them() {
    for format in FORMATS {
        let scratch = Scratch::with(format);
        scratch.write("a/b/c", "c");
        scratch.write("a/b.d", "d");
        scratch.write("a0", "0");
        fs::set_permissions(scratch.dir.join("a0"), fs::Permissions::from_mode(0o755)).unwrap();
        std::os::unix::fs::symlink("a0", scratch.dir.join("l")).unwrap();
        scratch.git(&["add", "-A"]);
        scratch.git(&["commit", "-q", "-m", "subject\n\nbody"]);
        let repo = scratch.open();
        let blob = |text: &str| repo.write_blob(text.as_bytes()).unwrap();
        let tree = repo
            .write_tree(
                None,
                &[
                    upsert("l", EntryKind::Symlink, blob("a0")),
                    upsert("a0", EntryKind::Executable, blob("0")),
                    upsert("a/b/c", EntryKind::File, blob("c")),
                    upsert("a/b.d", EntryKind::File, blob("d")),
                ],
            )
            .unwrap();
        assert_eq!(tree.hex(), scratch.git(&["rev-parse", "HEAD^{tree}"]));
        let names: Vec<_> = repo
            .read_tree(tree)
            .unwrap()
            .into_iter()
            .map(|e| e.name)
            .collect();
        assert_eq!(names, [&b"a"[..], b"a0", b"l"]);
        let commit = repo
            .write_commit(&NewCommit {
                tree,
                parents: &[],
                identity: &identity(),
                message: "subject\n\nbody\n",
            })
            .unwrap();
        assert_eq!(commit.hex(), scratch.git(&["rev-parse", "HEAD"]));
        let read = repo.read_commit(commit).unwrap();
        assert_eq!(read.tree, tree);
        assert_eq!(read.author, ByteText::from("Ada <ada@example.org>"));
        assert_eq!(read.seconds, 1_700_000_000);
        assert_eq!(read.message, ByteText::from("subject\n\nbody\n"));
        assert!(!read.signed && read.parents.is_empty());
        let child = repo
            .write_commit(&NewCommit {
                tree,
                parents: &[commit],
                identity: &identity(),
                message: "child",
            })
            .unwrap();
        assert_eq!(repo.read_commit(child).unwrap().parents, [commit]);

        let found = repo.entry_at(tree, b"a/b/c").unwrap().unwrap();
        assert_eq!((found.kind, found.oid), (EntryKind::File, blob("c")));
        assert_eq!(
            repo.entry_at(tree, b"a").unwrap().unwrap().kind,
            EntryKind::Tree
        );
        for none in ["a/x", "a0/x", "", "a/", "/a", "b"] {
            assert_eq!(
                repo.entry_at(tree, none.as_bytes()).unwrap(),
                None,
                "{none}"
            );
        }
        scratch.git(&["fsck", "--strict"]);
    }
}

#[test]
fn the_empty_tree_needs_no_object() {
    for format in FORMATS {
        let scratch = Scratch::with(format);
        let repo = scratch.open();
        let empty = repo.empty_tree();
        assert_eq!(
            empty.hex(),
            scratch.git_with(&scratch.dir, &["hash-object", "-t", "tree", "--stdin"], b"")
        );
        assert_eq!(repo.read_tree(empty).unwrap(), []);
        assert_eq!(repo.write_tree(None, &[]).unwrap(), empty);
        scratch.git(&["cat-file", "-e", &empty.hex()]);
    }
}

#[test]
fn setting_paths_in_a_tree() {
    let scratch = Scratch::new();
    scratch.commit("keep/deep/x", "x");
    scratch.commit("swap", "file");
    scratch.commit("folder/y", "y");
    let base = TreeId(scratch.oid("HEAD^{tree}"));
    let repo = scratch.open();
    let (one, two) = (
        repo.write_blob(b"1").unwrap(),
        repo.write_blob(b"2").unwrap(),
    );
    let keep = repo.entry_at(base, b"keep").unwrap().unwrap().oid;
    let tree = repo
        .write_tree(
            Some(base),
            &[
                upsert("swap/now/folder", EntryKind::File, one),
                upsert("folder", EntryKind::File, two),
                upsert("copy", EntryKind::Tree, keep),
                upsert("copy/deep/y", EntryKind::Executable, one),
                upsert("twice", EntryKind::File, one),
                upsert("twice", EntryKind::File, two),
                upsert("module", EntryKind::Commit, scratch.oid("HEAD")),
            ],
        )
        .unwrap();
    insta::assert_snapshot!(listing(&scratch, tree), @r"
    100644 copy/deep/x
    100755 copy/deep/y
    100644 folder
    100644 keep/deep/x
    160000 module
    100644 swap/now/folder
    100644 twice
    ");
    assert_eq!(repo.entry_at(tree, b"twice").unwrap().unwrap().oid, two);
    assert_eq!(repo.entry_at(tree, b"keep").unwrap().unwrap().oid, keep);
    for bad in [
        "",
        "/a",
        "a//b",
        "a/",
        "..",
        "a/./b",
        ".git/config",
        "a/.GIT",
        "a\0b",
    ] {
        let result = repo.write_tree(None, &[upsert(bad, EntryKind::File, one)]);
        assert!(
            matches!(result, Err(Error::Unsupported(_))),
            "{bad:?} {result:?}"
        );
    }
    scratch.git(&["read-tree", &tree.hex()]);
}

#[test]
fn a_tree_is_stored_with_all_it_names() {
    let scratch = Scratch::new();
    scratch.commit("a", "one");
    // A store apart, laid out as the side store is.
    let apart = Scratch::new();
    apart.commit("deep/b", "two");
    let tree = TreeId(apart.oid("HEAD^{tree}"));
    let blob = apart.oid("HEAD:deep/b");
    let side = scratch.dir.join(".git/rapid/objects");
    fs::create_dir_all(side.parent().unwrap()).unwrap();
    fs::rename(apart.dir.join(".git/objects"), &side).unwrap();

    let repo = scratch.open();
    assert_eq!(repo.read_blob(blob).unwrap(), b"two");
    assert!(repo.has_object(tree.0));
    assert_eq!(repo.entry_at(tree, b"deep/b").unwrap().unwrap().oid, blob);
    let holder = repo
        .write_tree(None, &[upsert("subject/t", EntryKind::Tree, tree.0)])
        .unwrap();
    fs::remove_dir_all(&side).unwrap();
    assert_eq!(listing(&scratch, holder), "100644 subject/t/deep/b");
    assert_eq!(scratch.git(&["cat-file", "blob", &blob.hex()]), "two");

    let nowhere = repo.blob_id(b"nowhere");
    let result = repo.write_tree(None, &[upsert("x", EntryKind::File, nowhere)]);
    assert!(matches!(result, Err(Error::Missing { oid }) if oid == nowhere));
}

#[test]
fn wrong_kinds_damage_and_foreign_ids() {
    for format in FORMATS {
        let scratch = Scratch::with(format);
        let commit = scratch.commit("a", "one");
        let repo = scratch.open();
        let tree = scratch.oid("HEAD^{tree}");
        let blob = scratch.oid("HEAD:a");
        assert!(matches!(
            repo.read_blob(tree),
            Err(Error::BadObject { wanted: "blob", .. })
        ));
        assert!(matches!(
            repo.read_tree(TreeId(commit.0)),
            Err(Error::BadObject { wanted: "tree", .. })
        ));
        assert!(matches!(
            repo.read_commit(CommitId(blob)),
            Err(Error::BadObject {
                wanted: "commit",
                ..
            })
        ));
        let foreign = match blob {
            Oid::Sha1(_) => Oid::Sha256([7; 32]),
            Oid::Sha256(_) => Oid::Sha1([7; 20]),
        };
        assert!(!repo.has_object(foreign));
        assert!(matches!(repo.read_blob(foreign), Err(Error::Missing { oid }) if oid == foreign));

        let hex = blob.hex();
        let path = scratch
            .dir
            .join(".git/objects")
            .join(&hex[..2])
            .join(&hex[2..]);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        for damage in [&b""[..], b"garbage", &fs::read(&path).unwrap()[..8]] {
            fs::write(&path, damage).unwrap();
            let result = scratch.open().read_blob(blob);
            assert!(
                matches!(result, Err(Error::BadObject { wanted: "blob", .. })),
                "{result:?}"
            );
        }
    }
}

#[test]
fn odd_commits_are_read() {
    let scratch = Scratch::new();
    let tree = scratch.git_with(&scratch.dir, &["mktree"], b"");
    let write = |headers: &str| {
        let text = format!("tree {tree}\n{headers}\nmessage \u{e9}\n");
        let args = [
            "hash-object",
            "-t",
            "commit",
            "-w",
            "--stdin",
            "--literally",
        ];
        let hex = scratch.git_with(&scratch.dir, &args, text.as_bytes());
        CommitId(Oid::from_hex(&hex).unwrap())
    };
    let repo = scratch.open();
    let signed = write(
        "author A <a> 1 +0000\ncommitter A <a> 2 +0000\ngpgsig -----BEGIN\n more\n -----END\n",
    );
    let read = repo.read_commit(signed).unwrap();
    assert!(read.signed);
    assert_eq!(read.seconds, 2);
    assert_eq!(read.message, ByteText::from("message \u{e9}\n"));
    let undated = write("author A B <a@b> whenever\ncommitter A B <a@b> whenever\n");
    let read = repo.read_commit(undated).unwrap();
    assert_eq!(
        (read.author, read.seconds),
        (ByteText::from("A B <a@b>"), 0)
    );
    let far = write("author A <a> 99999999999999 +0000\ncommitter A <a> -5 +0000\n");
    assert!(repo.read_commit(far).is_ok());
    let broken = write("parent 123\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n");
    assert!(matches!(
        repo.read_commit(broken),
        Err(Error::BadObject { .. })
    ));
}

#[test]
fn replacements_are_not_followed() {
    let scratch = Scratch::new();
    let one = scratch.commit("a", "one");
    let two = scratch.commit("a", "two");
    let tree = scratch.oid("HEAD^{tree}");
    scratch.git(&["replace", &two.hex(), &one.hex()]);
    assert_eq!(scratch.open().read_commit(two).unwrap().tree, TreeId(tree));
}

#[test]
fn where_nothing_can_be_written_the_error_says_so() {
    let scratch = Scratch::new();
    scratch.commit("a", "one");
    let repo = scratch.open();
    let id = repo.blob_id(b"new");
    // A file where the folder of this object must be.
    let hex = id.hex();
    fs::write(scratch.dir.join(".git/objects").join(&hex[..2]), "").unwrap();
    let result = repo.write_blob(b"new");
    assert!(
        matches!(result, Err(Error::Gix { .. } | Error::ReadOnly { .. })),
        "{result:?}"
    );
    assert!(result.unwrap_err().to_string().len() > 20);

    if !rustix::process::geteuid().is_root() {
        let objects = scratch.dir.join(".git/objects");
        fs::set_permissions(&objects, fs::Permissions::from_mode(0o555)).unwrap();
        let result = repo.write_blob(b"other");
        fs::set_permissions(&objects, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(matches!(result, Err(Error::ReadOnly { .. })), "{result:?}");
    }
    assert!(open_with(&scratch.dir, &[]).is_ok());
}
