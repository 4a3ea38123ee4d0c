//! Puts a snapshot together: who is in, who is left out, and what is refused.

use super::{
    super::{
        Error, Repository,
        index::{
            self, leaf, oid, repo_path,
            write_tree::{Leaf, NewObjects, TreeWriter},
        },
    },
    Refused, RefusedWhy, Snapshot, SnapshotRequest, Stamps,
    sparse::{Cone, expand},
    tracked::{self, Eye, Fate, Rules, Tracked, View},
    untracked::{self, IgnoredBy, Kind, Untracked},
};
use crate::domain::path::RepoPath;
use gix::{
    bstr::ByteSlice,
    index::{
        State,
        entry::{Flags, Mode},
    },
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// At most so many names of hidden files are given.
const HIDDEN_NAMES: usize = 50;

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

    // The two halves touch different files: they run side by side.
    let (tracked, untracked) = std::thread::scope(|scope| {
        let walker = gix.clone();
        let (root, fs) = (&root, rules.fs);
        let walk = scope.spawn(move || untracked::walk(&walker, root, state, fs));
        let tracked = tracked::look(gix, &view);
        match walk.join() {
            Ok(untracked) => (tracked, untracked),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    let mut tracked = tracked?;
    let untracked = untracked?;
    if let Some(no) = repositories(repo, &root, state, &mut tracked)? {
        return Ok(Err(no));
    }
    if let Some(no) = first_refusal(state, &tracked.fates)? {
        return Ok(Err(no));
    }

    let sorted = match sort_out(repo, &view, request, &untracked)? {
        Ok(sorted) => sorted,
        Err(no) => return Ok(Err(no)),
    };
    let (hidden_count, hidden_names) = hidden(state, &tracked.fates, &sorted.taken, &untracked)?;
    let mut new = tracked.new;
    new.append(sorted.new);
    let tree = tree(repo, state, &tracked.fates, &sorted.taken, &mut new)?;
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
        bystanders: sorted.bystanders,
        droppings: repo_paths(&untracked.droppings)?,
        hidden_count,
        hidden_names,
        stamps,
    }))
}

