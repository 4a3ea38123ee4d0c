//! What a branch's reflog tells: which of its commits were made here, and not only fetched.
//!
//! A reflog is this clone's own memory. It proves nothing to anyone else and may be off or
//! expired; then it simply says less. Read through git, which knows every ref backend.

use super::{Error, GitProcess, Repository, reference::parse_hex};
use crate::domain::oid::CommitId;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

/// What git writes into a reflog when it makes a commit. A merge's own commit is left out,
/// and so is a rebase, whose entry may name somebody else's.
const MAKES: &[&[u8]] = &[
    b"commit:",
    b"commit (initial):",
    b"commit (amend):",
    b"cherry-pick:",
    b"revert:",
    b"am:",
];

/// How far back it is read.
const ENTRIES: &str = "--max-count=1000";

impl Repository {
    /// Commits that were made on this branch in this clone, youngest first; none for a branch
    /// that is not here.
    pub fn commits_made_on(&self, branch: &[u8]) -> Result<Vec<CommitId>, Error> {
        let name = OsString::from_vec([b"refs/heads/", branch].concat());
        let words = ["log", "--walk-reflogs", ENTRIES, "--format=%H %gs"].map(OsString::from);
        let words = words.into_iter().chain([name, "--".into()]);
        let output = GitProcess::new(self, words).any_output()?;
        if output.code != Some(0) {
            return Ok(Vec::new());
        }
        Ok(output
            .stdout
            .split(|byte| *byte == b'\n')
            .filter_map(|line| {
                let end = line.iter().position(|byte| *byte == b' ')?;
                let (hex, what) = (&line[..end], &line[end + 1..]);
                MAKES
                    .iter()
                    .any(|word| what.starts_with(word))
                    .then(|| parse_hex(hex).map(CommitId))?
            })
            .collect())
    }
}
