//! How durable writes are: `core.fsync` and its older form, which gix does not honour.
//!
//! git's own table of components and aggregates stands here as a table. The method
//! (`core.fsyncMethod`) is not told apart: what is asked for is always synced fully,
//! which is at least as strong as `writeout-only` and `batch`.

use super::{Error, Repository};
use gix::bstr::ByteSlice;
use std::{fs::File, io, path::Path};

/// What is synced to disk before the next step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Durability {
    /// Loose objects.
    pub(super) objects: bool,
    /// Refs.
    pub(super) refs: bool,
}

const OBJECT: u8 = 1;
const REFERENCE: u8 = 2;
const OTHER: u8 = 0;

/// The parts that concern us in each word of `core.fsync`.
const WORDS: [(&str, u8); 11] = [
    ("loose-object", OBJECT),
    ("pack", OTHER),
    ("pack-metadata", OTHER),
    ("commit-graph", OTHER),
    ("index", OTHER),
    ("reference", REFERENCE),
    ("objects", OBJECT),
    ("derived-metadata", OTHER),
    ("committed", OBJECT | REFERENCE),
    ("added", OBJECT | REFERENCE),
    ("all", OBJECT | REFERENCE),
];

impl Durability {
    /// Reads `core.fsync`, e.g. `committed,-loose-object`; git ignores unknown words.
    pub(super) fn read(value: Option<&[u8]>, object_files: bool) -> Self {
        // Git's default on this platform syncs packs only.
        let mut parts = if object_files { OBJECT } else { OTHER };
        if let Some(value) = value {
            let words = value
                .split(|byte| matches!(byte, b',' | b' ' | b'\t'))
                .filter(|word| !word.is_empty());
            for word in words {
                match word.strip_prefix(b"-") {
                    _ if word == b"none" => parts = OTHER,
                    Some(word) => parts &= !part(word),
                    None => parts |= part(word),
                }
            }
        }
        Self {
            objects: parts & OBJECT != 0,
            refs: parts & REFERENCE != 0,
        }
    }
}

fn part(word: &[u8]) -> u8 {
    WORDS
        .iter()
        .find(|(name, _)| name.as_bytes() == word)
        .map_or(OTHER, |(_, part)| *part)
}

impl Repository {
    /// What this repository's config asks for.
    pub(super) fn durability(&self) -> Durability {
        *self.durability.get_or_init(|| {
            let config = self.inner.config_snapshot();
            let value = config.string("core.fsync");
            let object_files = config.boolean("core.fsyncObjectFiles") == Some(true);
            Durability::read(value.as_ref().map(|value| value.as_bytes()), object_files)
        })
    }
}

/// Syncs a file that was just put in place, and the folder that names it.
pub(super) fn sync_file(path: &Path) -> Result<(), Error> {
    let sync = |path: &Path| -> io::Result<()> { File::open(path)?.sync_all() };
    sync(path)
        .and_then(|()| path.parent().map_or(Ok(()), sync))
        .map_err(|source| Error::io("cannot sync", path, source))
}
