//! Commits and how they descend from each other.

use super::{Error, Repository};
use crate::domain::oid::{CommitId, TreeId};

impl Repository {
    /// Whether `ancestor` is `commit` or one of its ancestors.
    pub fn is_ancestor(&self, ancestor: CommitId, commit: CommitId) -> Result<bool, Error> {
        let _ = (ancestor, commit);
        todo!()
    }

    /// The best common ancestors, as `git merge-base --all`.
    pub fn merge_bases(&self, one: CommitId, other: CommitId) -> Result<Vec<CommitId>, Error> {
        let _ = (one, other);
        todo!()
    }

    /// Commits reachable from `tip` and from none of `hidden`, parents before children:
    /// `git rev-list --topo-order --reverse tip --not hidden…`.
    pub fn commits_between(
        &self,
        tip: CommitId,
        hidden: &[CommitId],
    ) -> Result<Vec<CommitId>, Error> {
        let _ = (tip, hidden);
        todo!()
    }

    /// A commit's tree.
    pub fn tree_of(&self, commit: CommitId) -> Result<TreeId, Error> {
        Ok(self.read_commit(commit)?.tree)
    }
}
