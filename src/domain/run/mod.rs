//! A run: its records folded into the state they add up to.
//!
//! The fold is total: every list of records that the ledger can hold gives a
//! state; what was illegal where it stands is listed, never applied.

mod fold;
mod history;
mod precondition;
mod reproduction;
mod state;
mod transition;

pub use fold::{FoldError, fold};
pub use history::History;
pub(crate) use precondition::is_reproducing_task;
pub use precondition::{
    IllegalMove, check_amendment, check_event, check_task_done, is_waivable, startable,
};
pub use reproduction::{is_aside, is_reproduction};
pub use state::{Conflict, EvidenceRecord, RunState};
pub use transition::{GATE_MOVES, RUN_MOVES, TASK_MOVES};

use super::{
    amendment::Amendment,
    contract::{Contract, Criterion, Task},
    digest::Digest,
    id::RunId,
    record::Record,
    scope::Pattern,
};

/// A run as one clone sees it.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its name.
    pub id: RunId,
    /// The digest of its contract: its identity.
    pub contract_digest: Digest,
    /// Its contract, as it was made.
    pub contract: Contract,
    /// All its records in reading order: by `seq`, then digest.
    pub records: Vec<Record>,
    /// Which record had seen which.
    pub history: History,
    /// What the events add up to.
    pub state: RunState,
    /// Every evidence record, in reading order; the alias is `E` and its place from 1.
    pub evidence: Vec<EvidenceRecord>,
    /// Amendments in effect, in reading order.
    pub amendments: Vec<(Digest, Amendment)>,
    /// Amendments that wait for a person.
    pub waiting_amendments: Vec<(Digest, Amendment)>,
}

impl Run {
    /// The records that no other record names: what the next one follows, sorted.
    pub fn heads(&self) -> Vec<Digest> {
        self.history.heads()
    }

    /// The tasks of the contract and of the amendments in effect.
    pub fn tasks(&self) -> Vec<&Task> {
        self.contract
            .tasks
            .iter()
            .chain(
                self.amendments
                    .iter()
                    .flat_map(|(_, amendment)| &amendment.tasks),
            )
            .collect()
    }

    /// The criteria of the contract and of the amendments in effect.
    pub fn acceptance(&self) -> Vec<&Criterion> {
        self.contract
            .acceptance
            .iter()
            .chain(
                self.amendments
                    .iter()
                    .flat_map(|(_, amendment)| &amendment.acceptance),
            )
            .collect()
    }

    /// The declared scope with the amendments in effect; `None`: not declared.
    pub fn scope_patterns(&self) -> Option<Vec<&Pattern>> {
        let declared = self.contract.scope.patterns.as_ref()?;
        Some(
            declared
                .iter()
                .chain(
                    self.amendments
                        .iter()
                        .flat_map(|(_, amendment)| &amendment.paths),
                )
                .collect(),
        )
    }

    /// The evidence record of this digest.
    pub fn evidence(&self, digest: &Digest) -> Option<&EvidenceRecord> {
        self.evidence.iter().find(|record| record.digest == *digest)
    }
}
