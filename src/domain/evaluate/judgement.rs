//! One judgement while it is being made: status, reason, facts, deciding records.

use super::{Assertion, AssertionFacts, Reason};
use crate::domain::{digest::Digest, path::RepoPath, vocabulary::AssertionStatus};
use serde_json::Value;

/// What an assertion family answers.
#[derive(Clone, Debug)]
pub(super) struct Judgement {
    pub(super) status: AssertionStatus,
    pub(super) why: Reason,
    facts: AssertionFacts,
    records: Vec<Digest>,
}

impl Judgement {
    pub(super) fn new(status: AssertionStatus, why: Reason) -> Self {
        Self {
            status,
            why,
            facts: AssertionFacts::new(),
            records: Vec::new(),
        }
    }

    pub(super) fn pass(why: Reason) -> Self {
        Self::new(AssertionStatus::Pass, why)
    }

    pub(super) fn fail(why: Reason) -> Self {
        Self::new(AssertionStatus::Fail, why)
    }

    pub(super) fn unverified(why: Reason) -> Self {
        Self::new(AssertionStatus::Unverified, why)
    }

    pub(super) fn waived(why: Reason) -> Self {
        Self::new(AssertionStatus::Waived, why)
    }

    pub(super) fn not_applicable(why: Reason) -> Self {
        Self::new(AssertionStatus::NotApplicable, why)
    }

    /// An object that is needed and missing; `what` names it, e.g. `paths`.
    pub(super) fn object_missing(what: &str) -> Self {
        Self::unverified(Reason::ObjectMissing).fact("missing", what)
    }

    /// Adds a fact.
    pub(super) fn fact(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.facts.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a list of texts; an empty list is left out.
    pub(super) fn list<T: ToString>(self, name: &str, items: impl IntoIterator<Item = T>) -> Self {
        let items: Vec<Value> = items
            .into_iter()
            .map(|item| Value::String(item.to_string()))
            .collect();
        if items.is_empty() {
            self
        } else {
            self.fact(name, items)
        }
    }

    /// Adds a list of paths, each as records write it; an empty list is left out.
    pub(super) fn paths<'a>(
        self,
        name: &str,
        paths: impl IntoIterator<Item = &'a RepoPath>,
    ) -> Self {
        let paths: Vec<Value> = paths
            .into_iter()
            .map(|path| serde_json::to_value(path).expect("a path is a text or an object of one"))
            .collect();
        if paths.is_empty() {
            self
        } else {
            self.fact(name, paths)
        }
    }

    /// Names deciding records.
    pub(super) fn decided_by(mut self, records: impl IntoIterator<Item = Digest>) -> Self {
        self.records.extend(records);
        self
    }

    /// The finished assertion. What does not arise is never required.
    pub(super) fn asserted(mut self, id: String, required: bool) -> Assertion {
        self.records.sort_unstable();
        self.records.dedup();
        Assertion {
            id,
            status: self.status,
            required: required && self.status != AssertionStatus::NotApplicable,
            why: self.why.as_str().to_owned(),
            facts: self.facts,
            records: self.records,
        }
    }
}
