//! Commits of a run: the record that says which commit was made, and of what it is proof.
//!
//! `commit` appends it; a commit that was made just before the program was killed is found by
//! its `Rapid-Run` trailer, one that was made by plain git by the reflog of the run's branch.
//! The next verb that writes catches them up.

use super::{
    Context, Error, append, judge, observe,
    target::{self, workspace_of},
};
use crate::{
    domain::{
        commit_rule::VerifiedBy,
        digest::Digest,
        evidence::{Evidence, Milestone, Payload, Rewrite},
        id::RunId,
        oid::CommitId,
        producer::Producer,
        record::Body,
        run::Run,
    },
    git::{CommitData, Repository},
    ledger::Ledger,
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
    add(repo, run, &missing, "milestone caught up")
}

/// Appends the milestones of these commits that are not there yet.
fn add(
    repo: &Repository,
    run: Run,
    commits: &[(CommitId, CommitData)],
    subject: &str,
) -> Result<Run, Error> {
    let lacks = |run: &Run| -> Result<Vec<(Producer, Body)>, Error> {
        let mut records: Vec<(Producer, Body)> = Vec::new();
        for (commit, data) in commits {
            if !is_known(run, *commit) && !run.state.status.is_terminal() {
                let milestone = milestone_of(repo, run, *commit, data)?;
                records.push((Producer::rapid("commit"), milestone.into()));
            }
        }
        Ok(records)
    };
    if lacks(&run)?.is_empty() {
        return Ok(run);
    }
    let (run, _) = append::to_run(repo, &run.id, |run| {
        let records = lacks(run)?;
        Ok((!records.is_empty()).then(|| append::draft(subject, records)))
    })?;
    Ok(run)
}

/// A commit was just made in the run's place: appends its milestone, once, whoever comes
/// first. Gives the record that verifies the commit's tree.
pub(super) fn note(
    repo: &Repository,
    id: &RunId,
    commit: CommitId,
    data: &CommitData,
) -> Result<Option<Digest>, Error> {
    let run = Ledger::new(repo).read_run(id)?;
    let subject = format!("milestone {}", commit.short());
    let run = add(repo, run, &[(commit, data.clone())], &subject)?;
    Ok(run
        .evidence
        .iter()
        .find_map(|record| match &record.body.payload {
            Payload::Milestone(found) if found.commit == commit => Some(found.verified_by),
            _ => None,
        })
        .flatten())
}

/// What git calls after it made a commit.
pub fn after_commit(ctx: &Context<'_>) -> Result<(), Error> {
    let run = target::bound(&ctx.repo)?.run;
    let head = ctx.repo.head()?.commit;
    match (run, head) {
        (Some(run), Some(head)) if run.state.status.is_guarding() => {
            let data = ctx.repo.read_commit(head)?;
            note(&ctx.repo, &run.id, head, &data)?;
            Ok(())
        }
        _ => Ok(()),
    }
}

/// What git calls after it rewrote commits, with the old and the new ones. Those of the run
/// are followed; the new one has to stand on its own tree.
pub fn after_rewrite(ctx: &Context<'_>, pairs: &[(CommitId, CommitId)]) -> Result<(), Error> {
    let repo = &ctx.repo;
    let Some(run) = target::bound(repo)?
        .run
        .filter(|run| run.state.status.is_guarding())
    else {
        return Ok(());
    };
    append::to_run(repo, &run.id, |run| {
        let mut records: Vec<(Producer, Body)> = Vec::new();
        for (old, new) in pairs {
            let (before, after) = (repo.read_commit(*old)?, repo.read_commit(*new)?);
            if !is_followed(run, *old) && !belongs(run, &before) || is_rewrite(run, *old, *new) {
                continue;
            }
            let rewrite = Rewrite {
                old: *old,
                new: *new,
                trees: [before.tree, after.tree],
            };
            let evidence = Evidence::of(Payload::Rewrite(rewrite));
            records.push((Producer::rapid("hook"), evidence.into()));
            if !is_known(run, *new) {
                let milestone = milestone_of(repo, run, *new, &after)?;
                records.push((Producer::rapid("commit"), milestone.into()));
            }
        }
        let count = records.len();
        Ok((count > 0).then(|| append::draft(format!("{} rewritten", pairs.len()), records)))
    })?;
    Ok(())
}

/// Whether a commit has a milestone or came of one.
fn is_followed(run: &Run, commit: CommitId) -> bool {
    is_known(run, commit)
        || run.evidence.iter().any(|record| {
            matches!(&record.body.payload, Payload::Rewrite(rewrite) if rewrite.new == commit)
        })
}

fn is_rewrite(run: &Run, old: CommitId, new: CommitId) -> bool {
    run.evidence.iter().any(|record| {
        matches!(&record.body.payload, Payload::Rewrite(rewrite) if rewrite.old == old && rewrite.new == new)
    })
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
