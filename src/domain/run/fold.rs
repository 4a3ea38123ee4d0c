//! Records to run.

use super::Run;
use crate::domain::{digest::Digest, id::RunId, record::Record};

/// Why records are not a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// There is no record.
    #[error("the stream has no record")]
    Empty,
    /// The first record is not a contract.
    #[error("the first record {0} is not a contract")]
    NoContract(Digest),
    /// A second contract, or a record of another stream.
    #[error("the record {0} does not belong to this run")]
    Foreign(Digest),
}

/// Folds `records` (any order) into the run they add up to.
pub fn fold(id: RunId, records: Vec<Record>) -> Result<Run, FoldError> {
    let _ = (id, records);
    todo!()
}
