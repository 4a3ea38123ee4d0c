//! What git itself makes of a working tree, without leaving a trace in it.

use git_rapid::{
    domain::oid::{Oid, TreeId},
    git::{OpenOptions, Repository},
};
use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// A repository in a folder of its own; `home` keeps user config and oracle's files.
pub struct Lab {
    _root: TempDir,
    pub dir: PathBuf,
    pub home: PathBuf,
    format: String,
}

/// Everything that a snapshot must not change.
#[derive(Debug, PartialEq, Eq)]
pub struct Trace(BTreeMap<PathBuf, (u32, u64, i64, i64, Vec<u8>)>);

impl Lab {
    /// Runs `script` with `sh -e` in a fresh repository of `format`.
    pub fn new(format: &str, script: &str) -> Self {
        let root = tempfile::tempdir().unwrap();
        let base = root.path().canonicalize().unwrap();
        let (dir, home) = (base.join("repo"), base.join("home"));
        fs::create_dir_all(&home).unwrap();
        let lab = Self {
            _root: root,
            dir,
            home,
            format: format.to_owned(),
        };
        let format = format!("--object-format={format}");
        lab.run_in(&base, "git", &["init", "-q", "-b", "main", &format, "repo"]);
        lab.sh(script);
        lab
    }

    pub fn environment(&self) -> Vec<(OsString, OsString)> {
        [
            ("HOME", self.home.to_str().unwrap()),
            ("XDG_CONFIG_HOME", self.home.join("xdg").to_str().unwrap()),
            // For repositories that scripts make.
            ("GIT_DEFAULT_HASH", &self.format),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            (
                "GIT_CONFIG_GLOBAL",
                self.home.join("config").to_str().unwrap(),
            ),
            ("GIT_COMMITTER_NAME", "Ada"),
            ("GIT_COMMITTER_EMAIL", "ada@example.org"),
            ("GIT_AUTHOR_NAME", "Ada"),
            ("GIT_AUTHOR_EMAIL", "ada@example.org"),
            ("GIT_COMMITTER_DATE", "1700000000 +0000"),
            ("GIT_AUTHOR_DATE", "1700000000 +0000"),
        ]
        .iter()
        .map(|(name, value)| (name.into(), value.into()))
        .collect()
    }

    fn command(&self, dir: &Path, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(dir)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .envs(self.environment());
        command
    }

    fn run_in(&self, dir: &Path, program: &str, args: &[&str]) -> String {
        run(self.command(dir, program).args(args))
    }

    pub fn sh(&self, script: &str) -> String {
        self.run_in(&self.dir, "sh", &["-ec", script])
    }

    pub fn git(&self, args: &[&str]) -> String {
        self.run_in(&self.dir, "git", args)
    }

    pub fn oid(&self, revision: &str) -> Oid {
        Oid::from_hex(&self.git(&["rev-parse", revision])).unwrap()
    }

    pub fn tree(&self, revision: &str) -> TreeId {
        TreeId(self.oid(&format!("{revision}^{{tree}}")))
    }

    pub fn open(&self) -> Repository {
        self.open_with(&[])
    }

    pub fn open_with(&self, more: &[(&str, &OsStr)]) -> Repository {
        let mut environment = self.environment();
        environment.extend(more.iter().map(|(name, value)| (name.into(), value.into())));
        Repository::open(&OpenOptions {
            start: self.dir.clone(),
            environment,
        })
        .unwrap()
    }

    /// `git add -A && git write-tree` on a copy of the index, new objects elsewhere,
    /// without the paths in `left_out`.
    pub fn expected(&self, left_out: &[&[u8]]) -> TreeId {
        let git_dir = PathBuf::from(self.git(&["rev-parse", "--absolute-git-dir"]));
        let common = self.git(&["rev-parse", "--path-format=absolute", "--git-common-dir"]);
        let place = tempfile::tempdir_in(&self.home).unwrap();
        let index = place.path().join("index");
        let from = git_dir.join("index");
        if from.exists() {
            fs::copy(&from, &index).unwrap();
            // Racy entries are known by the time of the index file.
            let time = fs::metadata(&from).unwrap().modified().unwrap();
            let file = fs::File::options().write(true).open(&index).unwrap();
            file.set_modified(time).unwrap();
        }
        let objects = place.path().join("objects");
        fs::create_dir(&objects).unwrap();
        let git = || {
            let mut command = self.command(&self.dir, "git");
            command
                .env("GIT_INDEX_FILE", &index)
                .env("GIT_OBJECT_DIRECTORY", &objects)
                .env(
                    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                    Path::new(&common).join("objects"),
                )
                .env("GIT_LITERAL_PATHSPECS", "1");
            command
        };
        // Refuses what is in no sparse checkout, after adding the rest.
        let added = git().args(["add", "-A"]).output().unwrap();
        let said = String::from_utf8_lossy(&added.stderr);
        assert!(
            added.status.success()
                || said.contains("sparse-checkout")
                || said.contains("does not have a commit checked out"),
            "git add -A: {said}"
        );
        if !added.status.success() {
            let _ = git().args(["add", "-A", "--ignore-errors"]).output();
        }
        for path in left_out {
            run(git()
                .args([
                    "rm",
                    "-r",
                    "-q",
                    "-f",
                    "--cached",
                    "--ignore-unmatch",
                    "--sparse",
                    "--",
                ])
                .arg(OsStr::from_bytes(path)));
        }
        TreeId(Oid::from_hex(&run(git().arg("write-tree"))).unwrap())
    }

    /// The state of every file in the working tree and the git directory.
    pub fn trace(&self) -> Trace {
        let mut seen = BTreeMap::new();
        look(&self.dir, &mut seen);
        Trace(seen)
    }
}

fn look(dir: &Path, seen: &mut BTreeMap<PathBuf, (u32, u64, i64, i64, Vec<u8>)>) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        let about = path.symlink_metadata().unwrap();
        let content = if about.is_file() {
            fs::read(&path).unwrap_or_default()
        } else {
            Vec::new()
        };
        let state = (
            about.mode(),
            about.len(),
            about.ctime(),
            about.ctime_nsec(),
            content,
        );
        if about.is_dir() {
            look(&path, seen);
        }
        seen.insert(path, state);
    }
}

fn run(command: &mut Command) -> String {
    let out = command.output().unwrap();
    assert!(
        out.status.success(),
        "{command:?}\n{}{}",
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8(out.stdout).unwrap().trim_end().to_owned()
}
