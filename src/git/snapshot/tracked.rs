//! The files that the index knows, against what is on disk.
//!
//! One `lstat` per entry; a file is read only when its stat data, as the index keeps
//! it, does not prove that it is unchanged. Entries are looked at in as many pieces as
//! there are processors.

use super::{
    super::{Error, GitProcess, Repository, index::write_tree::NewObjects},
    RefusedWhy,
    content::{Blob, Cleaner, NoBlob},
};
use gix::{
    bstr::{BStr, ByteSlice},
    index::{
        Entry,
        entry::{Flags, Mode, Stat, stat},
        fs::Metadata,
    },
    objs::Kind,
};
use std::{
    io::ErrorKind,
    ops::Range,
    path::{Path, PathBuf},
};

/// Below this, starting threads costs more than it gives.
const WORTH_A_THREAD: usize = 1_000;

/// What one thread may hold in memory of new blobs.
const KEPT_IN_ALL: usize = 128 << 20;

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

/// How this repository looks at files.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    pub(super) stat: stat::Options,
    pub(super) fs: gix::fs::Capabilities,
}

impl Rules {
    pub(super) fn of(repo: &gix::Repository) -> Result<Self, Error> {
        let read = || -> gix::Result<Self> {
            Ok(Self {
                stat: repo.stat_options()?,
                fs: repo.filesystem_options()?,
            })
        };
        read().map_err(|error| Error::gix("read config", &error))
    }

    /// The mode git gives to what is there; `previous` is what the index had. `None`:
    /// nothing that git keeps. The rules are those of `ce_mode_from_stat`.
    pub(super) fn mode(self, found: &Metadata, previous: Option<Mode>) -> Option<Mode> {
        if found.is_symlink() {
            return Some(Mode::SYMLINK);
        }
        if !found.is_file() {
            return None;
        }
        Some(match previous {
            Some(Mode::SYMLINK) if !self.fs.symlink => Mode::SYMLINK,
            Some(mode @ (Mode::FILE | Mode::FILE_EXECUTABLE)) if !self.fs.executable_bit => mode,
            _ if self.fs.executable_bit && found.is_executable() => Mode::FILE_EXECUTABLE,
            _ => Mode::FILE,
        })
    }

    /// Whether stat data proves that the file is the one the index saw.
    fn unchanged(self, index: &gix::index::State, entry: &Entry, found: &Metadata) -> bool {
        let Ok(now) = Stat::from_fs(found) else {
            return false;
        };
        // Git compares fractions of seconds only when it was built so. They cost nothing
        // and catch a second write within the second; indexes written without stay usable.
        let mut options = self.stat;
        options.use_nsec |= entry.stat.mtime.nsecs != 0;
        entry.stat.matches(&now, options)
            && !entry.stat.is_racy(index.timestamp(), self.stat)
            // Git truncates the size of an entry that it knows to be racy.
            && (entry.stat.size != 0 || entry.id.is_empty_blob())
            && !entry.flags.contains(Flags::INTENT_TO_ADD)
    }
}

/// The working tree and the index that are compared; shared by all threads.
pub(super) struct View<'a> {
    pub(super) root: &'a Path,
    pub(super) index: &'a gix::index::State,
    pub(super) rules: Rules,
    /// `git hash-object --`, without its path.
    hash_object: GitProcess,
}

impl<'a> View<'a> {
    pub(super) fn new(
        repo: &'a Repository,
        index: &'a gix::index::State,
        rules: Rules,
    ) -> Result<Self, Error> {
        Ok(Self {
            root: repo.work_dir()?,
            index,
            rules,
            hash_object: GitProcess::new(repo, ["hash-object", "--"]),
        })
    }

    /// What git makes of a file that gix cannot convert. It is not kept.
    pub(super) fn ask_git(&self, path: &BStr) -> Result<Blob, Error> {
        let mut process = self.hash_object.clone();
        process.args.push(on_disk(Path::new(""), path)?.into());
        let said = process.output()?;
        let id = gix::ObjectId::from_hex(said.stdout.trim_ascii())
            .map_err(|error| Error::gix("read what git hash-object says", &error))?;
        Ok(Blob { id, data: None })
    }
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

/// Does `work` on pieces of `0..count`, side by side when that is worth it; results in
/// order.
pub(super) fn in_pieces<T: Send>(
    repo: &gix::Repository,
    count: usize,
    work: impl Fn(&gix::Repository, Range<usize>) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let pieces = threads.min(count / WORTH_A_THREAD).max(1);
    if pieces == 1 {
        return Ok(vec![work(repo, 0..count)?]);
    }
    let size = count.div_ceil(pieces);
    let work = &work;
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..pieces)
            .map(|piece| {
                let range = (piece * size).min(count)..((piece + 1) * size).min(count);
                let repo = repo.clone();
                scope.spawn(move || work(&repo, range))
            })
            .collect();
        running
            .into_iter()
            .map(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
            .collect()
    })
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

impl NewObjects {
    /// Keeps a blob, or its id alone when it is large or there is much already.
    pub(super) fn keep(&mut self, blob: Blob) {
        self.bytes += blob.data.as_ref().map_or(0, Vec::len);
        let data = blob.data.filter(|_| self.bytes <= KEPT_IN_ALL);
        self.objects.push((Kind::Blob, blob.id, data));
    }
}

/// Where `path` lies below `root`; a trailing slash is none of it.
pub(super) fn on_disk(root: &Path, path: &[u8]) -> Result<PathBuf, Error> {
    let path = path.strip_suffix(b"/").unwrap_or(path);
    gix::path::from_byte_slice(path)
        .map(|rela| root.join(rela))
        .map_err(|error| Error::gix("name a file on this system", &error))
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

/// Whether a working tree with a repository of its own is here.
pub(super) fn is_repository(dir: &Path) -> bool {
    gix::discover::is_git(&dir.join(".git")).is_ok()
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
