//! Which record decides: the latest, and of concurrent ones all.
//!
//! A record supersedes only what it had seen. Of concurrent ones that disagree the bad
//! one counts until a record follows both; so callers look at every one that is left.

use crate::domain::run::{EvidenceRecord, History};

/// Those of `records` (in reading order) that no other of them had seen, in reading order.
pub(super) fn latest<'a>(
    history: &History,
    records: &[&'a EvidenceRecord],
) -> Vec<&'a EvidenceRecord> {
    let Some((last, earlier)) = records.split_last() else {
        return Vec::new();
    };
    if history.is_linear() {
        return vec![last];
    }
    // A later record comes later in the reading order, so only what follows can supersede.
    let mut left = vec![*last];
    for record in earlier.iter().rev() {
        let superseded = left
            .iter()
            .any(|later| history.had_seen(&later.digest, &record.digest));
        if !superseded {
            left.push(record);
        }
    }
    left.reverse();
    left
}
