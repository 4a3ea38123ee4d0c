//! Commits of a run: the record that says which commit was made, and of what it is proof.
//!
//! `commit` appends it; a commit that was made just before the program was killed is found by
//! its `Rapid-Run` trailer, one that was made by plain git by the reflog of the run's branch.
//! The next verb that writes catches them up.

use super::{Error, append, judge, observe, target::workspace_of};
use crate::{
    domain::{
        commit_rule::VerifiedBy,
        evidence::{Evidence, Milestone, Payload},
        oid::CommitId,
        producer::Producer,
        record::Body,
        run::Run,
    },
    git::{CommitData, Repository},
};

/// The trailer that names the run.
pub(super) const RUN_TRAILER: &str = "Rapid-Run";
/// The trailer that names the tasks.
pub(super) const TASK_TRAILER: &str = "Rapid-Task";
/// The trailer that names the proof.
pub(super) const VERIFIED_TRAILER: &str = "Rapid-Verified";

/// The value of a trailer in a commit message: the last line of that name in the last
/// paragraph.
pub(super) fn trailer(message: &str, name: &str) -> Option<String> {
    let last = message.trim_end().rsplit("\n\n").next()?;
    last.lines().rev().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.eq_ignore_ascii_case(name)
            .then(|| value.trim().to_owned())
    })
}

/// Whether a commit says that it belongs to this run.
pub(super) fn belongs(run: &Run, data: &CommitData) -> bool {
    trailer(&data.message.lossy(), RUN_TRAILER)
        .is_some_and(|value| value.ends_with(&run.contract_digest.short(12)))
}

/// Whether a commit has a milestone.
fn is_known(run: &Run, commit: CommitId) -> bool {
    run.evidence.iter().any(|record| {
        matches!(&record.body.payload, Payload::Milestone(milestone) if milestone.commit == commit)
    })
}

/// Commits that plain git made in this clone on the branch that the run works on.
pub(super) fn made_here(repo: &Repository, run: &Run) -> Result<Vec<CommitId>, Error> {
    match workspace_of(run).and_then(|seen| seen.branch.as_ref()) {
        Some(branch) => Ok(repo.commits_made_on(&branch.0)?),
        None => Ok(Vec::new()),
    }
}

/// Appends the milestones that are missing. Looks only at commits since the base.
pub(super) fn recover(repo: &Repository, run: Run) -> Result<Run, Error> {
    let Some(head) = repo.head()?.commit else {
        return Ok(run);
    };
    if is_known(&run, head) {
        return Ok(run);
    }
    let hidden: Vec<CommitId> = run.contract.base.commit.into_iter().collect();
    let since = repo.commits_between(head, &hidden)?;
    if since.is_empty() {
        return Ok(run);
    }
    let made_here = made_here(repo, &run)?;
    let mut missing = Vec::new();
    for commit in since {
        if is_known(&run, commit) {
            continue;
        }
        let data = repo.read_commit(commit)?;
        if belongs(&run, &data) || made_here.contains(&commit) {
            missing.push((commit, data));
        }
    }
    if missing.is_empty() {
        return Ok(run);
    }
    let id = run.id.clone();
    let (run, _) = append::to_run(repo, &id, |run| {
        let mut records: Vec<(Producer, Body)> = Vec::new();
        for (commit, data) in &missing {
            if !is_known(run, *commit) && !run.state.status.is_terminal() {
                records.push((
                    Producer::rapid("commit"),
                    milestone_of(repo, run, *commit, data)?.into(),
                ));
            }
        }
        Ok((!records.is_empty()).then(|| append::draft("milestone caught up", records)))
    })?;
    Ok(run)
}

/// The milestone of a commit: what verifies its tree is looked up, not believed.
pub(super) fn milestone_of(
    repo: &Repository,
    run: &Run,
    commit: CommitId,
    data: &CommitData,
) -> Result<Evidence, Error> {
    let policy = observe::policy_of(repo, run)?;
    let facts = observe::facts(repo, run, data.tree, Some(commit))?;
    let verified_by = match judge::verification(repo, run, &policy, &facts, data.tree).trailer() {
        VerifiedBy::Record(record) | VerifiedBy::Reproduction(record) => Some(record),
        VerifiedBy::No => None,
    };
    Ok(Evidence::of(Payload::Milestone(Milestone {
        commit,
        parents: data.parents.clone(),
        tree: data.tree,
        verified_by,
    })))
}
