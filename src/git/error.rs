//! One error for the whole border; gix's single error type is translated here, once.

use crate::domain::{bytes::ByteText, oid::Oid};
use std::path::PathBuf;

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
