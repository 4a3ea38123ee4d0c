//! An open repository.

use super::Error;
use crate::domain::path::RepoPath;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// How to open.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// Where to look from.
    pub start: PathBuf,
    /// The environment as it came in; `GIT_DIR`, `GIT_WORK_TREE`, `GIT_INDEX_FILE`,
    /// `GIT_OBJECT_DIRECTORY` and the like are honoured as git honours them.
    pub environment: Vec<(OsString, OsString)>,
}

/// An open repository. Cheap to open (under a millisecond); no process is started.
pub struct Repository {
    inner: gix::Repository,
}

impl Repository {
    /// Opens the repository at or above `options.start`.
    pub fn open(options: &OpenOptions) -> Result<Self, Error> {
        let _ = options;
        todo!()
    }

    /// This worktree's own git directory.
    pub fn git_dir(&self) -> &Path {
        self.inner.git_dir()
    }

    /// The git directory shared by all worktrees.
    pub fn common_dir(&self) -> &Path {
        self.inner.common_dir()
    }

    /// The working tree's root, absolute; `Err(Bare)` without one.
    pub fn work_dir(&self) -> Result<&Path, Error> {
        self.inner.workdir().ok_or(Error::Bare)
    }

    /// Where `dir` (absolute) stands relative to the working tree's root.
    pub fn relative(&self, dir: &Path) -> Result<RepoPath, Error> {
        let _ = dir;
        todo!()
    }

    /// `sha1` or `sha256`.
    pub fn object_format(&self) -> &'static str {
        todo!()
    }

    /// Whether refs go through the `git` program (reftable).
    pub fn refs_through_git(&self) -> bool {
        todo!()
    }

    /// Whether this is a shallow clone.
    pub fn is_shallow(&self) -> bool {
        todo!()
    }

    /// The version of the `git` program, e.g. `2.47.3`. Starts git once; cached in
    /// `<common>/rapid/cache/git-version`, keyed by the program's path, size and time.
    pub fn git_version(&self) -> Result<String, Error> {
        todo!()
    }
}
