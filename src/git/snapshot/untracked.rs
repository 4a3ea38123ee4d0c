//! Files that the index does not know.
//!
//! A walk over the working tree in the order of git's own: tracked folders are entered,
//! ignored ones are not (one entry stands for all below), nor are repositories of their
//! own. Ignore rules are asked only about what is not tracked, so a tree without
//! untracked files reads no `.gitignore`.

use super::{super::Error, droppings::is_dropping, view::is_repository};
use gix::{
    bstr::{BStr, ByteSlice},
    index::{
        AccelerateLookup, State,
        entry::{Mode, Stage},
    },
    worktree::{Stack, stack::state::ignore::Source},
};
use std::{
    cell::OnceCell,
    ops::Range,
    path::{Path, PathBuf},
};

/// What lies at an untracked path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A file or a symlink.
    File,
    Dir,
}

/// What the walk found.
#[derive(Debug, Default)]
pub(super) struct Untracked {
    /// Files and symlinks that are not ignored.
    pub(super) files: Vec<Vec<u8>>,
    /// Left out always: droppings, repositories, folders that may not be read, and names
    /// that git never takes.
    pub(super) droppings: Vec<Vec<u8>>,
    /// Ignored, and by what; whole folders as one.
    pub(super) ignored: Vec<(Vec<u8>, IgnoredBy)>,
}

/// Who says that a file is ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum IgnoredBy {
    /// The `.gitignore` at this path of the working tree.
    File(Vec<u8>),
    /// `info/exclude` or `core.excludesFile`.
    Elsewhere,
}

/// Walks the working tree at `root`.
pub(super) fn walk(
    repo: &gix::Repository,
    root: &Path,
    index: &State,
    fs: gix::fs::Capabilities,
) -> Result<Untracked, Error> {
    let ignore = repo
        .excludes(index, None, Source::WorktreeThenIdMappingIfNotSkipped)
        .map_err(|error| Error::gix("read ignore rules", &error))?
        .detach();
    let mut walk = Walk {
        repo,
        root,
        index,
        fs,
        ignore,
        folded: OnceCell::new(),
        out: Untracked::default(),
    };
    walk.folder(&mut Vec::new(), root, 0..index.entries().len())?;
    let mut out = walk.out;
    out.files.sort();
    out.droppings.sort();
    Ok(out)
}

struct Walk<'a> {
    repo: &'a gix::Repository,
    root: &'a Path,
    index: &'a State,
    fs: gix::fs::Capabilities,
    ignore: Stack,
    /// The index for look-ups without regard to case; made when first needed.
    folded: OnceCell<AccelerateLookup<'a>>,
    out: Untracked,
}

