//! The append-only proof.
//!
//! It trusts nothing that was worked out before: no cache, no message, no name. Every
//! commit of a stream is held against its parents' trees, every record against its bytes
//! and what it had seen, every claim of a journal against what is here. What it finds is a
//! list, not an error: a mutilated ledger is its daily bread.

mod claims;
mod commit;
mod content;
mod replay;
mod stream;
mod succession;
mod tree_diff;

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
    /// Proves the named streams, or all of them and the journals' claims. A run that is
    /// named and has no ref is proved at the commit that a journal sealed.
    pub fn fsck(&self, only: &[StreamName]) -> Result<FsckReport, Error> {
        if only.is_empty() {
            return claims::prove_ledger(self);
        }
        let mut places = Vec::new();
        for name in only {
            let tip = match (self.tip(name)?, name) {
                (Some(tip), _) => Some(tip),
                (None, StreamName::Run(id)) => self.sealed_as(id)?.map(|sealed| sealed.tip),
                (None, _) => None,
            };
            let tip = tip.ok_or_else(|| Error::NoStream {
                stream: name.ref_name(),
            })?;
            places.push((name.clone(), tip));
        }
        Ok(self.fsck_at(&places))
    }

    /// Proves streams at commits that no ref here need name: what was fetched or pushed.
    pub fn fsck_at(&self, places: &[(StreamName, CommitId)]) -> FsckReport {
        let mut report = FsckReport::default();
        for (name, tip) in places {
            stream::prove(self, name, *tip).into_report(&mut report);
        }
        report
    }
}
