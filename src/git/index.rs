//! The index git is about to commit, read, never written.

use super::{Error, Repository};
use crate::domain::{oid::TreeId, path::RepoPath};

impl Repository {
    /// The tree of the index (`GIT_INDEX_FILE` honoured), as `git write-tree` would give
    /// it. Takes the cache-tree where it is valid, so that it does not read 100,000
    /// entries. The tree objects are in this process's memory when they are not stored.
    pub fn index_tree(&self) -> Result<TreeId, Error> {
        todo!()
    }

    /// Paths with unmerged entries, sorted, each once.
    pub fn unmerged_paths(&self) -> Result<Vec<RepoPath>, Error> {
        todo!()
    }
}
