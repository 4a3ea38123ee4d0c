//! `eval run`: judges a run again, from its records and git objects alone.

use super::{Context, Error, error::refuse, judge, log, observe, target};
use crate::{
    diagnostic::Code,
    domain::{
        evaluate::Report,
        id::RunId,
        oid::{CommitId, Oid, TreeId},
        run::Run,
    },
    git::Repository,
};

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A tree or commit to judge instead of the stored report's subject.
    pub subject: Option<String>,
}

/// What is judged anew.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The run.
    pub run_id: RunId,
    /// The judgement.
    pub report: Report,
}

/// Judges. Without a subject: what the stored report judged, by the facts it stored; for a
/// run without one, HEAD's tree.
pub fn run(ctx: &Context<'_>, request: &Request) -> Result<Outcome, Error> {
    let run = target::target(ctx)?.run;
    let report = match &request.subject {
        Some(text) => judge_named(&ctx.repo, &run, text)?,
        None => match log::stored_report(&run) {
            Some((_, stored)) => judge::judge(
                &run,
                &run.state,
                &observe::policy_of(&ctx.repo, &run)?,
                observe::spec_bytes(&ctx.repo, &run),
                &stored.facts,
                stored.subject,
            )?,
            None => judge_named(&ctx.repo, &run, "HEAD")?,
        },
    };
    Ok(Outcome {
        run_id: run.id,
        report,
    })
}

fn judge_named(repo: &Repository, run: &Run, text: &str) -> Result<Report, Error> {
    let (tree, head) = subject_of(repo, text)?;
    let facts = observe::facts(repo, run, tree, head)?;
    let policy = observe::policy_of(repo, run)?;
    judge::judge(
        run,
        &run.state,
        &policy,
        observe::spec_bytes(repo, run),
        &facts,
        tree,
    )
}

/// A tree by its id, or the tree of a commit.
fn subject_of(repo: &Repository, text: &str) -> Result<(TreeId, Option<CommitId>), Error> {
    let bare = text.split_once(':').map_or(text, |(_, hex)| hex);
    if let Some(oid) = Oid::from_hex(bare)
        && repo.read_tree(TreeId(oid)).is_ok()
    {
        return Ok((TreeId(oid), repo.head()?.commit));
    }
    let commit = repo.resolve_commit(text).map_err(|_| {
        refuse(
            Code::ObjectMissing,
            format!("{text} names no tree and no commit in this clone"),
        )
        .detail("subject", text)
    })?;
    Ok((repo.tree_of(commit)?, Some(commit)))
}
