//! A stored report, judged again: the same records and facts must give the same bytes.

use super::{Input, Report, UnsupportedRuleset, evaluate};
use crate::domain::{
    canonical,
    digest::Digest,
    id::RunId,
    policy::PolicyDocument,
    record::Record,
    run::{FoldError, fold},
};
use std::collections::{HashMap, HashSet};

/// What a second judgement found.
#[derive(Clone, Debug, PartialEq)]
pub enum Replay {
    /// The same bytes.
    Same,
    /// Others: what the records really say.
    Differs(Box<Report>),
}

/// Why a report cannot be judged again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// A record that the report had seen is not here.
    #[error("the record {0} that the report had seen is missing")]
    Missing(Digest),
    /// What it had seen is no run.
    #[error(transparent)]
    Fold(#[from] FoldError),
    /// It was judged by rules that are not here.
    #[error(transparent)]
    Ruleset(#[from] UnsupportedRuleset),
}

/// Judges `report` again from those of `records` (any order, of one run's stream) that it
/// had seen, with the policy and spec bytes that lie beside the contract.
pub fn replay(
    id: RunId,
    records: &[Record],
    report: &Report,
    policy: &PolicyDocument,
    spec_bytes: Option<Digest>,
) -> Result<Replay, ReplayError> {
    let run = fold(id, closure(records, &report.prev)?)?;
    let again = evaluate(&Input {
        run: &run,
        state: &run.state,
        facts: &report.facts,
        subject: report.subject,
        spec_bytes,
        policy,
        ruleset: report.ruleset_version,
    })?;
    if canonical::to_bytes(&again) == canonical::to_bytes(report) {
        Ok(Replay::Same)
    } else {
        Ok(Replay::Differs(Box::new(again)))
    }
}

/// The records that `heads` had seen, themselves included.
fn closure(records: &[Record], heads: &[Digest]) -> Result<Vec<Record>, ReplayError> {
    let by_digest: HashMap<Digest, &Record> = records
        .iter()
        .map(|record| (record.digest, record))
        .collect();
    let mut open: Vec<Digest> = heads.to_vec();
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    while let Some(digest) = open.pop() {
        if !seen.insert(digest) {
            continue;
        }
        let record = by_digest.get(&digest).ok_or(ReplayError::Missing(digest))?;
        open.extend_from_slice(record.prev());
        found.push((*record).clone());
    }
    Ok(found)
}
