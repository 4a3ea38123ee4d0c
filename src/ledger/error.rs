//! What can go wrong with the ledger.

use crate::{
    domain::{
        canonical::BadJson, digest::Digest, oid::CommitId, run::FoldError, vocabulary::RunStatus,
    },
    git,
};
use std::io::ErrorKind;

/// Facts about what failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Git failed underneath.
    #[error(transparent)]
    Git(#[from] git::Error),
    /// A record file that cannot be read.
    #[error("{stream}: the record {file} cannot be read")]
    BadRecord {
        /// The ref.
        stream: String,
        /// The file's path in the tree.
        file: String,
        /// What is wrong with it.
        #[source]
        source: BadJson,
    },
    /// A file in a stream's tree that does not belong there.
    #[error("{stream}: {file} does not belong in a stream")]
    ForeignFile {
        /// The ref.
        stream: String,
        /// Its path.
        file: String,
    },
    /// The records do not add up to a run.
    #[error("{stream}: {source}")]
    NotARun {
        /// The ref.
        stream: String,
        /// Why.
        #[source]
        source: FoldError,
    },
    /// The stream is not here.
    #[error("{stream} is not in this ledger")]
    NoStream {
        /// The ref.
        stream: String,
    },
    /// An artifact is not in the stream's tree.
    #[error("{stream}: the artifact {digest} is missing")]
    NoArtifact {
        /// The ref.
        stream: String,
        /// Its digest.
        digest: Digest,
    },
    /// An artifact is not what its name says.
    #[error("{stream}: the artifact {digest} has other bytes")]
    BadArtifact {
        /// The ref.
        stream: String,
        /// The digest in its name.
        digest: Digest,
    },
    /// A run that goes on cannot be sealed.
    #[error("{stream} is {status}: only a run that came to its end is sealed")]
    NotEnded {
        /// The ref.
        stream: String,
        /// Where the run stands.
        status: RunStatus,
    },
    /// `rapid.writer` holds something else than an id.
    #[error("rapid.writer is {text:?} and not 16 hex digits")]
    BadWriter {
        /// What it holds.
        text: String,
    },
    /// Others moved the stream again and again.
    #[error("{stream} kept moving: gave up after {attempts} attempts (last seen at {tip:?})")]
    Busy {
        /// The ref.
        stream: String,
        /// How often it was tried.
        attempts: u32,
        /// Where it was last.
        tip: Option<CommitId>,
    },
    /// Nothing may be written here.
    #[error("the ledger is not writable here")]
    NotWritable {
        /// Git's word.
        #[source]
        source: git::Error,
    },
}

impl Error {
    /// What a failed write means: nothing may be written here, or what git says.
    pub(super) fn writing(error: git::Error) -> Self {
        match &error {
            git::Error::Io { source, .. }
                if matches!(
                    source.kind(),
                    ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
                ) =>
            {
                Self::NotWritable { source: error }
            }
            _ => Self::Git(error),
        }
    }
}
