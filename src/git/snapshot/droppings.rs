//! What editors, interpreters and operating systems leave lying about.
//!
//! Untracked things of these names are never part of a snapshot: nobody means to
//! commit them, and most come and go while a check runs. The list is short on
//! purpose: a name that some project commits on purpose does not belong in it.
//! Tracked files are never droppings.

use super::untracked::Kind;

/// What a row is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    File,
    Dir,
}
use Of::{Dir, File};

/// How a row matches the last component of a path.
enum Name {
    Is(&'static str),
    /// Begins and ends so, with something between.
    Frame(&'static str, &'static str),
    /// `.<name>.sw<letter>`: Vim's swap files.
    Swap,
}
use Name::{Frame, Is, Swap};

#[rustfmt::skip]
const DROPPINGS: &[(Of, Name, &str)] = &[
    (File, Is(".DS_Store"),         "Finder's view of a folder"),
    (File, Is("Thumbs.db"),         "Explorer's thumbnails"),
    (File, Is("4913"),              "Vim, trying whether it may write here"),
    (File, Swap,                    "Vim's swap file"),
    (File, Frame("", ".swp"),       "Vim's swap file of a hidden or nameless file"),
    (File, Frame("", "~"),          "the copy an editor makes before it saves"),
    (File, Frame(".#", ""),         "Emacs, holding a file"),
    (File, Frame("#", "#"),         "Emacs, what was not saved"),
    (File, Frame(".~lock.", "#"),   "LibreOffice, holding a file"),
    (File, Frame(".nfs", ""),       "NFS: a file that was deleted while open"),
    (File, Frame("", ".pyc"),       "Python's compiled module"),
    (File, Is(".coverage"),         "coverage.py's data of the last run"),
    (Dir,  Is("__pycache__"),       "Python's compiled modules"),
    (Dir,  Is(".pytest_cache"),     "pytest's memory of the last run"),
    (Dir,  Is(".mypy_cache"),       "mypy's cache"),
    (Dir,  Is(".ruff_cache"),       "ruff's cache"),
    (Dir,  Is(".hypothesis"),       "Hypothesis, examples it found"),
];

/// Whether an untracked `name` is a dropping.
pub(super) fn is_dropping(name: &[u8], kind: Kind) -> bool {
    let of = if kind == Kind::Dir { Dir } else { File };
    DROPPINGS
        .iter()
        .any(|(row, pattern, _)| *row == of && matches(pattern, name))
}

fn matches(pattern: &Name, name: &[u8]) -> bool {
    match pattern {
        Is(whole) => name == whole.as_bytes(),
        Frame(head, tail) => {
            name.len() > head.len() + tail.len()
                && name.starts_with(head.as_bytes())
                && name.ends_with(tail.as_bytes())
        }
        Swap => {
            name.len() > 5
                && name[0] == b'.'
                && name[name.len() - 4..].starts_with(b".sw")
                && name[name.len() - 1].is_ascii_lowercase()
        }
    }
}
