//! Command output: `refs/rapid/logs/<run-id>`, by SHA-256. Not a stream and no part of any
//! proof; may be dropped (a missing log is "withheld").

use super::{Error, Ledger};
use crate::domain::{digest::Digest, evidence::LogRef, id::RunId};

impl Ledger<'_> {
    /// Keeps a log. Appends one commit to the run's log ref; bounded retry.
    pub fn write_log(&self, run: &RunId, bytes: &[u8]) -> Result<LogRef, Error> {
        let _ = (run, bytes);
        todo!()
    }

    /// A log's bytes; `None` when it is withheld.
    pub fn read_log(&self, run: &RunId, digest: Digest) -> Result<Option<Vec<u8>>, Error> {
        let _ = (run, digest);
        todo!()
    }
}
