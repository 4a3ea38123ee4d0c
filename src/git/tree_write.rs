//! Building trees: a base with paths set. Only trees that are new are written, and what
//! a new tree names is in the repository itself before the tree is.

use super::{EntryKind, Error, Repository, TreeUpsert, object::to_gix};
use crate::domain::oid::{Oid, TreeId};
use gix::objs::{self, Kind, WriteTo as _, tree};
use std::collections::BTreeMap;

/// What is set at one name.
#[derive(Default)]
struct Change<'a> {
    /// The name itself, before `below` is applied.
    itself: Option<(EntryKind, Oid)>,
    /// Paths below it.
    below: Vec<(&'a [u8], EntryKind, Oid)>,
}

impl Repository {
    /// `base` (empty when `None`) with `upserts` set; writes the trees that are new. A
    /// later upsert wins over an earlier one, a file over a folder and the reverse.
    /// Objects so far known to this process or to the side store only are stored, so that
    /// whoever has the new tree has all of it.
    pub fn write_tree(
        &self,
        base: Option<TreeId>,
        upserts: &[TreeUpsert],
    ) -> Result<TreeId, Error> {
        let upserts: Vec<_> = upserts
            .iter()
            .map(|upsert| (upsert.path.as_slice(), upsert.kind, upsert.oid))
            .collect();
        if let Some(base) = base {
            self.store_tree(base)?;
        }
        self.build_tree(base, &upserts)
    }

    fn build_tree(
        &self,
        base: Option<TreeId>,
        upserts: &[(&[u8], EntryKind, Oid)],
    ) -> Result<TreeId, Error> {
        let mut entries: BTreeMap<Vec<u8>, (EntryKind, Oid)> = match base {
            Some(base) => self
                .read_tree(base)?
                .into_iter()
                .map(|entry| (entry.name, (entry.kind, entry.oid)))
                .collect(),
            None => BTreeMap::new(),
        };
        for (name, change) in by_first_name(upserts)? {
            let mut entry = change.itself.or_else(|| entries.get(name).copied());
            if let Some((kind, oid)) = change.itself {
                self.store_entry(kind, oid)?;
            }
            if !change.below.is_empty() {
                let base = match entry {
                    Some((EntryKind::Tree, oid)) => Some(TreeId(oid)),
                    _ => None,
                };
                let tree = self.build_tree(base, &change.below)?;
                entry = Some((EntryKind::Tree, tree.0));
            }
            if let Some(entry) = entry {
                entries.insert(name.to_vec(), entry);
            }
        }
        let mut tree = objs::Tree {
            entries: entries
                .into_iter()
                .map(|(name, (kind, oid))| tree::Entry {
                    mode: kind.to_mode(),
                    filename: name.into(),
                    oid: to_gix(oid),
                })
                .collect(),
        };
        tree.entries.sort();
        let mut bytes = Vec::new();
        tree.write_to(&mut bytes)
            .map_err(|source| Error::io("cannot write", "a tree", source))?;
        self.write_object(Kind::Tree, &bytes).map(TreeId)
    }

    /// Puts an entry's object into the repository when only memory or the side store
    /// have it. A submodule's commit need not be here.
    fn store_entry(&self, kind: EntryKind, oid: Oid) -> Result<(), Error> {
        match kind {
            EntryKind::Commit => Ok(()),
            EntryKind::Tree => self.store_tree(TreeId(oid)),
            EntryKind::File | EntryKind::Executable | EntryKind::Symlink => {
                if !self.is_stored(oid) {
                    let bytes = self.read_blob(oid)?;
                    self.write_object(Kind::Blob, &bytes)?;
                }
                Ok(())
            }
        }
    }

    /// Puts a tree and all it names into the repository, children first, so that a
    /// stored tree is always whole.
    pub fn store_tree(&self, tree: TreeId) -> Result<(), Error> {
        if tree == self.empty_tree() {
            return self.write_object(Kind::Tree, &[]).map(|_| ());
        }
        if self.is_stored(tree.0) {
            return Ok(());
        }
        let entries = self.read_tree(tree)?;
        for entry in &entries {
            self.store_entry(entry.kind, entry.oid)?;
        }
        let bytes = match self.find_object_data(tree.0)? {
            Some((Kind::Tree, bytes)) => bytes,
            _ => return Err(Error::Missing { oid: tree.0 }),
        };
        self.write_object(Kind::Tree, &bytes).map(|_| ())
    }
}

/// Groups by the first component, in order of names; within a name in the given order.
fn by_first_name<'a>(
    upserts: &[(&'a [u8], EntryKind, Oid)],
) -> Result<BTreeMap<&'a [u8], Change<'a>>, Error> {
    let mut out: BTreeMap<&[u8], Change<'_>> = BTreeMap::new();
    for &(path, kind, oid) in upserts {
        let mut parts = path.splitn(2, |byte| *byte == b'/');
        let name = parts.next().unwrap_or_default();
        if !may_be_name(name) {
            return Err(Error::Unsupported(format!(
                "a tree entry named {:?}",
                String::from_utf8_lossy(name)
            )));
        }
        let change = out.entry(name).or_default();
        match parts.next() {
            Some(below) => change.below.push((below, kind, oid)),
            None => {
                *change = Change {
                    itself: Some((kind, oid)),
                    below: Vec::new(),
                };
            }
        }
    }
    Ok(out)
}

/// Names that git refuses in a tree.
fn may_be_name(name: &[u8]) -> bool {
    !name.is_empty()
        && !matches!(name, b"." | b"..")
        && !name.eq_ignore_ascii_case(b".git")
        && !name.contains(&0)
}
