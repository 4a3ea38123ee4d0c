//! Ending a run without a verdict: what `abort` and `supersede` share.

use super::{Context, Error, append, error::refuse, session, target::Place};
use crate::{
    diagnostic::Code,
    domain::{event::EventCode, producer::Producer, run::Run, vocabulary::RunStatus},
    ledger::{Draft, JournalNote, Ledger},
};

/// Under an agent's marker a run is not ended without a reason.
pub(super) fn require_reason(
    ctx: &Context<'_>,
    reason: Option<&String>,
    verb: &str,
) -> Result<(), Error> {
    let given = reason.is_some_and(|reason| !reason.trim().is_empty());
    match &ctx.agent {
        Some(agent) if !given => Err(refuse(
            Code::Precondition,
            format!("under {agent} a run is not ended without a reason"),
        )
        .detail("agent", agent.as_str())
        .hint("say why", &["git", "rapid", verb, "--reason", "<why>"])
        .into()),
        _ => Ok(()),
    }
}

/// Moves the run to a terminal state, seals it in the journal and unbinds it.
pub(super) fn end(
    ctx: &Context<'_>,
    place: &Place<'_>,
    run: &Run,
    to: RunStatus,
    code: EventCode,
    verb: &str,
    reason: Option<String>,
) -> Result<Run, Error> {
    let writer = Ledger::new(place).writer()?;
    let (run, _) = append::to_run(place, &run.id, |run| {
        let producer = Producer::rapid(verb);
        let event = append::legal(
            run,
            &producer,
            append::run_event(run, to, code, reason.clone()),
        )?;
        Ok(Some(Draft {
            subject: format!("{to}"),
            records: vec![(producer, event.into())],
            artifacts: Vec::new(),
            subject_tree: None,
            journal: Some(JournalNote::Sealed {
                writer: writer.clone(),
            }),
        }))
    })?;
    session::unbind(place, run.contract_digest)?;
    if place.is_elsewhere() {
        session::unbind(&ctx.repo, run.contract_digest)?;
    }
    Ok(run)
}
