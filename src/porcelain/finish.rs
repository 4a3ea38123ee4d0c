//! `finish`: judges HEAD's tree, and ends the run when everything holds.
//!
//! Whole or not at all: machine gates, the last event, the report and the journal's seal
//! are one transaction. When something is missing nothing changes.

use super::{
    Context, Error, append,
    baseline::satisfied_gates,
    error::refuse,
    judge::{self, Sight},
    milestone, observe,
    review::{CommandRow, commands},
    session,
    target::{self, Place, Target},
};
use crate::{
    conductor::NextAction,
    diagnostic::Code,
    domain::{
        digest::Digest,
        evaluate::{Facts, Report},
        event::EventCode,
        oid::TreeId,
        producer::Producer,
        record::Body,
        run::{Run, RunState},
        vocabulary::{GateStatus, Phase, RunStatus},
    },
    ledger::{Draft, JournalNote, Ledger},
};

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Judge the working tree instead of HEAD's.
    pub uncommitted: bool,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The next action: done, or what is missing.
    pub next: NextAction,
    /// The judgement; of a hypothetical end when the run did not finish.
    pub report: Report,
    /// The stored report's record, when the run finished.
    pub record: Option<Digest>,
    /// The run as it stands.
    pub run: Run,
    /// What was run, and who chose it.
    pub commands: Vec<CommandRow>,
    /// Where its branch can be merged from, when it lives in a worktree of its own.
    pub merge: Option<Merge>,
}

/// How isolated work comes home.
#[derive(Clone, Debug)]
pub struct Merge {
    /// The run's branch.
    pub branch: String,
    /// The worktree to remove after.
    pub worktree: String,
}

/// What is judged, and by which facts.
struct Judged {
    subject: TreeId,
    facts: Facts,
}

/// Finishes, or says what is missing.
pub fn run(ctx: &Context<'_>, request: &Request) -> Result<Outcome, Error> {
    let Target { run, place } = target::target(ctx)?;
    ctx.repo.committer()?;
    super::check::refuse_ended(&run)?;
    let sight = Sight::of(&place, &run)?;
    let judged = judged(&place, &run, &sight, request.uncommitted)?;
    let (_, report) = ending(&run, &sight, &judged)?;
    if !report.verdict.is_passing() || run.state.status != RunStatus::Active {
        return Ok(Outcome {
            next: judge::next_with(ctx, &place, &run, &sight)?,
            report,
            record: None,
            commands: commands(&run),
            run,
            merge: None,
        });
    }
    // Only now is anything written.
    let run = milestone::recover(&place, run)?;
    let sight = Sight::of(&place, &run)?;
    let judged = self::judged(&place, &run, &sight, request.uncommitted)?;
    finish(ctx, &place, &run, &sight, &judged)
}

fn judged(place: &Place<'_>, run: &Run, sight: &Sight, uncommitted: bool) -> Result<Judged, Error> {
    if uncommitted {
        return match &sight.snapshot {
            Ok(snapshot) => Ok(Judged {
                subject: snapshot.tree,
                facts: sight.facts.clone(),
            }),
            Err(refused) => Err(observe::refuse_no_snapshot(refused).into()),
        };
    }
    let Some(subject) = sight.head_tree else {
        return Err(refuse(Code::Precondition, "there is no commit to judge")
            .hint("commit first", &["git", "rapid", "commit", "-a"])
            .hint(
                "or judge the working tree",
                &["git", "rapid", "finish", "--uncommitted"],
            )
            .into());
    };
    Ok(Judged {
        subject,
        facts: observe::facts(place, run, subject, sight.head.commit)?,
    })
}

/// The records that would end the run, and the judgement after them.
fn ending(
    run: &Run,
    sight: &Sight,
    judged: &Judged,
) -> Result<(Vec<(Producer, Body)>, Report), Error> {
    let producer = Producer::rapid("finish");
    let mut records: Vec<(Producer, Body)> = Vec::new();
    if run.state.status == RunStatus::Active && run.state.tasks_are_terminal() {
        let gate_sight = sight.with_facts(judged.facts.clone());
        for gate in satisfied_gates(run, &gate_sight, Phase::Post, judged.subject) {
            let event = append::gate_event(
                run,
                &gate,
                GateStatus::Acknowledged,
                EventCode::EvidenceHolds,
                None,
            );
            records.push((
                producer.clone(),
                append::legal(run, &producer, event)?.into(),
            ));
        }
    }
    let mut after = append::hypothetical(run, &records)?;
    let event = append::run_event(&after, RunStatus::Finished, EventCode::Finished, None);
    if append::legal(&after, &producer, event.clone()).is_ok() {
        records.push((producer, event.into()));
        after = append::hypothetical(run, &records)?;
    }
    // What is not legal yet shows as unverified: the lifecycle is judged as if it were.
    let state = RunState {
        status: RunStatus::Finished,
        ..after.state.clone()
    };
    let report = judge::judge(
        &after,
        &state,
        &sight.policy,
        sight.spec_bytes,
        &judged.facts,
        judged.subject,
    )?;
    Ok((records, report))
}

fn finish(
    ctx: &Context<'_>,
    place: &Place<'_>,
    run: &Run,
    sight: &Sight,
    judged: &Judged,
) -> Result<Outcome, Error> {
    let writer = Ledger::new(place).writer()?;
    let mut stored = None;
    let (after, added) = append::to_run(place, &run.id, |run| {
        let (mut records, report) = ending(run, sight, judged)?;
        let ends = records.iter().any(|(_, body)| {
            matches!(body, Body::Event(event) if event.to.as_deref() == Some(RunStatus::Finished.as_str()))
        });
        if !ends || !report.verdict.is_passing() {
            return Err(refuse(
                Code::Precondition,
                "the run changed meanwhile and does not hold any more",
            )
            .hint("see what comes next", &["git", "rapid", "next"])
            .into());
        }
        let verdict = report.verdict;
        records.push((Producer::rapid("finish"), report.clone().into()));
        stored = Some(report);
        Ok(Some(Draft {
            subject: format!("finished, {}", verdict.as_str().replace('_', " ")),
            records,
            artifacts: Vec::new(),
            subject_tree: None,
            journal: Some(JournalNote::Sealed {
                writer: writer.clone(),
            }),
        }))
    })?;
    session::unbind(place, after.contract_digest)?;
    if place.is_elsewhere() {
        session::unbind(&ctx.repo, after.contract_digest)?;
    }
    let record = added.last().map(|record| record.digest);
    Ok(Outcome {
        next: judge::next_of(ctx, place, &after)?,
        report: stored.expect("the draft was built"),
        record,
        merge: merge_home(place, &after)?,
        commands: commands(&after),
        run: after,
    })
}

/// The branch and worktree of a run that had one made for it.
fn merge_home(place: &Place<'_>, run: &Run) -> Result<Option<Merge>, Error> {
    let Some(seen) = target::workspace_of(run) else {
        return Ok(None);
    };
    let own = format!("rapid/{}", run.id);
    let is_own = seen
        .branch
        .as_ref()
        .is_some_and(|branch| branch.0 == own.as_bytes());
    Ok(is_own.then(|| Merge {
        branch: own,
        worktree: place
            .work_dir()
            .map(|path| path.display().to_string())
            .unwrap_or_default(),
    }))
}
