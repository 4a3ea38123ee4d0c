//! The proof of one stream: its commits from the first to the last, then what its records
//! say together.

use super::{Fault, FsckReport, commit, content, replay, succession};
use crate::{
    diagnostic::Code,
    domain::{digest::Digest, oid::CommitId, record::Record},
    ledger::{Ledger, RecordName, StreamName},
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A stream that was gone through, with what is wrong with it.
#[derive(Debug)]
pub(super) struct Proven {
    /// Which.
    pub(super) name: StreamName,
    /// The commit it was read at.
    pub(super) tip: CommitId,
    /// The digest of its first record, when there is a readable one.
    pub(super) first: Option<Digest>,
    /// Every record that could be read, with the commit that added it.
    pub(super) records: HashMap<Digest, (Record, CommitId)>,
    /// Its commits.
    pub(super) commits: HashSet<CommitId>,
    /// What is wrong.
    pub(super) faults: Vec<Fault>,
    /// What is odd.
    pub(super) warnings: Vec<Fault>,
}

impl Proven {
    fn new(name: &StreamName, tip: CommitId) -> Self {
        Self {
            name: name.clone(),
            tip,
            first: None,
            records: HashMap::new(),
            commits: HashSet::new(),
            faults: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Notes a fault.
    pub(super) fn fault(
        &mut self,
        code: Code,
        commit: Option<CommitId>,
        record: Option<Digest>,
        text: impl Into<String>,
    ) {
        let fault = self.note(code, commit, record, text);
        self.faults.push(fault);
    }

    /// Notes something odd.
    pub(super) fn warning(
        &mut self,
        code: Code,
        commit: Option<CommitId>,
        record: Option<Digest>,
        text: impl Into<String>,
    ) {
        let warning = self.note(code, commit, record, text);
        self.warnings.push(warning);
    }

    fn note(
        &self,
        code: Code,
        commit: Option<CommitId>,
        record: Option<Digest>,
        text: impl Into<String>,
    ) -> Fault {
        Fault {
            code,
            stream: self.name.ref_name(),
            commit,
            record,
            text: text.into(),
        }
    }

    /// The records in reading order.
    pub(super) fn in_order(&self) -> Vec<&Record> {
        let order: BTreeMap<(u64, Digest), &Record> = self
            .records
            .values()
            .map(|(record, _)| ((record.seq(), record.digest), record))
            .collect();
        order.into_values().collect()
    }

    /// Adds what was found to the report of the whole.
    pub(super) fn into_report(self, report: &mut FsckReport) {
        report.streams += 1;
        report.records += self.records.len();
        report.faults.extend(self.faults);
        report.warnings.extend(self.warnings);
    }
}

/// Proves the stream that ends in `tip`.
pub(super) fn prove(ledger: &Ledger<'_>, name: &StreamName, tip: CommitId) -> Proven {
    let mut proven = Proven::new(name, tip);
    let first = match find_first(ledger, tip) {
        Ok(Some(first)) => first,
        Ok(None) => {
            proven.fault(
                Code::LedgerChain,
                Some(tip),
                None,
                "there is no first record, or more than one",
            );
            return proven;
        }
        Err(error) => {
            proven.fault(Code::LedgerMissing, Some(tip), None, error.to_string());
            return proven;
        }
    };
    let commits = match ledger.walk(tip, &first) {
        Ok(commits) => commits,
        Err(error) => {
            proven.fault(Code::LedgerMissing, Some(tip), None, error.to_string());
            return proven;
        }
    };
    let mut states = succession::States::default();
    for one in &commits {
        proven.commits.insert(one.id);
        commit::prove(ledger, &mut proven, &mut states, one);
    }
    content::prove(ledger, &mut proven);
    replay::prove(ledger, &mut proven);
    proven
}

/// The first record of the stream: that of the tip's tree, or, when someone took it away or
/// added another, that of the nearest commit which has exactly one.
fn find_first(
    ledger: &Ledger<'_>,
    tip: CommitId,
) -> Result<Option<RecordName>, crate::ledger::Error> {
    let mut next = Some(tip);
    let mut seen = HashSet::new();
    while let Some(id) = next.filter(|id| seen.insert(*id)) {
        match ledger.first_record(id) {
            Ok(Some(first)) => return Ok(Some(first)),
            Ok(None) => {}
            Err(error) if id == tip => return Err(error),
            Err(_) => return Ok(None),
        }
        next = ledger.repo.read_commit(id)?.parents.first().copied();
    }
    Ok(None)
}
