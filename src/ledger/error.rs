//! What can go wrong with the ledger.

use crate::{
    domain::{canonical::BadJson, digest::Digest, oid::CommitId, run::FoldError},
    git,
};

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
