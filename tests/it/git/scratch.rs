//! A scratch repository driven by the `git` program in a fixed environment.

use git_rapid::domain::oid::{CommitId, Oid};
use git_rapid::git::{OpenOptions, Repository};
use std::{
    ffi::OsString,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

pub struct Scratch {
    pub root: tempfile::TempDir,
    pub dir: PathBuf,
}

/// What every git started by a test gets, and what the handle is opened with.
pub fn environment() -> Vec<(OsString, OsString)> {
    [
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_COMMITTER_NAME", "Ada"),
        ("GIT_COMMITTER_EMAIL", "ada@example.org"),
        ("GIT_COMMITTER_DATE", "1700000000 +0100"),
        ("GIT_AUTHOR_NAME", "Ada"),
        ("GIT_AUTHOR_EMAIL", "ada@example.org"),
        ("GIT_AUTHOR_DATE", "1700000000 +0100"),
    ]
    .iter()
    .map(|(name, value)| (name.into(), value.into()))
    .collect()
}

impl Scratch {
    pub fn new() -> Self {
        Self::with(&[])
    }

    /// With arguments for `git init`.
    pub fn with(init: &[&str]) -> Self {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().canonicalize().unwrap().join("repo");
        let scratch = Self {
            root,
            dir: dir.clone(),
        };
        let mut args = vec!["init", "-q", "-b", "main"];
        args.extend(init);
        let place = dir.to_str().unwrap().to_owned();
        args.push(&place);
        let out = scratch.run_in(&std::env::temp_dir(), &args, b"");
        assert!(out.status.success(), "{out:?}");
        scratch
    }

    pub fn run_in(&self, dir: &Path, args: &[&str], stdin: &[u8]) -> Output {
        let mut command = Command::new("git");
        for name in git_rapid::git::local_env_vars() {
            command.env_remove(name);
        }
        let mut child = command
            .args(args)
            .current_dir(dir)
            .envs(environment())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _ = child.stdin.take().unwrap().write_all(stdin);
        child.wait_with_output().unwrap()
    }

    /// Runs git, wants success, gives trimmed stdout.
    pub fn git(&self, args: &[&str]) -> String {
        self.git_in(&self.dir, args)
    }

    pub fn git_in(&self, dir: &Path, args: &[&str]) -> String {
        self.git_with(dir, args, b"")
    }

    pub fn git_with(&self, dir: &Path, args: &[&str], stdin: &[u8]) -> String {
        let out = self.run_in(dir, args, stdin);
        assert!(
            out.status.success(),
            "git {args:?}: {}",
            String::from_utf8_lossy(&out.stderr)
        );
        String::from_utf8(out.stdout).unwrap().trim_end().to_owned()
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.dir.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Writes a file and commits everything.
    pub fn commit(&self, path: &str, text: &str) -> CommitId {
        self.write(path, text);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", text]);
        CommitId(self.oid("HEAD"))
    }

    pub fn oid(&self, revision: &str) -> Oid {
        Oid::from_hex(&self.git(&["rev-parse", revision])).unwrap()
    }

    pub fn open(&self) -> Repository {
        self.open_at(&self.dir)
    }

    pub fn open_at(&self, start: &Path) -> Repository {
        open_with(start, &[]).unwrap()
    }
}

/// Opens with further variables, an empty value removes one.
pub fn open_with(start: &Path, more: &[(&str, &str)]) -> Result<Repository, git_rapid::git::Error> {
    let mut environment = environment();
    for (name, value) in more {
        environment.retain(|(known, _)| known != name);
        environment.push((name.into(), value.into()));
    }
    Repository::open(&OpenOptions {
        start: start.to_owned(),
        environment,
    })
}

/// Without some variables.
pub fn open_without(start: &Path, less: &[&str]) -> Repository {
    let mut environment = environment();
    environment.retain(|(known, _)| !less.iter().any(|name| known == name));
    Repository::open(&OpenOptions {
        start: start.to_owned(),
        environment,
    })
    .unwrap()
}
