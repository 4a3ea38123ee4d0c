//! What the evidence says of a tree that is about to be committed.
//!
//! Which result counts is the evaluator's question and asked there, so that what
//! verifies a commit is what will verify the run.

use super::Verification;
use crate::domain::{
    contract::NamedCheck,
    digest::Digest,
    evaluate::{
        SignatureFact,
        counts::{Answer, Results, due_checks},
        holding_waiver,
    },
    gate::GateKind,
    id::TaskId,
    oid::TreeId,
    path::RepoPath,
    policy::PolicyDocument,
    run::{EvidenceRecord, Run, is_reproduction},
    vocabulary::{Expectation, Mode, SubjectKind, TaskStatus, Tier},
};

/// The tree in question.
#[derive(Clone, Copy, Debug)]
pub struct CommitSubject<'a> {
    /// The tree.
    pub tree: TreeId,
    /// The paths that differ between the run's base and the tree, which decide what is due;
    /// `None`: not known, and every check counts as due.
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
    let due = due(run, subject);
    let results = Results::of(run, &run.state, subject.policy, subject.signatures);
    if let Some(records) = verified(&results, &due, subject.tree) {
        return Verification::Verified {
            worktree: records.iter().any(|record| on_disk(record)),
            records: digests(records),
        };
    }
    if let Some(record) = reproduction(run, subject.tree) {
        return Verification::Reproduction {
            record: record.digest,
            worktree: on_disk(record),
        };
    }
    if let Some(record) = waived(run, subject.tree) {
        return Verification::Waived { record };
    }
    let mut tried: Vec<TreeId> = vec![subject.tree];
    for record in run.evidence.iter().rev() {
        let Some(tree) = record.body.check().map(|result| result.subject.tree) else {
            continue;
        };
        if tried.contains(&tree) {
            continue;
        }
        tried.push(tree);
        if let Some(records) = verified(&results, &due, tree)
            && let Some(record) = records.last()
        {
            return Verification::Other {
                tree,
                record: record.digest,
                differs: differs(tree),
            };
        }
    }
    Verification::Never { due }
}

/// The checks of tier commit that are due.
fn due<'a>(run: &'a Run, subject: &CommitSubject<'_>) -> Vec<&'a NamedCheck> {
    let checks = &run.contract.checks;
    due_checks(checks, Tier::Commit, subject.changed).unwrap_or_else(|| {
        checks
            .iter()
            .filter(|check| check.tier != Tier::Finish)
            .collect()
    })
}

/// The records by which every due check counts as good on `tree`, in reading order.
fn verified<'a>(
    results: &Results<'a>,
    due: &[&'a NamedCheck],
    tree: TreeId,
) -> Option<Vec<&'a EvidenceRecord>> {
    let mut records = Vec::new();
    for check in due {
        let decision = results.counting(check, tree);
        if decision.answer != Answer::Good {
            return None;
        }
        records.extend(decision.records);
    }
    records.sort_by_key(|record| (record.seq, record.digest));
    Some(records)
}

/// The reproduction that verifies a commit of the task that shows the bug: a met
/// expect-fail result on exactly this tree, while nothing else has been begun.
fn reproduction(run: &Run, tree: TreeId) -> Option<&EvidenceRecord> {
    if run.contract.mode != Mode::Bugfix {
        return None;
    }
    let first = TaskId::at(1);
    let only_first = run.state.tasks.iter().all(|(task, status)| {
        if *task == first {
            matches!(status, TaskStatus::InProgress | TaskStatus::Done)
        } else {
            *status == TaskStatus::Pending
        }
    });
    if !only_first {
        return None;
    }
    run.evidence.iter().rev().find(|record| {
        record.body.check().is_some_and(|result| {
            result.expectation == Expectation::Fail && result.subject.tree == tree
        }) && is_reproduction(run, record)
    })
}

/// The review by which a person let gate.tests go for exactly this tree.
fn waived(run: &Run, tree: TreeId) -> Option<Digest> {
    let gate = run
        .contract
        .gates
        .iter()
        .find(|gate| gate.kind == GateKind::ImplementationTests)?;
    holding_waiver(run, &run.state, tree, gate).map(|record| record.digest)
}

fn on_disk(record: &EvidenceRecord) -> bool {
    record
        .body
        .check()
        .is_some_and(|result| result.subject.kind == SubjectKind::Worktree)
}

fn digests(records: Vec<&EvidenceRecord>) -> Vec<Digest> {
    records.iter().map(|record| record.digest).collect()
}
