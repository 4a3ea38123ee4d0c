//! The ledger: streams of records in git.
//!
//! A stream is one ref below `refs/rapid/` whose commits only ever add files. Everything
//! is built on that one primitive. The rules of records are the domain's; this floor
//! knows where they lie, in which order they came, and how to prove it.

mod append;
mod artifact;
mod backoff;
mod cache;
mod chain;
mod error;
mod fsck;
mod journal;
mod log_store;
mod message;
mod name;
mod random;
mod read;
mod record_file;
mod tree;
mod walk;
mod writer;

pub use append::{AppendError, Appended, Draft, JournalNote};
pub use error::Error;
pub use fsck::{Fault, FsckReport};
pub use message::{BadTrailer, Trailer, format_message, read_trailers};
pub use name::StreamName;
pub use read::{Located, Stream};
pub use record_file::RecordName;

use crate::git::Repository;

/// The ledger of one repository.
#[derive(Clone, Copy)]
pub struct Ledger<'r> {
    repo: &'r Repository,
}

impl<'r> Ledger<'r> {
    /// The ledger of `repo`.
    pub fn new(repo: &'r Repository) -> Self {
        Self { repo }
    }
}
