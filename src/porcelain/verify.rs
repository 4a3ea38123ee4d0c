//! `verify`: a reader's question about a commit or a run: which verdict, and does the proof
//! of it hold? Looked up by tree; the same bytes each time, in every clone.

use super::{
    Context, Error,
    error::refuse,
    judge, log,
    milestone::{self, RUN_TRAILER},
    observe,
    review::{CommandRow, commands},
    target,
};
use crate::{
    diagnostic::Code,
    domain::{
        commit_rule::VerifiedBy,
        digest::Digest,
        evaluate::{Report, Trust},
        evidence::Payload,
        id::RunId,
        oid::{CommitId, TreeId},
        run::Run,
        vocabulary::Verdict,
    },
    git::Repository,
    ledger::{Fault, Ledger, StreamName},
};
use serde::Serialize;

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A commit or a run.
    pub what: String,
}

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The version of this schema.
    pub schema_version: u32,
    /// The commit that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<CommitId>,
    /// The run that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// Each commit that the answer rests on.
    pub commits: Vec<CommitAnswer>,
    /// Faults of the proof: with any the verdict does not count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
    /// The verdict; null when no run speaks of it.
    pub verdict: Option<Verdict>,
    /// The stored report (for people).
    #[serde(skip)]
    pub report: Option<Report>,
    /// What was run, and who chose it (for people).
    #[serde(skip)]
    pub commands: Vec<CommandRow>,
}

/// What is known of one commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CommitAnswer {
    /// The commit.
    pub commit: Option<CommitId>,
    /// Its tree.
    pub tree: TreeId,
    /// The run that speaks of it.
    pub run_id: Option<RunId>,
    /// The record that says so: the report, or what verified the tree.
    pub record: Option<Digest>,
    /// Whether its content was verified.
    pub state: State,
    /// The verdict of the run on this tree.
    pub verdict: Option<Verdict>,
    /// How far the answer is trusted.
    pub trust: Option<Trust>,
}

crate::domain::vocabulary::vocabulary_words!(
    /// What is known of a commit's content.
    State, "a state" {
        /// A result that counts speaks of this tree.
        Verified = "verified",
        /// A run knows the commit and nothing verified it.
        Unproven = "unproven",
        /// No run speaks of it.
        Missing = "missing",
        /// The policy does not ask.
        Exempt = "exempt",
    }
);

impl Outcome {
    /// Whether the question is answered with yes.
    pub fn passes(&self) -> bool {
        self.faults.is_empty() && self.verdict.is_some_and(Verdict::is_passing)
    }
}

