//! What git says about a run: the snapshot of its worktree, and the facts by which it is
//! judged on a tree.

use super::{Error, error::refuse, milestone};
use crate::{
    conductor::{NoSnapshot, WhyNoSnapshot},
    diagnostic::{Code, Refusal},
    domain::{
        bytes::ByteText,
        digest::Digest,
        evaluate::{BaseFact, CommitFact, Facts, PathFact},
        evidence::Payload,
        oid::{CommitId, Oid, TreeId},
        path::RepoPath,
        policy::PolicyDocument,
        run::Run,
        scope::{Matcher, Pattern},
        vocabulary::RunStatus,
    },
    git::{self, RefusedWhy, Repository, Snapshot, SnapshotRequest},
    ledger::{Ledger, StreamName},
};

/// The working tree of a run's worktree, less what is not this run's.
pub(super) fn snapshot(
    repo: &Repository,
    run: &Run,
    leave_out: &[RepoPath],
) -> Result<Result<Snapshot, NoSnapshot>, Error> {
    let bystanders: Vec<(RepoPath, Oid)> = run
        .contract
        .bystanders
        .iter()
        .map(|bystander| (bystander.path.clone(), bystander.blob))
        .collect();
    let scope = run.scope_patterns().map(Matcher::new);
    let request = SnapshotRequest {
        bystanders: &bystanders,
        scope: scope.as_ref(),
        leave_out,
        no_untracked: false,
    };
    Ok(repo.snapshot(&request)?.map_err(no_snapshot))
}

/// The border's refusal in the conductor's words.
pub(super) fn no_snapshot(refused: git::Refused) -> NoSnapshot {
    NoSnapshot {
        paths: refused.paths,
        why: match refused.why {
            RefusedWhy::Unmerged => WhyNoSnapshot::Unmerged,
            RefusedWhy::DirtySubmodule => WhyNoSnapshot::DirtySubmodule,
            RefusedWhy::Flagged => WhyNoSnapshot::Flagged,
            RefusedWhy::Unsteady => WhyNoSnapshot::Unsteady,
            RefusedWhy::Unreadable => WhyNoSnapshot::Unreadable,
        },
    }
}

/// The refusal of a verb that needs a snapshot.
pub(super) fn refuse_no_snapshot(refused: &NoSnapshot) -> Refusal {
    let names = list_paths(&refused.paths);
    let first = refused
        .paths
        .first()
        .map_or_else(|| ".".to_owned(), RepoPath::quoted);
    let first = first.as_str();
    let what = match refused.why {
        WhyNoSnapshot::Unmerged => format!("unmerged: {names}"),
        WhyNoSnapshot::DirtySubmodule => format!("a submodule has changes of its own: {names}"),
        WhyNoSnapshot::Flagged => format!("flagged in the index and different on disk: {names}"),
        WhyNoSnapshot::Unsteady => format!("the working tree keeps changing: {names}"),
        WhyNoSnapshot::Unreadable => format!("cannot be read: {names}"),
    };
    let refusal = refuse(Code::NoSnapshot, what)
        .detail("why", refused.why.as_str())
        .detail("paths", paths_value(&refused.paths));
    match refused.why {
        WhyNoSnapshot::Unmerged => {
            refusal.hint("resolve the conflict and stage it", &["git", "add", first])
        }
        WhyNoSnapshot::DirtySubmodule => {
            refusal.hint("see what changed in it", &["git", "-C", first, "status"])
        }
        WhyNoSnapshot::Flagged => refusal.hint(
            "take the flag off",
            &[
                "git",
                "update-index",
                "--no-assume-unchanged",
                "--no-skip-worktree",
                first,
            ],
        ),
        WhyNoSnapshot::Unsteady => refusal.advice("stop what writes there and try again"),
        WhyNoSnapshot::Unreadable => refusal.advice("make it readable, or ignore it"),
    }
}

/// Up to five paths for one line.
pub(super) fn list_paths(paths: &[RepoPath]) -> String {
    let mut names: Vec<String> = paths.iter().take(5).map(RepoPath::quoted).collect();
    if paths.len() > 5 {
        names.push(format!("and {} more", paths.len() - 5));
    }
    names.join(", ")
}

/// Paths as JSON.
pub(super) fn paths_value(paths: &[RepoPath]) -> serde_json::Value {
    serde_json::to_value(paths).expect("paths serialize")
}

