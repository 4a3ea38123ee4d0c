//! `run.lifecycle`: is the run finished?

use super::{Assertion, Reason, case::Case, judgement::Judgement};
use crate::domain::vocabulary::RunStatus;

pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    let state = case.input.state;
    let judgement = match state.status {
        RunStatus::Finished => Judgement::pass(Reason::Finished),
        RunStatus::Failed => Judgement::fail(Reason::Failed),
        RunStatus::Cancelled => Judgement::fail(Reason::Cancelled),
        RunStatus::Superseded => Judgement::fail(Reason::Superseded),
        RunStatus::Prepared | RunStatus::Active | RunStatus::Blocked | RunStatus::Paused => {
            Judgement::unverified(Reason::NotFinished).fact("status", state.status.as_str())
        }
    };
    let ended_by = state.last_run_event.filter(|_| state.status.is_terminal());
    vec![
        judgement
            .decided_by(ended_by)
            .asserted("run.lifecycle".to_owned(), true),
    ]
}
