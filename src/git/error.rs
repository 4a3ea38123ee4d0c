//! One error for the whole border; gix's single error type is translated here, once.

use crate::domain::{bytes::ByteText, oid::Oid};
use std::{
    io,
    path::{Path, PathBuf},
};

/// What can go wrong with git.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No repository here or above.
    #[error("no git repository at {0} or above")]
    NotARepository(PathBuf),
    /// Git does not trust this repository's owner.
    #[error("git refuses to work here: {0}")]
    Untrusted(String),
    /// A working tree is needed.
    #[error("this repository is bare: there is no working tree")]
    Bare,
    /// A place that is not inside the working tree.
    #[error("{path} is not inside the working tree {root}")]
    OutsideWorkTree {
        /// The place.
        path: PathBuf,
        /// The working tree's root.
        root: PathBuf,
    },
    /// Something that neither gix nor this program reads.
    #[error("not supported here: {0}")]
    Unsupported(String),
    /// The ref was not where it was expected to be: read again.
    #[error("the ref {name} moved")]
    Conflict {
        /// Which ref.
        name: String,
    },
    /// A lock file is held by someone else.
    #[error("{path} is held by another process (for {seconds} s)")]
    Locked {
        /// The lock file.
        path: PathBuf,
        /// Its age.
        seconds: u64,
    },
    /// An object is not in this clone.
    #[error("the object {oid} is not in this clone")]
    Missing {
        /// Which.
        oid: Oid,
    },
    /// An object is of another kind, or damaged.
    #[error("the object {oid} is not a readable {wanted}")]
    BadObject {
        /// Which.
        oid: Oid,
        /// What was wanted.
        wanted: &'static str,
    },
    /// The index holds an unfinished merge: there is no tree of it.
    #[error("{path} is not merged")]
    Unmerged {
        /// The first such path.
        path: crate::domain::path::RepoPath,
    },
    /// A revision names nothing.
    #[error("{0} names no commit")]
    BadRevision(ByteText),
    /// No name or address for commits.
    #[error("git does not know who you are: {0}")]
    NoIdentity(String),
    /// The file system said no.
    #[error("{doing} {path}")]
    Io {
        /// What was being done, e.g. `cannot write`.
        doing: &'static str,
        /// With which file.
        path: PathBuf,
        /// The system's word.
        #[source]
        source: std::io::Error,
    },
    /// Nothing may be written here: a read-only file system or missing rights.
    #[error("{path} is not writable")]
    ReadOnly {
        /// Which file or folder.
        path: PathBuf,
        /// The system's word.
        #[source]
        source: std::io::Error,
    },
    /// The `git` program ended badly.
    #[error("git {command} failed ({status}): {stderr}")]
    Git {
        /// The sub-command.
        command: String,
        /// How it ended.
        status: String,
        /// What it said.
        stderr: String,
    },
    /// gix failed in a way nobody asked for.
    #[error("cannot {doing}: {chain}")]
    Gix {
        /// What was being done.
        doing: &'static str,
        /// The whole cause chain, in one line.
        chain: String,
    },
}

impl Error {
    /// A failure of the file system; missing rights to write are told apart.
    pub(super) fn io(doing: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        let path = path.into();
        if doing == WRITING && means_read_only(source.kind()) {
            Self::ReadOnly { path, source }
        } else {
            Self::Io {
                doing,
                path,
                source,
            }
        }
    }

    /// A failure of gix while reading, with its whole cause chain in one line.
    pub(super) fn gix(doing: &'static str, error: &gix::Error) -> Self {
        Self::Gix {
            doing,
            chain: chain(error),
        }
    }

    /// A failure of gix while writing below `path`; missing rights are told apart.
    pub(super) fn gix_write(doing: &'static str, path: &Path, error: &gix::Error) -> Self {
        match io_kind(error) {
            Some(kind) if means_read_only(kind) => Self::ReadOnly {
                path: path.to_owned(),
                source: kind.into(),
            },
            _ => Self::gix(doing, error),
        }
    }
}

/// What [`Error::io`] is told when a write failed.
pub(super) const WRITING: &str = "cannot write";

fn means_read_only(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied
    )
}

/// The system error that gix met, if it was one.
fn io_kind(error: &gix::Error) -> Option<io::ErrorKind> {
    error
        .iter_errors()
        .find_map(|cause| cause.downcast_ref::<io::Error>())
        .map(io::Error::kind)
}

/// Every cause, outermost first, each said once.
pub(super) fn chain(error: &gix::Error) -> String {
    let mut said: Vec<String> = Vec::new();
    for cause in error.iter_errors() {
        let text = cause.to_string();
        if !text.is_empty() && !said.contains(&text) {
            said.push(text);
        }
    }
    said.join(": ").replace(['\n', '\r'], " ")
}