/// Replaces every [`Fate::Repository`] by what git would record for it.
fn repositories(
    repo: &Repository,
    root: &std::path::Path,
    state: &State,
    tracked: &mut Tracked,
) -> Result<Option<Refused>, Error> {
    let mut dirty = Vec::new();
    for (entry, fate) in state.entries().iter().zip(&mut tracked.fates) {
        if *fate != Fate::Repository {
            continue;
        }
        let path = entry.path(state);
        let full = tracked::on_disk(root, path)?;
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
fn submodule(
    repo: &Repository,
    full: &std::path::Path,
) -> Result<Option<(gix::ObjectId, bool)>, Error> {
    if !tracked::is_repository(full) {
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
    let commit = crate::domain::oid::CommitId(oid(&head));
    let clean = match inner.snapshot(&SnapshotRequest::default())? {
        // Compared by what is there, so that a mere difference in stat data is none.
        Ok(snapshot) => snapshot.tree == inner.tree_of(commit)?,
        Err(_) => false,
    };
    Ok(Some((head, clean)))
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

/// An untracked file that is part of the tree.
struct Taken<'a> {
    path: &'a [u8],
    mode: Mode,
    id: gix::ObjectId,
}

#[derive(Default)]
struct Sorted<'a> {
    taken: Vec<Taken<'a>>,
    bystanders: Vec<(RepoPath, crate::domain::oid::Oid)>,
    new: NewObjects,
}

/// Which untracked files are part of the tree, and which are left out.
fn sort_out<'a>(
    repo: &Repository,
    view: &View<'_>,
    request: &SnapshotRequest<'_>,
    untracked: &'a Untracked,
) -> Result<Result<Sorted<'a>, Refused>, Error> {
    let cone = Cone::of(&repo.inner, view.rules.fs.ignore_case)?;
    let lay_there: HashMap<&[u8], _> = request
        .bystanders
        .iter()
        .map(|(path, blob)| (path.as_bytes(), *blob))
        .collect();
    let leave_out: HashSet<&[u8]> = request.leave_out.iter().map(RepoPath::as_bytes).collect();

    let pieces = tracked::in_pieces(&repo.inner, untracked.files.len(), |gix, range| {
        let mut eye = Eye::new(gix, view);
        let mut sorted = Sorted::default();
        let mut bad = Vec::new();
        for (path, kind) in &untracked.files[range] {
            let name = repo_path(path)?;
            let out = request.no_untracked
                || leave_out.contains(path.as_slice())
                || request.scope.is_some_and(|scope| !scope.admits(&name))
                || cone.as_ref().is_some_and(|cone| !cone.has(path));
            let full = eye.full(path.as_bstr())?;
            let found = gix::index::fs::Metadata::from_path_no_follow(&full).ok();
            let mode = found.and_then(|found| view.rules.mode(&found, None));
            let Some(mode) = mode else {
                continue; // It went away, as if it had gone before the walk came by.
            };
            let mode = if *kind == Kind::Symlink && mode != Mode::SYMLINK {
                Mode::FILE
            } else {
                mode
            };
            let blob = match eye.blob(path.as_bstr(), &full, mode)? {
                Ok(blob) => blob,
                Err(None) => continue,
                // What is left out whatever it holds need not be readable: the null id
                // equals no content.
                Err(Some(_)) if out => {
                    let none = oid(&gix::ObjectId::null(gix.object_hash()));
                    sorted.bystanders.push((name, none));
                    continue;
                }
                Err(Some(why)) => {
                    bad.push((why, path.clone()));
                    continue;
                }
            };
            let id = oid(&blob.id);
            if out || lay_there.get(path.as_slice()) == Some(&id) {
                sorted.bystanders.push((name, id));
            } else {
                sorted.taken.push(Taken {
                    path,
                    mode,
                    id: blob.id,
                });
                eye.new.keep(blob);
            }
        }
        sorted.new = std::mem::take(&mut eye.new);
        Ok((sorted, bad))
    })?;

    let mut all = Sorted::default();
    let mut bad = Vec::new();
    for (piece, bad_piece) in pieces {
        all.taken.extend(piece.taken);
        all.bystanders.extend(piece.bystanders);
        all.new.append(piece.new);
        bad.extend(bad_piece);
    }
    if let Some(why) = bad.iter().map(|(why, _)| *why).min() {
        let paths: Vec<_> = bad
            .into_iter()
            .filter(|(other, _)| *other == why)
            .map(|(_, path)| path)
            .collect();
        return refusal(why, &paths).map(Err);
    }
    Ok(Ok(all))
}

/// Files hidden by anything but a `.gitignore` that is part of the tree. One that hides
/// itself is not.
fn hidden(
    state: &State,
    fates: &[Fate],
    taken: &[Taken<'_>],
    untracked: &Untracked,
) -> Result<(u64, Vec<RepoPath>), Error> {
    let mut in_tree: HashMap<&[u8], bool> = HashMap::new();
    let mut names: Vec<&[u8]> = Vec::new();
    for (path, by) in &untracked.ignored {
        let told = match by {
            IgnoredBy::Elsewhere => false,
            IgnoredBy::File(file) => *in_tree.entry(file).or_insert_with(|| {
                taken.iter().any(|taken| taken.path == file.as_slice())
                    || state
                        .entry_index_by_path(file.as_bstr())
                        .is_ok_and(|at| fates[at] != Fate::Gone)
            }),
        };
        if !told {
            names.push(path);
        }
    }
    names.sort_unstable();
    let count = names.len() as u64;
    names.truncate(HIDDEN_NAMES);
    let names = names.into_iter().map(repo_path).collect::<Result<_, _>>()?;
    Ok((count, names))
}

/// The tree of what stayed, what changed and what is new.
fn tree(
    repo: &Repository,
    state: &State,
    fates: &[Fate],
    taken: &[Taken<'_>],
    new: &mut NewObjects,
) -> Result<crate::domain::oid::TreeId, Error> {
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

fn refusal(why: RefusedWhy, paths: &[Vec<u8>]) -> Result<Refused, Error> {
    Ok(Refused {
        why,
        paths: repo_paths(paths)?,
    })
}

fn repo_paths(paths: &[Vec<u8>]) -> Result<Vec<RepoPath>, Error> {
    paths.iter().map(|path| repo_path(path)).collect()
}
