//! What lies there at the start, what may be written, and where the work will happen.

use super::{Request, Source};
use crate::{
    diagnostic::{Code, Refusal},
    domain::{
        contract::{Bystander, Scope},
        digest::Digest,
        id::RunId,
        oid::{CommitId, TreeId},
        path::RepoPath,
        policy::PolicyDocument,
        scope::{Matcher, Pattern},
        spec::Spec,
        vocabulary::{Mode, Workspace},
    },
    git::{EntryKind, Repository, Snapshot, SnapshotRequest, WorktreeInfo},
    porcelain::{Context, Error, error::refuse, observe, session},
};
use std::path::{Path, PathBuf};

/// A project's own rules that this version cannot apply are refused, never ignored.
pub(in crate::porcelain) fn refuse_project_rules(
    repo: &Repository,
    base: TreeId,
) -> Result<(), Error> {
    for file in [".rapid/policy.json", ".rapid/architecture.json"] {
        if repo.entry_at(base, file.as_bytes())?.is_some() {
            return Err(refuse(
                Code::PolicyInvalid,
                format!("{file} is in the base tree and this version cannot apply it"),
            )
            .detail("path", file)
            .advice("use a version of git-rapid that reads project rules: ignoring them would loosen them")
            .into());
        }
    }
    Ok(())
}

/// Whether a linked worktree has to be made. One with no other run bound is isolated already.
pub(in crate::porcelain) fn wants_worktree(
    ctx: &Context<'_>,
    request: &Request,
    workspace: Workspace,
) -> Result<bool, Error> {
    if request.worktree.is_some() {
        return Ok(true);
    }
    Ok(workspace == Workspace::Isolated && ctx.repo.worktree_id() == "main")
}

/// The declared scope. Research without one declares nothing.
pub(in crate::porcelain) fn scope_of(
    repo: &Repository,
    base: TreeId,
    spec: &Spec,
) -> Result<Scope, Error> {
    let patterns = match (&spec.affected_paths, spec.mode) {
        (Some(paths), _) => {
            let literal = |pattern| literal_if_a_file(repo, base, pattern);
            Some(paths.iter().map(literal).collect::<Result<_, _>>()?)
        }
        (None, Mode::Research) => Some(Vec::new()),
        (None, _) => None,
    };
    let protected = PolicyDocument::built_in().protected_for(spec);
    Ok(Scope {
        patterns,
        protected,
    })
}

/// A pattern that is the exact name of a file in the base tree means that file alone:
/// `[ab]` never admits `a` where a file `[ab]` is there.
fn literal_if_a_file(repo: &Repository, base: TreeId, pattern: &Pattern) -> Result<Pattern, Error> {
    let Ok(path) = RepoPath::new(pattern.as_str()) else {
        return Ok(pattern.clone());
    };
    let is_file = repo
        .entry_at(base, path.as_bytes())?
        .is_some_and(|entry| entry.kind != EntryKind::Tree);
    Ok(if is_file {
        Pattern::of_path(&path).unwrap_or_else(|| pattern.clone())
    } else {
        pattern.clone()
    })
}

/// What lies there at the start.
pub(in crate::porcelain) struct Start {
    pub(super) tree: TreeId,
    pub(super) bystanders: Vec<Bystander>,
    pub(super) dirty: Vec<RepoPath>,
    pub(super) left_behind: Vec<RepoPath>,
}

/// Looks at the working tree. Tracked changes inside the scope are this run's; outside a
/// declared scope they are refused. A run that lives elsewhere starts clean.
pub(in crate::porcelain) fn start_of(
    ctx: &Context<'_>,
    asked: &Request,
    scope: &Scope,
    base_tree: TreeId,
    elsewhere: bool,
) -> Result<Start, Error> {
    let request = SnapshotRequest {
        no_untracked: true,
        ..SnapshotRequest::default()
    };
    let snapshot: Snapshot = ctx
        .repo
        .snapshot(&request)?
        .map_err(|refused| observe::refuse_no_snapshot(&observe::no_snapshot(refused)))?;
    let dirty: Vec<RepoPath> = ctx
        .repo
        .diff_trees(base_tree, snapshot.tree)?
        .into_iter()
        .map(|change| change.path)
        .collect();
    let untracked = snapshot.bystanders.iter().map(|(path, _)| path.clone());
    if elsewhere {
        let left_behind = dirty.into_iter().chain(untracked).collect();
        return Ok(Start {
            tree: base_tree,
            bystanders: Vec::new(),
            dirty: Vec::new(),
            left_behind,
        });
    }
    if let Some(patterns) = &scope.patterns {
        let matcher = Matcher::new(patterns);
        let outside: Vec<RepoPath> = dirty
            .iter()
            .filter(|path| !matcher.admits(path))
            .cloned()
            .collect();
        if !outside.is_empty() {
            let refusal = refuse(
                Code::OutOfScope,
                format!(
                    "changed already and outside the declared scope: {}",
                    observe::list_paths(&outside)
                ),
            )
            .detail("paths", observe::paths_value(&outside))
            .hint("put it aside", &["git", "stash"]);
            let names: Vec<Pattern> = outside.iter().filter_map(Pattern::of_path).collect();
            let refusal = if matches!(asked.source, Source::Sentence(_)) {
                let declared: Vec<&str> = names
                    .iter()
                    .flat_map(|name| ["--paths", name.as_str()])
                    .collect();
                refusal.hint("or declare it", &again(asked, &declared))
            } else {
                refusal.advice("or declare it in the spec, under affected_paths")
            };
            return Err(refusal
                .hint("or work elsewhere", &again(asked, &["--worktree"]))
                .into());
        }
    }
    let bystanders = snapshot
        .bystanders
        .into_iter()
        .map(|(path, blob)| Bystander { path, blob })
        .collect();
    Ok(Start {
        tree: snapshot.tree,
        bystanders,
        dirty,
        left_behind: Vec::new(),
    })
}

