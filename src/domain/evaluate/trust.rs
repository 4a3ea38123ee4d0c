//! How far a judgement is trusted. Readers compute it; a report never stores it.

use super::{Assertion, SignatureFact};
use crate::domain::digest::Digest;

crate::domain::vocabulary::vocabulary_words!(
    /// How far a judgement is trusted, weakest first.
    Trust, "a trust level" {
        /// A clone said so.
        Asserted = "asserted",
        /// Every record that decided it is signed.
        Signed = "signed",
        /// Every record that decided it was run again here, with the same outcome.
        Reproduced = "reproduced",
    }
);

/// The trust in an assertion: `signatures` that were checked, `reproduced` records that
/// were run again here and came out the same. A judgement that names no record is asserted.
pub fn trust(assertion: &Assertion, signatures: &[SignatureFact], reproduced: &[Digest]) -> Trust {
    let records = &assertion.records;
    if records.is_empty() {
        Trust::Asserted
    } else if records.iter().all(|record| reproduced.contains(record)) {
        Trust::Reproduced
    } else if records
        .iter()
        .all(|record| signatures.iter().any(|one| one.record == *record))
    {
        Trust::Signed
    } else {
        Trust::Asserted
    }
}