impl Walk<'_> {
    /// `path` is empty or ends in `/`; `tracked` are the entries below it.
    fn folder(
        &mut self,
        path: &mut Vec<u8>,
        full: &Path,
        tracked: Range<usize>,
    ) -> Result<(), Error> {
        let entries = match std::fs::read_dir(full) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            // Git warns and goes on; nobody can commit what is in there.
            Err(_) => {
                let dir = path.strip_suffix(b"/").unwrap_or(path).to_vec();
                if !dir.is_empty() {
                    self.out.droppings.push(dir);
                }
                return Ok(());
            }
        };
        let base = path.len();
        for entry in entries {
            let Ok(entry) = entry else { continue };
            let mut name = std::borrow::Cow::Owned(entry.file_name());
            if self.fs.precompose_unicode {
                name = gix::utils::str::precompose_os_string(name);
            }
            let Ok(name) = gix::path::os_str_into_bstr(&name) else {
                continue;
            };
            if name == ".git" || self.fs.ignore_case && name.eq_ignore_ascii_case(b".git") {
                continue;
            }
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            path.truncate(base);
            path.extend_from_slice(name);
            let name = base..path.len();
            if kind.is_dir() {
                self.dir(path, name, || entry.path(), &tracked)?;
            } else if kind.is_file() || kind.is_symlink() {
                self.file(path, name, &tracked)?;
            }
            // Sockets, pipes and devices are nothing to git.
        }
        path.truncate(base);
        Ok(())
    }

    fn file(
        &mut self,
        path: &[u8],
        name: Range<usize>,
        tracked: &Range<usize>,
    ) -> Result<(), Error> {
        if self.find(path, tracked).is_some() || self.folded_file(path) {
            return Ok(());
        }
        let name = &path[name];
        let dropped = never(name) || is_dropping(name, Kind::File);
        match self.ignored(path, Kind::File)? {
            Some(by @ IgnoredBy::File(_)) => self.out.ignored.push((path.to_vec(), by)),
            _ if dropped => self.out.droppings.push(path.to_vec()),
            Some(by) => self.out.ignored.push((path.to_vec(), by)),
            None => self.out.files.push(path.to_vec()),
        }
        Ok(())
    }

    fn dir(
        &mut self,
        path: &mut Vec<u8>,
        name: Range<usize>,
        full: impl FnOnce() -> PathBuf,
        tracked: &Range<usize>,
    ) -> Result<(), Error> {
        path.push(b'/');
        let below = self.below(path, tracked);
        if !below.is_empty() {
            return self.folder(path, &full(), below);
        }
        path.pop();
        let entry = self.find(path, tracked).map(|at| self.index.entry(at).mode);
        if entry == Some(Mode::COMMIT) {
            return Ok(());
        }
        let full = full();
        let folded = self.folded_dir(path);
        if !folded {
            let nested = is_repository(&full);
            if entry.is_some() && nested {
                // It took a tracked file's place: not untracked.
                return Ok(());
            }
            let name = &path[name];
            let dropped = nested || never(name) || is_dropping(name, Kind::Dir);
            match self.ignored(path, Kind::Dir)? {
                Some(by @ IgnoredBy::File(_)) => self.out.ignored.push((path.clone(), by)),
                _ if dropped => self.out.droppings.push(path.clone()),
                Some(by) => self.out.ignored.push((path.clone(), by)),
                None => return self.folder_of(path, &full),
            }
            return Ok(());
        }
        self.folder_of(path, &full)
    }

    /// Enters an untracked folder.
    fn folder_of(&mut self, path: &mut Vec<u8>, full: &Path) -> Result<(), Error> {
        path.push(b'/');
        self.folder(path, full, 0..0)
    }

    /// The entry of exactly this path, at any stage.
    fn find(&self, path: &[u8], tracked: &Range<usize>) -> Option<usize> {
        let at = self.lower_bound(path, tracked);
        (at < tracked.end && self.path(at) == path).then_some(at)
    }

    /// The entries below the folder `path`, which ends in `/`.
    fn below(&self, path: &[u8], tracked: &Range<usize>) -> Range<usize> {
        let start = self.lower_bound(path, tracked);
        let entries = &self.index.entries()[start..tracked.end];
        let count = entries.partition_point(|entry| entry.path(self.index).starts_with(path));
        start..start + count
    }

    fn lower_bound(&self, path: &[u8], tracked: &Range<usize>) -> usize {
        let entries = &self.index.entries()[tracked.clone()];
        let before = |entry: &gix::index::Entry| {
            <BStr as AsRef<[u8]>>::as_ref(entry.path(self.index)) < path
        };
        tracked.start + entries.partition_point(before)
    }

    fn path(&self, at: usize) -> &[u8] {
        self.index.entry(at).path(self.index)
    }

    /// With `core.ignoreCase`, `A` is the tracked `a`.
    fn folded_file(&self, path: &[u8]) -> bool {
        self.fs.ignore_case
            && self
                .index
                .entry_by_path_icase(path.as_bstr(), true, self.folded())
                .is_some_and(|entry| entry.stage() == Stage::Unconflicted)
    }

    fn folded_dir(&self, path: &[u8]) -> bool {
        self.fs.ignore_case
            && self
                .index
                .path_is_directory_icase(path.as_bstr(), true, self.folded())
    }

    fn folded(&self) -> &AccelerateLookup<'_> {
        self.folded
            .get_or_init(|| self.index.prepare_icase_backing())
    }

    fn ignored(&mut self, path: &[u8], kind: Kind) -> Result<Option<IgnoredBy>, Error> {
        let mode = if kind == Kind::Dir {
            Mode::DIR
        } else {
            Mode::FILE
        };
        let root = self.root;
        let platform = self
            .ignore
            .at_entry(path.as_bstr(), Some(mode), &self.repo.objects)
            .map_err(|source| Error::Io {
                doing: "cannot read the ignore rules for",
                path: root.join(String::from_utf8_lossy(path).as_ref()),
                source,
            })?;
        let found = platform
            .matching_exclude_pattern()
            .filter(|found| !found.pattern.is_negative());
        Ok(found.map(|found| {
            found
                .source
                .filter(|source| source.file_name().is_some_and(|name| name == ".gitignore"))
                .and_then(|source| {
                    // One that is not checked out is named by its path in the repository.
                    let inside = if source.is_absolute() {
                        source.strip_prefix(root).ok()?
                    } else {
                        source
                    };
                    Some(IgnoredBy::File(gix::path::into_bstr(inside).ok()?.to_vec()))
                })
                .unwrap_or(IgnoredBy::Elsewhere)
        }))
    }
}

/// Names that git refuses to store: `.git` and what some file system takes for it.
fn never(name: &[u8]) -> bool {
    let name = name.split(|byte| *byte == b':').next().unwrap_or(name);
    let name = name.trim_end_with(|char| char == ' ' || char == '.');
    name.eq_ignore_ascii_case(b".git") || name.eq_ignore_ascii_case(b"git~1")
}
