//! How a commit's records follow those before them: `prev`, `seq` and `stream`.

use super::stream::Proven;
use crate::{
    diagnostic::Code,
    domain::{
        digest::Digest,
        oid::{CommitId, TreeId},
        record::{Place, Record},
    },
    ledger::{Ledger, RecordName, walk::StreamCommit},
};
use std::collections::{BTreeSet, HashMap};

/// What is known after each commit that was gone through.
#[derive(Debug, Default)]
pub(super) struct States(pub(super) HashMap<CommitId, State>);

/// What is known after one commit.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The records that no other names; `None` when a record could not be read: nobody can say what follows.
    pub(super) heads: Option<BTreeSet<Digest>>,
    /// Its tree.
    pub(super) tree: TreeId,
    /// Its date.
    pub(super) seconds: i64,
}

/// Holds the records against what was there before; gives what nothing names after them.
pub(super) fn prove(
    ledger: &Ledger<'_>,
    proven: &mut Proven,
    commit: &StreamCommit,
    before: &[State],
    records: Option<&[Record]>,
) -> Option<BTreeSet<Digest>> {
    let mut heads = if before.len() == commit.stream_parents.len() {
        union_of_heads(ledger, proven, before)
    } else {
        None
    };
    for record in records? {
        if let Some(text) = broken(proven, record, heads.as_ref()) {
            proven.fault(
                Code::LedgerChain,
                Some(commit.id),
                Some(record.digest),
                text,
            );
        }
        if proven.first.is_none() && before.is_empty() {
            proven.first = Some(record.digest);
        }
        // The next record of this commit is held against this one already.
        proven
            .records
            .entry(record.digest)
            .or_insert_with(|| (record.clone(), commit.id));
        heads = Some(BTreeSet::from([record.digest]));
    }
    heads
}

fn broken(proven: &Proven, record: &Record, heads: Option<&BTreeSet<Digest>>) -> Option<String> {
    if proven.records.contains_key(&record.digest) {
        return Some("the same record was added before".into());
    }
    match (&record.place, proven.first) {
        (Place::First { .. }, None) => None,
        (Place::First { .. }, Some(first)) => Some(format!(
            "it begins a stream, and this one began with {}",
            first.short(16)
        )),
        (Place::Next { .. }, None) => heads
            .is_some_and(BTreeSet::is_empty)
            .then(|| "the stream begins with it, but it follows others".into()),
        (Place::Next { stream, .. }, Some(first)) if *stream != first => Some(format!(
            "it belongs to the stream {}, not to {}",
            stream.short(16),
            first.short(16)
        )),
        (Place::Next { seq, prev, .. }, Some(_)) => {
            let heads = heads?;
            if !prev.iter().eq(heads.iter()) {
                return Some("its prev is not what nothing else followed at that moment".into());
            }
            let highest = prev
                .iter()
                .filter_map(|digest| proven.records.get(digest))
                .map(|(record, _)| record.seq())
                .max()?;
            (highest + 1 != *seq).then(|| format!("its seq is {seq} and not {}", highest + 1))
        }
    }
}

/// Heads of a merge: of each side, less those that the other side has and follows.
fn union_of_heads(
    ledger: &Ledger<'_>,
    proven: &Proven,
    sides: &[State],
) -> Option<BTreeSet<Digest>> {
    let mut heads = BTreeSet::new();
    for side in sides {
        for head in side.heads.as_ref()? {
            let (record, _) = proven.records.get(head)?;
            let path = RecordName::of(record).path();
            let followed = sides.iter().any(|other| {
                let is_head = other
                    .heads
                    .as_ref()
                    .is_some_and(|heads| heads.contains(head));
                let is_there = matches!(
                    ledger.repo.entry_at(other.tree, path.as_bytes()),
                    Ok(Some(_))
                );
                is_there && !is_head
            });
            if !followed {
                heads.insert(*head);
            }
        }
    }
    Some(heads)
}
