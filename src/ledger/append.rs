//! Appending: one decision, one commit.
//!
//! Read the tip, decide, write objects, move the ref from the tip that was read. When it
//! moved meanwhile: read again, decide again (the step may no longer be legal), retry with
//! bounded, jittered back-off. Objects come first and refs last, so that whoever dies in
//! between leaves nothing but objects that nobody names.

use super::{
    Error, Ledger, Stream, StreamName,
    backoff::Backoff,
    chain,
    message::format_message,
    random::random,
    read::Loaded,
    record_file::RecordName,
    tree::{artifact_path, file_bytes, subject_path},
};
use crate::{
    domain::{
        digest::{Digest, hex},
        id::WriterId,
        oid::{CommitId, TreeId},
        producer::Producer,
        record::{Body, Place, Record},
    },
    git::{self, CommitData, EntryKind, Expected, Identity, NewCommit, RefEdit, TreeUpsert},
};

/// What one append adds.
#[derive(Clone, Debug)]
pub struct Draft {
    /// What happened, e.g. `check, 42 passed on T001`; becomes `chore(rapid): …`.
    pub subject: String,
    /// Bodies in order; each record follows the one before it. Without any, nothing is
    /// appended: artifacts are there for the records that name them.
    pub records: Vec<(Producer, Body)>,
    /// Files kept by their content.
    pub artifacts: Vec<Vec<u8>>,
    /// The judged tree, kept below `subject/`. Its objects are in the repository's own store.
    pub subject_tree: Option<TreeId>,
    /// What this clone's journal notes in the same ref transaction.
    pub journal: Option<JournalNote>,
}

/// What goes into the journal together with a run's append.
#[derive(Clone, Debug)]
pub enum JournalNote {
    /// The run is opened with this append.
    Opened {
        /// This clone.
        writer: WriterId,
    },
    /// The run is sealed with this append. Status, verdict, subject and report are taken
    /// from the run's records as they stand after it.
    Sealed {
        /// This clone.
        writer: WriterId,
    },
}

/// What was appended.
#[derive(Clone, Debug)]
pub struct Appended {
    /// The stream's new tip.
    pub tip: CommitId,
    /// The new records, in order.
    pub records: Vec<Record>,
}

/// Why nothing was appended.
#[derive(Debug)]
pub enum AppendError<E> {
    /// The ledger failed.
    Ledger(Error),
    /// The caller's decision, on what the stream held at that moment.
    Decided(E),
}

impl<E> From<Error> for AppendError<E> {
    fn from(error: Error) -> Self {
        Self::Ledger(error)
    }
}

/// A commit that was written and that no ref names yet.
#[derive(Debug)]
pub(super) struct Written {
    name: StreamName,
    old: Option<CommitId>,
    pub(super) new: CommitId,
    commit: CommitData,
    /// Every record of the stream, and its bytes for the cache.
    pub(super) records: Vec<Record>,
    bytes: Vec<u8>,
}

/// What a commit adds to a stream.
pub(super) struct Addition<'a> {
    pub(super) subject: &'a str,
    pub(super) records: &'a [(Producer, Body)],
    pub(super) artifacts: &'a [Vec<u8>],
    pub(super) subject_tree: Option<TreeId>,
    /// Tips that the records seal, in their order.
    pub(super) seals: &'a [CommitId],
}

