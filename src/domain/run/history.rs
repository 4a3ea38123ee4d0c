//! Which record had seen which: the closure of `prev`.

use crate::domain::{digest::Digest, record::Record};

/// The graph of a stream's records.
#[derive(Clone, Debug, Default)]
pub struct History {}

impl History {
    /// The graph of `records`, which come in reading order.
    pub fn of(records: &[Record]) -> Self {
        let _ = records;
        todo!()
    }

    /// Whether `earlier` is in the closure of `later` (a record had seen itself).
    /// In a linear history this is a comparison of places, without a walk.
    pub fn had_seen(&self, later: &Digest, earlier: &Digest) -> bool {
        let _ = (later, earlier);
        todo!()
    }

    /// Records that no other record names, sorted.
    pub fn heads(&self) -> Vec<Digest> {
        todo!()
    }

    /// Whether each record follows exactly the one before it.
    pub fn is_linear(&self) -> bool {
        todo!()
    }
}
