//! The commit rule at this door: the facts for it, and its refusals in words.

use crate::{
    diagnostic::{Code, Refusal},
    domain::{
        commit_rule::{self, CommitFacts, CommitVerdict, Verification, VerifiedBy, judge_commit},
        oid::TreeId,
        path::RepoPath,
        policy::{CommitBinding, Enforce, Guard, PolicyDocument},
        run::Run,
        scope::Matcher,
        vocabulary::Risk,
    },
    git::{Repository, Snapshot},
    porcelain::{Error, error::refuse, observe, target::Place},
};

/// `-a` names what it may not take instead of leaving it out in silence.
pub(in crate::porcelain) fn refuse_out_of_scope(
    repo: &Repository,
    run: &Run,
    from: TreeId,
    tree: TreeId,
) -> Result<(), Error> {
    let changed: Vec<RepoPath> = repo
        .diff_trees(from, tree)?
        .into_iter()
        .map(|change| change.path)
        .collect();
    let protected = Matcher::new(&run.contract.scope.protected);
    let merge = in_merge(repo, &changed, tree)?;
    let outside: Vec<RepoPath> = merge
        .iter()
        .filter(|path| !observe::admits(run.scope_patterns(), path))
        .cloned()
        .collect();
    if !outside.is_empty() {
        return Err(out_of_scope(run, &outside).into());
    }
    let guarded: Vec<RepoPath> = merge
        .iter()
        .filter(|path| !run.contract.scope.protected.is_empty() && protected.admits(path))
        .cloned()
        .collect();
    if guarded.is_empty() {
        Ok(())
    } else {
        Err(protected_path(&guarded).into())
    }
}

pub(in crate::porcelain) fn out_of_scope(run: &Run, paths: &[RepoPath]) -> Refusal {
    let patterns: Vec<&str> = run
        .scope_patterns()
        .into_iter()
        .flatten()
        .map(|pattern| pattern.as_str())
        .collect();
    let first = paths[0].quoted();
    refuse(
        Code::OutOfScope,
        format!("not planned: {}", observe::list_paths(paths)),
    )
    .detail("paths", observe::paths_value(paths))
    .detail("scope", patterns)
    .hint(
        "take it back",
        &["git", "restore", "--staged", "--worktree", &first],
    )
    .hint(
        "or start again with it in the plan",
        &["git", "rapid", "supersede", "--spec-file", "<file>"],
    )
}

pub(in crate::porcelain) fn protected_path(paths: &[RepoPath]) -> Refusal {
    refuse(
        Code::ProtectedPath,
        format!("protected: {}", observe::list_paths(paths)),
    )
    .detail("paths", observe::paths_value(paths))
    .hint(
        "take it back",
        &[
            "git",
            "restore",
            "--staged",
            "--worktree",
            &paths[0].quoted(),
        ],
    )
}

/// In a merge only paths that differ from every parent are this commit's own.
pub(in crate::porcelain) fn in_merge(
    repo: &Repository,
    staged: &[RepoPath],
    tree: TreeId,
) -> Result<Vec<RepoPath>, Error> {
    // An ordinary commit has no other parent.
    let mut own = staged.to_vec();
    for parent in repo.merge_heads()? {
        let differs: Vec<RepoPath> = repo
            .diff_trees(repo.tree_of(parent)?, tree)?
            .into_iter()
            .map(|change| change.path)
            .collect();
        own.retain(|path| differs.contains(path));
    }
    Ok(own)
}

/// What has to match the verified tree, for a run of this risk.
pub(in crate::porcelain) fn binding(policy: &PolicyDocument, risk: Risk) -> CommitBinding {
    match policy.commit_snapshot_from {
        Some(from) if risk >= from => CommitBinding::Snapshot,
        _ => policy.commit,
    }
}

/// Asks the commit rule.
#[expect(
    clippy::too_many_arguments,
    reason = "the rule's facts, gathered by one caller"
)]
pub(in crate::porcelain) fn allowed(
    place: &Place<'_>,
    run: &Run,
    policy: &PolicyDocument,
    tree: TreeId,
    head_tree: Option<TreeId>,
    staged: &[RepoPath],
    snapshot: &Snapshot,
    verification: Verification<'_>,
    wip: bool,
) -> Result<VerifiedBy, Error> {
    let verified = verification.trailer();
    let untracked: Vec<RepoPath> = snapshot
        .bystanders
        .iter()
        .map(|(path, _)| path.clone())
        .collect();
    let facts = CommitFacts {
        run: Some(run),
        require_run: &policy.require_run,
        staged,
        tree,
        head_tree,
        verification,
        incomparable: &[],
        binding: binding(policy, run.contract.risk),
        untracked: &untracked,
        snapshot: Some(snapshot.tree),
        guard: Guard::Commit,
        enforce: Enforce::Strict,
        wip,
    };
    match judge_commit(&facts) {
        CommitVerdict::Allow { verified: said } => Ok(said.unwrap_or(verified)),
        CommitVerdict::Warn(refusal) | CommitVerdict::Refuse(refusal) => {
            Err(explain(place, run, tree, &refusal)?.into())
        }
    }
}

/// The rule's refusal with what a person needs to mend it.
pub(in crate::porcelain) fn explain(
    place: &Place<'_>,
    run: &Run,
    tree: TreeId,
    refusal: &commit_rule::Refusal,
) -> Result<Refusal, Error> {
    Ok(match refusal.code {
        Code::OutOfScope => out_of_scope(run, &refusal.paths),
        Code::ProtectedPath => protected_path(&refusal.paths),
        Code::OtherTreeVerified => {
            let tested = refusal.verified_tree;
            let differs = match tested {
                Some(tested) if place.has_object(tested.0) => place
                    .diff_trees(tested, tree)?
                    .into_iter()
                    .map(|change| change.path)
                    .collect(),
                _ => refusal.paths.clone(),
            };
            refuse(
                Code::OtherTreeVerified,
                format!(
                    "this content is not what was tested: {}",
                    observe::list_paths(&differs)
                ),
            )
            .detail("tested", tested.map(|tree| tree.to_string()))
            .detail("to_commit", tree.to_string())
            .detail("paths", observe::paths_value(&differs))
            .hint("test what is to be committed", &["git", "rapid", "check"])
        }
        Code::NeverVerified => refuse(Code::NeverVerified, "this content was never tested")
            .detail("to_commit", tree.to_string())
            .hint("test it", &["git", "rapid", "check"])
            .hint("or see why a test did not count", &["git", "rapid", "next"]),
        code => refuse(code, code.meaning()).detail("paths", observe::paths_value(&refusal.paths)),
    })
}
