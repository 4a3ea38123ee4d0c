//! What the records of a stream say: only what belongs there, with the files it needs, and
//! only moves that were legal where they were written.

use super::stream::Proven;
use crate::{
    diagnostic::Code,
    domain::{
        digest::Digest,
        id::RunId,
        oid::CommitId,
        record::{Body, Record},
        run::{Run, fold},
    },
    ledger::{Ledger, StreamName},
};

/// Proves what the records say.
pub(super) fn prove(ledger: &Ledger<'_>, proven: &mut Proven) {
    let records: Vec<(Record, CommitId)> = proven
        .in_order()
        .into_iter()
        .map(|record| (record.clone(), proven.records[&record.digest].1))
        .collect();
    for (record, commit) in &records {
        if !belongs(proven, record) {
            let text = format!("a {} record does not belong here", record.record_type());
            proven.fault(Code::LedgerTree, Some(*commit), Some(record.digest), text);
        }
        prove_files(ledger, proven, record, *commit);
    }
    if let StreamName::Run(id) = proven.name.clone() {
        prove_moves(proven, &id);
    }
}

/// Whether the stream may hold a record of this type at this place.
fn belongs(proven: &Proven, record: &Record) -> bool {
    let first = proven.first == Some(record.digest);
    match (&proven.name, &record.body) {
        (StreamName::Run(_), Body::Contract(_))
        | (StreamName::Spec(_), Body::SpecRevision(_))
        | (
            StreamName::Journal(_),
            Body::JournalOpened(_) | Body::JournalSealed(_) | Body::JournalFolded(_),
        ) if first => true,
        _ if first => false,
        (StreamName::Run(_), body) => matches!(
            body,
            Body::Event(_)
                | Body::Amendment(_)
                | Body::Evidence(_)
                | Body::Report(_)
                | Body::Resolution(_)
        ),
        (StreamName::Spec(_), body) => {
            matches!(body, Body::SpecRevision(_) | Body::SpecStatus(_))
        }
        (StreamName::Journal(_), body) => matches!(
            body,
            Body::JournalOpened(_) | Body::JournalSealed(_) | Body::JournalFolded(_)
        ),
    }
}

/// What a record names must lie in the tree of the commit that added it: git prunes what
/// only JSON mentions. That the bytes match their name was seen when they were added.
fn prove_files(ledger: &Ledger<'_>, proven: &mut Proven, record: &Record, commit: CommitId) {
    let needed: Vec<(Digest, Option<u64>)> = match &record.body {
        Body::Contract(contract) => vec![
            (contract.acceptance_digest, None),
            (contract.policy.digest, None),
        ],
        Body::SpecRevision(revision) => vec![(revision.acceptance_digest, Some(revision.size))],
        Body::Evidence(evidence) => evidence
            .artifacts
            .iter()
            .map(|artifact| (artifact.sha256, Some(artifact.size)))
            .collect(),
        _ => return,
    };
    let id = Some(commit);
    for (digest, size) in needed {
        let stored = ledger
            .repo
            .tree_of(commit)
            .map_err(Into::into)
            .and_then(|tree| ledger.stored_artifact(tree, &digest));
        match stored {
            Ok(Some(bytes)) if size.is_none_or(|size| size == bytes.len() as u64) => {}
            Ok(Some(bytes)) => {
                let text = format!("the artifact {digest} has {} bytes", bytes.len());
                proven.fault(Code::LedgerDigest, id, Some(record.digest), text);
            }
            Ok(None) => {
                let text = format!("the artifact {digest} is missing");
                proven.fault(Code::LedgerMissing, id, Some(record.digest), text);
            }
            Err(error) => {
                let text = format!("the artifact {digest}: {error}");
                proven.fault(Code::LedgerMissing, id, Some(record.digest), text);
            }
        }
    }
}

/// Every event and amendment was legal in the fold of what its writer had seen.
fn prove_moves(proven: &mut Proven, id: &RunId) {
    let Some(run) = run_of(proven, id) else {
        return;
    };
    let illegal: Vec<Digest> = if run.history.is_linear() {
        run.state.illegal.clone()
    } else {
        run.records
            .iter()
            .filter(|record| matches!(record.body, Body::Event(_) | Body::Amendment(_)))
            .filter(|record| illegal_where_written(&run, record))
            .map(|record| record.digest)
            .collect()
    };
    for digest in illegal {
        let commit = proven.records.get(&digest).map(|(_, commit)| *commit);
        let text = "it was not legal after what its writer had seen";
        proven.fault(Code::LedgerEvent, commit, Some(digest), text);
    }
    for conflict in &run.state.conflicts {
        let commit = proven
            .records
            .get(&conflict.event)
            .map(|(_, commit)| *commit);
        let text = format!(
            "it moves {} against an event that it had not seen; a person has to resolve it",
            conflict.subject
        );
        proven.warning(Code::MergeConflict, commit, Some(conflict.event), text);
    }
}

/// The run that the records add up to; `None` when they do not, which is a fault already
/// when all of them could be read.
pub(super) fn run_of(proven: &Proven, id: &RunId) -> Option<Run> {
    let records = proven.in_order().into_iter().cloned().collect();
    fold(id.clone(), records).ok()
}

fn illegal_where_written(run: &Run, record: &Record) -> bool {
    closure(run, std::slice::from_ref(&record.digest))
        .is_some_and(|there| there.state.illegal.contains(&record.digest))
}

/// The run as someone saw it who had seen just `heads` and what they follow.
pub(super) fn closure(run: &Run, heads: &[Digest]) -> Option<Run> {
    let records = run
        .records
        .iter()
        .filter(|earlier| {
            heads
                .iter()
                .any(|head| run.history.had_seen(head, &earlier.digest))
        })
        .cloned()
        .collect();
    fold(run.id.clone(), records).ok()
}
