//! A clean checkout that lives as long as it is needed: detached, outside the repository,
//! without hooks, gone from `git worktree list` afterwards.

use super::{Error, GitProcess, Repository};
use crate::domain::oid::CommitId;
use std::ffi::OsStr;

/// A checkout of one commit.
pub struct Scratch<'r> {
    owner: &'r Repository,
    folder: tempfile::TempDir,
    repository: Repository,
}

impl Scratch<'_> {
    /// A handle on it.
    pub fn repository(&self) -> &Repository {
        &self.repository
    }
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        let path = self.folder.path().join(FOLDER);
        let args = [
            OsStr::new("worktree"),
            "remove".as_ref(),
            "--force".as_ref(),
            path.as_ref(),
        ];
        // What stays behind when this fails is gone with the temporary folder, and git
        // prunes its own note of it.
        let _ = GitProcess::new(self.owner, args).any_output();
    }
}

/// The checkout's own name inside its temporary folder.
const FOLDER: &str = "checkout";

impl Repository {
    /// Checks a commit out into a folder of its own.
    pub fn scratch(&self, commit: CommitId) -> Result<Scratch<'_>, Error> {
        let folder = tempfile::Builder::new()
            .prefix("git-rapid-")
            .tempdir()
            .map_err(|source| {
                Error::io("cannot make a folder in", "the temporary folder", source)
            })?;
        let path = folder.path().join(FOLDER);
        let commit = commit.hex();
        let options = [
            "-c",
            "core.hooksPath=/dev/null",
            "worktree",
            "add",
            "--quiet",
            "--detach",
            "--",
        ];
        let args = options
            .iter()
            .map(OsStr::new)
            .chain([path.as_os_str(), OsStr::new(&commit)]);
        GitProcess::new(self, args).output()?;
        let made = self
            .worktrees()?
            .into_iter()
            .find(|found| found.path == path);
        let made = match made {
            Some(made) => made,
            // The temporary folder may be reached through a link.
            None => {
                let real = path
                    .canonicalize()
                    .map_err(|source| Error::io("cannot find", &path, source))?;
                let found = self
                    .worktrees()?
                    .into_iter()
                    .find(|found| found.path == real);
                found.ok_or(Error::NotARepository(path))?
            }
        };
        Ok(Scratch {
            owner: self,
            repository: self.open_worktree(&made)?,
            folder,
        })
    }
}
