use super::scratch::{Scratch, open_with};
use git_rapid::git::{Error, Repository};
use std::{fs, os::unix::fs::symlink, path::Path};

/// Git's own answers, for comparison.
fn places(scratch: &Scratch, dir: &Path) -> (String, String, String) {
    let ask = |what: &str| scratch.git_in(dir, &["rev-parse", "--path-format=absolute", what]);
    (
        ask("--git-dir"),
        ask("--git-common-dir"),
        ask("--show-toplevel"),
    )
}

fn same_places(repo: &Repository, (git_dir, common_dir, top): (String, String, String)) {
    assert_eq!(repo.git_dir(), Path::new(&git_dir));
    assert_eq!(
        repo.common_dir().canonicalize().unwrap(),
        Path::new(&common_dir)
    );
    assert_eq!(repo.work_dir().unwrap(), Path::new(&top));
}

#[test]
fn finds_what_git_finds_from_a_folder_below() {
    let scratch = Scratch::new();
    scratch.commit("a/b/c.txt", "one");
    let below = scratch.dir.join("a/b");
    let repo = scratch.open_at(&below);
    same_places(&repo, places(&scratch, &below));
    assert_eq!(repo.relative(&below).unwrap().as_bytes(), b"a/b");
    assert_eq!(repo.relative(&scratch.dir).unwrap().as_bytes(), b".");
    let up = below.join("../../a/./b/..");
    assert_eq!(repo.relative(&up).unwrap().as_bytes(), b"a");
    assert!(matches!(
        repo.relative(Path::new("/")),
        Err(Error::OutsideWorkTree { .. })
    ));
}

#[test]
fn relative_sees_through_a_symlink_to_the_root() {
    let scratch = Scratch::new();
    scratch.commit("a/b", "one");
    let alias = scratch.root.path().join("alias");
    symlink(&scratch.dir, &alias).unwrap();
    let repo = scratch.open();
    assert_eq!(repo.relative(&alias.join("a")).unwrap().as_bytes(), b"a");
}

#[test]
fn no_repository() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(
        open_with(dir.path(), &[]),
        Err(Error::NotARepository(_))
    ));
}

#[test]
fn ceiling_stops_the_search() {
    let scratch = Scratch::new();
    scratch.commit("a/b/c", "one");
    let below = scratch.dir.join("a/b");
    let ceiling = scratch.dir.join("a");
    let ceiling = ceiling.to_str().unwrap();
    assert!(matches!(
        open_with(&below, &[("GIT_CEILING_DIRECTORIES", ceiling)]),
        Err(Error::NotARepository(_))
    ));
    assert!(open_with(&below, &[("GIT_CEILING_DIRECTORIES", "/nowhere")]).is_ok());
}

#[test]
fn linked_worktree() {
    let scratch = Scratch::new();
    scratch.commit("a", "one");
    let linked = scratch.dir.parent().unwrap().join("linked");
    scratch.git(&["worktree", "add", "-q", linked.to_str().unwrap()]);
    same_places(&scratch.open_at(&linked), places(&scratch, &linked));
}

#[test]
fn bare() {
    let scratch = Scratch::with(&["--bare"]);
    let repo = scratch.open();
    assert!(matches!(repo.work_dir(), Err(Error::Bare)));
    assert_eq!(repo.git_dir(), scratch.dir);
    assert_eq!(repo.head().unwrap().branch.as_deref(), Some(&b"main"[..]));
}

#[test]
fn a_bare_repository_is_refused_where_git_refuses_it() {
    let scratch = Scratch::with(&["--bare"]);
    let plain = Scratch::new();
    let explicit = [
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "safe.bareRepository"),
        ("GIT_CONFIG_VALUE_0", "explicit"),
    ];
    assert!(matches!(
        open_with(&scratch.dir, &explicit),
        Err(Error::Untrusted(_))
    ));
    let mut named = explicit.to_vec();
    named.push(("GIT_DIR", "."));
    assert!(open_with(&scratch.dir, &named).is_ok());
    assert!(open_with(&plain.dir, &explicit).is_ok());
    assert!(open_with(&plain.dir.join(".git"), &explicit).is_ok());
    scratch.git(&["config", "safe.bareRepository", "explicit"]);
    assert!(open_with(&scratch.dir, &[]).is_ok());
}

