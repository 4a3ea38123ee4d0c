//! Appending: one decision, one commit.
//!
//! Read the tip, decide, write objects, move the ref from the tip that was read. When it
//! moved meanwhile: read again, decide again (the step may no longer be legal), retry with
//! bounded, jittered back-off.

use super::{Error, Ledger, Stream, StreamName};
use crate::domain::{
    digest::Digest,
    id::WriterId,
    oid::{CommitId, TreeId},
    producer::Producer,
    record::{Body, Record},
};

/// What one append adds.
#[derive(Clone, Debug)]
pub struct Draft {
    /// What happened, e.g. `check, 42 passed on T001`; becomes `chore(rapid): …`.
    pub subject: String,
    /// Bodies in order; each record follows the one before it.
    pub records: Vec<(Producer, Body)>,
    /// Files kept by their content.
    pub artifacts: Vec<Vec<u8>>,
    /// The judged tree, kept below `subject/`.
    pub subject_tree: Option<TreeId>,
    /// What this clone's journal notes in the same ref transaction.
    pub journal: Option<JournalNote>,
}

/// What goes into the journal together with a run's append.
#[derive(Clone, Debug)]
pub enum JournalNote {
    /// The run is opened with this append.
    Opened {
        /// This clone.
        writer: WriterId,
    },
    /// The run is sealed with this append. Status, verdict, subject and report are taken
    /// from the run's records as they stand after it.
    Sealed {
        /// This clone.
        writer: WriterId,
    },
}

/// What was appended.
#[derive(Clone, Debug)]
pub struct Appended {
    /// The stream's new tip.
    pub tip: CommitId,
    /// The new records, in order.
    pub records: Vec<Record>,
}

/// Why nothing was appended.
#[derive(Debug)]
pub enum AppendError<E> {
    /// The ledger failed.
    Ledger(Error),
    /// The caller's decision, on what the stream held at that moment.
    Decided(E),
}

impl<E> From<Error> for AppendError<E> {
    fn from(error: Error) -> Self {
        Self::Ledger(error)
    }
}

impl Ledger<'_> {
    /// Appends to `name` what `decide` makes of the stream as it is (`None`: it does not
    /// exist yet; the first record gets a nonce). `decide` returns `Ok(None)` for "nothing
    /// to add" and may be asked again after a conflict.
    pub fn append<E>(
        &self,
        name: &StreamName,
        mut decide: impl FnMut(Option<&Stream>) -> Result<Option<Draft>, E>,
    ) -> Result<Option<Appended>, AppendError<E>> {
        let _ = (name, &mut decide);
        todo!()
    }
}
