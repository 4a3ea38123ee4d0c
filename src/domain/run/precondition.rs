//! Whether a move is legal now: the transition tables and the preconditions.

use super::{Run, RunState};
use crate::{diagnostic::Code, domain::event::Event};

/// A move that is not legal, with the facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// RAPID1009, 1010, 1013 or 1014.
    pub code: Code,
    /// The fact that forbids it, in one line of English (also what `--json` gives).
    pub fact: String,
}

/// Whether `event` may follow in `state`. Used before appending, by the fold and by `fsck`.
pub fn check_event(run: &Run, state: &RunState, event: &Event) -> Result<(), IllegalMove> {
    let _ = (run, state, event);
    todo!()
}
