//! `pause`: puts a run aside. It stays bound and guards nothing.

use super::{
    Context, Error, append, judge,
    target::{self, Target},
};
use crate::{
    conductor::NextAction,
    domain::{event::EventCode, producer::Producer, vocabulary::RunStatus},
};

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Why.
    pub reason: Option<String>,
}

/// Pauses the run; gives the next action (how to resume).
pub fn run(ctx: &Context<'_>, request: &Request) -> Result<NextAction, Error> {
    let Target { run, place } = target::target(ctx)?;
    ctx.repo.committer()?;
    let id = run.id.clone();
    let (run, _) = append::to_run(&place, &id, |run| {
        let event = append::run_event(
            run,
            RunStatus::Paused,
            EventCode::Paused,
            request.reason.clone(),
        );
        let producer = Producer::rapid("pause");
        let event = append::legal(run, &producer, event)?;
        Ok(Some(append::draft(
            "paused",
            vec![(producer, event.into())],
        )))
    })?;
    judge::next_of(ctx, &place, &run)
}
