//! What all parts of a snapshot look at, and by which rules.

use super::super::{Error, GitProcess, Repository};
use super::content::Blob;
use gix::{
    bstr::BStr,
    index::{
        Entry, State,
        entry::{Flags, Mode, Stat, stat},
        fs::Metadata,
    },
};
use std::{
    ops::Range,
    path::{Path, PathBuf},
};

/// With fewer entries, starting threads costs more than it gives.
pub(super) const WORTH_A_THREAD: usize = 1_000;

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
    pub(super) fn unchanged(self, index: &State, entry: &Entry, found: &Metadata) -> bool {
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
    pub(super) index: &'a State,
    pub(super) rules: Rules,
    /// `git hash-object --`, without its path.
    hash_object: GitProcess,
}

impl<'a> View<'a> {
    pub(super) fn new(repo: &'a Repository, index: &'a State, rules: Rules) -> Result<Self, Error> {
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

/// Does `work` on pieces of `0..count`, side by side when that is worth it; results in
/// order.
pub(super) fn in_pieces<T: Send>(
    repo: &gix::Repository,
    count: usize,
    work: impl Fn(&gix::Repository, Range<usize>) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let worth = count / WORTH_A_THREAD;
    // Counting processors reads half a dozen files: not for a handful of entries.
    let pieces = match worth {
        0 | 1 => 1,
        worth => {
            std::thread::available_parallelism().map_or(1, |threads| worth.min(threads.into()))
        }
    };
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

/// Whether a working tree with a repository of its own is here.
pub(super) fn is_repository(dir: &Path) -> bool {
    gix::discover::is_git(&dir.join(".git")).is_ok()
}

/// Where `path` lies below `root`; a trailing slash is none of it.
pub(super) fn on_disk(root: &Path, path: &[u8]) -> Result<PathBuf, Error> {
    let path = path.strip_suffix(b"/").unwrap_or(path);
    gix::path::from_byte_slice(path)
        .map(|rela| {
            let length = root.as_os_str().len() + 1 + path.len();
            let mut full = PathBuf::with_capacity(length);
            full.push(root);
            full.push(rela);
            full
        })
        .map_err(|error| Error::gix("name a file on this system", &error))
}
