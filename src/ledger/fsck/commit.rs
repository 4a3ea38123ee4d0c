//! The proof of one commit: against its parents' trees, and its records against their
//! names and its trailers.

use super::{
    stream::Proven,
    succession::{self, State, States},
    tree_diff::{Leaf, diff},
};
use crate::{
    diagnostic::Code,
    domain::{
        digest::Digest,
        oid::{CommitId, TreeId},
        record::{Body, Record},
    },
    ledger::{
        Ledger, RecordName, StreamName, Trailer,
        message::read_trailers,
        record_file::RECORDS,
        tree::{ARTIFACTS, SUBJECT, artifact_path, read_file_bytes, subject_path},
        walk::StreamCommit,
    },
};
use std::collections::{BTreeSet, HashSet};

/// Git was first released in April 2005.
const OLDEST: i64 = 1_112_832_000;
/// The first of January 2100.
const NEWEST: i64 = 4_102_444_800;
/// How far clocks may differ.
const SKEW: i64 = 86_400;

/// Proves one commit; its stream parents have been.
pub(super) fn prove(
    ledger: &Ledger<'_>,
    proven: &mut Proven,
    states: &mut States,
    commit: &StreamCommit,
) {
    let id = Some(commit.id);
    for (parent, why) in &commit.unreadable {
        let text = format!("its parent {} cannot be read: {why}", parent.hex());
        proven.fault(Code::LedgerMissing, id, None, text);
    }
    let before: Vec<State> = commit
        .stream_parents
        .iter()
        .filter_map(|parent| states.0.get(parent).cloned())
        .collect();
    prove_date(proven, commit, &before);
    let added = match added(ledger, proven, commit, &before) {
        Ok(added) => added,
        Err(error) => {
            proven.fault(Code::LedgerMissing, id, None, error.to_string());
            return;
        }
    };
    let records = read_records(ledger, proven, commit, &added);
    prove_others(ledger, proven, commit, &added, records.as_deref());
    if commit.stream_parents.len() > 1 {
        prove_merge(proven, commit, records.as_deref());
    } else {
        if !is_cut_off(commit) {
            prove_trailers(proven, commit, records.as_deref());
        }
        prove_seals(proven, commit, records.as_deref());
    }
    let heads = succession::prove(ledger, proven, commit, &before, records.as_deref());
    states.0.insert(
        commit.id,
        State {
            heads,
            tree: commit.data.tree,
            seconds: commit.data.seconds,
        },
    );
    for record in records.into_iter().flatten() {
        proven
            .records
            .entry(record.digest)
            .or_insert((record, commit.id));
    }
}

/// Whether the commit before this one is missing: then nobody can say what this one added.
fn is_cut_off(commit: &StreamCommit) -> bool {
    let first = commit.data.parents.first();
    commit.stream_parents.is_empty() && commit.unreadable.iter().any(|(id, _)| Some(id) == first)
}

/// What the commit's tree has that no stream parent's has. What a parent has must be there.
fn added(
    ledger: &Ledger<'_>,
    proven: &mut Proven,
    commit: &StreamCommit,
    before: &[State],
) -> Result<Vec<Leaf>, crate::git::Error> {
    let mut added: Option<BTreeSet<Leaf>> = None;
    for parent in before {
        let found = diff(ledger.repo, Some(parent.tree), commit.data.tree)?;
        for path in found.lost {
            let text = format!("{} was changed or taken away", shown(&path));
            proven.fault(Code::LedgerTree, Some(commit.id), None, text);
        }
        let new: BTreeSet<Leaf> = found.added.into_iter().collect();
        added = Some(match added {
            None => new,
            Some(others) => others.intersection(&new).cloned().collect(),
        });
    }
    match added {
        Some(added) => Ok(added.into_iter().collect()),
        None => Ok(diff(ledger.repo, None, commit.data.tree)?.added),
    }
}

