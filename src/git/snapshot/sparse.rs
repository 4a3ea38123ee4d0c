//! What a sparse checkout does not have.
//!
//! A sparse index names whole folders by their tree. Where such a folder is on disk
//! after all, git puts its files back into the index; so does this, in memory. And
//! `git add` takes no new file outside the patterns of a sparse checkout.

use super::{super::Error, tracked::Eye, view::View};
use gix::{
    bstr::{BString, ByteSlice},
    glob::pattern::Case,
    index::{
        State,
        entry::{Flags, Mode},
    },
};

/// Replaces the sparse folders of `index` that are on disk by what is in them.
pub(super) fn expand(repo: &gix::Repository, view: &View<'_>) -> Result<Option<State>, Error> {
    let index = view.index;
    let mut eye = Eye::new(repo, view);
    let mut open: Vec<(BString, gix::ObjectId)> = Vec::new();
    for entry in index.entries() {
        if entry.mode != Mode::DIR {
            continue;
        }
        let path = entry.path(index);
        let full = eye.full(path)?;
        if matches!(eye.stat(path, &full), Ok(Some(found)) if found.is_dir()) {
            open.push((path.to_owned(), entry.id));
        }
    }
    if open.is_empty() {
        return Ok(None);
    }
    let mut whole = index.clone();
    whole.remove_entries(|_, path, entry| {
        entry.mode == Mode::DIR && open.iter().any(|(dir, _)| dir == path)
    });
    while let Some((dir, id)) = open.pop() {
        let read = |error: &gix::Error| Error::gix("read a folder of the sparse index", error);
        let tree = repo.find_tree(id).map_err(|error| read(&error))?;
        for entry in tree.iter() {
            let entry = entry.map_err(|error| read(&error))?;
            let mut path = dir.clone();
            path.extend_from_slice(entry.filename());
            let id = entry.object_id();
            if entry.mode().is_tree() {
                path.push(b'/');
                open.push((path, id));
                continue;
            }
            let mode = Mode::from_bits_truncate(u32::from(entry.mode().kind() as u16));
            whole.dangerously_push_entry(
                Default::default(),
                id,
                Flags::SKIP_WORKTREE,
                mode,
                path.as_bstr(),
            );
        }
    }
    whole.sort_entries();
    Ok(Some(whole))
}

/// The patterns of a sparse checkout.
pub(super) struct Cone {
    patterns: gix::ignore::Search,
    case: Case,
}

impl Cone {
    /// `None` when this is no sparse checkout.
    pub(super) fn of(repo: &gix::Repository, ignore_case: bool) -> Result<Option<Self>, Error> {
        if repo.config_snapshot().boolean("core.sparseCheckout") != Some(true) {
            return Ok(None);
        }
        let file = repo.git_dir().join("info/sparse-checkout");
        let text = match std::fs::read(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(Error::io("cannot read", file, source)),
        };
        let mut patterns = gix::ignore::Search::default();
        patterns
            .add_patterns_buffer(&text, &file, None, Default::default())
            .map_err(|source| Error::io("cannot read", &file, source))?;
        let case = if ignore_case {
            Case::Fold
        } else {
            Case::Sensitive
        };
        Ok(Some(Self { patterns, case }))
    }

    /// Whether a file at `path` belongs to it: the last pattern that matches the path
    /// decides, else the one that matches the folder above.
    pub(super) fn has(&self, path: &[u8]) -> bool {
        let mut rest = path;
        let mut is_dir = false;
        loop {
            let found = self.patterns.pattern_matching_relative_path(
                rest.as_bstr(),
                Some(is_dir),
                self.case,
            );
            if let Some(found) = found {
                return !found.pattern.is_negative();
            }
            let Some(slash) = rest.rfind_byte(b'/') else {
                return false;
            };
            rest = &rest[..slash];
            is_dir = true;
        }
    }
}
