//! What a run's events add up to.

use crate::domain::{
    contract::Contract,
    digest::Digest,
    evidence::Evidence,
    id::{GateId, TaskId},
    producer::Producer,
    vocabulary::{GateStatus, RunStatus, TaskStatus},
};
use std::collections::BTreeMap;

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunState {
    /// The run itself.
    pub status: RunStatus,
    /// Every task.
    pub tasks: BTreeMap<TaskId, TaskStatus>,
    /// Every gate.
    pub gates: BTreeMap<GateId, GateStatus>,
    /// The latest release of the brake by a person: only results after it count for it.
    pub brake_released: Option<Digest>,
    /// The event that ended the run, or that blocked or paused it last.
    pub last_run_event: Option<Digest>,
    /// Why each skipped or blocked task is so.
    pub task_reasons: BTreeMap<TaskId, String>,
    /// Events that were legal where they were written and are not in the merged order,
    /// and that no resolution names.
    pub conflicts: Vec<Conflict>,
    /// Records that were not legal even where they were written, in reading order. They
    /// change nothing; `fsck` reports them.
    pub illegal: Vec<Digest>,
}

/// A record that changes nothing because another one contradicts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The event's (or amendment's) record.
    pub event: Digest,
    /// What it wanted to move, as text.
    pub subject: String,
}

/// A piece of evidence with what names it.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceRecord {
    /// The record's digest.
    pub digest: Digest,
    /// Its place in the reading order.
    pub seq: u64,
    /// `E001`, by position: for people.
    pub alias: String,
    /// Who wrote it.
    pub producer: Producer,
    /// What it says.
    pub body: Evidence,
}

impl RunState {
    /// The state right after the contract: prepared, every task and gate pending.
    pub fn initial(contract: &Contract) -> Self {
        Self {
            status: RunStatus::Prepared,
            tasks: contract
                .tasks
                .iter()
                .map(|task| (task.id.clone(), TaskStatus::Pending))
                .collect(),
            gates: contract
                .gates
                .iter()
                .map(|gate| (gate.id.clone(), GateStatus::Pending))
                .collect(),
            brake_released: None,
            last_run_event: None,
            task_reasons: BTreeMap::new(),
            conflicts: Vec::new(),
            illegal: Vec::new(),
        }
    }

    /// Whether nothing is left to do: every task is done or skipped.
    pub fn tasks_are_terminal(&self) -> bool {
        self.tasks.values().all(|status| status.is_terminal())
    }

    /// Whether the gate was acknowledged or waived.
    pub fn is_addressed(&self, gate: &GateId) -> bool {
        self.gates
            .get(gate)
            .is_some_and(|status| *status != GateStatus::Pending)
    }
}