/// The records the commit adds, in order; `None` when one of them cannot be read.
fn read_records(
    ledger: &Ledger<'_>,
    proven: &mut Proven,
    commit: &StreamCommit,
    added: &[Leaf],
) -> Option<Vec<Record>> {
    let id = Some(commit.id);
    let mut records = Some(Vec::new());
    for leaf in added.iter().filter(|leaf| lies_in(leaf, RECORDS)) {
        let path = shown(&leaf.path);
        let Some(name) = RecordName::parse(&leaf.path).filter(|_| leaf.is_file) else {
            let text = format!("{path} does not have the name and mode of a record");
            proven.fault(Code::LedgerTree, id, None, text);
            continue;
        };
        let record = match ledger.repo.read_blob(leaf.oid) {
            Ok(bytes) => read_file_bytes(&bytes)
                .map_err(|bad| (Code::LedgerRecord, format!("{path}: {bad}"))),
            Err(error) => Err((Code::LedgerMissing, format!("{path}: {error}"))),
        };
        match record {
            Ok(record) => {
                if RecordName::of(&record) != name {
                    let text = format!("{path} holds {}", RecordName::of(&record));
                    proven.fault(Code::LedgerDigest, id, Some(record.digest), text);
                }
                if let Some(records) = &mut records {
                    records.push(record);
                }
            }
            Err((code, text)) => {
                proven.fault(code, id, None, text);
                records = None;
            }
        }
    }
    if let Some(records) = &mut records {
        records.sort_by_key(|record| (record.seq(), record.digest));
    }
    records
}

/// Artifacts and judged trees have their place; nothing else has one.
fn prove_others(
    ledger: &Ledger<'_>,
    proven: &mut Proven,
    commit: &StreamCommit,
    added: &[Leaf],
    records: Option<&[Record]>,
) {
    let id = Some(commit.id);
    for leaf in added.iter().filter(|leaf| !lies_in(leaf, RECORDS)) {
        let path = shown(&leaf.path);
        if lies_in(leaf, ARTIFACTS) {
            let digest = leaf
                .path
                .rsplit(|byte| *byte == b'/')
                .next()
                .and_then(|name| std::str::from_utf8(name).ok()?.parse::<Digest>().ok())
                .filter(|digest| artifact_path(digest).as_bytes() == leaf.path && leaf.is_file);
            let Some(digest) = digest else {
                let text = format!("{path} does not have the name and mode of an artifact");
                proven.fault(Code::LedgerTree, id, None, text);
                continue;
            };
            match ledger.repo.read_blob(leaf.oid) {
                Ok(bytes) if Digest::of(&bytes) == digest => {}
                Ok(_) => {
                    let text = format!("{path} has other bytes than its name says");
                    proven.fault(Code::LedgerDigest, id, None, text);
                }
                Err(error) => {
                    let text = format!("{path}: {error}");
                    proven.fault(Code::LedgerMissing, id, None, text);
                }
            }
        } else if lies_in(leaf, SUBJECT) && leaf.is_tree && judges(proven, records, leaf) {
            if subject_path(&TreeId(leaf.oid)).as_bytes() != leaf.path {
                let text = format!("{path} is another tree than its name says");
                proven.fault(Code::LedgerDigest, id, None, text);
            } else if !ledger.repo.has_object(leaf.oid) {
                let text = format!("{path} is not in this clone");
                proven.fault(Code::LedgerMissing, id, None, text);
            }
        } else {
            let text = format!("{path} does not belong in a stream");
            proven.fault(Code::LedgerTree, id, None, text);
        }
    }
}

/// Whether a report of this commit judges the tree: nothing else brings one along.
fn judges(proven: &Proven, records: Option<&[Record]>, leaf: &Leaf) -> bool {
    let named = |record: &Record| match &record.body {
        Body::Report(report) => subject_path(&report.subject).as_bytes() == leaf.path,
        _ => false,
    };
    matches!(proven.name, StreamName::Run(_))
        && records.is_none_or(|records| records.iter().any(named))
}

fn prove_merge(proven: &mut Proven, commit: &StreamCommit, records: Option<&[Record]>) {
    let only_two = commit.stream_parents.len() == 2 && commit.data.parents.len() == 2;
    if !only_two {
        let text = format!("a merge of {} parents", commit.data.parents.len());
        proven.fault(Code::LedgerTree, Some(commit.id), None, text);
    }
    if records.is_none_or(|records| !records.is_empty()) {
        let text = "a merge adds records of its own";
        proven.fault(Code::LedgerTree, Some(commit.id), None, text);
    }
    if read_trailers(&commit.data.message.0).is_ok_and(|trailers| trailers.is_empty()) {
        return;
    }
    let text = "the trailers of a merge name records";
    proven.fault(Code::LedgerDigest, Some(commit.id), None, text);
}