/// The policy a run was started with, from the artifact beside its contract.
pub(super) fn policy_of(repo: &Repository, run: &Run) -> Result<PolicyDocument, Error> {
    let ledger = Ledger::new(repo);
    let bytes = ledger.artifact(&StreamName::Run(run.id.clone()), run.contract.policy.digest)?;
    crate::domain::canonical::from_canonical(&bytes).map_err(|source| Error::Document {
        what: format!("the policy beside the contract of {}", run.id),
        source,
    })
}

/// The spec's bytes beside the contract; `None` when they are missing.
pub(super) fn spec(repo: &Repository, run: &Run) -> Option<Vec<u8>> {
    Ledger::new(repo)
        .artifact(
            &StreamName::Run(run.id.clone()),
            run.contract.acceptance_digest,
        )
        .ok()
}

/// SHA-256 of the spec bytes beside the contract; `None` when they are missing.
pub(super) fn spec_bytes(repo: &Repository, run: &Run) -> Option<Digest> {
    spec(repo, run).map(|bytes| Digest::of(&bytes))
}

/// Whether the run was ever bound to this branch: then its local ref moves with the run's own
/// commits and says nothing of what others did.
fn works_on(run: &Run, branch: &ByteText) -> bool {
    run.evidence.iter().any(|record| {
        matches!(&record.body.payload, Payload::Workspace(seen) if seen.branch.as_ref() == Some(branch))
    })
}

/// The refs that stand for the target branch: the local one, unless the run itself works on
/// it, and the remote-tracking ones.
fn target_tips(repo: &Repository, run: &Run, target: &ByteText) -> Result<Vec<CommitId>, Error> {
    let Ok(name) = std::str::from_utf8(&target.0) else {
        return Ok(Vec::new());
    };
    let mut names = Vec::new();
    if !works_on(run, target) {
        names.push(format!("refs/heads/{name}"));
    }
    for found in repo.refs_below("refs/remotes/")? {
        let belongs = found
            .name
            .strip_prefix("refs/remotes/")
            .and_then(|rest| rest.split_once('/'))
            .is_some_and(|(_, branch)| branch == name);
        if belongs {
            names.push(found.name);
        }
    }
    let mut tips = Vec::new();
    for name in names {
        if let Some(oid) = repo.find_ref(&name)?
            && !tips.contains(&CommitId(oid))
        {
            tips.push(CommitId(oid));
        }
    }
    Ok(tips)
}

/// The commits of a run's milestones.
fn milestones(run: &Run) -> Vec<CommitId> {
    run.evidence
        .iter()
        .filter_map(|record| match &record.body.payload {
            Payload::Milestone(milestone) => Some(milestone.commit),
            Payload::Rewrite(rewrite) => Some(rewrite.new),
            _ => None,
        })
        .collect()
}

/// Whether any of the run's own commits is in the history of `commit`: its milestones, what
/// plain git made here on its branch, and the same of the runs it took over from. Those that
/// are not in this clone cannot be.
fn holds_own_work(
    repo: &Repository,
    run: &Run,
    start: CommitId,
    commit: CommitId,
) -> Result<bool, Error> {
    for milestone in milestones(run) {
        if repo.has_object(milestone.0) && repo.is_ancestor(milestone, commit)? {
            return Ok(true);
        }
    }
    if start == commit {
        return Ok(false);
    }
    let made_here = milestone::made_here(repo, run)?;
    if !made_here.is_empty() {
        let since = repo.commits_between(commit, &[start])?;
        if since.iter().any(|commit| made_here.contains(commit)) {
            return Ok(true);
        }
    }
    match taken_over(repo, run)? {
        Some(before) => holds_own_work(repo, &before, start, commit),
        None => Ok(false),
    }
}

/// The run that this one took over from, with all its work: superseded, on the same base.
fn taken_over(repo: &Repository, run: &Run) -> Result<Option<Run>, Error> {
    let Some(contract) = run.contract.predecessor else {
        return Ok(None);
    };
    let ledger = Ledger::new(repo);
    let Some(sealed) = ledger.seal_of(contract)? else {
        return Ok(None);
    };
    let Ok(before) = ledger.read_run(&sealed.run) else {
        return Ok(None);
    };
    let same_work = before.contract_digest == contract
        && before.contract.base.commit == run.contract.base.commit
        && sealed.status == RunStatus::Superseded;
    Ok(same_work.then_some(before))
}

