//! Refs: read, and moved only from where they were read.

use super::{Error, Repository};
use crate::domain::oid::{CommitId, Oid};

/// HEAD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The commit; `None` on an unborn branch.
    pub commit: Option<CommitId>,
    /// The short branch name (bytes); `None` when detached.
    pub branch: Option<Vec<u8>>,
}

/// A ref and what it points at (peeled to an object id).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefTarget {
    /// Its full name.
    pub name: String,
    /// What it points at.
    pub target: Oid,
}

/// Where a ref must be for an edit to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// It does not exist.
    Absent,
    /// It points at this.
    At(Oid),
    /// Anywhere: only for refs that hold no claim.
    Any,
}

/// One move of a ref.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefEdit {
    /// Its full name.
    pub name: String,
    /// Where it goes; `None` deletes it.
    pub new: Option<Oid>,
    /// Where it must be.
    pub expected: Expected,
}

impl Repository {
    /// HEAD, symbolic or detached. During a rebase `branch` is the branch being rebased.
    pub fn head(&self) -> Result<Head, Error> {
        todo!()
    }

    /// What a ref points at; `None` when it does not exist.
    pub fn find_ref(&self, name: &str) -> Result<Option<Oid>, Error> {
        let _ = name;
        todo!()
    }

    /// All refs below `prefix` (ending in `/`), sorted by name.
    pub fn refs_below(&self, prefix: &str) -> Result<Vec<RefTarget>, Error> {
        let _ = prefix;
        todo!()
    }

    /// Moves refs, all or none, each with a reflog entry saying `message`.
    ///
    /// One edit goes through gix on the files backend (no process); several, and
    /// everything on reftable, are one `git update-ref --stdin` transaction.
    /// `Err(Conflict)` when one is not where it was expected, `Err(Locked)` after a
    /// bounded wait.
    pub fn update_refs(&self, edits: &[RefEdit], message: &str) -> Result<(), Error> {
        let _ = (edits, message);
        todo!()
    }

    /// The commit a revision names (`HEAD`, a branch, `HEAD~2`, hex).
    pub fn resolve_commit(&self, revision: &str) -> Result<CommitId, Error> {
        let _ = revision;
        todo!()
    }
}
