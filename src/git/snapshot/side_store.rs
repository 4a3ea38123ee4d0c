//! What later processes may read of snapshots: a bounded store of loose objects.
//!
//! `<common>/rapid/objects` is laid out like `.git/objects`, so any reader of loose
//! objects can use it, but it is no part of the repository: nothing depends on what is
//! in it, and all of it may be removed at any time. Objects are written to a temporary
//! file and renamed, so processes that write or remove at once do not harm each other.

use super::super::{Error, Repository, object::EntryKind};
use crate::domain::oid::{Oid, TreeId};
use gix::objs::{Kind, Write};
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// Above this many bytes the oldest objects are removed …
const BOUND: u64 = 64 << 20;

/// … until so many are left, so that it is not done at every snapshot.
const LEFT: u64 = 48 << 20;

/// Larger blobs are not kept.
const BLOB: usize = 1 << 20;

/// Objects ids of this handle's snapshots that were too large to be kept in memory.
#[derive(Debug, Default)]
pub(in crate::git) struct Unkept(std::cell::RefCell<HashSet<Oid>>);

impl Unkept {
    pub(in crate::git) fn add(&self, oid: Oid) {
        self.0.borrow_mut().insert(oid);
    }

    /// Whether content of this id was seen and let go.
    pub(in crate::git) fn has(&self, oid: Oid) -> bool {
        self.0.borrow().contains(&oid)
    }
}

/// Keeps what is in no object store of `tree` and below.
pub(super) fn keep(repo: &Repository, tree: TreeId) {
    if repo.is_stored(tree.0) {
        return;
    }
    let dir = repo.side.dir();
    if fs::create_dir_all(dir).is_err() {
        return;
    }
    let mut keeper = Keeper {
        repo,
        dir,
        store: gix::odb::loose::Store::at(dir, repo.inner.object_hash()),
        seen: HashSet::new(),
        grew: false,
    };
    // Nothing depends on it: what cannot be kept is missing later, and said to be so.
    let _ = keeper.tree(tree);
    if keeper.grew {
        let _ = shrink(dir);
    }
}

struct Keeper<'a> {
    repo: &'a Repository,
    dir: &'a Path,
    store: gix::odb::loose::Store,
    seen: HashSet<Oid>,
    /// Whether anything was added.
    grew: bool,
}

impl Keeper<'_> {
    /// Children first: a tree that is there has what it names, as far as it was kept.
    fn tree(&mut self, tree: TreeId) -> Result<(), Error> {
        if !self.wanted(tree.0) {
            return Ok(());
        }
        for entry in self.repo.read_tree(tree)? {
            match entry.kind {
                EntryKind::Tree => self.tree(TreeId(entry.oid))?,
                EntryKind::Commit => {}
                _ if self.wanted(entry.oid) => self.object(entry.oid)?,
                _ => {}
            }
        }
        self.object(tree.0)
    }

    fn wanted(&mut self, oid: Oid) -> bool {
        self.seen.insert(oid) && !self.repo.is_stored(oid)
    }

    fn object(&mut self, oid: Oid) -> Result<(), Error> {
        let hex = oid.hex();
        let (folder, rest) = hex.split_at(2);
        let file = self.dir.join(folder).join(rest);
        if file.exists() {
            touch(&file);
            return Ok(());
        }
        let Some((kind, data)) = self.repo.find_object_data(oid)? else {
            return Ok(());
        };
        if kind == Kind::Blob && data.len() > BLOB {
            return Ok(());
        }
        self.store
            .write_buf(kind, &data)
            .map_err(|error| Error::gix("keep a snapshot", &error))?;
        self.grew = true;
        Ok(())
    }
}

/// Makes a file young again: what is in use goes last.
#[cfg(unix)]
fn touch(file: &Path) {
    use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_NOW, utimensat};
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: UTIME_NOW,
    };
    let times = Timestamps {
        last_access: now,
        last_modification: now,
    };
    let _ = utimensat(CWD, file, &times, AtFlags::empty());
}

#[cfg(not(unix))]
fn touch(_: &Path) {}

/// Removes the oldest files while there is more than [`BOUND`].
fn shrink(dir: &Path) -> std::io::Result<()> {
    let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
    for folder in fs::read_dir(dir)? {
        let folder = folder?;
        if !folder.file_type()?.is_dir() {
            continue;
        }
        for file in fs::read_dir(folder.path())? {
            let file = file?;
            // Another process may have been quicker.
            let Ok(about) = file.metadata() else { continue };
            let when = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            files.push((when, about.len(), file.path()));
        }
    }
    let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
    if total <= BOUND {
        return Ok(());
    }
    files.sort();
    for (_, size, file) in files {
        if total <= LEFT {
            break;
        }
        let _ = fs::remove_file(file);
        total -= size;
    }
    Ok(())
}
