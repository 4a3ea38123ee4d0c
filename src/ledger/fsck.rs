//! The append-only proof.

use super::{Error, Ledger, StreamName};
use crate::{
    diagnostic::Code,
    domain::{digest::Digest, oid::CommitId},
};
use serde::Serialize;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// RAPID1600 to 1609.
    pub code: Code,
    /// The ref.
    pub stream: String,
    /// The commit at fault.
    pub commit: Option<CommitId>,
    /// The record at fault.
    pub record: Option<Digest>,
    /// What is wrong, in one line.
    pub text: String,
}

/// What the proof found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FsckReport {
    /// Streams read.
    pub streams: usize,
    /// Records read.
    pub records: usize,
    /// What is wrong.
    pub faults: Vec<Fault>,
    /// What is odd and proves nothing.
    pub warnings: Vec<Fault>,
}

impl Ledger<'_> {
    /// Proves the named streams, or all of them and the journals' claims.
    pub fn fsck(&self, only: &[StreamName]) -> Result<FsckReport, Error> {
        let _ = only;
        todo!()
    }
}
