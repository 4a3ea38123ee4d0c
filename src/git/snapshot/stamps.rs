//! When tracked files were last touched, from the stat calls a snapshot makes anyway.

use super::{super::index::repo_path, Snapshot};
use crate::domain::path::RepoPath;
use std::collections::HashSet;

/// Change times (ctime, in nanoseconds since 1970) of tracked files, in index order.
///
/// Kept as one block of names: a snapshot of 100,000 files makes no 100,000 copies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stamps {
    names: Vec<u8>,
    /// Where each name ends in `names`, and its time.
    stamps: Vec<(usize, i128)>,
}

impl Stamps {
    /// Adds a file; files are added in the order of their paths.
    pub(super) fn push(&mut self, path: &[u8], ctime: i128) {
        self.names.extend_from_slice(path);
        self.stamps.push((self.names.len(), ctime));
    }

    /// Paths and times, sorted by path.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], i128)> {
        let mut start = 0;
        self.stamps.iter().map(move |(end, ctime)| {
            let name = &self.names[start..*end];
            start = *end;
            (name, *ctime)
        })
    }
}

/// Files of both snapshots whose time differs, without those in `changed`, sorted.
pub(super) fn touched(before: &Snapshot, after: &Snapshot, changed: &[RepoPath]) -> Vec<RepoPath> {
    let changed: HashSet<&[u8]> = changed.iter().map(RepoPath::as_bytes).collect();
    let mut old = before.stamps.iter().peekable();
    let mut touched = Vec::new();
    for (path, ctime) in after.stamps.iter() {
        while old.next_if(|(other, _)| *other < path).is_some() {}
        let Some((_, then)) = old.next_if(|(other, _)| *other == path) else {
            continue;
        };
        if then != ctime && !changed.contains(path) {
            touched.extend(repo_path(path));
        }
    }
    touched
}
