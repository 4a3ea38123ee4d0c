//! Puts a snapshot together: who is in, who is left out, and what is refused.

use super::{
    super::{
        Error, Repository,
        index::{
            self, leaf, repo_path,
            write_tree::{Leaf, NewObjects, TreeWriter},
        },
    },
    Refused, RefusedWhy, Snapshot, SnapshotRequest, Stamps,
    choose::{Taken, choose, hidden},
    sparse::expand,
    submodule::repositories,
    tracked::{self, Fate, Tracked},
    untracked::{self, Untracked},
    view::{Rules, View, WORTH_A_THREAD},
};
use crate::domain::{oid::TreeId, path::RepoPath};
use gix::{
    bstr::ByteSlice,
    index::{State, entry::Flags},
};
use std::collections::{BTreeMap, HashSet};

/// Takes a snapshot. See [`Repository::snapshot`].
pub(super) fn take(
    repo: &Repository,
    request: &SnapshotRequest<'_>,
) -> Result<Result<Snapshot, Refused>, Error> {
    let root = repo.work_dir()?.to_owned();
    let read = index::read(repo)?;
    let unmerged = index::unmerged(&read);
    if !unmerged.is_empty() {
        return refused(RefusedWhy::Unmerged, unmerged);
    }
    let gix = &repo.inner;
    let rules = Rules::of(gix)?;
    let expanded = match read.is_sparse() {
        true => expand(gix, &View::new(repo, &read, rules)?)?,
        false => None,
    };
    let state: &State = expanded.as_ref().unwrap_or(&read);
    let view = View::new(repo, state, rules)?;

    let (mut tracked, untracked) = look(gix, &view)?;
    if let Some(no) = repositories(repo, &root, state, &mut tracked)? {
        return Ok(Err(no));
    }
    if let Some(no) = first_refusal(state, &tracked.fates)? {
        return Ok(Err(no));
    }

    let chosen = match choose(repo, &view, request, &untracked)? {
        Ok(chosen) => chosen,
        Err(no) => return Ok(Err(no)),
    };
    let (hidden_count, hidden_names) = hidden(state, &tracked.fates, &chosen.taken, &untracked)?;
    let mut new = tracked.new;
    new.append(chosen.new);
    let tree = tree(repo, state, &tracked.fates, &chosen.taken, &mut new)?;
    new.remember(repo);

    let mut stamps = Stamps::default();
    for (entry, (fate, ctime)) in state
        .entries()
        .iter()
        .zip(tracked.fates.iter().zip(&tracked.ctimes))
    {
        if *fate != Fate::Gone && *ctime != 0 {
            stamps.push(entry.path(state), *ctime);
        }
    }
    Ok(Ok(Snapshot {
        tree,
        bystanders: chosen.bystanders,
        droppings: repo_paths(&untracked.droppings)?,
        hidden_count,
        hidden_names,
        stamps,
    }))
}

/// What is tracked and what is not. The two halves touch different files: they run side by
/// side when there is enough to look at.
fn look(repo: &gix::Repository, view: &View<'_>) -> Result<(Tracked, Untracked), Error> {
    let (root, state, fs) = (view.root, view.index, view.rules.fs);
    if state.entries().len() < WORTH_A_THREAD {
        return Ok((
            tracked::look(repo, view)?,
            untracked::walk(repo, root, state, fs)?,
        ));
    }
    let (tracked, untracked) = std::thread::scope(|scope| {
        let walker = repo.clone();
        let walk = scope.spawn(move || untracked::walk(&walker, root, state, fs));
        let tracked = tracked::look(repo, view);
        match walk.join() {
            Ok(untracked) => (tracked, untracked),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    Ok((tracked?, untracked?))
}

fn first_refusal(state: &State, fates: &[Fate]) -> Result<Option<Refused>, Error> {
    let mut by_reason: BTreeMap<RefusedWhy, Vec<Vec<u8>>> = BTreeMap::new();
    for (entry, fate) in state.entries().iter().zip(fates) {
        if let Fate::Refused(why) = fate {
            let path = entry.path(state).to_vec();
            by_reason.entry(*why).or_default().push(path);
        }
    }
    by_reason
        .into_iter()
        .next()
        .map(|(why, paths)| refusal(why, &paths))
        .transpose()
}

/// The tree of what stayed, what changed and what is new.
fn tree(
    repo: &Repository,
    state: &State,
    fates: &[Fate],
    taken: &[Taken<'_>],
    new: &mut NewObjects,
) -> Result<TreeId, Error> {
    let yielding = yielding(state, taken);
    let mut writer = TreeWriter::new(repo, state.tree(), new);
    for taken in taken {
        writer.changed(taken.path);
    }
    for (at, (entry, fate)) in state.entries().iter().zip(fates).enumerate() {
        if *fate != Fate::Same || yielding.contains(&at) {
            writer.changed(entry.path(state));
        }
    }
    if writer.cached_root().is_some() {
        return writer.write(&[]);
    }
    let mut leaves: Vec<Leaf<'_>> = Vec::with_capacity(fates.len() + taken.len());
    let mut fresh = taken.iter().peekable();
    for (at, (entry, fate)) in state.entries().iter().zip(fates).enumerate() {
        let path: &[u8] = entry.path(state);
        while let Some(taken) = fresh.next_if(|taken| taken.path < path) {
            leaves.push(leaf(taken.path, taken.mode, taken.id)?);
        }
        if yielding.contains(&at) {
            continue;
        }
        match fate {
            Fate::Same => leaves.push(leaf(path, entry.mode, entry.id)?),
            Fate::Changed(mode, id) => leaves.push(leaf(path, *mode, *id)?),
            Fate::Gone | Fate::Repository | Fate::Refused(_) => {}
        }
    }
    for taken in fresh {
        leaves.push(leaf(taken.path, taken.mode, taken.id)?);
    }
    writer.write(&leaves)
}

/// Entries that are not checked out and in whose place, above or below them, a new file
/// lies: they give way, as they do in git's index.
fn yielding(state: &State, taken: &[Taken<'_>]) -> HashSet<usize> {
    let find = |path: &[u8]| taken.binary_search_by(|taken| taken.path.cmp(path));
    let has_below = |path: &[u8]| {
        let below = [path, b"/"].concat();
        let at = find(&below).unwrap_or_else(|at| at);
        taken
            .get(at)
            .is_some_and(|taken| taken.path.starts_with(&below))
    };
    let mut yielding = HashSet::new();
    if taken.is_empty() {
        return yielding;
    }
    for (at, entry) in state.entries().iter().enumerate() {
        if !entry.flags.contains(Flags::SKIP_WORKTREE) {
            continue;
        }
        let path: &[u8] = entry.path(state);
        let path = path.strip_suffix(b"/").unwrap_or(path);
        let above = path
            .find_iter(b"/")
            .any(|slash| find(&path[..slash]).is_ok());
        if above || has_below(path) {
            yielding.insert(at);
        }
    }
    yielding
}

fn refused(why: RefusedWhy, paths: Vec<Vec<u8>>) -> Result<Result<Snapshot, Refused>, Error> {
    refusal(why, &paths).map(Err)
}

/// A refusal, in the domain's types.
pub(super) fn refusal(why: RefusedWhy, paths: &[Vec<u8>]) -> Result<Refused, Error> {
    Ok(Refused {
        why,
        paths: repo_paths(paths)?,
    })
}

fn repo_paths(paths: &[Vec<u8>]) -> Result<Vec<RepoPath>, Error> {
    paths.iter().map(|path| repo_path(path)).collect()
}
