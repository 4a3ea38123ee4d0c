//! What the evidence says of a tree that is about to be committed.
//!
//! Which result counts is the evaluator's question and asked there, so that what
//! verifies a commit is what will verify the run.

use super::Verification;
use crate::domain::{
    digest::Digest,
    evaluate::{
        SignatureFact, TreeVerification, counts::Results, holding_waiver, tree_verification,
    },
    gate::GateKind,
    id::TaskId,
    oid::TreeId,
    path::RepoPath,
    policy::PolicyDocument,
    run::Run,
    vocabulary::{SubjectKind, TaskStatus, Tier},
};

/// The tree in question.
#[derive(Clone, Copy, Debug)]
pub struct CommitSubject<'a> {
    /// The tree.
    pub tree: TreeId,
    /// The paths that differ between the run's base and the tree, which decide what is due;
    /// `None`: not known, and nothing verifies the tree.
    pub changed: Option<&'a [&'a RepoPath]>,
    /// The effective policy.
    pub policy: &'a PolicyDocument,
    /// Signatures that were checked.
    pub signatures: &'a [SignatureFact],
}

/// What verifies `subject` in `run`. `differs` names the paths that differ between a tree
/// that was verified and the subject; it is asked at most once.
pub fn verify_tree<'a>(
    run: &'a Run,
    subject: &CommitSubject<'_>,
    differs: impl FnOnce(TreeId) -> Vec<RepoPath>,
) -> Verification<'a> {
    let results = Results::of(run, &run.state, subject.policy, subject.signatures);
    let said = |tree| tree_verification(run, &results, tree, subject.changed);
    let due = match said(subject.tree) {
        TreeVerification::Verified { records, .. } => {
            return Verification::Verified {
                worktree: any_on_disk(run, &records),
                records,
            };
        }
        TreeVerification::Reproduction { record } if only_reproducing(run) => {
            return Verification::Reproduction {
                record,
                worktree: any_on_disk(run, &[record]),
            };
        }
        TreeVerification::NoneDue => return nothing_due(),
        // The answer borrows from the run alone.
        TreeVerification::NotVerified { due } => run
            .contract
            .checks
            .iter()
            .filter(|check| due.iter().any(|one| one.name == check.name))
            .collect(),
        TreeVerification::Reproduction { .. } | TreeVerification::Unknown => run
            .contract
            .checks
            .iter()
            .filter(|check| check.tier != Tier::Finish)
            .collect(),
    };
    let tests = run
        .contract
        .gates
        .iter()
        .find(|gate| gate.kind == GateKind::ImplementationTests);
    match tests {
        // Nobody asks for tests and none are pinned, as in research.
        None if run.contract.checks.is_empty() => return nothing_due(),
        Some(gate) => {
            if let Some(record) = holding_waiver(run, &run.state, subject.tree, gate) {
                return Verification::Waived {
                    record: record.digest,
                };
            }
        }
        None => {}
    }
    newest_verified(run, subject.tree, |tree| match said(tree) {
        TreeVerification::Verified { records, .. } => records.last().copied(),
        _ => None,
    })
    .map_or_else(
        || Verification::Never { due },
        |(tree, record)| Verification::Other {
            tree,
            record,
            differs: differs(tree),
        },
    )
}

fn nothing_due<'a>() -> Verification<'a> {
    Verification::Verified {
        records: Vec::new(),
        worktree: false,
    }
}

/// The newest tree but `not` that is verified, with the record that did it.
fn newest_verified(
    run: &Run,
    not: TreeId,
    verified: impl Fn(TreeId) -> Option<Digest>,
) -> Option<(TreeId, Digest)> {
    let mut tried = vec![not];
    run.evidence.iter().rev().find_map(|record| {
        let tree = record.body.check()?.subject.tree;
        if tried.contains(&tree) {
            return None;
        }
        tried.push(tree);
        Some((tree, verified(tree)?))
    })
}

/// Whether the task that shows the bug is the only one that was begun.
fn only_reproducing(run: &Run) -> bool {
    let first = TaskId::at(1);
    run.state.tasks.iter().all(|(task, status)| {
        if *task == first {
            matches!(status, TaskStatus::InProgress | TaskStatus::Done)
        } else {
            *status == TaskStatus::Pending
        }
    })
}

/// Whether one of the results was measured on the working tree: such a tree may hide what
/// cannot be compared.
fn any_on_disk(run: &Run, records: &[Digest]) -> bool {
    records.iter().any(|digest| {
        run.evidence(digest)
            .and_then(|record| record.body.check())
            .is_some_and(|result| result.subject.kind == SubjectKind::Worktree)
    })
}
