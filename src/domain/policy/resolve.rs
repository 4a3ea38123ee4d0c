//! The work-mode resolver: which mode fits when the user names none.

use crate::domain::{
    spec::ChangeTraits,
    vocabulary::{Mode, Risk},
};

/// What the resolver looks at.
#[derive(Clone, Copy, Debug)]
pub struct ModeQuestion {
    /// No change is asked for (`--read-only`).
    pub read_only: bool,
    /// The spec has open questions.
    pub open_question: bool,
    /// A plan is asked for (`--plan`).
    pub plan: bool,
    /// The risk as far as it is known.
    pub risk: Risk,
    /// What kind of change it is.
    pub change: ChangeTraits,
}

/// The row that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModeAnswer {
    /// The mode; `None`: a person has to answer first.
    pub mode: Option<Mode>,
    /// The row, as a stable word.
    pub row: &'static str,
}

/// The first row that applies.
pub fn resolve_mode(question: &ModeQuestion) -> ModeAnswer {
    let _ = question;
    todo!()
}
