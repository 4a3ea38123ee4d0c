//! Repositories inside the working tree, in the place of a tracked path.
//!
//! A tree names them by their commit, so what is in them beyond it could not be seen in
//! a snapshot: it is refused.

use super::{
    super::{Error, Repository, index::oid},
    Refused, RefusedWhy, SnapshotRequest,
    take::refusal,
    tracked::{Fate, Tracked},
    view::{is_repository, on_disk},
};
use crate::domain::oid::CommitId;
use gix::index::{
    State,
    entry::{Flags, Mode},
};
use std::path::Path;

/// Replaces every [`Fate::Repository`] by what git would record for it.
pub(super) fn repositories(
    repo: &Repository,
    root: &Path,
    state: &State,
    tracked: &mut Tracked,
) -> Result<Option<Refused>, Error> {
    let mut dirty = Vec::new();
    for (entry, fate) in state.entries().iter().zip(&mut tracked.fates) {
        if *fate != Fate::Repository {
            continue;
        }
        let path = entry.path(state);
        let full = on_disk(root, path)?;
        *fate = match submodule(repo, &full)? {
            // Not checked out, or without a commit: git leaves the entry alone.
            None if entry.mode == Mode::COMMIT => Fate::Same,
            None => Fate::Gone,
            Some((head, clean)) => {
                if !clean {
                    dirty.push(path.to_vec());
                }
                if entry.mode == Mode::COMMIT && entry.id == head {
                    Fate::Same
                } else if entry
                    .flags
                    .intersects(Flags::ASSUME_VALID | Flags::SKIP_WORKTREE)
                {
                    Fate::Refused(RefusedWhy::Flagged)
                } else {
                    Fate::Changed(Mode::COMMIT, head)
                }
            }
        };
    }
    if dirty.is_empty() {
        return Ok(None);
    }
    refusal(RefusedWhy::DirtySubmodule, &dirty).map(Some)
}

/// The commit of the repository at `full`, and whether its working tree is that commit.
fn submodule(repo: &Repository, full: &Path) -> Result<Option<(gix::ObjectId, bool)>, Error> {
    if !is_repository(full) {
        return Ok(None);
    }
    let inner = repo.open_git_dir(&full.join(".git"), full)?;
    let Ok(head) = inner.inner.head_id() else {
        return Ok(None);
    };
    let head = head.detach();
    if head.kind() != repo.inner.object_hash() {
        return Err(Error::Unsupported(format!(
            "the repository at {}, which is of another object format",
            full.display()
        )));
    }
    let commit = CommitId(oid(&head));
    let clean = match inner.snapshot(&SnapshotRequest::default())? {
        // Compared by what is there, so that a mere difference in stat data is none.
        Ok(snapshot) => snapshot.tree == inner.tree_of(commit)?,
        Err(_) => false,
    };
    Ok(Some((head, clean)))
}
