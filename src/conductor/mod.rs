//! The conductor: what to do next.
//!
//! Pure: contract, state, evidence, facts and playbook in, one action out. First row
//! of RULES "The conductor" that applies wins. It judges nothing itself: it asks the
//! evaluator about a hypothetical state. It never sees the ledger.
//!
//! [`decide`](next_action) holds the table of rows; `standing`, `tasks` and `verdict`
//! the rows themselves in that order, `brake` row 3c. A row answers with a `Step`;
//! `context` makes the document of it, `text` and the playbook the words, `missing`
//! the commands that mend what does not hold.

mod action;
mod brake;
mod command;
mod context;
mod decide;
mod missing;
mod no_run;
mod playbook;
mod scene;
mod sight;
mod standing;
mod step;
mod tasks;
mod text;
mod verdict;
mod why;

pub use action::{
    Action, ActionKind, CheckView, Context, MissingView, NextAction, Outcome, Progress, ScopeView,
    TaskView, Who, WhyView,
};
pub use decide::{ROWS, Row, next_action};
pub use no_run::{await_spec, without_run};
pub use playbook::{Lang, Playbook};
pub use scene::{Elsewhere, NoSnapshot, Scene, WhyNoSnapshot};
pub use sight::{Sight, gate_satisfied, hypothetical};
pub use step::Step;
pub use why::Why;
