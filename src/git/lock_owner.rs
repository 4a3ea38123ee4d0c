//! Ref locks of processes of ours that were killed outright, told from locks that are held.
//!
//! A lock file says nothing of who made it, and one that nobody holds any more would block
//! its ref for ever. So whoever is about to lock a ref of the ledger writes that down first,
//! in a file that it keeps locked the way the system lets go of when a process dies. A note
//! that can be locked was left by a dead process, and the ref's lock that fits it is taken
//! away. Locks without such a note belong to others: see [`super::lock`].

use crate::domain::oid::Oid;
use std::{
    fs::{self, File},
    io::{Read as _, Write as _},
    os::unix::{ffi::OsStrExt as _, fs::MetadataExt as _},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// A lock that fits a note was made no longer after it than this: a writer waits for a lock
/// in between.
const SOON: Duration = Duration::from_secs(5);
/// The coarsest clock of a file system that matters here.
const TICK: Duration = Duration::from_millis(20);
/// A note this old was left by a dead process, also when it was not written to its end.
const OLD: Duration = Duration::from_secs(10);

/// The note of one edit; gone when it is dropped.
#[derive(Debug)]
pub(super) struct Note {
    path: PathBuf,
    /// Locked while it is open.
    _file: File,
}

impl Drop for Note {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Writes down that `lock` will be made with `new` in it. `None` where notes cannot be kept:
/// the edit is possible all the same.
pub(super) fn announce(common: &Path, lock: &Path, new: Option<Oid>) -> Option<Note> {
    let folder = folder(common);
    fs::create_dir_all(&folder).ok()?;
    let mut name = [0_u8; 8];
    getrandom::fill(&mut name).ok()?;
    let path = folder.join(format!("{:016x}", u64::from_be_bytes(name)));
    let file = File::options()
        .create_new(true)
        .write(true)
        .open(&path)
        .ok()?;
    let note = Note { path, _file: file };
    note._file.lock().ok()?;
    let mut text = lock.as_os_str().as_encoded_bytes().to_vec();
    text.push(b'\n');
    text.extend_from_slice(new.map_or_else(String::new, |new| new.hex()).as_bytes());
    text.push(b'\n');
    (&note._file).write_all(&text).ok()?;
    Some(note)
}

/// Takes away the locks that dead processes left, with their notes.
pub(super) fn clear(common: &Path) {
    let Ok(notes) = fs::read_dir(folder(common)) else {
        return;
    };
    for entry in notes.flatten() {
        clear_one(&entry.path());
    }
}

fn clear_one(path: &Path) -> Option<()> {
    let mut note = File::options().read(true).write(true).open(path).ok()?;
    note.try_lock().ok()?;
    let found = note.metadata().ok()?;
    if found.nlink() == 0 {
        // Its writer was done between our opening it and our locking it: the lock that is
        // there now is another's.
        return None;
    }
    let written = found.modified().ok()?;
    let mut text = Vec::new();
    note.read_to_end(&mut text).ok()?;
    let mut lines = text
        .strip_suffix(b"\n")
        .unwrap_or(&text)
        .rsplitn(2, |byte| *byte == b'\n');
    let (Some(new), Some(lock), true) = (lines.next(), lines.next(), text.ends_with(b"\n")) else {
        // Its writer may be about to write it.
        if age(written) > OLD {
            fs::remove_file(path).ok()?;
        }
        return None;
    };
    let lock = PathBuf::from(std::ffi::OsStr::from_bytes(lock));
    if let Ok(found) = fs::read(&lock)
        && let Ok(made) = fs::metadata(&lock).and_then(|found| found.modified())
    {
        let fits = found.is_empty() || found.trim_ascii_end() == new;
        let at_once = made + TICK >= written && made <= written + SOON;
        if fits && at_once {
            fs::remove_file(&lock).ok()?;
        }
    }
    // Only now: until then nobody else looks at that lock.
    fs::remove_file(path).ok()
}

fn age(time: SystemTime) -> Duration {
    time.elapsed().unwrap_or_default()
}

fn folder(common: &Path) -> PathBuf {
    common.join("rapid").join("moving")
}