#[test]
fn separate_git_dir_and_submodule() {
    let root = tempfile::tempdir().unwrap();
    let apart = root.path().canonicalize().unwrap().join("apart");
    let option = format!("--separate-git-dir={}", apart.display());
    let scratch = Scratch::with(&[&option]);
    scratch.commit("a", "one");
    same_places(&scratch.open(), places(&scratch, &scratch.dir));

    let outer = Scratch::new();
    outer.commit("a", "one");
    let url = scratch.dir.to_str().unwrap();
    outer.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        url,
        "sub",
    ]);
    let sub = outer.dir.join("sub");
    let repo = outer.open_at(&sub);
    same_places(&repo, places(&outer, &sub));
}

#[test]
fn location_variables() {
    let scratch = Scratch::new();
    scratch.commit("a/b", "one");
    let git_dir = scratch.dir.join(".git");
    let git_dir = git_dir.to_str().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let other = elsewhere.path().canonicalize().unwrap();

    // The current directory is the root when only the git directory is named.
    let repo = open_with(&other, &[("GIT_DIR", git_dir)]).unwrap();
    assert_eq!(repo.work_dir().unwrap(), other);
    assert_eq!(repo.git_dir(), Path::new(git_dir));

    let repo = open_with(
        &other,
        &[
            ("GIT_DIR", git_dir),
            ("GIT_WORK_TREE", scratch.dir.to_str().unwrap()),
            ("GIT_INDEX_FILE", ".git/next-index-1.lock"),
        ],
    )
    .unwrap();
    assert_eq!(repo.work_dir().unwrap(), scratch.dir);
    assert_eq!(
        repo.index_file(),
        scratch.dir.join(".git/next-index-1.lock")
    );

    let repo = open_with(&scratch.dir, &[("GIT_DIR", ".git")]).unwrap();
    assert_eq!(repo.work_dir().unwrap(), scratch.dir);
    assert!(matches!(
        open_with(&scratch.dir, &[("GIT_DIR", "nowhere")]),
        Err(Error::NotARepository(_))
    ));
    assert!(open_with(&scratch.dir, &[("GIT_COMMON_DIR", ".git")]).is_ok());
    assert!(matches!(
        open_with(&scratch.dir, &[("GIT_COMMON_DIR", other.to_str().unwrap())]),
        Err(Error::Unsupported(_))
    ));
}

#[test]
fn object_directory_and_alternates() {
    let scratch = Scratch::new();
    let commit = scratch.commit("a", "one");
    let apart = scratch.root.path().join("quarantine");
    fs::create_dir_all(apart.join("info")).unwrap();
    fs::create_dir_all(apart.join("pack")).unwrap();
    let main = scratch.dir.join(".git/objects");
    let repo = open_with(
        &scratch.dir,
        &[
            ("GIT_OBJECT_DIRECTORY", apart.to_str().unwrap()),
            ("GIT_ALTERNATE_OBJECT_DIRECTORIES", main.to_str().unwrap()),
        ],
    )
    .unwrap();
    let blob = repo.write_blob(b"quarantined\n").unwrap();
    assert!(repo.read_commit(commit).is_ok());
    assert_eq!(repo.read_blob(blob).unwrap(), b"quarantined\n");
    assert!(!scratch.open().has_object(blob));
    assert_eq!(repo.resolve_commit("HEAD").unwrap(), commit);

    // A quoted entry, as git writes one that holds a colon.
    let odd = scratch.root.path().join("odd:place");
    fs::rename(&apart, &odd).unwrap();
    let quoted = format!("\"{}\"", odd.display());
    let repo = open_with(
        &scratch.dir,
        &[("GIT_ALTERNATE_OBJECT_DIRECTORIES", &quoted)],
    )
    .unwrap();
    assert_eq!(repo.read_blob(blob).unwrap(), b"quarantined\n");
}

