//! Which untracked files are part of the tree, and which are left out.

use super::{
    super::{
        Error, Repository,
        index::{oid, repo_path, write_tree::NewObjects},
    },
    Refused, RefusedWhy, SnapshotRequest,
    sparse::Cone,
    take::refusal,
    tracked::{Eye, Fate},
    untracked::{IgnoredBy, Untracked},
    view::{View, in_pieces, on_disk},
};
use crate::domain::{oid::Oid, path::RepoPath};
use gix::{
    bstr::ByteSlice,
    index::{State, entry::Mode, fs::Metadata},
};
use std::collections::{HashMap, HashSet};

/// At most so many names of hidden files are given.
const HIDDEN_NAMES: usize = 50;

/// An untracked file that is part of the tree.
pub(super) struct Taken<'a> {
    pub(super) path: &'a [u8],
    pub(super) mode: Mode,
    pub(super) id: gix::ObjectId,
}

/// All untracked files, each in one place.
#[derive(Default)]
pub(super) struct Chosen<'a> {
    /// Part of the tree, sorted.
    pub(super) taken: Vec<Taken<'a>>,
    /// Left out, sorted.
    pub(super) bystanders: Vec<(RepoPath, Oid)>,
    /// Blobs of what is taken.
    pub(super) new: NewObjects,
    /// Neither: what stands in the way.
    bad: Vec<(RefusedWhy, Vec<u8>)>,
}

/// A request, made ready for looking up paths.
struct Rule<'a> {
    request: &'a SnapshotRequest<'a>,
    lay_there: HashMap<&'a [u8], Oid>,
    leave_out: HashSet<&'a [u8]>,
    cone: Option<Cone>,
    /// The id of what could not be read; it equals no content.
    unread: Oid,
}

/// Asks for every untracked file whether it is in.
pub(super) fn choose<'a>(
    repo: &Repository,
    view: &View<'_>,
    request: &SnapshotRequest<'_>,
    untracked: &'a Untracked,
) -> Result<Result<Chosen<'a>, Refused>, Error> {
    let bystanders = request.bystanders.iter();
    let rule = Rule {
        request,
        lay_there: bystanders
            .map(|(path, blob)| (path.as_bytes(), *blob))
            .collect(),
        leave_out: request.leave_out.iter().map(RepoPath::as_bytes).collect(),
        cone: Cone::of(&repo.inner, view.rules.fs.ignore_case)?,
        unread: oid(&gix::ObjectId::null(repo.inner.object_hash())),
    };
    let pieces = in_pieces(&repo.inner, untracked.files.len(), |gix, range| {
        let mut eye = Eye::new(gix, view);
        let mut chosen = Chosen::default();
        for path in &untracked.files[range] {
            chosen.add(path, view, &rule, &mut eye)?;
        }
        chosen.new = eye.new;
        Ok(chosen)
    })?;
    let mut all = Chosen::default();
    for piece in pieces {
        all.taken.extend(piece.taken);
        all.bystanders.extend(piece.bystanders);
        all.bad.extend(piece.bad);
        all.new.append(piece.new);
    }
    let Some(why) = all.bad.iter().map(|(why, _)| *why).min() else {
        return Ok(Ok(all));
    };
    let paths = all.bad.into_iter().filter(|(other, _)| *other == why);
    let paths: Vec<_> = paths.map(|(_, path)| path).collect();
    refusal(why, &paths).map(Err)
}

impl Rule<'_> {
    /// Whether a file is left out whatever it holds.
    fn leaves_out(&self, path: &[u8], name: &RepoPath) -> bool {
        self.request.no_untracked
            || self.leave_out.contains(path)
            || self.request.scope.is_some_and(|scope| !scope.admits(name))
            || self.cone.as_ref().is_some_and(|cone| !cone.has(path))
    }
}

impl<'a> Chosen<'a> {
    fn add(
        &mut self,
        path: &'a [u8],
        view: &View<'_>,
        rule: &Rule<'_>,
        eye: &mut Eye<'_>,
    ) -> Result<(), Error> {
        let name = repo_path(path)?;
        let out = rule.leaves_out(path, &name);
        let lay_there = rule.lay_there.get(path).copied();
        let full = on_disk(view.root, path)?;
        let found = Metadata::from_path_no_follow(&full).ok();
        let Some(mode) = found.and_then(|found| view.rules.mode(&found, None)) else {
            return Ok(()); // It went away, as if it had gone before the walk came by.
        };
        match eye.blob(path.as_bstr(), &full, mode) {
            Ok(Ok(blob)) => {
                let id = blob.id;
                if out || lay_there == Some(oid(&id)) {
                    self.bystanders.push((name, oid(&id)));
                } else {
                    self.taken.push(Taken { path, mode, id });
                    eye.new.keep(blob);
                }
            }
            Ok(Err(None)) => {}
            // What is left out need not be readable, nor what lay there unreadable.
            Ok(Err(Some(_))) | Err(_) if out || lay_there == Some(rule.unread) => {
                self.bystanders.push((name, rule.unread));
            }
            Ok(Err(Some(why))) => self.bad.push((why, path.to_vec())),
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

/// How many files are hidden by anything but a `.gitignore` that is part of the tree, and
/// the first names. A `.gitignore` that hides itself is not part of it.
pub(super) fn hidden(
    state: &State,
    fates: &[Fate],
    taken: &[Taken<'_>],
    untracked: &Untracked,
) -> Result<(u64, Vec<RepoPath>), Error> {
    let is_in_tree = |file: &[u8]| {
        taken.binary_search_by(|taken| taken.path.cmp(file)).is_ok()
            || state
                .entry_index_by_path(file.as_bstr())
                .is_ok_and(|at| fates[at] != Fate::Gone)
    };
    let mut in_tree: HashMap<&[u8], bool> = HashMap::new();
    let mut names: Vec<&[u8]> = Vec::new();
    for (path, by) in &untracked.ignored {
        let shown = match by {
            IgnoredBy::Elsewhere => false,
            IgnoredBy::File(file) => *in_tree.entry(file).or_insert_with(|| is_in_tree(file)),
        };
        if !shown {
            names.push(path);
        }
    }
    names.sort_unstable();
    let count = names.len() as u64;
    names.truncate(HIDDEN_NAMES);
    let names = names.into_iter().map(repo_path).collect::<Result<_, _>>()?;
    Ok((count, names))
}
