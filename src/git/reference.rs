//! Refs: read, and moved only from where they were read. How a move is carried out is
//! the job of `reference_edit`, listing them that of `reference_list`.

use super::{Error, GitProcess, Repository, object::from_gix};
use crate::domain::{
    bytes::ByteText,
    oid::{CommitId, Oid},
};
use gix::refs::{FullName, Target};
use std::{fs, path::Path};

/// HEAD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The commit; `None` on an unborn branch.
    pub commit: Option<CommitId>,
    /// The short branch name (bytes); `None` when detached.
    pub branch: Option<Vec<u8>>,
}

/// A ref and what it points at (peeled to an object id).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefTarget {
    /// Its full name; a loose one that is not UTF-8 is left out of lists.
    pub name: String,
    /// What it points at.
    pub target: Oid,
}

/// Where a ref must be for an edit to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// It does not exist.
    Absent,
    /// It points at this.
    At(Oid),
    /// Anywhere: only for refs that hold no claim.
    Any,
}

/// One move of a ref.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefEdit {
    /// Its full name.
    pub name: String,
    /// Where it goes; `None` deletes it.
    pub new: Option<Oid>,
    /// Where it must be.
    pub expected: Expected,
}

/// How many symbolic refs may follow one another, as in git.
const SYMBOLIC_DEPTH: usize = 5;

const BRANCHES: &[u8] = b"refs/heads/";

impl Repository {
    /// HEAD, symbolic or detached. During a rebase `branch` is the branch being rebased.
    pub fn head(&self) -> Result<Head, Error> {
        let mut head = if self.reftable {
            self.head_through_git()?
        } else {
            self.head_in_files()?
        };
        if head.branch.is_none() {
            head.branch = branch_being_rebased(self.git_dir());
        }
        Ok(head)
    }

    fn head_in_files(&self) -> Result<Head, Error> {
        let unreadable = |error| Error::gix("read HEAD", &error);
        let found = self
            .inner
            .refs
            .try_find("HEAD")
            .map_err(unreadable)?
            .ok_or_else(|| Error::NotARepository(self.git_dir().to_owned()))?;
        match found.target {
            Target::Object(id) => Ok(Head {
                commit: Some(CommitId(from_gix(&id))),
                branch: None,
            }),
            Target::Symbolic(name) => Ok(Head {
                commit: self.follow(name.clone())?.map(CommitId),
                branch: Some(short(name.as_bstr())),
            }),
        }
    }

    fn head_through_git(&self) -> Result<Head, Error> {
        let symbolic = GitProcess::new(self, ["symbolic-ref", "--quiet", "HEAD"]);
        let named = symbolic.any_output()?;
        let branch = match named.code {
            Some(0) => Some(short(named.stdout.trim_ascii_end())),
            Some(1) => None,
            _ => return Err(symbolic.failed(&named)),
        };
        let resolved =
            GitProcess::new(self, ["rev-parse", "--quiet", "--verify", "HEAD"]).any_output()?;
        Ok(Head {
            commit: parse_hex(&resolved.stdout).map(CommitId),
            branch,
        })
    }

    /// What a ref points at; `None` when it does not exist. Symbolic refs are followed,
    /// tags are not peeled.
    pub fn find_ref(&self, name: &str) -> Result<Option<Oid>, Error> {
        let Ok(full) = FullName::try_from(name) else {
            return Ok(None);
        };
        if !self.reftable {
            return self.follow(full);
        }
        if !name.starts_with("refs/") {
            let args = ["rev-parse", "--quiet", "--verify", "--end-of-options", name];
            return Ok(parse_hex(&GitProcess::new(self, args).any_output()?.stdout));
        }
        let listed = self.list_through_git(name)?;
        Ok(listed
            .into_iter()
            .find(|found| found.name == name)
            .map(|found| found.target))
    }

