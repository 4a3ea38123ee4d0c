//! What a row answers: the action in short, before the words are put to it.

use super::{ActionKind, Who, Why};
use crate::domain::{
    digest::Digest,
    id::{GateId, TaskId},
};
use std::collections::BTreeMap;

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which kind.
    pub kind: ActionKind,
    /// Why, as a word.
    pub why: Why,
    /// Whose turn it is.
    pub who: Who,
    /// The task it is about.
    pub task: Option<TaskId>,
    /// The gates it is about.
    pub gates: Vec<GateId>,
    /// The command to run.
    pub command: Option<Vec<String>>,
    /// The command to run when the work is done.
    pub after: Option<Vec<String>>,
    /// What a person has to run, when it is a person's turn.
    pub person_runs: Option<Vec<String>>,
    /// Whether a research report is to be written.
    pub report: bool,
    /// Facts for the words, by name.
    pub facts: BTreeMap<&'static str, String>,
    /// The records behind it.
    pub records: Vec<Digest>,
}

impl Step {
    /// A step of an agent, with nothing else said.
    pub(super) fn new(kind: ActionKind, why: Why) -> Self {
        Self {
            kind,
            why,
            who: Who::Agent,
            task: None,
            gates: Vec::new(),
            command: None,
            after: None,
            person_runs: None,
            report: false,
            facts: BTreeMap::new(),
            records: Vec::new(),
        }
    }

    pub(super) fn run(mut self, command: Vec<String>) -> Self {
        self.command = Some(command);
        self
    }

    pub(super) fn then(mut self, after: Vec<String>) -> Self {
        self.after = Some(after);
        self
    }

    pub(super) fn on(mut self, task: &TaskId) -> Self {
        self.task = Some(task.clone());
        self.fact("task", task)
    }

    pub(super) fn at(mut self, gates: Vec<GateId>) -> Self {
        let names: Vec<&str> = gates.iter().map(GateId::as_str).collect();
        let names = names.join(", ");
        self.gates = gates;
        self.fact("gates", names)
    }

    /// Makes it a person's turn, who runs `command` at a terminal.
    pub(super) fn for_person(mut self, command: Vec<String>) -> Self {
        self.who = Who::Human;
        self.person_runs = Some(command);
        self
    }

    pub(super) fn fact(mut self, name: &'static str, value: impl ToString) -> Self {
        self.facts.insert(name, value.to_string());
        self
    }

    pub(super) fn by(mut self, records: impl IntoIterator<Item = Digest>) -> Self {
        self.records.extend(records);
        self
    }
}