/// The words of the same `start` once more, with others added.
fn again<'r>(asked: &'r Request, more: &[&'r str]) -> Vec<&'r str> {
    let mut words = vec!["git", "rapid", "start"];
    words.extend(asked.mode.map(Mode::as_str));
    match &asked.source {
        Source::Sentence(title) => words.extend(["-m", title]),
        Source::Document(_) => words.extend(["--spec-file", "<file>"]),
        Source::Stored(id, _) => words.extend(["--spec", id.as_str()]),
    }
    for path in &asked.paths {
        words.extend(["--paths", path.as_str()]);
    }
    words.extend(more);
    words
}

/// Makes the linked worktree of a run, on a new branch at HEAD; at the usual place when
/// none is named.
pub(in crate::porcelain) fn make_worktree(
    ctx: &Context<'_>,
    id: &RunId,
    path: Option<PathBuf>,
    head: Option<CommitId>,
) -> Result<WorktreeInfo, Error> {
    let commit = head.ok_or_else(no_commit)?;
    let path = match path {
        Some(path) => ctx.cwd.join(path),
        None => usual_worktree(&ctx.repo, id)?,
    };
    let branch = format!("rapid/{id}");
    if let Some(info) = left_by_killed_start(ctx, &path, &branch, commit)? {
        return Ok(info);
    }
    Ok(ctx.repo.add_worktree(&path, &branch, commit)?)
}

/// The refusal of isolated work on an unborn branch.
pub(super) fn no_commit() -> Refusal {
    refuse(
        Code::NotEligible,
        "isolated work needs a commit to start from, and this branch has none",
    )
    .hint(
        "make a first commit",
        &["git", "commit", "--allow-empty", "-m", "begin"],
    )
}

/// The worktree that a `start` made before it was killed. No run has this name yet, so nobody
/// works in it.
fn left_by_killed_start(
    ctx: &Context<'_>,
    path: &Path,
    branch: &str,
    commit: CommitId,
) -> Result<Option<WorktreeInfo>, Error> {
    let found = ctx.repo.worktrees()?.into_iter().find(|info| {
        info.path == path
            && info
                .branch
                .as_ref()
                .is_some_and(|found| found.0 == branch.as_bytes())
    });
    let Some(info) = found else {
        return Ok(None);
    };
    let head = ctx.repo.open_worktree(&info)?.head()?.commit;
    Ok((head == Some(commit)).then_some(info))
}

/// `<repo>/../<name>.rapid/<run>`, beside the main worktree.
pub(in crate::porcelain) fn usual_worktree(
    repo: &Repository,
    id: &RunId,
) -> Result<PathBuf, Error> {
    let main = repo.worktrees()?.into_iter().next().map(|info| info.path);
    let root = match main {
        Some(path) => path,
        None => repo.work_dir()?.to_owned(),
    };
    let name = root
        .file_name()
        .map_or_else(|| "repository".into(), std::ffi::OsStr::to_owned);
    let mut folder = name;
    folder.push(".rapid");
    Ok(root
        .parent()
        .unwrap_or(&root)
        .join(folder)
        .join(id.as_str()))
}

/// Writes down in the caller's worktree where the run lives.
pub(in crate::porcelain) fn remember_elsewhere(
    ctx: &Context<'_>,
    id: &RunId,
    contract: Digest,
    info: &WorktreeInfo,
) -> Result<(), Error> {
    let mut here = session::read_or_new(&ctx.repo)?;
    here.elsewhere.retain(|run| run.contract != contract);
    here.elsewhere.push(session::ElsewherePointer {
        id: id.clone(),
        contract,
        worktree: info.path.display().to_string(),
    });
    session::write(&ctx.repo, &here)
}
