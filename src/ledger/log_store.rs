//! Command output: `refs/rapid/logs/<run-id>`, by SHA-256. Not a stream and no part of any
//! proof; may be dropped (a missing log is "withheld").

use super::{Error, Ledger, backoff::Backoff};
use crate::{
    domain::{
        digest::Digest,
        evidence::LogRef,
        id::RunId,
        oid::{CommitId, Oid},
    },
    git::{self, EntryKind, Expected, NewCommit, RefEdit, TreeUpsert},
};

impl Ledger<'_> {
    /// Keeps a log. Appends one commit to the run's log ref; bounded retry. A log that is
    /// there already is not written again.
    pub fn write_log(&self, run: &RunId, bytes: &[u8]) -> Result<LogRef, Error> {
        let log = LogRef {
            sha256: Digest::of(bytes),
            size: bytes.len() as u64,
        };
        let name = ref_name(run);
        let blob = self.repo.write_blob(bytes).map_err(Error::writing)?;
        let identity = self.repo.committer()?;
        let mut backoff = Backoff::new();
        loop {
            let tip = self.repo.find_ref(&name)?;
            let base = match tip {
                Some(tip) => Some(self.repo.tree_of(CommitId(tip))?),
                None => None,
            };
            let path = log_path(&log.sha256);
            if let Some(tree) = base
                && let Some(entry) = self.repo.entry_at(tree, path.as_bytes())?
                && entry.oid == blob
            {
                return Ok(log);
            }
            let upsert = TreeUpsert {
                path: path.into_bytes(),
                kind: EntryKind::File,
                oid: blob,
            };
            let tree = self
                .repo
                .write_tree(base, &[upsert])
                .map_err(Error::writing)?;
            let parents: Vec<CommitId> = tip.map(CommitId).into_iter().collect();
            let message = format!("chore(rapid): log {}\n", log.sha256.short(16));
            let commit = self
                .repo
                .write_commit(&NewCommit {
                    tree,
                    parents: &parents,
                    identity: &identity,
                    message: &message,
                })
                .map_err(Error::writing)?;
            match self.move_log(&name, tip, commit) {
                Ok(()) => return Ok(log),
                Err(Error::Git(git::Error::Conflict { .. } | git::Error::Locked { .. }))
                    if backoff.wait(self) => {}
                Err(Error::Git(git::Error::Conflict { .. })) => {
                    return Err(Error::Busy {
                        stream: name,
                        attempts: backoff.attempts(),
                        tip: tip.map(CommitId),
                    });
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// A log's bytes; `None` when it is withheld, or is not what its name says.
    pub fn read_log(&self, run: &RunId, digest: Digest) -> Result<Option<Vec<u8>>, Error> {
        let Some(tip) = self.repo.find_ref(&ref_name(run))? else {
            return Ok(None);
        };
        let tree = self.repo.tree_of(CommitId(tip))?;
        let entry = self.repo.entry_at(tree, log_path(&digest).as_bytes())?;
        let Some(entry) = entry.filter(|entry| entry.kind == EntryKind::File) else {
            return Ok(None);
        };
        match self.repo.read_blob(entry.oid) {
            Ok(bytes) => Ok((Digest::of(&bytes) == digest).then_some(bytes)),
            Err(git::Error::Missing { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn move_log(&self, name: &str, old: Option<Oid>, new: CommitId) -> Result<(), Error> {
        let edit = RefEdit {
            name: name.to_owned(),
            new: Some(new.0),
            expected: old.map_or(Expected::Absent, Expected::At),
        };
        self.repo
            .update_refs(&[edit], "log")
            .map_err(Error::writing)
    }
}

fn ref_name(run: &RunId) -> String {
    format!("refs/rapid/logs/{run}")
}

fn log_path(digest: &Digest) -> String {
    let hex = digest.hex();
    format!("{}/{hex}", &hex[..2])
}
