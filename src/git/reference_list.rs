//! All refs below a prefix, none missed while somebody else packs them.
//!
//! gix lists the packed refs before it looks for loose ones: a ref that moves from the
//! one place to the other in between is missed, or its file is gone when it is opened.
//! Here the names of loose refs are collected first and the packed ones after, so a ref
//! that exists all the time is seen in at least one of the two places, as in git.

use super::{Error, GitProcess, RefTarget, Repository, object::from_gix, reference::parse_hex};
use crate::domain::oid::Oid;
use gix::refs::FullName;
use std::{collections::BTreeMap, fs, io, path::Path};

impl Repository {
    /// All refs below `prefix` (ending in `/`), sorted by name. Symbolic refs that lead
    /// nowhere are left out.
    pub fn refs_below(&self, prefix: &str) -> Result<Vec<RefTarget>, Error> {
        if self.reftable {
            let mut out = self.list_through_git(prefix)?;
            out.retain(|found| found.name.starts_with(prefix));
            out.sort_by(|one, other| one.name.cmp(&other.name));
            return Ok(out);
        }
        let mut loose = Vec::new();
        collect(self.common_dir(), prefix, &mut loose)?;
        if self.git_dir() != self.common_dir() {
            collect(self.git_dir(), prefix, &mut loose)?;
        }
        let mut found: BTreeMap<String, Oid> = self.packed_below(prefix)?;
        for name in loose {
            let Ok(full) = FullName::try_from(name.as_str()) else {
                continue;
            };
            match self.follow(full)? {
                Some(target) => found.insert(name, target),
                // Deleted meanwhile, or a symbolic ref that leads nowhere.
                None => found.remove(&name),
            };
        }
        Ok(found
            .into_iter()
            .map(|(name, target)| RefTarget { name, target })
            .collect())
    }

    fn packed_below(&self, prefix: &str) -> Result<BTreeMap<String, Oid>, Error> {
        let unreadable = |error| Error::gix("read packed refs", &error);
        let packed = self.inner.refs.cached_packed_buffer().map_err(unreadable)?;
        let mut out = BTreeMap::new();
        if let Some(packed) = packed {
            for found in packed.iter_prefixed(prefix.into()).map_err(unreadable)? {
                let found = found.map_err(unreadable)?;
                out.insert(found.name.as_bstr().to_string(), from_gix(&found.target()));
            }
        }
        Ok(out)
    }

    pub(super) fn list_through_git(&self, pattern: &str) -> Result<Vec<RefTarget>, Error> {
        let format = "--format=%(objectname) %(refname)";
        let output = GitProcess::new(self, ["for-each-ref", format, pattern]).output()?;
        // A ref name holds neither spaces nor line ends.
        Ok(output
            .stdout
            .split(|byte| *byte == b'\n')
            .filter_map(|line| {
                let space = line.iter().position(|byte| *byte == b' ')?;
                let (id, name) = line.split_at(space);
                Some(RefTarget {
                    name: String::from_utf8_lossy(name.get(1..)?).into_owned(),
                    target: parse_hex(id)?,
                })
            })
            .collect())
    }
}

/// Names of the files below `base`/`prefix`; folders and files may come and go meanwhile.
/// A loose ref whose name is not UTF-8 is none of ours and left out.
fn collect(base: &Path, prefix: &str, names: &mut Vec<String>) -> Result<(), Error> {
    let dir = base.join(prefix);
    let entries = match fs::read_dir(&dir) {
        Ok(entries) => entries,
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(());
        }
        Err(source) => return Err(Error::io("cannot read", dir, source)),
    };
    for entry in entries {
        let entry = entry.map_err(|source| Error::io("cannot read", &dir, source))?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect(base, &format!("{prefix}{name}/"), names)?,
            Ok(_) if name.ends_with(".lock") => {}
            Ok(_) => names.push(format!("{prefix}{name}")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(Error::io("cannot read", entry.path(), source)),
        }
    }
    Ok(())
}
