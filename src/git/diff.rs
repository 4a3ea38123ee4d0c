//! Trees against trees: paths without rename detection, lines, text.

use super::{Error, Repository};
use crate::domain::{evidence::PathChange, oid::TreeId, path::RepoPath};

/// Lines added and removed; `None` for binary content and what is not a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineCounts {
    /// Lines only in the newer one.
    pub added: Option<u64>,
    /// Lines only in the older one.
    pub deleted: Option<u64>,
}

/// A diff for reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffText {
    /// The path.
    pub path: RepoPath,
    /// Unified diff text, lossy UTF-8, cut at the caller's bound.
    pub text: String,
}

impl Repository {
    /// Paths that differ, sorted by path, as `git diff-tree -r --no-renames`.
    pub fn diff_trees(&self, old: TreeId, new: TreeId) -> Result<Vec<PathChange>, Error> {
        let _ = (old, new);
        todo!()
    }

    /// Lines of one path, as `git diff --numstat`.
    pub fn count_lines(
        &self,
        old: TreeId,
        new: TreeId,
        path: &RepoPath,
    ) -> Result<LineCounts, Error> {
        let _ = (old, new, path);
        todo!()
    }

    /// A unified diff of one path with three lines of context, cut after `limit` bytes.
    pub fn diff_text(
        &self,
        old: TreeId,
        new: TreeId,
        path: &RepoPath,
        limit: usize,
    ) -> Result<DiffText, Error> {
        let _ = (old, new, path, limit);
        todo!()
    }
}
