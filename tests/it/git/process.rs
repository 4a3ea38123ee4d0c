use super::scratch::{Scratch, open_with};
use git_rapid::git::{Error, GitProcess, is_local_env_var, local_env_vars, without_exec_path};
use std::{collections::BTreeSet, ffi::OsStr, fs, os::unix::fs::PermissionsExt};

#[test]
fn the_list_starts_with_gits_own() {
    let scratch = Scratch::new();
    let own = scratch.git(&["rev-parse", "--local-env-vars"]);
    let own: BTreeSet<_> = own.lines().collect();
    let ours: BTreeSet<_> = local_env_vars().iter().take(own.len()).copied().collect();
    assert_eq!(ours, own);
    for name in own {
        assert!(is_local_env_var(OsStr::new(name)));
    }
    for name in [
        "GIT_EXEC_PATH",
        "GIT_REFLOG_ACTION",
        "GIT_CONFIG_KEY_0",
        "GIT_CONFIG_VALUE_12",
        "GIT_QUARANTINE_PATH",
    ] {
        assert!(is_local_env_var(OsStr::new(name)), "{name}");
    }
    for name in [
        "GIT_AUTHOR_NAME",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_KEY_",
        "GIT_CONFIG_KEY_x",
        "GIT_SSH_COMMAND",
        "PATH",
    ] {
        assert!(!is_local_env_var(OsStr::new(name)), "{name}");
    }
}

#[test]
fn a_hook_gets_nothing_that_is_not_on_the_list() {
    // What `git commit` adds to a hook's environment, apart from the identity.
    let scratch = Scratch::new();
    scratch.commit("a", "one");
    let hook = scratch.dir.join(".git/hooks/pre-commit");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(
        &hook,
        "#!/bin/sh\nenv | grep ^GIT_ | cut -d= -f1 >\"$OUT\"\n",
    )
    .unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    let linked = scratch.dir.parent().unwrap().join("linked");
    scratch.git(&["worktree", "add", "-q", linked.to_str().unwrap()]);
    let out = scratch.root.path().join("out");
    let script = format!(
        "OUT='{}' git -c a.b=c --literal-pathspecs commit -q --allow-empty -m x",
        out.display()
    );
    scratch.git_in(&linked, &["-c", &format!("alias.x=!{script}"), "x"]);
    let known = super::scratch::environment();
    for name in fs::read_to_string(&out).unwrap().lines() {
        let set_by_test = known.iter().any(|(known, _)| known == name);
        let inherited = std::env::var_os(name).is_some();
        assert!(
            set_by_test || inherited || is_local_env_var(OsStr::new(name)),
            "{name}"
        );
    }
}

#[test]
fn the_folder_in_front_of_the_path_goes() {
    let without = |path: &str, exec: &str| {
        without_exec_path(OsStr::new(path), OsStr::new(exec))
            .into_string()
            .unwrap()
    };
    assert_eq!(
        without("/usr/lib/git-core:/usr/bin", "/usr/lib/git-core"),
        "/usr/bin"
    );
    assert_eq!(without("/x/:/x:/usr/bin:/x", "/x"), "/usr/bin:/x");
    assert_eq!(without("/usr/bin:/x", "/x"), "/usr/bin:/x");
    assert_eq!(without("/xy:/x", "/x"), "/xy:/x");
    assert_eq!(without("/x", "/x"), "");
    assert_eq!(without(":/x", ""), ":/x");
    assert_eq!(without("", "/x"), "");
}

#[test]
fn much_in_and_much_out_at_once() {
    let scratch = Scratch::new();
    let repo = scratch.open();
    let mut git = GitProcess::new(
        &repo,
        [
            "-c",
            "alias.echo=!cat; cat >&2 </dev/zero & sleep 0.1; kill $!",
            "echo",
        ],
    );
    git.args = ["hash-object", "-w", "--stdin"].map(Into::into).to_vec();
    git.stdin = vec![b'x'; 8 << 20];
    let hex = String::from_utf8(git.output().unwrap().stdout).unwrap();
    let mut git = GitProcess::new(&repo, ["cat-file", "--batch"]);
    git.stdin = hex.repeat(3).into_bytes();
    assert!(git.output().unwrap().stdout.len() > 3 * (8 << 20));
    // One that does not read what it is given.
    let mut git = GitProcess::new(&repo, ["version"]);
    git.stdin = vec![b'x'; 8 << 20];
    assert_eq!(git.output().unwrap().code, Some(0));
}

#[test]
fn endings() {
    let scratch = Scratch::new();
    let repo = scratch.open();
    let failing = GitProcess::new(&repo, ["-c", "a.b=c", "rev-parse", "--verify", "none"]);
    assert_eq!(failing.any_output().unwrap().code, Some(128));
    let Err(Error::Git {
        command,
        status,
        stderr,
    }) = failing.output()
    else {
        panic!()
    };
    assert_eq!(
        (command.as_str(), status.as_str()),
        ("rev-parse", "exit 128")
    );
    assert!(stderr.starts_with("fatal: "), "{stderr}");
    assert_eq!(
        GitProcess::new(&repo, ["-c", "alias.x=!exit 7", "x"])
            .attached()
            .unwrap(),
        7
    );
    let mut lost = GitProcess::new(&repo, ["version"]);
    lost.dir = scratch.dir.join("none");
    assert!(matches!(lost.output(), Err(Error::Io { path, .. }) if path == lost.dir));
}

#[test]
fn works_on_the_repository_of_the_handle() {
    let scratch = Scratch::new();
    let other = Scratch::new();
    let git_dir = scratch.dir.join(".git");
    let git_dir = git_dir.to_str().unwrap();
    let ask = |repo: &_, keep: bool| {
        let mut git = GitProcess::new(repo, ["rev-parse", "--absolute-git-dir"]);
        git.keep_git_env = keep;
        String::from_utf8(git.output().unwrap().stdout)
            .unwrap()
            .trim()
            .to_owned()
    };
    // Opened with GIT_DIR from inside another repository.
    let repo = open_with(&other.dir, &[("GIT_DIR", git_dir)]).unwrap();
    assert_eq!(ask(&repo, false), git_dir);
    assert_eq!(ask(&repo, true), git_dir);
    // Config handed down to us is handed on; a hook's index is not, unless asked for.
    let repo = open_with(
        &scratch.dir,
        &[
            ("GIT_CONFIG_PARAMETERS", "'rapid.x'='it'\\''s'"),
            ("GIT_INDEX_FILE", "index.lock"),
            ("GIT_REFLOG_ACTION", "amend"),
        ],
    )
    .unwrap();
    let mut git = GitProcess::new(&repo, ["config", "rapid.x"]);
    assert_eq!(git.output().unwrap().stdout, b"it's\n");
    git.args = [
        "-c",
        "alias.e=!echo $GIT_INDEX_FILE/$GIT_REFLOG_ACTION/$GIT_OPTIONAL_LOCKS",
        "e",
    ]
    .map(Into::into)
    .to_vec();
    assert_eq!(git.output().unwrap().stdout, b"//0\n");
    git.keep_git_env = true;
    let kept = String::from_utf8(git.output().unwrap().stdout).unwrap();
    assert_eq!(kept, "index.lock/amend/0\n");
}
