//! The index git is about to commit, read, never written.
//!
//! Which file that is was settled when the repository was opened (`GIT_INDEX_FILE`,
//! else the worktree's own). Not here: comparing it with the working tree, see
//! `super::snapshot`.

pub(super) mod write_tree;

use super::{Error, Repository};
use crate::domain::{
    oid::{Oid, TreeId},
    path::RepoPath,
};
use gix::index::entry::{Flags, Mode, Stage};
use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
use write_tree::{Leaf, NewObjects, TreeWriter};

impl Repository {
    /// The tree of the index (`GIT_INDEX_FILE` honoured), as `git write-tree` would give
    /// it. Takes the cache-tree where it is valid, so that it does not read 100,000
    /// entries. The tree objects are in this process's memory when they are not stored.
    ///
    /// Intent-to-add entries are not part of it. With unmerged entries there is no tree:
    /// `Err(Unmerged)`, and [`Repository::unmerged_paths`] names them.
    pub fn index_tree(&self) -> Result<TreeId, Error> {
        let index = read(self)?;
        let mut new = NewObjects::default();
        let tree = tree_of(self, &index, &mut new)?;
        new.remember(self);
        Ok(tree)
    }

    /// Whether an entry hides what lies on disk from git: assume-unchanged, or skip-worktree
    /// with a file there all the same.
    pub fn has_hiding_entries(&self) -> Result<bool, Error> {
        let index = read(self)?;
        let root = self.inner.workdir();
        Ok(index.entries().iter().any(|entry| {
            let there = || {
                let path = OsStr::from_bytes(entry.path(&index));
                root.is_some_and(|root| root.join(path).symlink_metadata().is_ok())
            };
            entry.flags.contains(Flags::ASSUME_VALID)
                || entry.flags.contains(Flags::SKIP_WORKTREE) && there()
        }))
    }

    /// Paths with unmerged entries, sorted, each once.
    pub fn unmerged_paths(&self) -> Result<Vec<RepoPath>, Error> {
        let index = read(self)?;
        unmerged(&index)
            .into_iter()
            .map(|path| repo_path(&path))
            .collect()
    }
}

/// The index as it is on disk now; an empty one when there is no file.
///
/// Always read anew: a copy that is reused as long as the file's time stands still
/// would miss two writes within one tick of the file system's clock.
pub(super) fn read(repo: &Repository) -> Result<gix::index::File, Error> {
    let path = repo.index_file();
    let options = gix::index::decode::Options::default();
    // Like git, which checks the index's own checksum only in `fsck`.
    let skip_hash = true;
    match gix::index::File::at(path, repo.inner.object_hash(), skip_hash, options) {
        Ok(index) => Ok(index),
        Err(_) if !path.exists() => Ok(gix::index::File::from_state(
            gix::index::State::new(repo.inner.object_hash()),
            path,
        )),
        Err(error) => Err(Error::gix("read the index", &error)),
    }
}

/// The tree of `index`; new tree objects are put into `new`.
fn tree_of(
    repo: &Repository,
    index: &gix::index::State,
    new: &mut NewObjects,
) -> Result<TreeId, Error> {
    if let Some(path) = unmerged(index).first() {
        return Err(Error::Unmerged {
            path: repo_path(path)?,
        });
    }
    let mut writer = TreeWriter::new(repo, index.tree(), new);
    let mut leaves = Vec::new();
    if writer.cached_root().is_none() || has_intent_to_add(index) {
        for entry in index.entries() {
            let path = entry.path(index);
            if entry.flags.contains(Flags::INTENT_TO_ADD) {
                writer.changed(path);
            } else {
                leaves.push(leaf(path, entry.mode, entry.id)?);
            }
        }
    }
    writer.write(&leaves)
}

fn has_intent_to_add(index: &gix::index::State) -> bool {
    index
        .entries()
        .iter()
        .any(|entry| entry.flags.contains(Flags::INTENT_TO_ADD))
}

/// A tree's leaf from what an index entry says.
pub(super) fn leaf(path: &[u8], mode: Mode, id: gix::ObjectId) -> Result<Leaf<'_>, Error> {
    let mode = mode
        .to_tree_entry_mode()
        .ok_or_else(|| Error::Unsupported(format!("an index entry of mode {:o}", mode.bits())))?;
    Ok(Leaf {
        path,
        kind: mode.kind(),
        id,
    })
}

/// Paths with a stage other than zero, each once, in index order.
pub(super) fn unmerged(index: &gix::index::State) -> Vec<Vec<u8>> {
    let mut paths: Vec<Vec<u8>> = Vec::new();
    for entry in index.entries() {
        if entry.stage() == Stage::Unconflicted {
            continue;
        }
        let path: &[u8] = entry.path(index);
        if paths.last().map(Vec::as_slice) != Some(path) {
            paths.push(path.to_vec());
        }
    }
    paths
}

/// A path of the index or the disk in the domain's type.
pub(super) fn repo_path(bytes: &[u8]) -> Result<RepoPath, Error> {
    RepoPath::new(bytes).map_err(|bad| Error::Unsupported(bad.to_string()))
}

/// gix's id in the domain's type.
pub(super) fn oid(id: &gix::oid) -> Oid {
    Oid::from_bytes(id.as_bytes()).expect("gix knows only the two algorithms of git")
}
