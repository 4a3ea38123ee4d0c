//! What the evaluator says. Stored as it is; no prose, no names that can change.

use super::Facts;
use crate::domain::{
    digest::Digest,
    oid::TreeId,
    vocabulary::{AssertionStatus, Verdict},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The body of a `report` record, and the document readers see (with `trust` added).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The version of this schema.
    pub schema_version: u32,
    /// The run that is judged.
    pub contract: Digest,
    /// The heads the judgement had seen, sorted.
    pub prev: Vec<Digest>,
    /// The tree that is judged.
    pub subject: TreeId,
    /// The rules it is judged by.
    pub ruleset_version: u32,
    /// What git said.
    pub facts: Facts,
    /// One judgement for each thing asked, in the order of the evaluator table.
    pub assertions: Vec<Assertion>,
    /// What they add up to.
    pub verdict: Verdict,
}

/// One judgement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assertion {
    /// What is asked, e.g. `gate.gate.tests.evidence`.
    pub id: String,
    /// The answer.
    pub status: AssertionStatus,
    /// Whether the verdict depends on it.
    pub required: bool,
    /// Why, as a stable word.
    pub why: String,
    /// The facts behind it.
    pub facts: AssertionFacts,
    /// The records that decided.
    pub records: Vec<Digest>,
}

/// Facts by name: integers, texts, lists.
pub type AssertionFacts = BTreeMap<String, Value>;

impl Report {
    /// The assertion of this id.
    pub fn assertion(&self, id: &str) -> Option<&Assertion> {
        self.assertions.iter().find(|assertion| assertion.id == id)
    }
}
