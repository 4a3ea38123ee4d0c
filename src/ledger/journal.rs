//! What this clone opened and sealed, and what it had seen of others.
//!
//! A journal is a stream like any other; what is its own is that a commit holds the tips
//! its `sealed` and `folded` records name as further parents, so that a run outlives its ref.

use super::{
    Error, JournalNote, Ledger, StreamName,
    append::{Addition, Written},
    message::read_trailers,
    tree::read_file_bytes,
};
use crate::{
    domain::{
        digest::Digest,
        id::{RunId, WriterId},
        journal::{JournalHead, Opened, Sealed},
        oid::CommitId,
        producer::Producer,
        record::{Body, Record},
        run::{FoldError, Run, fold},
        vocabulary::RunStatus,
    },
    git::{EntryKind, Identity},
};
use std::collections::{BTreeMap, BTreeSet};

impl Ledger<'_> {
    /// Runs that this clone opened and did not seal: name and contract.
    pub fn open_runs(&self) -> Result<Vec<(RunId, Digest)>, Error> {
        let Some(writer) = self.known_writer()? else {
            return Ok(Vec::new());
        };
        let Some(journal) = self.read(&StreamName::Journal(writer))? else {
            return Ok(Vec::new());
        };
        let mut open: Vec<(RunId, Digest)> = Vec::new();
        for record in &journal.records {
            match &record.body {
                Body::JournalOpened(opened) => {
                    open.push((opened.run.clone(), opened.contract));
                }
                Body::JournalSealed(sealed) => {
                    open.retain(|(_, contract)| *contract != sealed.contract);
                }
                _ => {}
            }
        }
        Ok(open)
    }

    /// How a run was sealed, by any journal here: this clone's word before that of others,
    /// then by writer; the newest in each.
    pub fn seal_of(&self, contract: Digest) -> Result<Option<Sealed>, Error> {
        Ok(self
            .seals()?
            .into_iter()
            .find(|sealed| sealed.contract == contract))
    }

    /// Every seal in a journal here, in the order in which they count.
    pub fn seals(&self) -> Result<Vec<Sealed>, Error> {
        let mut seals = Vec::new();
        for journal in self.journals()? {
            seals.extend(
                journal
                    .iter()
                    .rev()
                    .filter_map(|record| match &record.body {
                        Body::JournalSealed(sealed) => Some(sealed.as_ref().clone()),
                        _ => None,
                    }),
            );
        }
        Ok(seals)
    }

    /// The seal of a run by its name.
    pub(super) fn sealed_as(&self, id: &RunId) -> Result<Option<Sealed>, Error> {
        Ok(self.seals()?.into_iter().find(|sealed| sealed.run == *id))
    }

    /// The records of every journal here, this clone's first, then by writer; each followed by those it
    /// took over.
    fn journals(&self) -> Result<Vec<Vec<Record>>, Error> {
        let own = self.known_writer()?;
        let mut tips: Vec<(WriterId, CommitId)> = self
            .repo
            .refs_below("refs/rapid/journal/")?
            .into_iter()
            .filter_map(|found| match StreamName::from_ref(&found.name)? {
                StreamName::Journal(writer) => Some((writer, CommitId(found.target))),
                _ => None,
            })
            .collect();
        tips.sort_by_key(|(writer, _)| (own.as_ref() != Some(writer), writer.clone()));
        tips.reverse();
        let mut seen = BTreeSet::new();
        let mut journals = Vec::new();
        while let Some((writer, tip)) = tips.pop() {
            if !seen.insert(tip) {
                continue;
            }
            let records = self
                .load_at(&StreamName::Journal(writer), tip)?
                .stream
                .records;
            for record in records.iter().rev() {
                if let Body::JournalFolded(folded) = &record.body {
                    tips.extend(
                        folded
                            .journals
                            .iter()
                            .rev()
                            .map(|folded| (folded.writer.clone(), folded.tip)),
                    );
                }
            }
            journals.push(records);
        }
        Ok(journals)
    }

    /// Writes what the journal notes of `run`; moves no ref.
    pub(super) fn write_note(
        &self,
        note: &JournalNote,
        name: &StreamName,
        run: &Written,
        identity: &Identity,
    ) -> Result<Written, Error> {
        let not_a_run = |source| Error::NotARun {
            stream: name.ref_name(),
            source,
        };
        let first = run
            .records
            .first()
            .ok_or_else(|| not_a_run(FoldError::Empty))?;
        let StreamName::Run(id) = name else {
            return Err(not_a_run(FoldError::NoContract(first.digest)));
        };
        let (JournalNote::Opened { writer } | JournalNote::Sealed { writer }) = note;
        let heads = self.seen_heads(writer)?;
        let (subject, producer, body, seals) = match note {
            JournalNote::Opened { .. } => {
                let opened = Opened {
                    run: id.clone(),
                    contract: first.digest,
                    heads,
                };
                (
                    format!("open {id}"),
                    "start",
                    Body::from(opened),
                    Vec::new(),
                )
            }
            JournalNote::Sealed { .. } => {
                let folded = fold(id.clone(), run.records.clone()).map_err(not_a_run)?;
                let sealed = seal(&folded, run.new, heads).ok_or_else(|| Error::NotEnded {
                    stream: name.ref_name(),
                    status: folded.state.status,
                })?;
                let verdict = sealed
                    .verdict
                    .map_or_else(String::new, |verdict| format!(", {verdict}"));
                let subject = format!("seal {id}, {}{verdict}", sealed.status);
                (
                    subject,
                    verb(sealed.status),
                    Body::from(sealed),
                    vec![run.new],
                )
            }
        };
        let journal = StreamName::Journal(writer.clone());
        let loaded = self.load(&journal)?;
        let addition = Addition {
            subject: &subject,
            records: &[(Producer::rapid(producer), body)],
            artifacts: &[],
            subject_tree: None,
            seals: &seals,
        };
        self.write(&journal, loaded.as_ref(), &addition, identity)
    }

    /// The newest records of the other journals known here, fetched copies among them,
    /// sorted by writer. A copy whose newest record is not what it claims is not noted: a
    /// head that nobody can show would put this journal in the wrong.
    fn seen_heads(&self, own: &WriterId) -> Result<Vec<JournalHead>, Error> {
        let mut newest: BTreeMap<WriterId, (u64, Digest)> = BTreeMap::new();
        let local = self.repo.refs_below("refs/rapid/journal/")?;
        let fetched = self.repo.refs_below("refs/rapid-remote/")?;
        for copy in local.into_iter().chain(fetched) {
            let Some(writer) = journal_writer(&copy.name) else {
                continue;
            };
            if writer == *own {
                continue;
            }
            let Some(head) = self.newest_record(CommitId(copy.target)) else {
                continue;
            };
            let known = newest.entry(writer).or_insert(head);
            *known = (*known).max(head);
        }
        Ok(newest
            .into_iter()
            .map(|(writer, (_, record))| JournalHead { writer, record })
            .collect())
    }

    /// The newest record that a journal's commit claims and its tree holds.
    fn newest_record(&self, tip: CommitId) -> Option<(u64, Digest)> {
        let mut todo = vec![tip];
        let mut seen = BTreeSet::new();
        let mut newest = None;
        while let Some(id) = todo.pop() {
            let commit = self.repo.read_commit(id).ok()?;
            let trailers = read_trailers(&commit.message.0).ok()?;
            let Some(last) = trailers.last() else {
                // A merge adds nothing of its own.
                todo.extend(commit.parents.into_iter().filter(|id| seen.insert(*id)));
                continue;
            };
            let path = last.name.path();
            let entry = self.repo.entry_at(commit.tree, path.as_bytes()).ok()??;
            let record = read_file_bytes(&self.repo.read_blob(entry.oid).ok()?).ok()?;
            let holds = entry.kind == EntryKind::File && record.digest == last.digest;
            if !holds {
                return None;
            }
            newest = newest.max(Some((record.seq(), record.digest)));
        }
        newest
    }
}

