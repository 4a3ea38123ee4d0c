//! The proof of the whole ledger: every stream, and what journals claim of runs and of
//! each other.

use super::{
    Fault, FsckReport,
    content::run_of,
    stream::{self, Proven},
};
use crate::{
    diagnostic::Code,
    domain::{
        digest::Digest,
        id::WriterId,
        journal::{Folded, JournalHead, Opened, Sealed},
        oid::CommitId,
        record::{Body, Record},
    },
    ledger::{Error, Ledger, StreamName, journal, record_file::RecordName},
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Proves every stream that has a ref, every run and journal that a journal holds, and what
/// the journals claim.
pub(super) fn prove_ledger(ledger: &Ledger<'_>) -> Result<FsckReport, Error> {
    let mut report = FsckReport::default();
    let mut all = Ledgerwide {
        ledger,
        proven: Vec::new(),
        with_ref: 0,
        fetched: HashMap::new(),
    };
    for found in ledger.repo.refs_below("refs/rapid/")? {
        match StreamName::from_ref(&found.name) {
            Some(name) => all.take_in(&name, CommitId(found.target)),
            None if found.name.starts_with("refs/rapid/logs/") => {}
            None => report.warnings.push(Fault {
                code: Code::LedgerTree,
                stream: found.name,
                commit: None,
                record: None,
                text: "it is no stream".to_owned(),
            }),
        }
    }
    for copy in ledger.repo.refs_below("refs/rapid-remote/")? {
        if let Some(writer) = journal::journal_writer(&copy.name) {
            let tips = all.fetched.entry(writer).or_default();
            tips.push(CommitId(copy.target));
        }
    }
    all.with_ref = all.proven.len();
    all.take_in_what_journals_hold();
    all.prove_claims();
    all.look_for_specs();
    for proven in all.proven {
        proven.into_report(&mut report);
    }
    Ok(report)
}

struct Ledgerwide<'l, 'r> {
    ledger: &'l Ledger<'r>,
    proven: Vec<Proven>,
    /// How many of them, from the front, have a ref.
    with_ref: usize,
    /// Tips of fetched copies of journals.
    fetched: HashMap<WriterId, Vec<CommitId>>,
}

impl Ledgerwide<'_, '_> {
    fn take_in(&mut self, name: &StreamName, tip: CommitId) {
        self.proven.push(stream::prove(self.ledger, name, tip));
    }

    /// Sealed runs and folded journals are streams of their own, ref or not; folded journals
    /// hold more of both.
    fn take_in_what_journals_hold(&mut self) {
        let mut held: HashSet<CommitId> = self
            .proven
            .iter()
            .flat_map(|proven| proven.commits.iter().copied())
            .collect();
        let mut place = 0;
        while let Some(proven) = self.proven.get(place) {
            let mut more = Vec::new();
            for (record, _) in proven.records.values() {
                match &record.body {
                    Body::JournalSealed(sealed) => {
                        more.push((StreamName::Run(sealed.run.clone()), sealed.tip));
                    }
                    Body::JournalFolded(folded) => more.extend(
                        folded
                            .journals
                            .iter()
                            .map(|one| (StreamName::Journal(one.writer.clone()), one.tip)),
                    ),
                    _ => {}
                }
            }
            more.sort();
            for (name, tip) in more {
                if held.insert(tip) {
                    self.take_in(&name, tip);
                    if let Some(new) = self.proven.last() {
                        held.extend(new.commits.iter().copied());
                    }
                }
            }
            place += 1;
        }
    }

    fn prove_claims(&mut self) {
        let mut found: Vec<(usize, Claim)> = Vec::new();
        for (place, proven) in self.proven.iter().enumerate() {
            for record in proven.in_order() {
                let commit = proven
                    .records
                    .get(&record.digest)
                    .map(|(_, commit)| *commit);
                let mut say = |code: Code, text: String| {
                    found.push((
                        place,
                        Claim {
                            code,
                            commit,
                            record: record.digest,
                            text,
                        },
                    ));
                };
                match &record.body {
                    Body::JournalOpened(opened) => {
                        self.opened(opened, &mut say);
                        self.heads(&opened.heads, &mut say);
                    }
                    Body::JournalSealed(sealed) => {
                        self.sealed(sealed, &mut say);
                        self.heads(&sealed.heads, &mut say);
                    }
                    Body::JournalFolded(folded) => {
                        self.folded(folded, &mut say);
                        self.heads(&folded.heads, &mut say);
                    }
                    _ => {}
                }
            }
        }
        for (place, claim) in found {
            self.proven[place].fault(claim.code, claim.commit, Some(claim.record), claim.text);
        }
    }

    /// An opened run is here, by ref or by a seal.
    fn opened(&self, opened: &Opened, say: &mut impl FnMut(Code, String)) {
        let here = self
            .proven
            .iter()
            .any(|proven| is_run(proven) && proven.first == Some(opened.contract));
        let sealed = || {
            self.records().any(|record| match &record.body {
                Body::JournalSealed(sealed) => sealed.contract == opened.contract,
                _ => false,
            })
        };
        if !here && !sealed() {
            let text = format!("the run {} was opened and is gone", opened.run);
            say(Code::LedgerJournal, text);
        }
    }

    /// A seal says what the run's own records say at the commit it names, and a ref of that
    /// run, where there is one, still holds that commit.
    fn sealed(&self, sealed: &Sealed, say: &mut impl FnMut(Code, String)) {
        let run = &sealed.run;
        let holders: Vec<&Proven> = self
            .proven
            .iter()
            .filter(|proven| is_run(proven) && proven.commits.contains(&sealed.tip))
            .collect();
        let refs = self.proven[..self.with_ref]
            .iter()
            .filter(|proven| is_run(proven) && proven.first == Some(sealed.contract));
        for behind in refs.filter(|proven| !proven.commits.contains(&sealed.tip)) {
            let tip = behind.tip;
            if self
                .ledger
                .repo
                .is_ancestor(tip, sealed.tip)
                .unwrap_or(false)
            {
                let text = format!(
                    "{} stands at {}, before the commit {} that was sealed",
                    behind.name.ref_name(),
                    tip.short(),
                    sealed.tip.short()
                );
                say(Code::LedgerJournal, text);
            }
        }
        let Some(holder) = holders.first() else {
            let text = format!("the sealed commit {} of {run} is no run", sealed.tip.hex());
            say(Code::LedgerSeal, text);
            return;
        };
        if holder.first != Some(sealed.contract) {
            let text = format!("the sealed commit {} is of another run", sealed.tip.hex());
            say(Code::LedgerSeal, text);
            return;
        }
        let at_tip;
        let there = if holder.tip == sealed.tip {
            holder
        } else {
            at_tip = stream::prove(self.ledger, &holder.name, sealed.tip);
            &at_tip
        };
        let told = run_of(there, run)
            .and_then(|run| journal::seal(&run, sealed.tip, sealed.heads.clone()));
        if told.as_ref() != Some(sealed) {
            let text = format!("the records of {run} do not say what its seal says");
            say(Code::LedgerSeal, text);
        }
    }

    /// A folded journal is here and ends as it was folded.
    fn folded(&self, folded: &Folded, say: &mut impl FnMut(Code, String)) {
        for one in &folded.journals {
            let holder = self.proven.iter().find(|proven| {
                matches!(proven.name, StreamName::Journal(_)) && proven.commits.contains(&one.tip)
            });
            let ends_so = holder.is_some_and(|proven| {
                proven.tip != one.tip
                    || proven.in_order().last().map(|record| record.digest) == Some(one.record)
            });
            if !ends_so {
                let text = format!("the folded journal of {} does not end so", one.writer);
                say(Code::LedgerSeal, text);
            }
        }
    }

    /// What was seen of other journals is still in some copy of them.
    fn heads(&self, heads: &[JournalHead], say: &mut impl FnMut(Code, String)) {
        for head in heads {
            let here = self.proven.iter().any(|proven| {
                proven.name == StreamName::Journal(head.writer.clone())
                    && proven.records.contains_key(&head.record)
            });
            if !here && !self.fetched_holds(head) {
                let text = format!(
                    "the journal of {} does not hold {}, which was seen there",
                    head.writer,
                    head.record.short(16)
                );
                say(Code::LedgerJournal, text);
            }
        }
    }

    fn fetched_holds(&self, head: &JournalHead) -> bool {
        let holds = |tip: &CommitId| -> Option<bool> {
            let tree = self.ledger.repo.tree_of(*tip).ok()?;
            let stream = StreamName::Journal(head.writer.clone()).ref_name();
            let files = self.ledger.record_files(&stream, tree).ok()?;
            let digits = RecordName::short(&head.record);
            let file = files.iter().find(|file| file.name.digest == digits)?;
            let record = self.ledger.read_record(&stream, file).ok()?;
            Some(record.digest == head.record)
        };
        self.fetched
            .get(&head.writer)
            .is_some_and(|tips| tips.iter().any(|tip| holds(tip) == Some(true)))
    }

    /// A run can be verified without its spec's stream; that it is not here is worth a word.
    fn look_for_specs(&mut self) {
        let specs: BTreeMap<Digest, HashSet<Digest>> = self
            .proven
            .iter()
            .filter(|proven| matches!(proven.name, StreamName::Spec(_)))
            .filter_map(|proven| Some((proven.first?, proven.records.keys().copied().collect())))
            .collect();
        for proven in &mut self.proven {
            let Some((record, commit)) = proven.first.and_then(|first| proven.records.get(&first))
            else {
                continue;
            };
            let Body::Contract(contract) = &record.body else {
                continue;
            };
            let spec = &contract.spec;
            let text = match specs.get(&spec.stream) {
                Some(records) if records.contains(&spec.record) => continue,
                Some(_) => format!("the spec {} does not hold the revision it follows", spec.id),
                None => format!("the spec {} is not in this ledger", spec.id),
            };
            let (digest, commit) = (record.digest, *commit);
            proven.warning(Code::LedgerMissing, Some(commit), Some(digest), text);
        }
    }

    fn records(&self) -> impl Iterator<Item = &Record> {
        self.proven
            .iter()
            .flat_map(|proven| proven.records.values().map(|(record, _)| record))
    }
}

/// A claim that does not hold.
struct Claim {
    code: Code,
    commit: Option<CommitId>,
    record: Digest,
    text: String,
}

fn is_run(proven: &Proven) -> bool {
    matches!(proven.name, StreamName::Run(_))
}
