//! The evaluator: records in, verdict out. The only judge.
//!
//! Pure: the same input gives the same report, byte for byte, in every clone.
//! Conductor, hooks, `finish`, CI and readers ask it; none restates a rule.
//!
//! One file for each family of assertions, each with its row of RULES "The evaluator";
//! [`evaluate`] is the table of them. What they share: [`counts`] says which results
//! decide, [`baseline`] what was measured before the work, `review` which judgement of a
//! person still holds, `latest` which record supersedes which.

mod acceptance;
mod baseline;
mod capability;
mod case;
mod commits;
pub mod counts;
mod direct;
mod events;
mod facts;
mod gate;
mod human_gate;
mod judgement;
mod latest;
mod lifecycle;
mod not_fewer;
mod reason;
mod replay;
mod report;
mod reproduction;
mod review;
mod risk;
mod scope;
mod spec_integrity;
mod standing;
mod task;
mod trust;
mod verdict;
mod verified;

pub use baseline::{BaselineState, baseline};
pub use direct::TestFiles;
pub use facts::{BaseFact, CommitFact, Facts, PathFact, SignatureFact};
pub use reason::Reason;
pub use replay::{Replay, ReplayError, replay};
pub use report::{Assertion, AssertionFacts, Report};
pub(crate) use review::holding_waiver;
pub use standing::is_met;
pub use trust::{Trust, trust};
pub use verified::{TreeVerification, tree_verification};

use super::{
    oid::TreeId,
    policy::PolicyDocument,
    record::SCHEMA_VERSION,
    run::{Run, RunState},
};
use case::Case;

/// The rules that runs made here are judged by.
pub const RULESET: u32 = 3;

/// What is judged.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The run with its evidence. Its own state is not looked at.
    pub run: &'a Run,
    /// Its state; a hypothetical one when the conductor asks "what if".
    pub state: &'a RunState,
    /// What git says, gathered outside.
    pub facts: &'a Facts,
    /// The tree that is judged.
    pub subject: TreeId,
    /// SHA-256 of the spec bytes that lie beside the contract; `None`: they are missing.
    pub spec_bytes: Option<super::digest::Digest>,
    /// The policy in force: the document that lies beside the contract.
    pub policy: &'a PolicyDocument,
    /// 3 for runs made here.
    pub ruleset: u32,
}

/// There are no rules of this version here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ruleset {ruleset} is not one this version can judge by (known: {RULESET})")]
pub struct UnsupportedRuleset {
    /// The version that was asked for.
    pub ruleset: u32,
}

/// Judges. The assertions come in the order of the evaluator table.
pub fn evaluate(input: &Input<'_>) -> Result<Report, UnsupportedRuleset> {
    if input.ruleset != RULESET {
        return Err(UnsupportedRuleset {
            ruleset: input.ruleset,
        });
    }
    let case = Case::of(input);
    let families: [fn(&Case<'_>) -> Vec<Assertion>; 14] = [
        lifecycle::assertions,
        events::assertions,
        spec_integrity::assertions,
        scope::assertions,
        risk::assertions,
        direct::assertions,
        task::assertions,
        reproduction::assertions,
        gate::assertions,
        human_gate::assertions,
        not_fewer::assertions,
        acceptance::assertions,
        commits::assertions,
        capability::assertions,
    ];
    let assertions: Vec<Assertion> = families.iter().flat_map(|family| family(&case)).collect();
    Ok(Report {
        schema_version: SCHEMA_VERSION,
        contract: input.run.contract_digest,
        prev: input.run.heads(),
        subject: input.subject,
        ruleset_version: input.ruleset,
        facts: input.facts.clone(),
        verdict: verdict::verdict(&assertions),
        assertions,
    })
}