/// The writer of a journal or of a fetched copy of one.
pub(super) fn journal_writer(name: &str) -> Option<WriterId> {
    let id = match name.strip_prefix("refs/rapid/journal/") {
        Some(id) => id,
        None => {
            name.strip_prefix("refs/rapid-remote/")?
                .rsplit_once("/journal/")?
                .1
        }
    };
    id.parse().ok()
}

/// What a journal says of a run that came to its end; `None` when it did not.
pub(super) fn seal(run: &Run, tip: CommitId, heads: Vec<JournalHead>) -> Option<Sealed> {
    let status = run.state.status;
    if !status.is_terminal() {
        return None;
    }
    // What was given up has no verdict, whatever was judged on the way.
    let judged = matches!(status, RunStatus::Finished | RunStatus::Failed);
    let report = run
        .records
        .iter()
        .rev()
        .filter(|_| judged)
        .find_map(|record| match &record.body {
            Body::Report(report) => Some((record.digest, report)),
            _ => None,
        });
    Some(Sealed {
        run: run.id.clone(),
        contract: run.contract_digest,
        tip,
        status,
        verdict: report.map(|(_, report)| report.verdict),
        subject: report.map(|(_, report)| report.subject),
        report: report.map(|(digest, _)| digest),
        heads,
    })
}

/// The verb that ends a run so.
fn verb(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Cancelled => "abort",
        RunStatus::Superseded => "supersede",
        _ => "finish",
    }
}
