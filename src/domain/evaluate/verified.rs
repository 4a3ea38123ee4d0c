//! Whether a tree that a commit holds, or is about to hold, is verified.
//!
//! Source: RULES "The commit rule": every due check of tier commit has a result that would
//! count for gate.tests on exactly this tree; of a bugfix a met reproduction does for the
//! commits of its first task.

use super::counts::{Answer, Results, due_checks};
use crate::domain::{
    contract::NamedCheck,
    digest::Digest,
    oid::TreeId,
    path::RepoPath,
    run::{Run, is_reproduction},
    vocabulary::{Expectation, Mode, SubjectKind, Tier},
};

/// What the evidence says of one tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeVerification<'a> {
    /// Every due check has a result that counts on it.
    Verified {
        /// The deciding records, in reading order.
        records: Vec<Digest>,
        /// Whether all of them are of kind worktree.
        worktree: bool,
    },
    /// The bug was seen on it: enough for a commit that holds the reproduction.
    Reproduction {
        /// The newest record that shows it.
        record: Digest,
    },
    /// Checks are pinned and none is due.
    NoneDue,
    /// Something is missing or bad.
    NotVerified {
        /// The checks without a good result on it.
        due: Vec<&'a NamedCheck>,
    },
    /// Which checks are due depends on paths that are not known.
    Unknown,
}

/// What the results of `run` say of `tree`, where `changed` paths make checks due.
pub fn tree_verification<'a>(
    run: &'a Run,
    results: &Results<'a>,
    tree: TreeId,
    changed: Option<&[&RepoPath]>,
) -> TreeVerification<'a> {
    let Some(due) = due_checks(&run.contract.checks, Tier::Commit, changed) else {
        return TreeVerification::Unknown;
    };
    let mut records = Vec::new();
    let mut open = Vec::new();
    for check in &due {
        let decision = results.counting(check, tree);
        if decision.answer == Answer::Good {
            records.extend(decision.records);
        } else {
            open.push(*check);
        }
    }
    if open.is_empty() && !due.is_empty() {
        records.sort_by_key(|record| (record.seq, record.digest));
        records.dedup_by_key(|record| record.digest);
        return TreeVerification::Verified {
            worktree: records.iter().all(|record| {
                record
                    .body
                    .check()
                    .is_some_and(|result| result.subject.kind == SubjectKind::Worktree)
            }),
            records: records.iter().map(|record| record.digest).collect(),
        };
    }
    if let Some(record) = reproduction_on(run, tree) {
        return TreeVerification::Reproduction { record };
    }
    if due.is_empty() && !run.contract.checks.is_empty() {
        return TreeVerification::NoneDue;
    }
    TreeVerification::NotVerified { due: open }
}

/// The newest met expect-fail result of a bugfix on `tree`.
fn reproduction_on(run: &Run, tree: TreeId) -> Option<Digest> {
    if run.contract.mode != Mode::Bugfix {
        return None;
    }
    run.evidence
        .iter()
        .rev()
        .find(|record| {
            record.body.check().is_some_and(|result| {
                result.subject.tree == tree && result.expectation == Expectation::Fail
            }) && is_reproduction(run, record)
        })
        .map(|record| record.digest)
}
