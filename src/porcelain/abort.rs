//! `abort`: gives a run up.

use super::{
    Context, Error, end, judge,
    target::{self, Target},
};
use crate::{
    conductor::NextAction,
    domain::{event::EventCode, vocabulary::RunStatus},
};

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Why.
    pub reason: Option<String>,
}

/// Cancels the run; gives the next action (done).
pub fn run(ctx: &Context<'_>, request: &Request) -> Result<NextAction, Error> {
    let Target { run, place } = target::target(ctx)?;
    ctx.repo.committer()?;
    end::require_reason(ctx, request.reason.as_ref(), "abort")?;
    let run = end::end(
        ctx,
        &place,
        &run,
        RunStatus::Cancelled,
        EventCode::Aborted,
        "abort",
        request.reason.clone(),
    )?;
    judge::next_of(ctx, &place, &run)
}
