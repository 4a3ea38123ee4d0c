//! The fold cache: a stream's canonical records, one a line, in
//! `<common>/rapid/cache/streams/<tip hex>`.
//!
//! It saves reading a hundred objects for one stream and decides nothing. What comes out
//! of it counts only when the digests, recomputed, make a closed chain that ends exactly in
//! what the tip's own commit says it added: other records, valid as they may be, do not
//! get through, and neither do other bytes. Their form was judged before they were put here. `fsck` never looks here. A file that is damaged, missing or cannot be
//! written costs time and nothing else.

use super::{Ledger, chain, message::read_trailers};
use crate::{
    domain::{digest::Digest, oid::CommitId, record::Record},
    git::CommitData,
};
use std::{collections::HashSet, fs, io::Write, path::PathBuf, time::SystemTime};

/// How many files are kept.
const FILES: usize = 64;
/// The largest stream that is kept, in bytes.
const SIZE: usize = 16 << 20;

impl Ledger<'_> {
    /// The records of the stream that ends in `tip`, and their bytes as cached.
    pub(super) fn cached(
        &self,
        tip: CommitId,
        commit: &CommitData,
    ) -> Option<(Vec<Record>, Vec<u8>)> {
        let bytes = fs::read(self.cache_dir().join(tip.hex())).ok()?;
        let mut records = Vec::new();
        for line in bytes.strip_suffix(b"\n")?.split(|byte| *byte == b'\n') {
            records.push(Record::read_again(line).ok()?);
        }
        self.ends_in(&records, commit).then_some((records, bytes))
    }

    /// Keeps the records of the stream that ends in `tip`, in place of those of `replaced`.
    pub(super) fn cache(
        &self,
        tip: CommitId,
        commit: &CommitData,
        records: &[Record],
        bytes: &[u8],
        replaced: Option<CommitId>,
    ) {
        if bytes.len() > SIZE || !self.ends_in(records, commit) {
            return;
        }
        // Nothing depends on it: what cannot be kept is read again.
        let _ = self.keep(tip, bytes, replaced);
    }

    fn keep(&self, tip: CommitId, bytes: &[u8], replaced: Option<CommitId>) -> std::io::Result<()> {
        let dir = self.cache_dir();
        let mut file = match tempfile::NamedTempFile::new_in(&dir) {
            Ok(file) => file,
            Err(_) => {
                fs::create_dir_all(&dir)?;
                tempfile::NamedTempFile::new_in(&dir)?
            }
        };
        file.write_all(bytes)?;
        file.persist(dir.join(tip.hex()))?;
        if let Some(old) = replaced {
            let _ = fs::remove_file(dir.join(old.hex()));
        }
        self.thin_out()
    }

    /// Removes the oldest files beyond the bound, and what killed writers left.
    fn thin_out(&self) -> std::io::Result<()> {
        let mut files: Vec<(SystemTime, PathBuf)> = Vec::new();
        let listed: Vec<fs::DirEntry> =
            fs::read_dir(self.cache_dir())?.collect::<Result<_, _>>()?;
        if listed.len() <= FILES {
            return Ok(());
        }
        for entry in listed {
            if let Ok(changed) = entry.metadata().and_then(|data| data.modified()) {
                files.push((changed, entry.path()));
            }
        }
        files.sort();
        let surplus = files.len().saturating_sub(FILES * 3 / 4);
        for (_, path) in files.into_iter().take(surplus) {
            let _ = fs::remove_file(path);
        }
        Ok(())
    }

    /// Whether `records` are a closed chain whose ends are what the commit says it added.
    /// After a merge commit, which adds nothing, the ends are among those of its parents.
    fn ends_in(&self, records: &[Record], commit: &CommitData) -> bool {
        if chain::check_chain(records).is_err() {
            return false;
        }
        let Some(claimed) = self.claimed_ends(commit) else {
            return false;
        };
        let here: HashSet<Digest> = records.iter().map(|record| record.digest).collect();
        claimed.iter().all(|digest| here.contains(digest))
            && chain::heads(records)
                .iter()
                .all(|head| claimed.contains(head))
    }

    /// The last records that commits claim, looking through merges; `None` when one has
    /// no readable claim.
    fn claimed_ends(&self, commit: &CommitData) -> Option<HashSet<Digest>> {
        let mut ends = HashSet::new();
        let mut seen: HashSet<CommitId> = HashSet::new();
        let mut todo = vec![commit.clone()];
        while let Some(commit) = todo.pop() {
            match read_trailers(&commit.message.0).ok()?.last() {
                Some(trailer) => {
                    ends.insert(trailer.digest);
                }
                None if commit.parents.len() == 2 => {
                    for parent in commit.parents {
                        if seen.insert(parent) {
                            todo.push(self.repo.read_commit(parent).ok()?);
                        }
                    }
                }
                None => return None,
            }
        }
        Some(ends)
    }

    fn cache_dir(&self) -> PathBuf {
        self.repo.common_dir().join("rapid/cache/streams")
    }
}
