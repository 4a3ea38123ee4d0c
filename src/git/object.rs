//! Objects: where they are found and how they are kept; blobs and trees.
//!
//! Reads look into this process's memory, the repository, what
//! `GIT_ALTERNATE_OBJECT_DIRECTORIES` names, and the side store of snapshots
//! (`<common>/rapid/objects`), in this order; writes go to the repository and are as
//! durable as `core.fsync` asks. Building trees is the job of `tree_write`, commits that of
//! `commit`.

use super::{Error, Repository, sync::sync_file};
use crate::domain::oid::{Oid, TreeId};
use gix::objs::{self, Exists as _, Find as _, Kind, TreeRefIter, Write as _};
use std::{
    cell::RefCell,
    collections::HashMap,
    path::{Path, PathBuf},
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

/// Objects that exist in this process only.
#[derive(Debug, Default)]
pub(super) struct Overlay(RefCell<HashMap<Oid, (Kind, Vec<u8>)>>);

/// The bounded store of snapshots, laid out like `.git/objects`. It may not exist.
pub(super) struct SideStore {
    dir: PathBuf,
    loose: gix::odb::loose::Store,
}

impl SideStore {
    /// The side store of the repository whose shared git directory is `common`.
    pub(super) fn new(common: &Path, hash: gix::hash::Kind) -> Self {
        let dir = common.join("rapid").join("objects");
        let loose = gix::odb::loose::Store::at(&dir, hash);
        Self { dir, loose }
    }

    /// Where it lies.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }
}

/// Our id as gix's.
pub(super) fn to_gix(oid: Oid) -> gix::ObjectId {
    match oid {
        Oid::Sha1(bytes) => bytes.into(),
        Oid::Sha256(bytes) => bytes.into(),
    }
}

/// gix's id as ours.
pub(super) fn from_gix(id: &gix::oid) -> Oid {
    Oid::from_bytes(id.as_bytes()).expect("gix knows ids of 20 and of 32 bytes only")
}

impl EntryKind {
    /// From gix's mode.
    pub(super) fn from_mode(mode: objs::tree::EntryMode) -> Self {
        match mode.kind() {
            objs::tree::EntryKind::Tree => Self::Tree,
            objs::tree::EntryKind::Blob => Self::File,
            objs::tree::EntryKind::BlobExecutable => Self::Executable,
            objs::tree::EntryKind::Link => Self::Symlink,
            objs::tree::EntryKind::Commit => Self::Commit,
        }
    }

    /// To gix's mode.
    pub(super) fn to_mode(self) -> objs::tree::EntryMode {
        match self {
            Self::File => objs::tree::EntryKind::Blob,
            Self::Executable => objs::tree::EntryKind::BlobExecutable,
            Self::Symlink => objs::tree::EntryKind::Link,
            Self::Tree => objs::tree::EntryKind::Tree,
            Self::Commit => objs::tree::EntryKind::Commit,
        }
        .into()
    }
}

impl Repository {
    /// Whether an object can be read: it is here or in the side store. The empty tree always
    /// can, as with git, whether or not anybody wrote it.
    pub fn has_object(&self, oid: Oid) -> bool {
        if oid.algorithm() != self.object_format() {
            return false;
        }
        oid == self.empty_tree().0
            || self.overlay.0.borrow().contains_key(&oid)
            || self.is_stored(oid)
            || self.side.loose.contains(&to_gix(oid))
    }

    /// Whether an object is in the repository itself, for everyone to read.
    pub(super) fn is_stored(&self, oid: Oid) -> bool {
        let id = to_gix(oid);
        self.inner.objects.exists(&id) || self.alternates.iter().any(|odb| odb.exists(&id))
    }

    /// An object's kind and bytes, from wherever it is; `None` when it is nowhere.
    pub(super) fn find_object_data(&self, oid: Oid) -> Result<Option<(Kind, Vec<u8>)>, Error> {
        if oid.algorithm() != self.object_format() {
            return Ok(None);
        }
        if let Some(found) = self.overlay.0.borrow().get(&oid) {
            return Ok(Some(found.clone()));
        }
        if oid == self.empty_tree().0 {
            return Ok(Some((Kind::Tree, Vec::new())));
        }
        let id = to_gix(oid);
        let damaged = |_| Error::BadObject {
            oid,
            wanted: "object",
        };
        let mut bytes = Vec::new();
        let found = self.inner.objects.try_find(&id, &mut bytes);
        if let Some(kind) = found.map_err(damaged)?.map(|data| data.kind) {
            return Ok(Some((kind, bytes)));
        }
        for odb in &self.alternates {
            let found = odb.try_find(&id, &mut bytes).map_err(damaged)?;
            if let Some(kind) = found.map(|data| data.kind) {
                return Ok(Some((kind, bytes)));
            }
        }
        let found = self.side.loose.try_find(&id, &mut bytes).map_err(damaged)?;
        Ok(found.map(|data| data.kind).map(|kind| (kind, bytes)))
    }

    /// Keeps an object in this process's memory and gives its id. Later reads see it.
    pub(super) fn remember(&self, kind: Kind, bytes: Vec<u8>) -> Oid {
        let oid = self.object_id(kind, &bytes);
        self.overlay.0.borrow_mut().insert(oid, (kind, bytes));
        oid
    }

    /// The id that an object would have. Bytes made to attack SHA-1 have none: git and gix
    /// refuse to write them, and here they get the null id, which names nothing.
    pub(super) fn object_id(&self, kind: Kind, bytes: &[u8]) -> Oid {
        let id = objs::compute_hash(self.inner.object_hash(), kind, bytes)
            .unwrap_or_else(|_| gix::ObjectId::null(self.inner.object_hash()));
        from_gix(&id)
    }

    pub(super) fn read(
        &self,
        oid: Oid,
        kind: Kind,
        wanted: &'static str,
    ) -> Result<Vec<u8>, Error> {
        match self.find_object_data(oid) {
            Ok(Some((found, bytes))) if found == kind => Ok(bytes),
            Ok(Some(_)) | Err(Error::BadObject { .. }) => Err(Error::BadObject { oid, wanted }),
            Ok(None) => Err(Error::Missing { oid }),
            Err(error) => Err(error),
        }
    }

    /// A blob's bytes.
    pub fn read_blob(&self, oid: Oid) -> Result<Vec<u8>, Error> {
        self.read(oid, Kind::Blob, "blob")
    }

    /// A tree's entries, in git's order.
    pub fn read_tree(&self, tree: TreeId) -> Result<Vec<TreeEntry>, Error> {
        let bytes = self.read(tree.0, Kind::Tree, "tree")?;
        TreeRefIter::from_bytes(&bytes, self.inner.object_hash())
            .map(|entry| {
                let entry = entry.map_err(|_| Error::BadObject {
                    oid: tree.0,
                    wanted: "tree",
                })?;
                Ok(TreeEntry {
                    name: entry.filename.to_vec(),
                    kind: EntryKind::from_mode(entry.mode),
                    oid: from_gix(entry.oid),
                })
            })
            .collect()
    }

    /// The entry at a path (`a/b/c`) of a tree; `None` when there is none.
    pub fn entry_at(&self, tree: TreeId, path: &[u8]) -> Result<Option<TreeEntry>, Error> {
        let mut tree = tree;
        let mut parts = path.split(|byte| *byte == b'/').peekable();
        while let Some(part) = parts.next() {
            let found = self
                .read_tree(tree)?
                .into_iter()
                .find(|entry| entry.name == part);
            match found {
                Some(entry) if parts.peek().is_none() => return Ok(Some(entry)),
                Some(entry) if entry.kind == EntryKind::Tree => tree = TreeId(entry.oid),
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Writes a blob.
    pub fn write_blob(&self, bytes: &[u8]) -> Result<Oid, Error> {
        self.write_object(Kind::Blob, bytes)
    }

    /// Writes an object that is not stored yet, as durably as the config asks.
    pub(super) fn write_object(&self, kind: Kind, bytes: &[u8]) -> Result<Oid, Error> {
        let oid = self.object_id(kind, bytes);
        let id = to_gix(oid);
        // A pack that appeared meanwhile would only make this copy a spare one.
        if self.inner.objects.exists_without_refresh(&id)
            || self.alternates.iter().any(|odb| odb.exists(&id))
        {
            return Ok(oid);
        }
        let store = self.inner.objects.store_ref().path().to_owned();
        self.inner
            .objects
            .write_buf(kind, bytes)
            .map_err(|error| Error::gix_write("write an object", &store, &error))?;
        if self.durability().objects {
            let hex = oid.hex();
            let (folder, file) = hex.split_at(2);
            sync_file(&store.join(folder).join(file))?;
        }
        Ok(oid)
    }

    /// The id `bytes` would have as a blob, without writing it.
    pub fn blob_id(&self, bytes: &[u8]) -> Oid {
        self.object_id(Kind::Blob, bytes)
    }

    /// The id of the empty tree in this repository's algorithm.
    pub fn empty_tree(&self) -> TreeId {
        TreeId(from_gix(&gix::ObjectId::empty_tree(
            self.inner.object_hash(),
        )))
    }
}
