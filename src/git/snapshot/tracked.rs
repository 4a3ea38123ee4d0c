//! The files that the index knows, against what is on disk.
//!
//! One `lstat` per entry; a file is read only when its stat data, as the index keeps
//! it, does not prove that it is unchanged. Entries are looked at in as many pieces as
//! there are processors.

use super::{
    super::{Error, index::write_tree::NewObjects},
    RefusedWhy,
    content::{Blob, Cleaner, NoBlob},
    view::{View, in_pieces, is_repository, on_disk},
};
use gix::{
    bstr::{BStr, ByteSlice},
    index::{
        Entry,
        entry::{Flags, Mode},
        fs::Metadata,
    },
};
use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
};

/// How often a file that goes and comes is looked at again.
const TRIES: u32 = 5;

/// What became of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// As the index says.
    Same,
    /// Not on disk.
    Gone,
    /// Something else is there.
    Changed(Mode, gix::ObjectId),
    /// A repository is there: the tree names its commit.
    Repository,
    /// It cannot be said.
    Refused(RefusedWhy),
}

/// What was found out about all entries of an index.
#[derive(Default)]
pub(super) struct Tracked {
    /// One per entry.
    pub(super) fates: Vec<Fate>,
    /// Change time in nanoseconds, 0 for what is not there; one per entry.
    pub(super) ctimes: Vec<i128>,
    /// New blobs.
    pub(super) new: NewObjects,
}

/// Looks at every entry of `index`.
pub(super) fn look(repo: &gix::Repository, view: &View<'_>) -> Result<Tracked, Error> {
    let count = view.index.entries().len();
    let mut pieces = in_pieces(repo, count, |repo, range| {
        let mut eye = Eye::new(repo, view);
        let mut tracked = Tracked::default();
        tracked.fates.reserve(range.len());
        tracked.ctimes.reserve(range.len());
        for entry in &view.index.entries()[range] {
            let (fate, ctime) = eye.look(entry)?;
            tracked.fates.push(fate);
            tracked.ctimes.push(ctime);
        }
        tracked.new = eye.new;
        Ok(tracked)
    })?
    .into_iter();
    let mut all = pieces.next().unwrap_or_default();
    for piece in pieces {
        all.fates.extend(piece.fates);
        all.ctimes.extend(piece.ctimes);
        all.new.append(piece.new);
    }
    Ok(all)
}

/// Looks at files; one per thread.
pub(super) struct Eye<'a> {
    repo: &'a gix::Repository,
    view: &'a View<'a>,
    cleaner: Option<Cleaner<'a>>,
    /// The last directory looked into, and whether it is one and no symlink leads to it.
    dir: (Vec<u8>, bool),
    /// New blobs.
    pub(super) new: NewObjects,
}

impl<'a> Eye<'a> {
    pub(super) fn new(repo: &'a gix::Repository, view: &'a View<'a>) -> Self {
        Self {
            repo,
            view,
            cleaner: None,
            dir: (Vec::new(), true),
            new: NewObjects::default(),
        }
    }

    fn look(&mut self, entry: &Entry) -> Result<(Fate, i128), Error> {
        let path = entry.path(self.view.index);
        for _ in 0..TRIES {
            if let Some(seen) = self.look_once(entry, path)? {
                return Ok(seen);
            }
            // Gone between two calls: what led there may be gone as well.
            self.dir = (Vec::new(), true);
        }
        Ok((Fate::Refused(RefusedWhy::Unsteady), 0))
    }

    /// `None`: it went away while it was looked at.
    fn look_once(&mut self, entry: &Entry, path: &BStr) -> Result<Option<(Fate, i128)>, Error> {
        let full = self.full(path)?;
        let found = match self.stat(path, &full) {
            Ok(found) => found,
            Err(_) => return Ok(Some((Fate::Refused(RefusedWhy::Unreadable), 0))),
        };
        let Some(found) = found else {
            return Ok(Some((absent(entry), 0)));
        };
        // A folder's time says nothing about what is tracked.
        let ctime = if found.is_dir() { 0 } else { ctime(&found) };
        let fate = if entry.mode == Mode::DIR {
            Fate::Same
        } else if found.is_dir() {
            // Git takes a directory in a file's place for a submodule when it is one.
            if entry.mode == Mode::COMMIT || is_repository(&full) {
                Fate::Repository
            } else {
                absent(entry)
            }
        } else {
            match self.file(entry, path, &full, &found)? {
                Some(fate) => fate,
                None => return Ok(None),
            }
        };
        Ok(Some((fate, ctime)))
    }