impl Ledger<'_> {
    /// Appends to `name` what `decide` makes of the stream as it is (`None`: it does not
    /// exist yet; the first record gets a nonce). `decide` returns `Ok(None)` for "nothing
    /// to add" and may be asked again after a conflict.
    pub fn append<E>(
        &self,
        name: &StreamName,
        mut decide: impl FnMut(Option<&Stream>) -> Result<Option<Draft>, E>,
    ) -> Result<Option<Appended>, AppendError<E>> {
        let mut identity = None;
        let mut backoff = Backoff::new();
        loop {
            let loaded = self.load(name)?;
            let decision = decide(loaded.as_ref().map(|loaded| &loaded.stream))
                .map_err(AppendError::Decided)?;
            let Some(draft) = decision.filter(|draft| !draft.records.is_empty()) else {
                return Ok(None);
            };
            let identity = match &identity {
                Some(known) => known,
                None => identity.insert(self.repo.committer().map_err(Error::from)?),
            };
            let error = match self.try_append(name, loaded.as_ref(), &draft, identity) {
                Ok(appended) => return Ok(Some(appended)),
                Err(error) => error,
            };
            let again = matches!(
                error,
                Error::Git(git::Error::Conflict { .. } | git::Error::Locked { .. })
            );
            if !again {
                return Err(error.into());
            }
            if !backoff.wait(self) {
                return Err(match error {
                    Error::Git(git::Error::Conflict { .. }) => Error::Busy {
                        stream: name.ref_name(),
                        attempts: backoff.attempts(),
                        tip: self.tip(name)?,
                    },
                    held => held,
                }
                .into());
            }
        }
    }

    fn try_append(
        &self,
        name: &StreamName,
        loaded: Option<&Loaded>,
        draft: &Draft,
        identity: &Identity,
    ) -> Result<Appended, Error> {
        let addition = Addition {
            subject: &draft.subject,
            records: &draft.records,
            artifacts: &draft.artifacts,
            subject_tree: draft.subject_tree,
            seals: &[],
        };
        let written = self.write(name, loaded, &addition, identity)?;
        let mut moves = vec![written];
        if let Some(note) = &draft.journal {
            let entry = self.write_note(note, name, &moves[0], identity)?;
            moves.push(entry);
        }
        self.move_refs(&moves, &draft.subject)?;
        let written = moves.swap_remove(0);
        let before = written.records.len() - draft.records.len();
        Ok(Appended {
            tip: written.new,
            records: written.records[before..].to_vec(),
        })
    }

    /// Writes the objects of one commit on top of `loaded`; moves no ref.
    pub(super) fn write(
        &self,
        name: &StreamName,
        loaded: Option<&Loaded>,
        addition: &Addition<'_>,
        identity: &Identity,
    ) -> Result<Written, Error> {
        let old: &[Record] = loaded.map_or(&[], |loaded| &loaded.stream.records);
        let new = follow(old, addition.records);
        let mut bytes = loaded.map_or_else(Vec::new, |loaded| loaded.bytes.clone());
        let mut upserts = Vec::new();
        for record in &new {
            let file = file_bytes(record);
            upserts.push(TreeUpsert {
                path: RecordName::of(record).path().into_bytes(),
                kind: EntryKind::File,
                oid: self.repo.write_blob(&file).map_err(Error::writing)?,
            });
            bytes.extend(file);
        }
        for artifact in addition.artifacts {
            upserts.push(TreeUpsert {
                path: artifact_path(&Digest::of(artifact)).into_bytes(),
                kind: EntryKind::File,
                oid: self.repo.write_blob(artifact).map_err(Error::writing)?,
            });
        }
        if let Some(tree) = addition.subject_tree {
            upserts.push(TreeUpsert {
                path: subject_path(&tree).into_bytes(),
                kind: EntryKind::Tree,
                oid: tree.0,
            });
        }
        let tree = self
            .repo
            .write_tree(loaded.map(|loaded| loaded.tree), &upserts)
            .map_err(Error::writing)?;
        let tip = loaded.map(|loaded| loaded.stream.tip);
        let parents: Vec<CommitId> = tip
            .into_iter()
            .chain(addition.seals.iter().copied())
            .collect();
        let message = format_message(addition.subject, &new);
        let commit = NewCommit {
            tree,
            parents: &parents,
            identity,
            message: &message,
        };
        let id = self.repo.write_commit(&commit).map_err(Error::writing)?;
        Ok(Written {
            name: name.clone(),
            old: tip,
            new: id,
            commit: CommitData {
                tree,
                author: identity.signature(),
                seconds: identity.seconds,
                message: message.into(),
                signed: false,
                parents,
            },
            records: old.iter().cloned().chain(new).collect(),
            bytes,
        })
    }

    /// Moves the refs of what was written, all or none, and keeps the caches warm.
    pub(super) fn move_refs(&self, moves: &[Written], message: &str) -> Result<(), Error> {
        let edits: Vec<RefEdit> = moves
            .iter()
            .map(|written| RefEdit {
                name: written.name.ref_name(),
                new: Some(written.new.0),
                expected: written
                    .old
                    .map_or(Expected::Absent, |old| Expected::At(old.0)),
            })
            .collect();
        self.repo
            .update_refs(&edits, message)
            .map_err(Error::writing)?;
        for written in moves {
            self.cache(
                written.new,
                &written.commit,
                &written.records,
                &written.bytes,
                written.old,
            );
        }
        Ok(())
    }
}

impl Stream {
    /// The records that an append to just this state of the stream makes of `bodies`: for a
    /// body that speaks of those before it, such as the report of a run that ends with it.
    pub fn preview(&self, bodies: &[(Producer, Body)]) -> Vec<Record> {
        follow(&self.records, bodies)
    }
}

/// Records with these bodies, each after the one before it, the first after the heads of
/// what is there.
fn follow(old: &[Record], bodies: &[(Producer, Body)]) -> Vec<Record> {
    let mut prev = chain::heads(old);
    let mut seq = old.iter().map(Record::seq).max().unwrap_or(0);
    let mut stream = old.first().map(|first| first.digest);
    let mut records: Vec<Record> = Vec::with_capacity(bodies.len());
    for (producer, body) in bodies {
        let place = match stream {
            None => Place::First {
                nonce: hex(&random::<16>()),
            },
            Some(stream) => Place::Next {
                stream,
                seq: seq + 1,
                prev,
            },
        };
        let record = Record::new(place, producer.clone(), body.clone());
        stream.get_or_insert(record.digest);
        seq = record.seq();
        prev = vec![record.digest];
        records.push(record);
    }
    records
}
