//! What one tree adds to another, and what it loses.

use crate::{
    domain::oid::{Oid, TreeId},
    git::{self, EntryKind, Repository, TreeEntry},
    ledger::{
        record_file::RECORDS,
        tree::{ARTIFACTS, SUBJECT},
    },
};
use std::collections::BTreeMap;

/// Something that lies in a tree: a file, or what stands where a file should.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Leaf {
    /// Its path below the stream's root.
    pub(super) path: Vec<u8>,
    /// Its object.
    pub(super) oid: Oid,
    /// Whether it is a plain file (mode 100644).
    pub(super) is_file: bool,
    /// Whether it is a folder.
    pub(super) is_tree: bool,
}

/// How a tree differs from an older one.
#[derive(Clone, Debug, Default)]
pub(super) struct TreeDiff {
    /// What is new.
    pub(super) added: Vec<Leaf>,
    /// Paths that were there and are gone or are something else.
    pub(super) lost: Vec<Vec<u8>>,
}

/// Compares two trees of a stream; without an old one all is new. Reads only what differs.
pub(super) fn diff(
    repo: &Repository,
    old: Option<TreeId>,
    new: TreeId,
) -> Result<TreeDiff, git::Error> {
    let mut found = TreeDiff::default();
    let mut todo = vec![(Vec::new(), old, Some(new))];
    while let Some((path, old, new)) = todo.pop() {
        let mut before = entries(repo, old)?;
        let after = entries(repo, new)?;
        if !path.is_empty() && after.is_empty() && old.is_none() {
            // Git itself never writes an empty folder.
            found.added.extend(new.map(|tree| Leaf {
                path: path.clone(),
                oid: tree.0,
                is_file: false,
                is_tree: true,
            }));
        }
        for (name, entry) in after {
            let here = join(&path, &name);
            match before.remove(&name) {
                Some(same) if same.kind == entry.kind && same.oid == entry.oid => {}
                Some(other) if is_folder(&here, &other) && is_folder(&here, &entry) => {
                    todo.push((here, Some(TreeId(other.oid)), Some(TreeId(entry.oid))));
                }
                Some(_) => found.lost.push(here),
                None if is_folder(&here, &entry) => {
                    todo.push((here, None, Some(TreeId(entry.oid))));
                }
                None => found.added.push(Leaf {
                    path: here,
                    oid: entry.oid,
                    is_file: entry.kind == EntryKind::File,
                    is_tree: entry.kind == EntryKind::Tree,
                }),
            }
        }
        found
            .lost
            .extend(before.into_keys().map(|name| join(&path, &name)));
    }
    found.added.sort();
    found.lost.sort();
    Ok(found)
}

/// Whether a stream has a folder there: anything else is a leaf, whatever it holds.
fn is_folder(path: &[u8], entry: &TreeEntry) -> bool {
    let mut parts = path.split(|byte| *byte == b'/');
    let (root, depth) = (parts.next().unwrap_or_default(), parts.count());
    let deepest = [(RECORDS, 1), (ARTIFACTS, 1), (SUBJECT, 0)]
        .into_iter()
        .find(|(name, _)| name.as_bytes() == root)
        .map(|(_, deepest)| deepest);
    entry.kind == EntryKind::Tree && deepest.is_some_and(|deepest| depth <= deepest)
}

fn entries(
    repo: &Repository,
    tree: Option<TreeId>,
) -> Result<BTreeMap<Vec<u8>, TreeEntry>, git::Error> {
    let Some(tree) = tree else {
        return Ok(BTreeMap::new());
    };
    Ok(repo
        .read_tree(tree)?
        .into_iter()
        .map(|entry| (entry.name.clone(), entry))
        .collect())
}

fn join(folder: &[u8], name: &[u8]) -> Vec<u8> {
    if folder.is_empty() {
        name.to_vec()
    } else {
        [folder, name].join(&b'/')
    }
}
