//! A refusal: a rule said no. A value with facts, not an error.

use super::Code;
use serde::Serialize;
use serde_json::{Map, Value};

/// Why something was not done, and what to do next.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The stable code.
    pub code: Code,
    /// One line that names the fact.
    pub message: String,
    /// The facts by name, for `--json`.
    pub details: Map<String, Value>,
    /// What to do next, best first.
    pub hints: Vec<Hint>,
}

/// One thing to do next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hint {
    /// What it does.
    pub text: String,
    /// The command, word by word; absent when the hint is advice only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
}

impl Refusal {
    /// A refusal without details or hints.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: Map::new(),
            hints: Vec::new(),
        }
    }

    /// Adds a fact.
    pub fn detail(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }

    /// Adds advice with the command that follows it.
    pub fn hint(mut self, text: impl Into<String>, command: &[&str]) -> Self {
        let command = command.iter().map(|word| (*word).to_owned()).collect();
        self.hints.push(Hint {
            text: text.into(),
            command: Some(command),
        });
        self
    }

    /// Adds advice that is not a command.
    pub fn advice(mut self, text: impl Into<String>) -> Self {
        self.hints.push(Hint {
            text: text.into(),
            command: None,
        });
        self
    }
}
