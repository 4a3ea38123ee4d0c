//! `commits.verified`: does every commit of the work hold a verified tree?
//!
//! Merges are left out. A commit that holds its base's tree changed nothing. Required only
//! when the policy says so.

use super::{
    Assertion, CommitFact, Reason,
    case::Case,
    judgement::Judgement,
    verified::{TreeVerification, tree_verification},
};

pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    let required = case.input.policy.commits_verified;
    let judgement = match &case.input.facts.commits {
        None => Judgement::object_missing("commits"),
        Some(commits) => judge(case, commits),
    };
    vec![judgement.asserted("commits.verified".to_owned(), required)]
}

fn judge(case: &Case<'_>, commits: &[CommitFact]) -> Judgement {
    if case.contract.checks.is_empty() {
        return Judgement::not_applicable(Reason::NothingPinned);
    }
    let own: Vec<&CommitFact> = commits
        .iter()
        .filter(|commit| commit.parents.len() < 2)
        .collect();
    if own.is_empty() {
        return Judgement::not_applicable(Reason::NoCommit);
    }
    let mut records = Vec::new();
    let mut open = Vec::new();
    for commit in &own {
        if commit.tree == case.input.facts.base.tree {
            continue;
        }
        let changed = case.changed.as_deref();
        match tree_verification(case.run, &case.results, commit.tree, changed) {
            TreeVerification::Verified { records: by, .. } => records.extend(by),
            TreeVerification::Reproduction { record } => records.push(record),
            TreeVerification::NoneDue => {}
            TreeVerification::NotVerified { .. } => open.push(commit.commit),
            TreeVerification::Unknown => return Judgement::object_missing("paths"),
        }
    }
    let judgement = if open.is_empty() {
        Judgement::pass(Reason::AllVerified)
    } else {
        Judgement::unverified(Reason::NotVerified)
    };
    judgement
        .fact("commits", own.len())
        .list("open", open)
        .decided_by(records)
}
