//! The evaluator: records in, verdict out. The only judge.
//!
//! Pure: the same input gives the same report, byte for byte, in every clone.
//! Conductor, hooks, `finish`, CI and readers ask it; none restates a rule.

mod facts;
mod report;

pub use facts::{BaseFact, CommitFact, Facts, PathFact, SignatureFact};
pub use report::{Assertion, AssertionFacts, Report};

use super::{
    oid::TreeId,
    run::{Run, RunState},
};

/// What is judged.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The run with its evidence.
    pub run: &'a Run,
    /// Its state; a hypothetical one when the conductor asks "what if".
    pub state: &'a RunState,
    /// What git says, gathered outside.
    pub facts: &'a Facts,
    /// The tree that is judged.
    pub subject: TreeId,
    /// SHA-256 of the spec bytes that lie beside the contract; `None`: they are missing.
    pub spec_bytes: Option<super::digest::Digest>,
    /// 3 for runs made here.
    pub ruleset: u32,
}

/// Judges.
pub fn evaluate(input: &Input<'_>) -> Report {
    let _ = input;
    todo!()
}
