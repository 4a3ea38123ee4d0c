//! Objects: blobs, trees, commits.
//!
//! Reads also look into the side store of snapshots (`<common>/rapid/objects`);
//! writes go to the repository and are as durable as `core.fsync` asks.

use super::{Error, Identity, Repository};
use crate::domain::{
    bytes::ByteText,
    oid::{CommitId, Oid, TreeId},
};

/// What a tree entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// Mode 100644.
    File,
    /// Mode 100755.
    Executable,
    /// Mode 120000.
    Symlink,
    /// Mode 040000.
    Tree,
    /// Mode 160000: a submodule's commit.
    Commit,
}

/// An entry of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeEntry {
    /// Its name.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: EntryKind,
    /// Its object.
    pub oid: Oid,
}

/// A path to set in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeUpsert {
    /// The whole path, with `/`.
    pub path: Vec<u8>,
    /// What it is.
    pub kind: EntryKind,
    /// Its object.
    pub oid: Oid,
}

/// A commit, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitData {
    /// Its tree.
    pub tree: TreeId,
    /// Its parents.
    pub parents: Vec<CommitId>,
    /// `Name <address>` of the author.
    pub author: ByteText,
    /// Seconds since 1970 of the committer.
    pub seconds: i64,
    /// The message.
    pub message: ByteText,
    /// Whether it carries a signature.
    pub signed: bool,
}

/// A commit to write. It moves no ref.
#[derive(Clone, Debug)]
pub struct NewCommit<'a> {
    /// Its tree.
    pub tree: TreeId,
    /// Its parents.
    pub parents: &'a [CommitId],
    /// Author and committer.
    pub identity: &'a Identity,
    /// The message.
    pub message: &'a str,
}

impl Repository {
    /// Whether an object is here (or in the side store).
    pub fn has_object(&self, oid: Oid) -> bool {
        let _ = oid;
        todo!()
    }

    /// A blob's bytes.
    pub fn read_blob(&self, oid: Oid) -> Result<Vec<u8>, Error> {
        let _ = oid;
        todo!()
    }

    /// A tree's entries, in git's order.
    pub fn read_tree(&self, tree: TreeId) -> Result<Vec<TreeEntry>, Error> {
        let _ = tree;
        todo!()
    }

    /// The entry at a path (`a/b/c`) of a tree; `None` when there is none.
    pub fn entry_at(&self, tree: TreeId, path: &[u8]) -> Result<Option<TreeEntry>, Error> {
        let _ = (tree, path);
        todo!()
    }

    /// A commit.
    pub fn read_commit(&self, commit: CommitId) -> Result<CommitData, Error> {
        let _ = commit;
        todo!()
    }

    /// Writes a blob.
    pub fn write_blob(&self, bytes: &[u8]) -> Result<Oid, Error> {
        let _ = bytes;
        todo!()
    }

    /// The id `bytes` would have as a blob, without writing it.
    pub fn blob_id(&self, bytes: &[u8]) -> Oid {
        let _ = bytes;
        todo!()
    }

    /// `base` (empty when `None`) with `upserts` set; writes the trees that are new.
    pub fn write_tree(
        &self,
        base: Option<TreeId>,
        upserts: &[TreeUpsert],
    ) -> Result<TreeId, Error> {
        let _ = (base, upserts);
        todo!()
    }

    /// The id of the empty tree in this repository's algorithm.
    pub fn empty_tree(&self) -> TreeId {
        todo!()
    }

    /// Writes a commit.
    pub fn write_commit(&self, commit: &NewCommit<'_>) -> Result<CommitId, Error> {
        let _ = commit;
        todo!()
    }
}
