//! One move of a run, a task or a gate.

use super::{id::GateId, id::TaskId};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The body of an `event` record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// What moves.
    pub subject: EventSubject,
    /// The state it leaves; null for the brake.
    pub from: Option<String>,
    /// The state it enters; null for the brake.
    pub to: Option<String>,
    /// Why, as a stable word.
    pub code: EventCode,
    /// Why, in a person's words.
    pub reason: Option<String>,
}

/// What an event moves: `run`, `task:T001`, `gate:<id>` or `brake`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum EventSubject {
    /// The run itself.
    Run,
    /// One task.
    Task(TaskId),
    /// One gate.
    Gate(GateId),
    /// The brake against going in circles: released by a person.
    Brake,
}

super::vocabulary::vocabulary_words!(
    /// Why an event happened.
    EventCode, "an event code" {
        /// The run's first step into work.
        Activated = "activated",
        /// The evidence backs a machine gate.
        EvidenceHolds = "evidence_holds",
        /// A person approved.
        Approved = "approved",
        /// A person waived.
        Waived = "waived",
        /// A task was taken up.
        Started = "started",
        /// A task was closed.
        Done = "done",
        /// A task or run cannot go on.
        Blocked = "blocked",
        /// A task was left out.
        Skipped = "skipped",
        /// Everything holds.
        Finished = "finished",
        /// A person or agent gave up.
        Aborted = "aborted",
        /// The run was put aside.
        Paused = "paused",
        /// Work goes on again.
        Resumed = "resumed",
        /// Another run takes over.
        Superseded = "superseded",
        /// Asked for with a plumbing verb.
        Requested = "requested",
    }
);

impl fmt::Display for EventSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run => f.write_str("run"),
            Self::Task(task) => write!(f, "task:{task}"),
            Self::Gate(gate) => write!(f, "gate:{gate}"),
            Self::Brake => f.write_str("brake"),
        }
    }
}

impl FromStr for EventSubject {
    type Err = super::id::BadId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(':') {
            Some(("task", id)) => Ok(Self::Task(id.parse()?)),
            Some(("gate", id)) => Ok(Self::Gate(id.parse()?)),
            None if text == "run" => Ok(Self::Run),
            None if text == "brake" => Ok(Self::Brake),
            _ => Err(super::id::BadId {
                what: "an event subject",
                text: text.to_owned(),
                form: "run, task:<T…>, gate:<id> or brake",
            }),
        }
    }
}

impl TryFrom<String> for EventSubject {
    type Error = super::id::BadId;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<EventSubject> for String {
    fn from(subject: EventSubject) -> Self {
        subject.to_string()
    }
}
