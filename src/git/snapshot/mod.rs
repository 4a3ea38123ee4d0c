//! The working tree as a tree id, as `git add -A && git write-tree` on a copy of the
//! index would give it; git is the oracle.
//!
//! The user's index, working tree, stash and config are never written. New trees and
//! blobs stay in this process's memory until [`Repository::keep_snapshot`] puts what
//! fits into the bounded side store.
//!
//! | file | what it is for |
//! |---|---|
//! | `take` | puts the parts together and decides what is left out or refused |
//! | `tracked` | the entries of the index against the disk |
//! | `submodule` | repositories in the place of a tracked path |
//! | `untracked` | the walk for everything else |
//! | `choose` | which of it is in, and which left out |
//! | `view` | what is looked at, and by which rules |
//! | `content` | one file as the blob git would store |
//! | `sparse` | what a sparse checkout does not have |
//! | `droppings` | names that are never part of a snapshot |
//! | `side_store` | what is kept for later processes |
//! | `stamps` | which files were written without becoming different |

mod choose;
mod content;
mod droppings;
mod side_store;
mod sparse;
mod stamps;
mod submodule;
mod take;
mod tracked;
mod untracked;
mod view;

pub(super) use side_store::Unkept;
pub use stamps::Stamps;

use super::{Error, Repository};
use crate::domain::{
    oid::{Oid, TreeId},
    path::RepoPath,
    scope::Matcher,
};

/// What to leave out.
#[derive(Debug, Default)]
pub struct SnapshotRequest<'a> {
    /// Untracked files that are left out while their blob is the same.
    pub bystanders: &'a [(RepoPath, Oid)],
    /// The declared scope: untracked files outside it are left out. `None`: not declared.
    pub scope: Option<&'a Matcher>,
    /// Untracked files that are left out whatever they hold (report files).
    pub leave_out: &'a [RepoPath],
    /// All untracked files are left out (at the start of a run: they become its bystanders).
    pub no_untracked: bool,
}

/// The working tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Its tree.
    pub tree: TreeId,
    /// Untracked files left out by the request, or outside a sparse checkout, sorted, with
    /// their blob ids; the null id for one that could not be read.
    pub bystanders: Vec<(RepoPath, Oid)>,
    /// Left out always, sorted: droppings of tools, embedded repositories, folders that
    /// may not be read, and names that git takes for its own.
    pub droppings: Vec<RepoPath>,
    /// How many files are hidden by anything but a `.gitignore` in the tree
    /// (`info/exclude`, `core.excludesFile`).
    pub hidden_count: u64,
    /// Their names, at most 50.
    pub hidden_names: Vec<RepoPath>,
    /// Change times of the tracked files, for [`Repository::touched_between`].
    pub stamps: Stamps,
}

/// The working tree cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Why.
    pub why: RefusedWhy,
    /// The paths in question, sorted.
    pub paths: Vec<RepoPath>,
}

/// Why there is no snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RefusedWhy {
    /// Entries of an unfinished merge.
    Unmerged,
    /// A submodule with changes of its own.
    DirtySubmodule,
    /// A flagged entry that differs on disk.
    Flagged,
    /// A file changed while it was read, again and again.
    Unsteady,
    /// Neither file, symlink nor folder, or not readable.
    Unreadable,
}

impl Repository {
    /// Takes a snapshot.
    ///
    /// The inner `Err` is a working tree that has no tree id; one reason at a time, in
    /// the order of [`RefusedWhy`]. A filter that must succeed and does not is an
    /// [`Error`].
    pub fn snapshot(
        &self,
        request: &SnapshotRequest<'_>,
    ) -> Result<Result<Snapshot, Refused>, Error> {
        take::take(self, request)
    }

    /// Puts the trees and the smaller blobs of the snapshots taken by this handle into
    /// the side store, so that a later process can say what differs. Bounded: the oldest
    /// go first. Failure to keep is not an error of the caller's (nothing depends on it).
    pub fn keep_snapshot(&self, snapshot: &Snapshot) {
        side_store::keep(self, snapshot.tree);
    }

    /// Tracked files whose change time differs between two snapshots, without those in
    /// `changed`.
    pub fn touched_between(
        &self,
        before: &Snapshot,
        after: &Snapshot,
        changed: &[RepoPath],
    ) -> Vec<RepoPath> {
        stamps::touched(before, after, changed)
    }
}
