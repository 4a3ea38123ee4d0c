//! What the assertion families look at: the input, and what is worked out of it once.

use super::{
    Input,
    counts::{Results, due_checks},
    judgement::Judgement,
};
use crate::domain::{
    contract::{Contract, NamedCheck},
    path::RepoPath,
    run::{EvidenceRecord, Run},
    vocabulary::Tier,
};

/// One judgement's ground.
pub(super) struct Case<'a> {
    pub(super) input: &'a Input<'a>,
    pub(super) run: &'a Run,
    pub(super) contract: &'a Contract,
    pub(super) results: Results<'a>,
    /// The changed paths; `None` when an object that is needed is missing.
    pub(super) changed: Option<Vec<&'a RepoPath>>,
    /// The checks that are due for the finish; `None` when that depends on unknown paths.
    pub(super) due: Option<Vec<&'a NamedCheck>>,
}

impl<'a> Case<'a> {
    pub(super) fn of(input: &'a Input<'a>) -> Self {
        let run = input.run;
        let changed: Option<Vec<&RepoPath>> = input
            .facts
            .paths
            .as_ref()
            .map(|paths| paths.iter().map(|path| &path.path).collect());
        let due = due_checks(&run.contract.checks, Tier::Finish, changed.as_deref());
        Self {
            input,
            run,
            contract: &run.contract,
            results: Results::of(run, input.state, input.policy, &input.facts.signatures),
            changed,
            due,
        }
    }

    /// Whether checks are pinned and none of them is due.
    pub(super) fn none_due(&self) -> bool {
        !self.contract.checks.is_empty() && self.due.as_ref().is_some_and(Vec::is_empty)
    }
}

/// The digests of records.
pub(super) fn digests(
    records: &[&EvidenceRecord],
) -> impl Iterator<Item = crate::domain::digest::Digest> {
    records.iter().map(|record| record.digest)
}

impl Judgement {
    /// Names the deciding records.
    pub(super) fn by(self, records: &[&EvidenceRecord]) -> Self {
        self.decided_by(digests(records))
    }
}
