//! Whether records make one chain: closed under `prev`, of one stream, counted right.

use crate::domain::{
    digest::Digest,
    record::{Place, Record},
};
use std::collections::{HashMap, HashSet};

/// A record that does not follow from the ones before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BrokenLink {
    /// Which; `None`: there is no record at all.
    pub(super) record: Option<Digest>,
    /// What does not agree.
    pub(super) text: String,
}

/// Holds `records`, in reading order, against each other.
pub(super) fn check_chain(records: &[Record]) -> Result<(), BrokenLink> {
    let Some(first) = records.first() else {
        return Err(BrokenLink {
            record: None,
            text: "the stream has no record".into(),
        });
    };
    let mut seqs: HashMap<Digest, u64> = HashMap::with_capacity(records.len());
    for record in records {
        if let Some(text) = broken(record, first, &seqs) {
            return Err(BrokenLink {
                record: Some(record.digest),
                text,
            });
        }
        seqs.insert(record.digest, record.seq());
    }
    Ok(())
}

fn broken(record: &Record, first: &Record, seqs: &HashMap<Digest, u64>) -> Option<String> {
    if seqs.contains_key(&record.digest) {
        return Some("it is there twice".into());
    }
    match &record.place {
        Place::First { .. } if record.digest == first.digest => None,
        Place::First { .. } => Some("it begins a stream that another record began".into()),
        Place::Next { stream, .. } if *stream != first.digest => Some(format!(
            "it belongs to the stream {}, not to {}",
            stream.short(16),
            first.digest.short(16)
        )),
        Place::Next { seq, prev, .. } => {
            let mut highest = 0;
            for digest in prev {
                match seqs.get(digest) {
                    Some(seq) => highest = highest.max(*seq),
                    None => {
                        return Some(format!(
                            "it follows {}, which does not come before it here",
                            digest.short(16)
                        ));
                    }
                }
            }
            (highest + 1 != *seq).then(|| format!("its seq is {seq} and not {}", highest + 1))
        }
    }
}

/// The records that no other one names, sorted: what the next record follows.
pub(super) fn heads(records: &[Record]) -> Vec<Digest> {
    let named: HashSet<&Digest> = records.iter().flat_map(Record::prev).collect();
    let mut heads: Vec<Digest> = records
        .iter()
        .map(|record| record.digest)
        .filter(|digest| !named.contains(digest))
        .collect();
    heads.sort_unstable();
    heads
}
