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
    /// A plan is asked for (`--plan`), or something else wants more than a direct change.
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

/// The resolver's rows, in the order of RULES "Policy", last paragraph.
type Row = (&'static str, fn(&ModeQuestion) -> bool, Option<Mode>);
const ROWS: &[Row] = &[
    ("read_only", |ask| ask.read_only, Some(Mode::Research)),
    ("open_question", |ask| ask.open_question, None),
    ("plan", |ask| ask.plan, Some(Mode::Feature)),
    ("risk", |ask| ask.risk >= Risk::High, Some(Mode::Feature)),
    ("small", |ask| ask.change.all(), Some(Mode::Direct)),
    ("otherwise", |_| true, Some(Mode::Feature)),
];

/// The first row that applies.
pub fn resolve_mode(question: &ModeQuestion) -> ModeAnswer {
    let (row, _, mode) = ROWS
        .iter()
        .find(|(_, applies, _)| applies(question))
        .expect("the last row always applies");
    ModeAnswer { mode: *mode, row }
}
