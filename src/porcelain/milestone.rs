//! Commits of a run: the record that says which commit was made, and of what it is proof.
//!
//! `commit` appends it; a commit that was made by plain `git commit` under the same run, or
//! just before the program was killed, is found by its `Rapid-Run` trailer and caught up by
//! the next verb that writes.

use super::{Context, Error, append, judge, observe, target};
use crate::{
    domain::{
        commit_rule::VerifiedBy,
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
fn belongs(run: &Run, data: &CommitData) -> bool {
    trailer(&data.message.lossy(), RUN_TRAILER)
        .is_some_and(|value| value.ends_with(&run.contract_digest.short(12)))
}

/// Whether a commit has a milestone.
fn is_known(run: &Run, commit: CommitId) -> bool {
    run.evidence.iter().any(|record| {
        matches!(&record.body.payload, Payload::Milestone(milestone) if milestone.commit == commit)
    })
}

/// The milestone that a commit deserves. One that claims a proof which its tree does not
/// have, because it was rebased or picked onto other content, gets none: it is unproven.
fn deserved(
    repo: &Repository,
    run: &Run,
    commit: CommitId,
    data: &CommitData,
) -> Result<Option<Evidence>, Error> {
    let milestone = milestone_of(repo, run, commit, data)?;
    let proven =
        matches!(&milestone.payload, Payload::Milestone(found) if found.verified_by.is_some());
    let claims_nothing = belongs(run, data)
        && trailer(&data.message.lossy(), VERIFIED_TRAILER).is_none_or(|word| word == "no");
    Ok((proven || claims_nothing).then_some(milestone))
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
    let mut missing = Vec::new();
    for commit in repo.commits_between(head, &hidden)? {
        let data = repo.read_commit(commit)?;
        if belongs(&run, &data) && !is_known(&run, commit) {
            missing.push((commit, data));
        }
    }
    add(repo, run, &missing, "milestone caught up")
}

/// Appends the milestones of these commits, those that are deserved and not there yet.
fn add(
    repo: &Repository,
    run: Run,
    commits: &[(CommitId, CommitData)],
    subject: &str,
) -> Result<Run, Error> {
    let lacks = |run: &Run| -> Result<Vec<(Producer, Body)>, Error> {
        let mut records: Vec<(Producer, Body)> = Vec::new();
        for (commit, data) in commits {
            if !is_known(run, *commit)
                && !run.state.status.is_terminal()
                && let Some(milestone) = deserved(repo, run, *commit, data)?
            {
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
/// first.
pub(super) fn note(repo: &Repository, id: &RunId, commit: CommitId) -> Result<(), Error> {
    let run = Ledger::new(repo).read_run(id)?;
    let data = repo.read_commit(commit)?;
    let subject = format!("milestone {}", commit.short());
    add(repo, run, &[(commit, data)], &subject)?;
    Ok(())
}

/// What git calls after it made a commit.
pub fn after_commit(ctx: &Context<'_>) -> Result<(), Error> {
    let run = target::bound(&ctx.repo)?.run;
    let head = ctx.repo.head()?.commit;
    match (run, head) {
        (Some(run), Some(head)) if run.state.status.is_guarding() => note(&ctx.repo, &run.id, head),
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
            if !is_known(run, *new)
                && let Some(milestone) = deserved(repo, run, *new, &after)?
            {
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
