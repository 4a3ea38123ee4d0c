//! The layers that tell a person from a program, cheapest first.
//!
//! None of them can stop someone who sets out to deceive; each stops a program
//! that was merely told to go on. Pure: the terminal, the environment and the
//! process list come in as facts.

use super::vocabulary::Outcome;

/// What is known of who is calling.
#[derive(Clone, Debug, Default)]
pub struct Caller {
    /// Whether standard input and error are an interactive terminal.
    pub terminal: bool,
    /// Names of all environment variables that are set and not empty.
    pub environment: Vec<String>,
    /// Command names of the ancestor processes, nearest first; empty where unknown.
    pub ancestors: Vec<String>,
}

/// The layer that refused (RAPID1310).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAPerson {
    /// No interactive terminal, or it ended.
    NoTerminal,
    /// A coding agent's marker is set.
    AgentMarker(String),
    /// A coding agent is among the ancestors.
    AgentAncestor(String),
}

/// The marker of a coding agent in the environment, if any.
pub fn agent_marker(environment: &[String]) -> Option<&str> {
    let _ = environment;
    todo!()
}

/// Asks every layer.
pub fn check_person(caller: &Caller) -> Result<(), NotAPerson> {
    let _ = caller;
    todo!()
}

/// Whether a typed phrase says what it must, in either language: the verb for the
/// outcome, then what is judged.
pub fn phrase_matches(typed: &str, outcome: Outcome, what: &str) -> bool {
    let _ = (typed, outcome, what);
    todo!()
}

/// The phrase a person has to type, in the language `lang` (`en` or `es`).
pub fn phrase(outcome: Outcome, what: &str, lang: &str) -> String {
    let _ = (outcome, what, lang);
    todo!()
}
