//! The conductor: what to do next.
//!
//! Pure: contract, state, evidence, facts and playbook in, one action out. First row
//! of RULES "The conductor" that applies wins. It judges nothing itself: it asks the
//! evaluator about a hypothetical state. It never sees the ledger.

mod action;
mod decide;
mod playbook;
mod why;

pub use action::{
    Action, ActionKind, CheckView, Context, MissingView, NextAction, Outcome, Progress, ScopeView,
    TaskView, Who, WhyView,
};
pub use decide::{
    Elsewhere, NoSnapshot, Scene, WhyNoSnapshot, gate_satisfied, next_action, without_run,
};
pub use playbook::{Lang, Playbook};
pub use why::Why;
