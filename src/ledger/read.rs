//! Reading a stream: one ref and that stream's records, whatever else the ledger holds.

use super::{Error, Ledger, StreamName};
use crate::domain::{digest::Digest, id::RunId, oid::CommitId, record::Record, run::Run};

/// A stream as it was read.
#[derive(Clone, Debug)]
pub struct Stream {
    /// Which.
    pub name: StreamName,
    /// The commit it was read at.
    pub tip: CommitId,
    /// Its records in reading order: by `seq`, then digest.
    pub records: Vec<Record>,
}

/// Where a record was found.
#[derive(Clone, Debug)]
pub struct Located {
    /// The stream that holds it.
    pub stream: StreamName,
    /// The record.
    pub record: Record,
}

impl Ledger<'_> {
    /// Reads a stream; `None` when its ref does not exist. Uses the fold cache when it is
    /// there and keyed by the tip; every record's digest is recomputed either way.
    pub fn read(&self, name: &StreamName) -> Result<Option<Stream>, Error> {
        let _ = name;
        todo!()
    }

    /// Reads and folds a run.
    pub fn read_run(&self, id: &RunId) -> Result<Run, Error> {
        let _ = id;
        todo!()
    }

    /// The commit that introduced each record of a stream: (record, commit), newest commit first.
    pub fn commits(&self, stream: &Stream) -> Result<Vec<(Digest, CommitId)>, Error> {
        let _ = stream;
        todo!()
    }

    /// Names of all streams with a ref, sorted; with their tips.
    pub fn streams(&self) -> Result<Vec<(StreamName, CommitId)>, Error> {
        todo!()
    }

    /// Names of all runs known here: refs, and runs that a journal sealed and whose ref is gone.
    pub fn runs(&self) -> Result<Vec<RunId>, Error> {
        todo!()
    }

    /// Records whose digest starts with `prefix` (8 digits or more), over all streams.
    pub fn find_record(&self, prefix: &str) -> Result<Vec<Located>, Error> {
        let _ = prefix;
        todo!()
    }
}
