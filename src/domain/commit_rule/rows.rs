//! The rows of RULES "The commit rule", in order. Each looks at the facts and answers,
//! or leaves the commit to the next one.

use super::{CommitFacts, Refusal, Verification};
use crate::{
    diagnostic::Code,
    domain::{
        path::RepoPath,
        policy::{CommitBinding, Guard},
        run::Run,
        scope::{Matcher, Pattern},
        vocabulary::RunStatus,
    },
};

/// A row's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Go on; no later row is asked.
    Allow,
    /// Stop.
    Refuse(Refusal),
}

/// One row.
#[derive(Debug)]
pub struct Row {
    /// Its number in RULES.
    pub number: &'static str,
    /// Its condition and answer.
    pub applies: fn(&CommitFacts<'_>) -> Option<Answer>,
}

/// Every row, in order.
pub const ROWS: &[Row] = &[
    row("1", without_run),
    row("2", not_active),
    row("2b", same_tree),
    row("3", out_of_scope),
    row("4", protected),
    row("5", incomparable),
    row("6", not_verified),
    row("7", working_tree_differs),
];

const fn row(number: &'static str, applies: fn(&CommitFacts<'_>) -> Option<Answer>) -> Row {
    Row { number, applies }
}

fn without_run(facts: &CommitFacts<'_>) -> Option<Answer> {
    if guarding(facts).is_some() {
        return None;
    }
    let paths = admitted(facts.require_run, facts.staged);
    Some(if paths.is_empty() {
        Answer::Allow
    } else {
        Answer::Refuse(Refusal::of(Code::RunRequired, paths))
    })
}

fn not_active(facts: &CommitFacts<'_>) -> Option<Answer> {
    let run = guarding(facts)?;
    matches!(run.state.status, RunStatus::Prepared | RunStatus::Blocked)
        .then(|| Answer::Refuse(Refusal::of(Code::RunNotActive, Vec::new())))
}

fn same_tree(facts: &CommitFacts<'_>) -> Option<Answer> {
    (facts.head_tree == Some(facts.tree)).then_some(Answer::Allow)
}

fn out_of_scope(facts: &CommitFacts<'_>) -> Option<Answer> {
    let scope = Matcher::new(facts.run?.scope_patterns()?);
    let paths: Vec<RepoPath> = facts
        .staged
        .iter()
        .filter(|path| !scope.admits(path))
        .cloned()
        .collect();
    named(Code::OutOfScope, paths)
}

fn protected(facts: &CommitFacts<'_>) -> Option<Answer> {
    let patterns = &facts.run?.contract.scope.protected;
    named(Code::ProtectedPath, admitted(patterns, facts.staged))
}

fn incomparable(facts: &CommitFacts<'_>) -> Option<Answer> {
    let on_disk = match facts.verification {
        Verification::Verified { worktree, .. } | Verification::Reproduction { worktree, .. } => {
            worktree
        }
        _ => false,
    };
    if !on_disk {
        return None;
    }
    named(Code::Incomparable, facts.incomparable.to_vec())
}

fn not_verified(facts: &CommitFacts<'_>) -> Option<Answer> {
    if !is_guarded(facts) {
        return None;
    }
    match &facts.verification {
        Verification::Never { .. } => Some(Answer::Refuse(Refusal::of(
            Code::NeverVerified,
            facts.staged.to_vec(),
        ))),
        Verification::Other { tree, differs, .. } => Some(Answer::Refuse(Refusal {
            code: Code::OtherTreeVerified,
            paths: differs.clone(),
            verified_tree: Some(*tree),
            only_untracked: !differs.is_empty()
                && differs.iter().all(|path| facts.untracked.contains(path)),
        })),
        _ => None,
    }
}

/// What was verified is the tree that is committed; the working tree has to be that too.
/// One that could not be looked at does not count.
fn working_tree_differs(facts: &CommitFacts<'_>) -> Option<Answer> {
    if facts.binding != CommitBinding::Snapshot
        || !is_guarded(facts)
        || facts.snapshot == Some(facts.tree)
    {
        return None;
    }
    Some(Answer::Refuse(Refusal {
        verified_tree: Some(facts.tree),
        ..Refusal::of(Code::OtherTreeVerified, Vec::new())
    }))
}

/// The run whose rules hold here: one that is bound and neither put aside nor ended.
pub(super) fn guarding<'a>(facts: &CommitFacts<'a>) -> Option<&'a Run> {
    facts.run.filter(|run| run.state.status.is_guarding())
}

fn is_guarded(facts: &CommitFacts<'_>) -> bool {
    facts.guard == Guard::Commit && !facts.wip
}

fn admitted(patterns: &[Pattern], paths: &[RepoPath]) -> Vec<RepoPath> {
    let matcher = Matcher::new(patterns);
    paths
        .iter()
        .filter(|path| matcher.admits(path))
        .cloned()
        .collect()
}

fn named(code: Code, paths: Vec<RepoPath>) -> Option<Answer> {
    (!paths.is_empty()).then(|| Answer::Refuse(Refusal::of(code, paths)))
}