#[test]
fn another_owner_is_refused_with_gits_advice() {
    let scratch = Scratch::new();
    scratch.commit("a", "one");
    if rustix::process::geteuid().is_root() {
        let to = Some(rustix::fs::Uid::from_raw(12345));
        rustix::fs::chown(&scratch.dir, to, None).unwrap();
        let git = scratch.run_in(&scratch.dir, &["status"], b"");
        assert_eq!(git.status.code(), Some(128));
        let refused = open_with(&scratch.dir, &[]).err().unwrap();
        let Error::Untrusted(advice) = &refused else {
            panic!("{refused:?}")
        };
        let dir = scratch.dir.to_str().unwrap();
        assert!(advice.contains(&format!("--add safe.directory {dir}")));

        let safe = scratch.root.path().join("gitconfig");
        fs::write(&safe, format!("[safe]\n\tdirectory = {dir}\n")).unwrap();
        let trusting = [("GIT_CONFIG_GLOBAL", safe.to_str().unwrap())];
        assert!(open_with(&scratch.dir, &trusting).is_ok());
    }
}

#[test]
fn damaged_repositories_give_an_error_that_says_what_is_damaged() {
    for (file, content, said) in [
        ("config", "[core\nrepositoryformatversion = 0\n", "line 1"),
        (
            "config",
            "[core]\n\trepositoryformatversion = 99\n",
            "version",
        ),
        ("config", "[core]\n\tbare = perhaps\n", "core.bare"),
        ("HEAD", "garbage\n", "HEAD"),
        ("HEAD", "", "HEAD"),
        ("HEAD", "ref: refs/heads/a..b\n", "HEAD"),
    ] {
        let scratch = Scratch::new();
        scratch.commit("a", "one");
        fs::write(scratch.dir.join(".git").join(file), content).unwrap();
        let git = scratch.run_in(&scratch.dir, &["rev-parse", "HEAD"], b"");
        assert!(!git.status.success(), "{file} {content:?}");
        let result = open_with(&scratch.dir, &[]).and_then(|repo| repo.head());
        let error = result.err().unwrap_or_else(|| panic!("{file} {content:?}"));
        let text = error.to_string();
        assert!(!text.contains('\n'), "{text}");
        assert!(text.contains(said), "{text}");
        if file == "config" {
            assert!(text.contains(scratch.dir.to_str().unwrap()), "{text}");
        }
    }
}

#[test]
fn unknown_ref_storage_is_refused() {
    let scratch = Scratch::new();
    scratch.git(&["config", "core.repositoryFormatVersion", "1"]);
    scratch.git(&["config", "extensions.refStorage", "novel"]);
    assert!(matches!(
        open_with(&scratch.dir, &[]),
        Err(Error::Unsupported(_))
    ));
}

#[test]
fn object_formats_and_shallow_clones() {
    let scratch = Scratch::with(&["--object-format=sha256"]);
    assert_eq!(scratch.open().object_format(), "sha256");
    let scratch = Scratch::new();
    scratch.commit("a", "one");
    scratch.commit("a", "two");
    assert_eq!(scratch.open().object_format(), "sha1");
    assert!(!scratch.open().is_shallow());
    let url = format!("file://{}", scratch.dir.display());
    let clone = scratch.root.path().join("clone");
    scratch.git(&["clone", "-q", "--depth=1", &url, clone.to_str().unwrap()]);
    assert!(scratch.open_at(&clone).is_shallow());
}

#[test]
fn the_version_of_git_is_asked_once() {
    let scratch = Scratch::new();
    let path = std::env::var("PATH").unwrap();
    let repo = open_with(&scratch.dir, &[("PATH", &path)]).unwrap();
    let version = repo.git_version().unwrap();
    assert!(scratch.git(&["version"]).contains(&version));
    // The warm cache is believed: a lie in it is repeated.
    let cache = scratch.dir.join(".git/rapid/cache/git-version");
    let text = fs::read_to_string(&cache).unwrap();
    fs::write(&cache, text.replace(&version, "0.0.1")).unwrap();
    assert_eq!(repo.git_version().unwrap(), "0.0.1");
    // One about another program is not.
    fs::write(&cache, text.replace("git\t", "git\t1")).unwrap();
    assert_eq!(repo.git_version().unwrap(), version);
}
