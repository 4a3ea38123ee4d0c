//! The spec: what a change is to do, written before it is done.
//!
//! One model, whichever way it was written. All faults of a document are found
//! at once, each with where it is and what was meant.

mod command;
mod field;
mod impact;
mod item;
mod name;
mod nearest;
mod read;
mod template;

pub use command::{BadCommand, command_words, shell_operator};
pub use name::spec_id_from_title;
pub use read::read_json;
pub use template::{SentenceTexts, from_sentence, template_json};

use super::{bytes::ByteText, id::TaskId, scope::Pattern, vocabulary::Mode};
use serde::{Deserialize, Serialize};

/// A spec, read and checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spec {
    /// What it is called.
    pub title: String,
    /// The way of working.
    pub mode: Mode,
    /// Why the business wants it.
    pub business_objective: String,
    /// What is wrong today.
    pub problem_statement: String,
    /// What belongs to it.
    pub scope: Vec<String>,
    /// What does not.
    pub out_of_scope: Vec<String>,
    /// Whom it serves.
    pub actors_users: Vec<String>,
    /// What happens, step by step.
    pub main_flow: Vec<String>,
    /// What may go differently.
    pub edge_cases: Vec<String>,
    /// Rules of the business.
    pub business_rules: Vec<String>,
    /// Rules of the technique.
    pub technical_constraints: Vec<String>,
    /// How it is tested.
    pub testing_strategy: Vec<String>,
    /// What it does to data.
    pub data_impact: DataImpact,
    /// The declared write scope; `None`: not declared.
    pub affected_paths: Option<Vec<Pattern>>,
    /// When it is good.
    pub acceptance_criteria: Vec<SpecCriterion>,
    /// What is to be done.
    pub implementation_tasks: Vec<SpecTask>,
    /// What a person has to answer first.
    pub open_questions: Vec<String>,
    /// What kind of change it is.
    pub change: ChangeTraits,
    /// Sorted, lower-case, unique.
    pub tags: Vec<String>,
    /// The command that runs the tests.
    pub test_command: Option<TestCommand>,
}

/// What a change does to data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DataImpact {
    /// Nothing.
    None,
    /// It reads.
    Reads,
    /// It writes.
    Writes,
    /// It migrates.
    Migrates,
    /// Something else, in words: treated as writing.
    Other(String),
}

/// One acceptance criterion of a spec.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecCriterion {
    /// What must hold.
    pub text: String,
    /// The command that shows it.
    pub check: Option<Vec<ByteText>>,
}

/// One task of a spec.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecTask {
    /// What is to be done.
    pub description: String,
    /// What it may write; empty: what the run may.
    pub paths: Vec<Pattern>,
    /// Commands of its own that must end well.
    pub checks: Vec<Vec<ByteText>>,
    /// Tasks that come first.
    pub after: Vec<TaskId>,
    /// How long it may take.
    pub minutes: Option<u32>,
    /// How many bad results it may have.
    pub attempts: Option<u32>,
}

/// What kind of change it is; any `false` rules out direct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeTraits {
    /// Everyone knows what is meant.
    pub clear: bool,
    /// It has an end.
    pub bounded: bool,
    /// It can be taken back.
    pub reversible: bool,
    /// A machine can say whether it is right.
    pub checkable: bool,
}

/// A test command with the folder it runs in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestCommand {
    /// The command, word by word.
    pub argv: Vec<ByteText>,
    /// Where it runs, relative to the root; absent: the root.
    pub cwd: Option<super::path::RepoPath>,
}

/// One fault of a spec document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Where: a JSON pointer such as `/implementation_tasks/1/after/0`, `line 4`, or
    /// `document`.
    #[serde(rename = "where")]
    pub at: String,
    /// What is wrong.
    pub what: String,
    /// What was probably meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meant: Option<String>,
}

impl ChangeTraits {
    /// Whether all hold.
    pub fn all(&self) -> bool {
        self.clear && self.bounded && self.reversible && self.checkable
    }
}

/// What keeps a spec from being ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotReady {
    /// Nothing to do.
    NoTask,
    /// Nothing that says when it is good.
    NoCriterion,
    /// Questions only a person can answer.
    OpenQuestions(Vec<String>),
}

impl Spec {
    /// Everything that keeps it from being ready; empty when it is.
    pub fn not_ready(&self) -> Vec<NotReady> {
        let mut missing = Vec::new();
        if self.implementation_tasks.is_empty() {
            missing.push(NotReady::NoTask);
        }
        if self.acceptance_criteria.is_empty() {
            missing.push(NotReady::NoCriterion);
        }
        if !self.open_questions.is_empty() {
            missing.push(NotReady::OpenQuestions(self.open_questions.clone()));
        }
        missing
    }
}