    fn file(
        &mut self,
        entry: &Entry,
        path: &BStr,
        full: &Path,
        found: &Metadata,
    ) -> Result<Option<Fate>, Error> {
        let Some(mode) = self.view.rules.mode(found, Some(entry.mode)) else {
            return Ok(Some(Fate::Refused(RefusedWhy::Unreadable)));
        };
        let known = self.view.rules.unchanged(self.view.index, entry, found)
            && (mode == Mode::SYMLINK) == (entry.mode == Mode::SYMLINK)
            && entry.mode != Mode::COMMIT;
        let id = if known {
            entry.id
        } else {
            match self.blob(path, full, mode)? {
                Ok(blob) => {
                    let id = blob.id;
                    if id != entry.id {
                        self.new.keep(blob);
                    }
                    id
                }
                Err(Some(why)) => return Ok(Some(Fate::Refused(why))),
                Err(None) => return Ok(None),
            }
        };
        let added = entry.flags.contains(Flags::INTENT_TO_ADD);
        Ok(Some(if mode == entry.mode && id == entry.id && !added {
            Fate::Same
        } else if flagged(entry) {
            Fate::Refused(RefusedWhy::Flagged)
        } else {
            Fate::Changed(mode, id)
        }))
    }

    /// The blob at `path`. `Err(None)`: it is not there any more.
    pub(super) fn blob(
        &mut self,
        path: &BStr,
        full: &Path,
        mode: Mode,
    ) -> Result<Result<Blob, Option<RefusedWhy>>, Error> {
        let cleaner = match &mut self.cleaner {
            Some(cleaner) => cleaner,
            none => none.insert(Cleaner::new(self.repo, self.view)?),
        };
        // Where the file system has no symlinks a file holds the text, and git cleans it
        // like any file.
        let found = if mode == Mode::SYMLINK && self.view.rules.fs.symlink || full.is_symlink() {
            cleaner.link(full)
        } else {
            cleaner.file(path, full)
        };
        match found {
            Ok(blob) => Ok(Ok(blob)),
            Err(NoBlob::Gone) => Ok(Err(None)),
            Err(NoBlob::Unreadable) => Ok(Err(Some(RefusedWhy::Unreadable))),
            Err(NoBlob::Unsteady) => Ok(Err(Some(RefusedWhy::Unsteady))),
            Err(NoBlob::Failed(error)) => Err(error),
        }
    }

    pub(super) fn full(&self, path: &[u8]) -> Result<PathBuf, Error> {
        on_disk(self.view.root, path)
    }

    /// Stat data without following symlinks, not even in the folders that lead there.
    pub(super) fn stat(&mut self, path: &BStr, full: &Path) -> std::io::Result<Option<Metadata>> {
        if !self.leads_there(path)? {
            return Ok(None);
        }
        absent_is_none(Metadata::from_path_no_follow(full))
    }

    fn leads_there(&mut self, path: &BStr) -> std::io::Result<bool> {
        let path = path.strip_suffix(b"/").unwrap_or(path);
        let dir = path.rfind_byte(b'/').map_or(&b""[..], |at| &path[..at]);
        if self.dir.0 == dir {
            return Ok(self.dir.1);
        }
        // What is known to lead to the last directory need not be looked at again.
        let mut good = common_dir(&self.dir.0, dir);
        if !self.dir.1 {
            good = 0;
        }
        let mut leads = true;
        while leads && good < dir.len() {
            let from = if good == 0 { 0 } else { good + 1 };
            good = dir[from..]
                .find_byte(b'/')
                .map_or(dir.len(), |at| from + at);
            let full = on_disk(self.view.root, &dir[..good]).map_err(std::io::Error::other)?;
            leads = absent_is_none(Metadata::from_path_no_follow(&full))?
                .is_some_and(|found| found.is_dir());
        }
        self.dir = (dir.to_vec(), leads);
        Ok(leads)
    }
}

/// What it means that an entry is not on disk.
fn absent(entry: &Entry) -> Fate {
    if entry.flags.contains(Flags::SKIP_WORKTREE) {
        Fate::Same
    } else if flagged(entry) {
        Fate::Refused(RefusedWhy::Flagged)
    } else {
        Fate::Gone
    }
}

fn flagged(entry: &Entry) -> bool {
    entry
        .flags
        .intersects(Flags::ASSUME_VALID | Flags::SKIP_WORKTREE)
}

/// The length of the longest directory that both are in.
fn common_dir(one: &[u8], other: &[u8]) -> usize {
    let same = one
        .iter()
        .zip(other)
        .take_while(|(one, other)| one == other)
        .count();
    let ends = |path: &[u8]| path.get(same).is_none_or(|byte| *byte == b'/');
    if ends(one) && ends(other) {
        return same;
    }
    one[..same].rfind_byte(b'/').unwrap_or(0)
}

fn absent_is_none(found: std::io::Result<Metadata>) -> std::io::Result<Option<Metadata>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn ctime(found: &Metadata) -> i128 {
    let Some(time) = found.created() else {
        return 0;
    };
    match time.duration_since(std::time::UNIX_EPOCH) {
        Ok(since) => i128::try_from(since.as_nanos()).unwrap_or(i128::MAX),
        Err(before) => -i128::try_from(before.duration().as_nanos()).unwrap_or(i128::MAX),
    }
}