/// Answers.
pub fn run(ctx: &Context<'_>, request: &Request) -> Result<Outcome, Error> {
    if let Ok(id) = request.what.parse::<RunId>() {
        match Ledger::new(&ctx.repo).read_run(&id) {
            Ok(run) => return of_run(&ctx.repo, run),
            Err(crate::ledger::Error::NoStream { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let commit = ctx
        .repo
        .resolve_commit(&request.what)
        .map_err(|error| match error {
            crate::git::Error::BadRevision(_) => Error::from(
                refuse(
                    Code::RunNotFound,
                    format!("{} names no run and no commit here", request.what),
                )
                .detail("what", request.what.as_str())
                .hint("see which runs are here", &["git", "rapid", "log"]),
            ),
            other => other.into(),
        })?;
    of_commit(&ctx.repo, commit)
}

fn of_run(repo: &Repository, run: Run) -> Result<Outcome, Error> {
    let faults = prove(repo, &run)?;
    let answer = match log::stored_report(&run) {
        Some((record, report)) => CommitAnswer {
            commit: None,
            tree: report.subject,
            run_id: Some(run.id.clone()),
            record: Some(record),
            state: State::Verified,
            verdict: Some(report.verdict),
            trust: Some(Trust::Asserted),
        },
        None => {
            let tree = run.contract.base.start_tree;
            CommitAnswer {
                commit: None,
                tree,
                run_id: Some(run.id.clone()),
                record: None,
                state: State::Unproven,
                verdict: Some(Verdict::Unverified),
                trust: None,
            }
        }
    };
    let verdict = answer.verdict;
    let report = log::stored_report(&run).map(|(_, report)| report.clone());
    Ok(Outcome {
        schema_version: 1,
        commit: None,
        commands: commands(&run),
        run: Some(run.id),
        commits: vec![answer],
        faults,
        verdict,
        report,
    })
}

fn of_commit(repo: &Repository, commit: CommitId) -> Result<Outcome, Error> {
    let data = repo.read_commit(commit)?;
    let Some(run) = speaks_of(repo, commit, data.tree, &data.message.lossy())? else {
        let answer = CommitAnswer {
            commit: Some(commit),
            tree: data.tree,
            run_id: None,
            record: None,
            state: State::Missing,
            verdict: None,
            trust: None,
        };
        return Ok(Outcome {
            schema_version: 1,
            commit: Some(commit),
            run: None,
            commits: vec![answer],
            faults: Vec::new(),
            verdict: None,
            report: None,
            commands: Vec::new(),
        });
    };
    let faults = prove(repo, &run)?;
    let stored = log::stored_report(&run).filter(|(_, report)| report.subject == data.tree);
    let answer = match stored {
        Some((record, report)) => CommitAnswer {
            commit: Some(commit),
            tree: data.tree,
            run_id: Some(run.id.clone()),
            record: Some(record),
            state: State::Verified,
            verdict: Some(report.verdict),
            trust: Some(Trust::Asserted),
        },
        None => judged_now(repo, &run, commit, data.tree)?,
    };
    let verdict = answer.verdict;
    let report = stored.map(|(_, report)| report.clone());
    Ok(Outcome {
        schema_version: 1,
        commit: Some(commit),
        run: None,
        commits: vec![answer],
        faults,
        verdict,
        report,
        commands: commands(&run),
    })
}

/// What a run says of a commit that its report does not judge.
fn judged_now(
    repo: &Repository,
    run: &Run,
    commit: CommitId,
    tree: TreeId,
) -> Result<CommitAnswer, Error> {
    let policy = observe::policy_of(repo, run)?;
    let facts = observe::facts(repo, run, tree, Some(commit))?;
    let (state, record) = match judge::verification(repo, run, &policy, &facts, tree).trailer() {
        VerifiedBy::Record(record) | VerifiedBy::Reproduction(record) => {
            (State::Verified, Some(record))
        }
        VerifiedBy::No => (State::Unproven, None),
    };
    let report = judge::judge(
        run,
        &run.state,
        &policy,
        observe::spec_bytes(repo, run),
        &facts,
        tree,
    )?;
    Ok(CommitAnswer {
        commit: Some(commit),
        tree,
        run_id: Some(run.id.clone()),
        record,
        state,
        verdict: Some(report.verdict),
        trust: record.map(|_| Trust::Asserted),
    })
}

/// The run that speaks of a commit: sealed with this tree as its subject, else named by the
/// commit's trailer, else one that has a milestone of it. Of several the passing one, then
/// the first by name.
fn speaks_of(
    repo: &Repository,
    commit: CommitId,
    tree: TreeId,
    message: &str,
) -> Result<Option<Run>, Error> {
    let ledger = Ledger::new(repo);
    let mut sealed: Vec<_> = ledger
        .seals()?
        .into_iter()
        .filter(|seal| seal.subject == Some(tree))
        .collect();
    sealed.sort_by_key(|seal| {
        (
            !seal.verdict.is_some_and(Verdict::is_passing),
            seal.run.clone(),
        )
    });
    for seal in sealed {
        if let Ok(run) = ledger.read_run(&seal.run)
            && run.contract_digest == seal.contract
        {
            return Ok(Some(run));
        }
    }
    if milestone::trailer(message, RUN_TRAILER).is_some()
        && let Ok(run) = target::run_of_message(repo, message)
    {
        return Ok(Some(run));
    }
    for id in ledger.runs()? {
        let run = ledger.read_run(&id)?;
        let knows = run
            .evidence
            .iter()
            .any(|record| match &record.body.payload {
                Payload::Milestone(milestone) => milestone.commit == commit,
                Payload::Rewrite(rewrite) => rewrite.new == commit,
                _ => false,
            })
            || log::stored_report(&run).is_some_and(|(_, report)| report.subject == tree);
        if knows {
            return Ok(Some(run));
        }
    }
    Ok(None)
}

/// The append-only proof of the run's stream; a stored report that does not replay is among
/// its faults.
fn prove(repo: &Repository, run: &Run) -> Result<Vec<Fault>, Error> {
    Ok(Ledger::new(repo)
        .fsck(&[StreamName::Run(run.id.clone())])?
        .faults)
}
