//! Tree ids from a sorted list of paths, as `git write-tree` makes them.
//!
//! Nothing is written: tree objects that are new come back in [`NewObjects`]. The
//! index's cache-tree gives the id of every directory below which nothing changed,
//! so the work follows the number of changed directories, not of files.

use super::{
    super::{Error, Repository},
    oid,
};
use crate::domain::oid::TreeId;
use gix::{
    index::extension::Tree as CacheTree,
    objs::{Kind, tree::EntryKind},
};
use std::collections::HashSet;

/// A path and what is there. Sorted by the bytes of `path`, which is the order of the
/// index and, directory by directory, of trees.
///
/// A sparse index has leaves of kind tree; their path ends in `/`.
#[derive(Clone, Copy, Debug)]
pub(in crate::git) struct Leaf<'a> {
    /// The whole path.
    pub(in crate::git) path: &'a [u8],
    /// What it is.
    pub(in crate::git) kind: EntryKind,
    /// Its object.
    pub(in crate::git) id: gix::ObjectId,
}

/// Objects that were computed and are nowhere stored.
#[derive(Debug, Default)]
pub(in crate::git) struct NewObjects {
    /// Kind, id, and the bytes unless there were too many.
    pub(in crate::git) objects: Vec<(Kind, gix::ObjectId, Option<Vec<u8>>)>,
    /// How many bytes of blobs were offered.
    pub(in crate::git) bytes: usize,
}

impl NewObjects {
    /// Takes over what another one holds.
    pub(in crate::git) fn append(&mut self, other: NewObjects) {
        self.objects.extend(other.objects);
        self.bytes += other.bytes;
    }

    /// Hands all to the memory of `repo`, where reads find them.
    pub(in crate::git) fn remember(self, repo: &Repository) {
        for (kind, id, data) in self.objects {
            match data {
                Some(data) => {
                    repo.remember(kind, data);
                }
                None => repo.unkept.add(oid(&id)),
            }
        }
    }
}

/// Makes trees.
pub(in crate::git) struct TreeWriter<'a> {
    odb: gix::OdbHandle,
    hash: gix::hash::Kind,
    cache: Option<&'a CacheTree>,
    /// Directories (without trailing slash, `""` is the root) whose cached id is not
    /// that of the tree to be made.
    dirty: HashSet<Vec<u8>>,
    new: &'a mut NewObjects,
}

impl<'a> TreeWriter<'a> {
    /// `cache` is the index's cache-tree.
    pub(in crate::git) fn new(
        repo: &Repository,
        cache: Option<&'a CacheTree>,
        new: &'a mut NewObjects,
    ) -> Self {
        let mut odb = repo.inner.objects.clone();
        // A missing tree is an answer here, not a reason to look for new packs.
        odb.refresh_never();
        Self {
            odb,
            hash: repo.inner.object_hash(),
            cache,
            dirty: HashSet::new(),
            new,
        }
    }

    /// Says that `path` is not what the index says, so that no cached id above it holds.
    pub(in crate::git) fn changed(&mut self, path: &[u8]) {
        let mut rest = path.strip_suffix(b"/").unwrap_or(path);
        while let Some(slash) = rest.iter().rposition(|byte| *byte == b'/') {
            rest = &rest[..slash];
            if !self.dirty.insert(rest.to_vec()) {
                return;
            }
        }
        self.dirty.insert(Vec::new());
    }

    /// The cached id of the root, when it holds and its object is stored.
    pub(in crate::git) fn cached_root(&self) -> Option<gix::ObjectId> {
        self.cached(self.cache?, b"", None)
    }

    /// The tree of `leaves`, which may be empty when [`Self::cached_root`] has an answer.
    pub(in crate::git) fn write(mut self, leaves: &[Leaf<'_>]) -> Result<TreeId, Error> {
        let id = match self.cached_root() {
            Some(id) => id,
            None => self.directory(b"", leaves, self.cache)?,
        };
        Ok(TreeId(oid(&id)))
    }

    /// A cached id is right wherever git marked it valid, yet its object may not be
    /// written (`git commit <path>` leaves it so); then it is computed, to be readable.
    fn cached(
        &self,
        cache: &CacheTree,
        dir: &[u8],
        leaves: Option<usize>,
    ) -> Option<gix::ObjectId> {
        let entries = cache.num_entries? as usize;
        (!self.dirty.contains(dir)
            && leaves.is_none_or(|leaves| leaves == entries)
            && gix::objs::Exists::exists(&self.odb, &cache.id))
        .then_some(cache.id)
    }

    fn directory(
        &mut self,
        prefix: &[u8],
        leaves: &[Leaf<'_>],
        cache: Option<&CacheTree>,
    ) -> Result<gix::ObjectId, Error> {
        let mut data = Vec::new();
        let mut at = 0;
        while let Some(leaf) = leaves.get(at) {
            let rest = &leaf.path[prefix.len()..];
            let Some(slash) = rest.iter().position(|byte| *byte == b'/') else {
                entry(&mut data, leaf.kind, rest, &leaf.id);
                at += 1;
                continue;
            };
            let name = &rest[..slash];
            let below = &leaf.path[..prefix.len() + slash + 1];
            if leaf.kind == EntryKind::Tree && below.len() == leaf.path.len() {
                entry(&mut data, leaf.kind, name, &leaf.id);
                at += 1;
                continue;
            }
            let count = leaves[at..].partition_point(|leaf| leaf.path.starts_with(below));
            let cache = cache.and_then(|cache| {
                cache
                    .children
                    .iter()
                    .find(|child| child.name.as_slice() == name)
            });
            let dir = &below[..below.len() - 1];
            let known = cache.and_then(|cache| self.cached(cache, dir, Some(count)));
            let id = match known {
                Some(id) => id,
                None => self.directory(below, &leaves[at..at + count], cache)?,
            };
            entry(&mut data, EntryKind::Tree, name, &id);
            at += count;
        }
        let id = gix::objs::compute_hash(self.hash, Kind::Tree, &data)
            .map_err(|error| Error::gix("hash a tree", &error))?;
        self.new.objects.push((Kind::Tree, id, Some(data)));
        Ok(id)
    }
}

fn entry(data: &mut Vec<u8>, kind: EntryKind, name: &[u8], id: &gix::oid) {
    data.extend_from_slice(kind.as_octal_str());
    data.push(b' ');
    data.extend_from_slice(name);
    data.push(0);
    data.extend_from_slice(id.as_bytes());
}
