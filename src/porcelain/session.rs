//! Which run is bound to a worktree: `rapid/session.json` in its git directory.
//!
//! The pointer is a cache. The ledger knows better: a run that is live, opened and not
//! sealed in this clone's journal, and whose latest `workspace` record names this worktree
//! and branch, is bound even when the pointer is lost or says null.

use super::Error;
use crate::{
    domain::{digest::Digest, id::RunId},
    git::Repository,
};
use serde::{Deserialize, Serialize};
use std::{io::Write as _, path::PathBuf};

/// The version of the pointer's schema.
const SCHEMA_VERSION: u32 = 1;

/// The pointer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Session {
    schema_version: u32,
    /// The bound run; null after unbinding.
    pub(super) run: Option<Pointer>,
    /// Runs started from here that live in another worktree.
    pub(super) elsewhere: Vec<ElsewherePointer>,
}

/// A run by name and identity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pointer {
    /// Its name.
    pub(super) id: RunId,
    /// The digest of its contract.
    pub(super) contract: Digest,
}

/// A run that lives in another worktree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ElsewherePointer {
    /// Its name.
    pub(super) id: RunId,
    /// The digest of its contract.
    pub(super) contract: Digest,
    /// The worktree's root, absolute.
    pub(super) worktree: String,
}

/// What is on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    /// A pointer.
    Session(Session),
    /// No file: nothing was ever bound here.
    Absent,
    /// A file that is not a pointer.
    Damaged,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            run: None,
            elsewhere: Vec::new(),
        }
    }
}

/// Where the pointer of `repo`'s worktree lies.
fn path(repo: &Repository) -> PathBuf {
    repo.git_dir().join("rapid").join("session.json")
}

/// Reads the pointer.
pub(super) fn read(repo: &Repository) -> Result<Stored, Error> {
    let path = path(repo);
    match std::fs::read(&path) {
        Ok(bytes) => Ok(match serde_json::from_slice::<Session>(&bytes) {
            Ok(session) if session.schema_version == SCHEMA_VERSION => Stored::Session(session),
            _ => Stored::Damaged,
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Stored::Absent),
        Err(source) => Err(Error::File {
            doing: "cannot read",
            path,
            source,
        }),
    }
}

/// The pointer to change: what is there, or an empty one.
pub(super) fn read_or_new(repo: &Repository) -> Result<Session, Error> {
    Ok(match read(repo)? {
        Stored::Session(session) => session,
        Stored::Absent | Stored::Damaged => Session::default(),
    })
}

/// Writes the pointer whole: a new file that takes the old one's place.
pub(super) fn write(repo: &Repository, session: &Session) -> Result<(), Error> {
    let path = path(repo);
    let fail = |doing| {
        let path = path.clone();
        move |source| Error::File {
            doing,
            path,
            source,
        }
    };
    let dir = repo.git_dir().join("rapid");
    std::fs::create_dir_all(&dir).map_err(fail("cannot create the folder of"))?;
    let mut file = tempfile::NamedTempFile::new_in(&dir).map_err(fail("cannot write"))?;
    let mut text = serde_json::to_vec(session).expect("a pointer has string keys only");
    text.push(b'\n');
    file.write_all(&text).map_err(fail("cannot write"))?;
    file.persist(&path).map_err(|error| Error::File {
        doing: "cannot write",
        path,
        source: error.error,
    })?;
    Ok(())
}

/// Binds a run to `repo`'s worktree.
pub(super) fn bind(repo: &Repository, id: &RunId, contract: Digest) -> Result<(), Error> {
    let mut session = read_or_new(repo)?;
    session.run = Some(Pointer {
        id: id.clone(),
        contract,
    });
    write(repo, &session)
}

/// Unbinds the run from `repo`'s worktree, if it is the one that is bound; forgets that it
/// lives elsewhere.
pub(super) fn unbind(repo: &Repository, contract: Digest) -> Result<(), Error> {
    let mut session = read_or_new(repo)?;
    let before = session.clone();
    if session
        .run
        .as_ref()
        .is_some_and(|run| run.contract == contract)
    {
        session.run = None;
    }
    session.elsewhere.retain(|run| run.contract != contract);
    if session == before {
        return Ok(());
    }
    write(repo, &session)
}
