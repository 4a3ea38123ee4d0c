//! Reading a stream: one ref and that stream's records, whatever else the ledger holds.

use super::{Error, Ledger, RecordName, StreamName, chain, tree::file_bytes};
use crate::domain::{
    canonical::BadJson,
    digest::Digest,
    id::RunId,
    oid::{CommitId, TreeId},
    record::Record,
    run::{Run, fold},
};
use std::collections::BTreeSet;

/// A stream as it was read.
#[derive(Clone, Debug)]
pub struct Stream {
    /// Which.
    pub name: StreamName,
    /// The commit it was read at.
    pub tip: CommitId,
    /// Its records in reading order: by `seq`, then digest.
    pub records: Vec<Record>,
}

/// Where a record was found.
#[derive(Clone, Debug)]
pub struct Located {
    /// The stream that holds it.
    pub stream: StreamName,
    /// The record.
    pub record: Record,
}

/// A stream as it was read, with what an append needs.
#[derive(Clone, Debug)]
pub(super) struct Loaded {
    /// The stream.
    pub(super) stream: Stream,
    /// Its tip's tree.
    pub(super) tree: TreeId,
    /// The records as the cache keeps them: canonical, each with its newline.
    pub(super) bytes: Vec<u8>,
}

impl Ledger<'_> {
    /// Reads a stream; `None` when its ref does not exist. Uses the fold cache when it is
    /// there and keyed by the tip; every record's digest is recomputed either way.
    pub fn read(&self, name: &StreamName) -> Result<Option<Stream>, Error> {
        Ok(self.load(name)?.map(|loaded| loaded.stream))
    }

    /// Reads a run by its ref, or, when that is gone, by the commit that a journal sealed.
    /// `None` when neither is here.
    pub fn read_sealed(&self, id: &RunId) -> Result<Option<Stream>, Error> {
        let name = StreamName::Run(id.clone());
        if let Some(stream) = self.read(&name)? {
            return Ok(Some(stream));
        }
        let Some(sealed) = self.sealed_as(id)? else {
            return Ok(None);
        };
        let stream = self.load_at(&name, sealed.tip)?.stream;
        let first = stream.records.first().map(|record| record.digest);
        if first != Some(sealed.contract) {
            return Err(Error::NoStream {
                stream: name.ref_name(),
            });
        }
        Ok(Some(stream))
    }

    /// Reads and folds a run, packed or not.
    pub fn read_run(&self, id: &RunId) -> Result<Run, Error> {
        let stream = StreamName::Run(id.clone()).ref_name();
        let Some(read) = self.read_sealed(id)? else {
            return Err(Error::NoStream { stream });
        };
        fold(id.clone(), read.records).map_err(|source| Error::NotARun { stream, source })
    }

    /// The commit that introduced each record of a stream: (record, commit), newest commit
    /// first. Told by the trees, never by what a message claims.
    pub fn commits(&self, stream: &Stream) -> Result<Vec<(Digest, CommitId)>, Error> {
        let name = stream.name.ref_name();
        let Some(first) = stream.records.first() else {
            return Ok(Vec::new());
        };
        let mut by_commit = Vec::new();
        for commit in self.walk(stream.tip, &RecordName::of(first))? {
            if let Some((id, _)) = commit.unreadable.first()
                && commit.data.parents.first() == Some(id)
            {
                // The history is cut off here: nobody can say what this commit added.
                return Err(crate::git::Error::Missing { oid: id.0 }.into());
            }
            let mut older = BTreeSet::new();
            for parent in &commit.stream_parents {
                older.extend(self.record_files(&name, self.repo.read_commit(*parent)?.tree)?);
            }
            for file in self.record_files(&name, commit.data.tree)? {
                if older.contains(&file) {
                    continue;
                }
                let known = stream
                    .records
                    .iter()
                    .find(|record| file.name == RecordName::of(record));
                if let Some(record) = known {
                    by_commit.push((record.digest, commit.id));
                }
            }
        }
        by_commit.reverse();
        Ok(by_commit)
    }

    /// Names of all streams with a ref, sorted; with their tips.
    pub fn streams(&self) -> Result<Vec<(StreamName, CommitId)>, Error> {
        let mut streams: Vec<(StreamName, CommitId)> = self
            .repo
            .refs_below("refs/rapid/")?
            .into_iter()
            .filter_map(|found| Some((StreamName::from_ref(&found.name)?, CommitId(found.target))))
            .collect();
        streams.sort();
        Ok(streams)
    }

    /// Names of all runs known here: refs, and runs that a journal sealed and whose ref is gone.
    pub fn runs(&self) -> Result<Vec<RunId>, Error> {
        let mut names = BTreeSet::new();
        let mut tips = Vec::new();
        for (name, tip) in self.streams()? {
            if let StreamName::Run(id) = name {
                names.insert(id);
                tips.push(tip);
            }
        }
        let packed: Vec<_> = self
            .seals()?
            .into_iter()
            .filter(|sealed| !names.contains(&sealed.run))
            .collect();
        if !packed.is_empty() {
            // A run may go on under another name since it was sealed.
            let mut firsts = BTreeSet::new();
            for tip in tips {
                firsts.extend(self.first_record(tip)?.map(|name| name.digest));
            }
            names.extend(
                packed
                    .into_iter()
                    .filter(|sealed| !firsts.contains(&RecordName::short(&sealed.contract)))
                    .map(|sealed| sealed.run),
            );
        }
        Ok(names.into_iter().collect())
    }

    /// Records whose digest starts with `prefix` (4 hex digits or more, else nothing is
    /// found), over all streams and packed runs.
    pub fn find_record(&self, prefix: &str) -> Result<Vec<Located>, Error> {
        let hex = prefix
            .bytes()
            .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        if !hex || !(4..=64).contains(&prefix.len()) {
            return Ok(Vec::new());
        }
        let mut places = self.streams()?;
        let with_ref: BTreeSet<StreamName> = places.iter().map(|(name, _)| name.clone()).collect();
        for sealed in self.seals()? {
            let name = StreamName::Run(sealed.run);
            if !with_ref.contains(&name) && !places.contains(&(name.clone(), sealed.tip)) {
                places.push((name, sealed.tip));
            }
        }
        let mut found = Vec::new();
        for (name, tip) in places {
            let stream = name.ref_name();
            for file in self.record_files(&stream, self.repo.read_commit(tip)?.tree)? {
                let near =
                    file.name.digest.starts_with(prefix) || prefix.starts_with(&file.name.digest);
                if !near {
                    continue;
                }
                let record = self.read_record(&stream, &file)?;
                if record.digest.hex().starts_with(prefix) {
                    found.push(Located {
                        stream: name.clone(),
                        record,
                    });
                }
            }
        }
        Ok(found)
    }

    /// Where a stream's ref stands.
    pub(super) fn tip(&self, name: &StreamName) -> Result<Option<CommitId>, Error> {
        Ok(self.repo.find_ref(&name.ref_name())?.map(CommitId))
    }

    /// Reads a stream at its ref.
    pub(super) fn load(&self, name: &StreamName) -> Result<Option<Loaded>, Error> {
        self.tip(name)?
            .map(|tip| self.load_at(name, tip))
            .transpose()
    }

    /// Reads a stream at `tip`, which need not be where its ref stands.
    pub(super) fn load_at(&self, name: &StreamName, tip: CommitId) -> Result<Loaded, Error> {
        let commit = self.repo.read_commit(tip)?;
        if let Some((records, bytes)) = self.cached(tip, &commit) {
            return Ok(Loaded {
                stream: Stream {
                    name: name.clone(),
                    tip,
                    records,
                },
                tree: commit.tree,
                bytes,
            });
        }
        let stream = name.ref_name();
        let mut records = Vec::new();
        let mut bytes = Vec::new();
        for file in self.record_files(&stream, commit.tree)? {
            let record = self.read_record(&stream, &file)?;
            bytes.extend(file_bytes(&record));
            records.push(record);
        }
        // Names agree with records, so the order of the names is that of the records up to
        // digests that share 16 digits.
        records.sort_by_key(|record| (record.seq(), record.digest));
        if let Err(broken) = chain::check_chain(&records) {
            let file = records
                .iter()
                .find(|record| Some(record.digest) == broken.record)
                .map_or_else(String::new, |record| RecordName::of(record).path());
            return Err(Error::BadRecord {
                stream,
                file,
                source: BadJson::Shape(broken.text),
            });
        }
        self.cache(tip, &commit, &records, &bytes, None);
        Ok(Loaded {
            stream: Stream {
                name: name.clone(),
                tip,
                records,
            },
            tree: commit.tree,
            bytes,
        })
    }
}
