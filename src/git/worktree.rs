//! The working trees of a repository.

use super::{Error, GitProcess, Head, Repository, repository::normal};
use crate::domain::{bytes::ByteText, oid::CommitId};
use std::{
    ffi::OsStr,
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// One working tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorktreeInfo {
    /// `main`, or the name git gave the linked one.
    pub id: String,
    /// Its root, absolute.
    pub path: PathBuf,
    /// Its own git directory.
    pub git_dir: PathBuf,
    /// Its branch; `None` when detached.
    pub branch: Option<ByteText>,
}

/// The id of the working tree that is not a linked one. A linked one that git named so
/// is called `worktrees/main`.
const MAIN: &str = "main";

impl Repository {
    /// The id of the working tree this handle was opened in.
    pub fn worktree_id(&self) -> String {
        let own = real(self.git_dir());
        match own.strip_prefix(real(self.common_dir()).join("worktrees")) {
            Ok(name) => linked_id(name.as_os_str()),
            Err(_) => MAIN.to_owned(),
        }
    }

    /// All working trees, the main one first (unless the repository is bare), the others
    /// by name. Those whose folder is gone are left out.
    pub fn worktrees(&self) -> Result<Vec<WorktreeInfo>, Error> {
        let mut out = Vec::new();
        out.extend(self.main_worktree()?);
        let dir = self.common_dir().join("worktrees");
        let unreadable = |source| Error::io("cannot read", &dir, source);
        let entries = match fs::read_dir(&dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(out),
            Err(error) => return Err(unreadable(error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            names.push(entry.map_err(unreadable)?.file_name());
        }
        names.sort();
        for name in names {
            let git_dir = dir.join(&name);
            // `gitdir` names the `.git` file in the working tree.
            let Ok(text) = fs::read(git_dir.join("gitdir")) else {
                continue;
            };
            let link = git_dir.join(OsStr::from_bytes(text.trim_ascii_end()));
            let Some(path) = link.parent().map(normal).filter(|path| path.is_dir()) else {
                continue;
            };
            out.push(self.describe(linked_id(&name), path, git_dir)?);
        }
        Ok(out)
    }

    fn main_worktree(&self) -> Result<Option<WorktreeInfo>, Error> {
        let common = real(self.common_dir());
        let path = if self.worktree_id() == MAIN {
            self.inner.workdir().map(Path::to_owned)
        } else {
            let main = self.inner.main_repo();
            main.ok()
                .and_then(|main| main.workdir().map(normal))
                .filter(|path| path.is_dir())
        };
        path.map(|path| self.describe(MAIN.to_owned(), path, common))
            .transpose()
    }

    fn describe(&self, id: String, path: PathBuf, git_dir: PathBuf) -> Result<WorktreeInfo, Error> {
        let branch = if real(&git_dir) == real(self.git_dir()) {
            self.head()?.branch
        } else if self.reftable {
            self.open_git_dir(&git_dir, &path)
                .and_then(|other| other.head())
                .map(|Head { branch, .. }| branch)?
        } else {
            branch_in(&git_dir)
        };
        Ok(WorktreeInfo {
            id,
            path,
            git_dir,
            branch: branch.map(ByteText),
        })
    }

    /// Makes a linked working tree at `path`, on the new branch `branch`, at `commit`.
    /// Hooks are off while it is made. Refuses a path that exists.
    pub fn add_worktree(
        &self,
        path: &Path,
        branch: &str,
        commit: CommitId,
    ) -> Result<WorktreeInfo, Error> {
        let path = std::path::absolute(path)
            .map(|path| normal(&path))
            .map_err(|source| Error::io("cannot find", path, source))?;
        if fs::symlink_metadata(&path).is_ok() {
            return Err(Error::Io {
                doing: "cannot make a working tree at",
                path,
                source: io::ErrorKind::AlreadyExists.into(),
            });
        }
        let commit = commit.hex();
        let options = [
            "-c",
            "core.hooksPath=/dev/null",
            "worktree",
            "add",
            "--quiet",
        ];
        let args = options
            .into_iter()
            .chain(["-b", branch, "--"])
            .map(OsStr::new)
            .chain([path.as_os_str(), OsStr::new(&commit)]);
        GitProcess::new(self, args).output()?;
        let made = real(&path);
        self.worktrees()?
            .into_iter()
            .find(|found| real(&found.path) == made)
            .ok_or(Error::NotARepository(path))
    }

    /// A handle on another working tree of this repository. The variables that led to
    /// this handle's working tree and index do not apply to it.
    pub fn open_worktree(&self, info: &WorktreeInfo) -> Result<Repository, Error> {
        self.open_git_dir(&info.git_dir, &info.path)
    }
}

fn linked_id(name: &OsStr) -> String {
    let name = name.to_string_lossy();
    if name == MAIN {
        format!("worktrees/{MAIN}")
    } else {
        name.into_owned()
    }
}

/// The branch in another git directory's HEAD, or the one being rebased there.
fn branch_in(git_dir: &Path) -> Option<Vec<u8>> {
    let head = fs::read(git_dir.join("HEAD")).ok();
    let named = head.as_deref().and_then(|head| head.strip_prefix(b"ref:"));
    match named {
        Some(name) => Some(super::reference::short(name.trim_ascii())),
        None => super::reference::branch_being_rebased(git_dir),
    }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| normal(path))
}
