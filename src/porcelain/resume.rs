//! `resume`: binds a run to this worktree, closes the pre gates the evidence backs, and
//! goes on with the work.

use super::{
    Context, Error, append, approve,
    error::refuse,
    judge, milestone, session,
    start::{self, workspace_seen},
    target::{self, Place},
};
use crate::{
    conductor::{NextAction, Why},
    diagnostic::Code,
    domain::{
        event::{Event, EventCode, EventSubject},
        evidence::{Evidence, Payload},
        gate::GateKind,
        person,
        producer::Producer,
        record::Body,
        run::Run,
        vocabulary::{RunStatus, Workspace},
    },
};
use std::path::PathBuf;

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The run; none: the one bound here, or the only live one.
    pub run: Option<String>,
    /// Make the linked worktree first: `Some(None)` at the usual place.
    pub worktree: Option<Option<PathBuf>>,
}

/// What `resume` is about to do.
pub struct Prepared<'c> {
    /// The phrase a person has to type first, when the brake fell.
    pub phrase: Option<String>,
    /// What it does next as things stand.
    pub next: NextAction,
    run: Run,
    place: Place<'c>,
}

/// Finds the run and says whether a person has to release the brake.
pub fn prepare<'c>(ctx: &'c Context<'_>, request: &Request) -> Result<Prepared<'c>, Error> {
    ctx.repo.committer()?;
    let run = find(ctx, request)?;
    if run.state.status.is_terminal() {
        return Err(refuse(
            Code::RunMove,
            format!("{} is {}, which is final", run.id, run.state.status),
        )
        .detail("run", run.id.as_str())
        .detail("status", run.state.status.as_str())
        .hint("start another one", &["git", "rapid", "next"])
        .into());
    }
    let place = if request.run.is_some() {
        Place::Here(&ctx.repo)
    } else {
        target::place_of(ctx, &run)?
    };
    if request.worktree.is_none()
        && let Some(bound) = target::bound(&place)?.run
        && bound.contract_digest != run.contract_digest
        && bound.state.status != RunStatus::Paused
    {
        return Err(refuse(
            Code::RunBoundHere,
            format!("{} is bound to this worktree and branch", bound.id),
        )
        .detail("run", bound.id.as_str())
        .hint("put it aside first", &["git", "rapid", "pause"])
        .into());
    }
    let next = judge::next_of(ctx, &place, &run)?;
    let braked = run.state.status == RunStatus::Active
        && next
            .context
            .as_ref()
            .and_then(|context| context.why.as_ref())
            .is_some_and(|why| why.code == Why::NoProgress);
    let phrase = if braked {
        approve::require_person(ctx, &["git", "rapid", "resume", run.id.as_str()])?;
        Some(person::phrase(
            person::Phrase::Resume,
            run.id.as_str(),
            ctx.lang.as_str(),
        ))
    } else {
        None
    };
    Ok(Prepared {
        phrase,
        next,
        run,
        place,
    })
}

fn find(ctx: &Context<'_>, request: &Request) -> Result<Run, Error> {
    if let Some(name) = request.run.as_ref().or(ctx.run.as_ref()) {
        return target::named(&ctx.repo, name);
    }
    Ok(target::target(ctx)?.run)
}

/// Goes on.
pub fn run(
    ctx: &Context<'_>,
    request: &Request,
    prepared: Prepared<'_>,
    typed: Option<&str>,
) -> Result<NextAction, Error> {
    let Prepared {
        phrase,
        run,
        mut place,
        ..
    } = prepared;
    if let Some(phrase) = &phrase
        && !typed.is_some_and(|typed| {
            person::phrase_matches(typed, person::Phrase::Resume, run.id.as_str())
        })
    {
        return Err(refuse(
            Code::WrongPhrase,
            format!("nothing was recorded: the phrase is {phrase:?}"),
        )
        .detail("phrase", phrase.as_str())
        .into());
    }
    let mut run = run;
    if let Some(path) = &request.worktree {
        place = make_worktree(ctx, &run, path.clone())?;
    }
    run = bind(ctx, &place, run)?;
    run = milestone::recover(&place, run)?;
    run = move_on(&place, run, phrase.is_some())?;
    run = start::go_on(ctx, &place, run)?;
    judge::next_of(ctx, &place, &run)
}

/// Makes the isolated worktree of a run that has none, on its own branch at HEAD.
fn make_worktree<'c>(
    ctx: &'c Context<'_>,
    run: &Run,
    path: Option<PathBuf>,
) -> Result<Place<'c>, Error> {
    let head = ctx.repo.head()?.commit;
    let info = start::make_worktree(ctx, &run.id, path, head)?;
    session::unbind(&ctx.repo, run.contract_digest)?;
    start::remember_elsewhere(ctx, &run.id, run.contract_digest, &info)?;
    Ok(Place::There(Box::new(ctx.repo.open_worktree(&info)?)))
}

/// Points the worktree at the run, and leaves a `workspace` record when it is another
/// worktree or branch than the run's last one.
fn bind(ctx: &Context<'_>, place: &Place<'_>, run: Run) -> Result<Run, Error> {
    let seen = workspace_seen(place)?;
    let run = if target::workspace_of(&run) == Some(&seen) {
        run
    } else {
        let isolated = seen.mode == Workspace::Isolated;
        let mut evidence = Evidence::of(Payload::Workspace(seen));
        evidence.capabilities = vec![format!("workspace.{}", run.contract.workspace)];
        let gate = GateKind::WorkspaceIsolation.gate_id();
        if isolated && run.state.gates.contains_key(&gate) {
            evidence.gates = vec![gate];
        }
        let id = run.id.clone();
        append::to_run(place, &id, |_| {
            Ok(Some(append::draft(
                "worktree bound",
                vec![(Producer::rapid("resume"), evidence.clone().into())],
            )))
        })?
        .0
    };
    let _ = ctx;
    session::bind(place, &run.id, run.contract_digest)?;
    Ok(run)
}

/// Releases the brake, or takes a blocked or paused run up again.
fn move_on(place: &Place<'_>, run: Run, release: bool) -> Result<Run, Error> {
    let id = run.id.clone();
    let (run, _) = append::to_run(place, &id, |run| {
        let mut records: Vec<(Producer, Body)> = Vec::new();
        if release {
            let event = Event {
                subject: EventSubject::Brake,
                from: None,
                to: None,
                code: EventCode::Resumed,
                reason: None,
            };
            records.push((
                Producer::User,
                append::legal(run, &Producer::User, event)?.into(),
            ));
        }
        if matches!(run.state.status, RunStatus::Blocked | RunStatus::Paused) {
            let event = append::run_event(run, RunStatus::Active, EventCode::Resumed, None);
            let producer = Producer::rapid("resume");
            let event = append::legal(run, &producer, event)?;
            records.push((producer, event.into()));
        }
        Ok((!records.is_empty()).then(|| append::draft("work goes on", records)))
    })?;
    Ok(run)
}