    /// Reads a ref of the files backend to its end.
    pub(super) fn follow(&self, name: FullName) -> Result<Option<Oid>, Error> {
        let mut name = name;
        for _ in 0..=SYMBOLIC_DEPTH {
            let found = match self.look_up(&name)? {
                // gix looks at the packed refs first: a ref that was packed in between
                // is found the second time.
                None => self.look_up(&name)?,
                found => found,
            };
            match found.map(|found| found.target) {
                None => return Ok(None),
                Some(Target::Object(id)) => return Ok(Some(from_gix(&id))),
                Some(Target::Symbolic(next)) => name = next,
            }
        }
        Err(Error::Unsupported(format!(
            "symbolic refs nested too deeply at {}",
            name.as_bstr()
        )))
    }

    /// The ref that a symbolic ref names, e.g. `refs/remotes/origin/main` for
    /// `refs/remotes/origin/HEAD`; `None` when it does not exist or is not symbolic.
    pub fn symbolic_target(&self, name: &str) -> Result<Option<String>, Error> {
        if self.reftable {
            let asked = GitProcess::new(self, ["symbolic-ref", "--quiet", name]).any_output()?;
            let found = asked.code == Some(0);
            return Ok(
                found.then(|| String::from_utf8_lossy(asked.stdout.trim_ascii_end()).into_owned())
            );
        }
        let Ok(full) = FullName::try_from(name) else {
            return Ok(None);
        };
        Ok(match self.look_up(&full)?.map(|found| found.target) {
            Some(Target::Symbolic(next)) => Some(next.as_bstr().to_string()),
            _ => None,
        })
    }

    fn look_up(&self, name: &FullName) -> Result<Option<gix::refs::Reference>, Error> {
        Ok(self
            .inner
            .refs
            .try_find(name.as_ref().as_partial_name())
            .map_err(|error| Error::gix("read a ref", &error))?
            // A partial name finds `refs/tags/refs/…` too.
            .filter(|found| found.name == *name))
    }

    /// The commit a revision names (`HEAD`, a branch, `HEAD~2`, hex). What gix does not
    /// know how to read, git is asked about.
    pub fn resolve_commit(&self, revision: &str) -> Result<CommitId, Error> {
        let bad = || Error::BadRevision(ByteText::from(revision));
        if revision.is_empty() {
            return Err(bad());
        }
        if !self.reftable
            && let Ok(id) = self.inner.rev_parse_single(revision)
            && let Ok(commit) = id.object().and_then(|object| object.peel_to_commit())
        {
            return Ok(CommitId(from_gix(&commit.id)));
        }
        // `:/text` would take the suffix for a part of the text.
        let commit = self.ask_for(&format!("{revision}^{{commit}}"))?;
        let commit = match commit {
            Some(commit) => Some(commit),
            None => match self.ask_for(revision)? {
                Some(object) => self.ask_for(&format!("{}^{{commit}}", object.hex()))?,
                None => None,
            },
        };
        commit.map(CommitId).ok_or_else(bad)
    }

    fn ask_for(&self, revision: &str) -> Result<Option<Oid>, Error> {
        let args = [
            "rev-parse",
            "--quiet",
            "--verify",
            "--end-of-options",
            revision,
        ];
        let output = GitProcess::new(self, args).any_output()?;
        Ok(parse_hex(&output.stdout))
    }
}

/// Git detaches HEAD while it rebases and notes the branch here.
pub(super) fn branch_being_rebased(git_dir: &Path) -> Option<Vec<u8>> {
    ["rebase-merge/head-name", "rebase-apply/head-name"]
        .iter()
        .find_map(|file| fs::read(git_dir.join(file)).ok())
        .filter(|name| name.starts_with(BRANCHES))
        .map(|name| short(name.trim_ascii_end()))
}

/// A branch without `refs/heads/`; any other ref whole.
pub(super) fn short(name: &[u8]) -> Vec<u8> {
    name.strip_prefix(BRANCHES).unwrap_or(name).to_vec()
}

pub(super) fn parse_hex(text: &[u8]) -> Option<Oid> {
    Oid::from_hex(std::str::from_utf8(text).ok()?.trim())
}
