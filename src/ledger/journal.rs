//! What this clone opened and sealed, and what it had seen of others.

use super::{Error, Ledger};
use crate::domain::{
    digest::Digest,
    id::{RunId, WriterId},
    journal::Sealed,
};

impl Ledger<'_> {
    /// This clone's id (`rapid.writer`), made and stored on first use.
    pub fn writer(&self) -> Result<WriterId, Error> {
        todo!()
    }

    /// Runs that this clone opened and did not seal: name and contract.
    pub fn open_runs(&self) -> Result<Vec<(RunId, Digest)>, Error> {
        todo!()
    }

    /// How a run was sealed, by any journal here.
    pub fn seal_of(&self, contract: Digest) -> Result<Option<Sealed>, Error> {
        let _ = contract;
        todo!()
    }
}
