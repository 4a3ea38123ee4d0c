//! `events.legal`: do any events contradict each other, unsettled?

use super::{Assertion, Reason, case::Case, judgement::Judgement};

pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    let conflicts = &case.input.state.conflicts;
    let judgement = if conflicts.is_empty() {
        Judgement::pass(Reason::NoConflict)
    } else {
        Judgement::unverified(Reason::Conflict)
            .list(
                "subjects",
                conflicts.iter().map(|conflict| &conflict.subject),
            )
            .decided_by(conflicts.iter().map(|conflict| conflict.event))
    };
    vec![judgement.asserted("events.legal".to_owned(), true)]
}
