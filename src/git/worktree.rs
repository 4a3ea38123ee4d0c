//! The working trees of a repository.

use super::{Error, Repository};
use crate::domain::{bytes::ByteText, oid::CommitId};
use std::path::{Path, PathBuf};

/// One working tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorktreeInfo {
    /// `main`, or the name git gave the linked one.
    pub id: String,
    /// Its root, absolute.
    pub path: PathBuf,
    /// Its own git directory.
    pub git_dir: PathBuf,
    /// Its branch; `None` when detached.
    pub branch: Option<ByteText>,
}

impl Repository {
    /// The id of the working tree this handle was opened in.
    pub fn worktree_id(&self) -> String {
        todo!()
    }

    /// All working trees, the main one first.
    pub fn worktrees(&self) -> Result<Vec<WorktreeInfo>, Error> {
        todo!()
    }

    /// Makes a linked working tree at `path`, on the new branch `branch`, at `commit`.
    /// Hooks are off while it is made.
    pub fn add_worktree(
        &self,
        path: &Path,
        branch: &str,
        commit: CommitId,
    ) -> Result<WorktreeInfo, Error> {
        let _ = (path, branch, commit);
        todo!()
    }

    /// A handle on another working tree of this repository.
    pub fn open_worktree(&self, info: &WorktreeInfo) -> Result<Repository, Error> {
        let _ = info;
        todo!()
    }
}
