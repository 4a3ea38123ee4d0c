//! `risk.observed`: do the changed paths show a risk that the contract does not know?

use super::{Assertion, Reason, case::Case, judgement::Judgement};
use crate::domain::policy::signals_of_paths;

pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    let judgement = match &case.changed {
        None => Judgement::object_missing("paths"),
        Some(changed) => {
            let known = &case.contract.signals;
            let new: Vec<_> = signals_of_paths(changed.iter().copied(), case.input.policy)
                .into_iter()
                .filter(|signal| known.iter().all(|known| known.id != signal.id))
                .collect();
            match new.iter().map(|signal| signal.level).max() {
                None => Judgement::pass(Reason::NoNewSignal),
                Some(level) => Judgement::fail(Reason::NewSignal)
                    .list("signals", new.iter().map(|signal| &signal.id))
                    .list("sources", new.iter().map(|signal| &signal.source))
                    .fact("risk", level.max(case.contract.risk).as_str()),
            }
        }
    };
    vec![judgement.asserted("risk.observed".to_owned(), true)]
}