/// The facts of `subject`, which HEAD's history leads up to.
///
/// Changes are counted from the newest merge base with the target that descends from the
/// contract's base and holds no commit of this run; else from the contract's base.
pub(super) fn facts(
    repo: &Repository,
    run: &Run,
    subject: TreeId,
    head: Option<CommitId>,
) -> Result<Facts, Error> {
    let contract_base = &run.contract.base;
    let mut base = BaseFact {
        commit: contract_base.commit,
        tree: contract_base.tree,
    };
    let on_target = match (contract_base.commit, head, &run.contract.target) {
        (Some(start), Some(head), Some(target)) => others_work(repo, run, start, head, target)?,
        _ => Vec::new(),
    };
    for candidate in &on_target {
        let newer = match base.commit {
            Some(current) => repo.is_ancestor(current, *candidate)?,
            None => true,
        };
        if newer {
            base = BaseFact {
                commit: Some(*candidate),
                tree: repo.tree_of(*candidate)?,
            };
        }
    }
    let paths = path_facts(repo, base.tree, subject)?;
    let commits = match head {
        Some(head) => {
            let hidden: Vec<CommitId> = base.commit.into_iter().chain(on_target).collect();
            commit_facts(repo, head, &hidden)?
        }
        None => Some(Vec::new()),
    };
    Ok(Facts {
        base,
        paths,
        commits,
        signatures: Vec::new(),
    })
}

/// Merge bases of HEAD with the target that descend from the run's start and hold no commit
/// of the run: up to there it is others' work.
fn others_work(
    repo: &Repository,
    run: &Run,
    start: CommitId,
    head: CommitId,
    target: &ByteText,
) -> Result<Vec<CommitId>, Error> {
    let mut found = Vec::new();
    for tip in target_tips(repo, run, target)? {
        for candidate in missing_is_none(repo.merge_bases(head, tip))?.unwrap_or_default() {
            if missing_is_none(repo.is_ancestor(start, candidate))?.unwrap_or(false)
                && !holds_own_work(repo, run, start, candidate)?
            {
                found.push(candidate);
            }
        }
    }
    Ok(found)
}

/// Paths that differ, with their lines; `None` when an object is missing.
fn path_facts(
    repo: &Repository,
    base: TreeId,
    subject: TreeId,
) -> Result<Option<Vec<PathFact>>, Error> {
    if base != subject && !(repo.has_object(subject.0) && repo.has_object(base.0)) {
        return Ok(None);
    }
    let Some(changes) = missing_is_none(repo.diff_trees(base, subject))? else {
        return Ok(None);
    };
    let mut facts = Vec::with_capacity(changes.len());
    for change in changes {
        let Some(lines) = missing_is_none(repo.count_lines(base, subject, &change.path))? else {
            return Ok(None);
        };
        facts.push(PathFact {
            path: change.path,
            change: change.change,
            added: lines.added,
            deleted: lines.deleted,
        });
    }
    Ok(Some(facts))
}

/// Commits since the base; `None` when one is missing.
fn commit_facts(
    repo: &Repository,
    head: CommitId,
    hidden: &[CommitId],
) -> Result<Option<Vec<CommitFact>>, Error> {
    let Some(commits) = missing_is_none(repo.commits_between(head, hidden))? else {
        return Ok(None);
    };
    let mut facts = Vec::with_capacity(commits.len());
    for commit in commits {
        let Some(data) = missing_is_none(repo.read_commit(commit))? else {
            return Ok(None);
        };
        facts.push(CommitFact {
            commit,
            parents: data.parents,
            tree: data.tree,
        });
    }
    Ok(Some(facts))
}

/// A missing object is an answer here, not a failure.
fn missing_is_none<T>(result: Result<T, git::Error>) -> Result<Option<T>, Error> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(git::Error::Missing { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Patterns as a matcher; nothing declared admits everything.
pub(super) fn admits(patterns: Option<Vec<&Pattern>>, path: &RepoPath) -> bool {
    patterns.is_none_or(|patterns| Matcher::new(patterns).admits(path))
}

/// The spec's title, as the bytes beside the contract say; the run's name without them.
pub(super) fn title(repo: &Repository, run: &Run) -> String {
    title_in(spec(repo, run).as_deref(), run)
}

/// The title in the spec's bytes; the run's name without them.
pub(super) fn title_in(spec: Option<&[u8]>, run: &Run) -> String {
    spec.and_then(|bytes| super::spec_store::read(bytes).ok())
        .map_or_else(|| run.id.to_string(), |spec| spec.title)
}
