//! Class, risk, workspace, gates and capabilities of a change.

use super::PolicyDocument;
use crate::domain::{
    contract::{Gate, NamedCheck, Signal},
    spec::Spec,
    vocabulary::{Classification, Risk, Workspace},
};

/// What the caller knows besides the spec.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The risk the user asked for.
    pub risk: Option<Risk>,
    /// The checks that would be pinned.
    pub checks: &'a [NamedCheck],
    /// Whether the base tree has no entry.
    pub base_is_empty: bool,
    /// Whether `.rapid/architecture.json` is in the base tree.
    pub has_architecture: bool,
    /// Whether an escalation (plan asked for, high risk) is on.
    pub policy: &'a PolicyDocument,
}

/// What was decided, with reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// How much ceremony.
    pub class: Classification,
    /// How much can go wrong.
    pub risk: Risk,
    /// What raised it.
    pub signals: Vec<Signal>,
    /// Stable words.
    pub reasons: Vec<String>,
    /// Where the work happens.
    pub workspace: Workspace,
    /// Gates in canonical order.
    pub gates: Vec<Gate>,
    /// Capabilities, sorted.
    pub capabilities: Vec<String>,
}

/// Why a spec cannot be started this way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotEligible {
    /// Direct asks for more than the spec has (RAPID1330): stable words saying what.
    Direct(Vec<String>),
    /// A test gate without a check to close it (RAPID1330).
    NoCheck,
    /// The user asked for less risk than there is (RAPID1006).
    Downgrade {
        /// What was asked.
        asked: Risk,
        /// What there is.
        found: Risk,
    },
}

/// Decides. Pure.
pub fn decide(spec: &Spec, request: &Request<'_>) -> Result<Decision, NotEligible> {
    let _ = (spec, request);
    todo!()
}