fn prove_trailers(proven: &mut Proven, commit: &StreamCommit, records: Option<&[Record]>) {
    let id = Some(commit.id);
    let trailers = match read_trailers(&commit.data.message.0) {
        Ok(trailers) => trailers,
        Err(bad) => {
            proven.fault(Code::LedgerDigest, id, None, bad.to_string());
            return;
        }
    };
    let Some(records) = records else {
        return;
    };
    if records.is_empty() {
        proven.fault(Code::LedgerTree, id, None, "it adds no record");
    }
    let right: Vec<Trailer> = records.iter().map(Trailer::of).collect();
    if trailers != right {
        let list = |trailers: &[Trailer]| {
            let names: Vec<String> = trailers
                .iter()
                .map(|trailer| format!("{} {}", trailer.name, trailer.digest.short(16)))
                .collect();
            names.join(", ")
        };
        let text = format!(
            "its trailers say [{}], its files [{}]",
            list(&trailers),
            list(&right)
        );
        proven.fault(Code::LedgerDigest, id, None, text);
    }
}

/// Parents that are not of the stream: in a journal exactly the tips that this commit's
/// records name, after the stream parent; elsewhere none.
fn prove_seals(proven: &mut Proven, commit: &StreamCommit, records: Option<&[Record]>) {
    let id = Some(commit.id);
    let unreadable = |parent: &CommitId| commit.unreadable.iter().any(|(id, _)| id == parent);
    let others: Vec<CommitId> = commit
        .data
        .parents
        .iter()
        .filter(|parent| !commit.stream_parents.contains(parent))
        .copied()
        .collect();
    if !matches!(proven.name, StreamName::Journal(_)) {
        for parent in others.iter().filter(|parent| !unreadable(parent)) {
            let text = format!("its parent {} is not of this stream", parent.hex());
            proven.fault(Code::LedgerTree, id, None, text);
        }
        return;
    }
    let Some(records) = records else {
        return;
    };
    let mut named: Vec<CommitId> = Vec::new();
    for record in records {
        match &record.body {
            Body::JournalSealed(sealed) => named.push(sealed.tip),
            Body::JournalFolded(folded) => {
                named.extend(folded.journals.iter().map(|journal| journal.tip));
            }
            _ => {}
        }
    }
    let mut seen = HashSet::new();
    named.retain(|tip| seen.insert(*tip));
    let stream_parent_first = commit.stream_parents.is_empty()
        || commit.data.parents.first() == commit.stream_parents.first();
    if others == named && stream_parent_first {
        return;
    }
    let list = |ids: &[CommitId]| {
        let names: Vec<String> = ids.iter().map(CommitId::short).collect();
        names.join(", ")
    };
    let text = format!(
        "its records seal [{}], its parents after the stream's own are [{}]",
        list(&named),
        list(&others)
    );
    let record = records.last().map(|record| record.digest);
    proven.fault(Code::LedgerSeal, id, record, text);
}

/// A date decides nothing; one that cannot be right is worth a word.
fn prove_date(proven: &mut Proven, commit: &StreamCommit, before: &[State]) {
    let seconds = commit.data.seconds;
    let text = if !(OLDEST..NEWEST).contains(&seconds) {
        format!("its date ({seconds} s since 1970) cannot be right")
    } else if before.iter().any(|parent| seconds < parent.seconds - SKEW) {
        "it is dated more than a day before its parent".to_owned()
    } else {
        return;
    };
    proven.warning(Code::LedgerTree, Some(commit.id), None, text);
}

fn lies_in(leaf: &Leaf, folder: &str) -> bool {
    leaf.path == folder.as_bytes()
        || leaf
            .path
            .strip_prefix(folder.as_bytes())
            .is_some_and(|rest| rest.starts_with(b"/"))
}

fn shown(path: &[u8]) -> String {
    String::from_utf8_lossy(path).escape_debug().to_string()
}
