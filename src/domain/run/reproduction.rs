//! Whether a result shows the bug of a bugfix: the precondition of its first task and the
//! evaluator ask the same thing.

use super::{EvidenceRecord, Run};
use crate::domain::{
    evidence::CheckResult,
    gate::GateKind,
    id::TaskId,
    path::RepoPath,
    vocabulary::{Expectation, Note},
};

/// Exit codes of a shell that found no command, or one it may not run.
const NOT_RUN: [i32; 2] = [126, 127];

/// Whether `record` is a reproduction: a result of `check` by a command the contract knows,
/// that was expected to fail, is linked to T001 and really failed; or a red, counted
/// baseline. Source: RULES "The evaluator", row `reproduction.T`. On which tree it has to
/// pass again is the evaluator's question.
pub fn is_reproduction(run: &Run, record: &EvidenceRecord) -> bool {
    let Some(result) = record.body.check() else {
        return false;
    };
    let disqualified = record.body.notes.iter().any(|note| {
        matches!(
            note,
            Note::Contradictory | Note::Incomplete | Note::StaleReport
        )
    });
    if disqualified
        || !record.producer.is_rapid("check")
        || !result.subject.stable
        || !really_failed(run, result)
        || is_aside(run, result)
    {
        return false;
    }
    match result.expectation {
        Expectation::Fail => record.body.tasks.contains(&TaskId::at(1)),
        Expectation::Pass => {
            let base = &run.contract.base;
            let on_start = result.subject.tree == base.start_tree
                || result.subject.before == Some(base.start_tree);
            record
                .body
                .gates
                .contains(&GateKind::BaselineCheck.gate_id())
                && on_start
                && result.counts.is_some()
        }
    }
}

/// Whether the command ran to its end and a test failed. Without counts the exit code has
/// to do, unless this command is counted elsewhere: then it did not even get to its tests.
fn really_failed(run: &Run, result: &CheckResult) -> bool {
    let ran = !result.timed_out
        && result
            .exit_code
            .is_some_and(|code| code != 0 && !NOT_RUN.contains(&code));
    ran && match result.counts {
        Some(counts) => counts.failed >= 1,
        None => !run.evidence.iter().any(|other| {
            other.body.check().is_some_and(|other| {
                other.counts.is_some() && other.argv == result.argv && other.cwd == result.cwd
            })
        }),
    }
}

/// Whether the command is none that the contract or an amendment names: stored and shown,
/// never decisive. A task's and a criterion's own check run in the root.
pub fn is_aside(run: &Run, result: &CheckResult) -> bool {
    let pinned = run
        .contract
        .checks
        .iter()
        .any(|check| check.argv == result.argv && check.cwd == result.cwd);
    let in_root = result.cwd == RepoPath::root();
    let own = in_root
        && (run
            .tasks()
            .iter()
            .any(|task| task.checks.contains(&result.argv))
            || run
                .acceptance()
                .iter()
                .any(|criterion| criterion.check.as_ref() == Some(&result.argv)));
    !(pinned || own)
}
