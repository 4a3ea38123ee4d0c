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

/// Environment variables that coding agents set in what they start; a `*` ends a family.
/// Editors are not agents: a person types in their terminals.
const MARKERS: &[&str] = &[
    "CLAUDECODE",
    "CLAUDE_CODE_*",
    "CODEX_*",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "COPILOT_AGENT",
    "OPENCODE",
    "AUGMENT_AGENT",
    "AMP_*",
    "AI_AGENT",
];

/// Command names of coding agents, as the process list shows them (Linux cuts a name after
/// 15 bytes).
const AGENTS: &[&str] = &[
    "aider",
    "amp",
    "auggie",
    "augment",
    "claude",
    "claude-code",
    "codex",
    "codex-cli",
    "codex-linux-san",
    "copilot",
    "copilot-cli",
    "crush",
    "cursor-agent",
    "droid",
    "gemini",
    "gemini-cli",
    "goose",
    "opencode",
    "qwen",
];

/// What a person says by typing a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phrase {
    /// Yes to what was judged.
    Approve,
    /// It may go without.
    Waive,
    /// No.
    Reject,
    /// Not yet.
    RequestChanges,
    /// Yes to something that is no gate: a test command, a waiting amendment.
    Accept,
    /// An answer to events that contradict each other.
    Resolve,
    /// Go on after the brake fell.
    Resume,
}

/// The verb of each phrase, in English and in Spanish.
const VERBS: &[(Phrase, &str, &str)] = &[
    (Phrase::Approve, "approve", "aprobar"),
    (Phrase::Waive, "waive", "dispensar"),
    (Phrase::Reject, "reject", "rechazar"),
    (Phrase::RequestChanges, "request changes", "pedir cambios"),
    (Phrase::Accept, "accept", "aceptar"),
    (Phrase::Resolve, "resolve", "resolver"),
    (Phrase::Resume, "resume", "reanudar"),
];

impl From<Outcome> for Phrase {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Approved => Self::Approve,
            Outcome::ChangesRequested => Self::RequestChanges,
            Outcome::Rejected => Self::Reject,
            Outcome::Waived => Self::Waive,
        }
    }
}

impl Phrase {
    fn verbs(self) -> [&'static str; 2] {
        VERBS
            .iter()
            .find(|(phrase, ..)| *phrase == self)
            .map(|(_, english, spanish)| [*english, *spanish])
            .expect("each phrase has its verbs")
    }
}

/// The marker of a coding agent in the environment, if any.
pub fn agent_marker(environment: &[String]) -> Option<&str> {
    let is_marker = |name: &str| {
        MARKERS.iter().any(|marker| match marker.strip_suffix('*') {
            Some(family) => name.starts_with(family),
            None => name == *marker,
        })
    };
    environment
        .iter()
        .map(String::as_str)
        .find(|name| is_marker(name))
}

/// Asks every layer.
pub fn check_person(caller: &Caller) -> Result<(), NotAPerson> {
    if !caller.terminal {
        return Err(NotAPerson::NoTerminal);
    }
    if let Some(marker) = agent_marker(&caller.environment) {
        return Err(NotAPerson::AgentMarker(marker.to_owned()));
    }
    match caller.ancestors.iter().find(|name| is_agent(name)) {
        Some(agent) => Err(NotAPerson::AgentAncestor(agent.clone())),
        None => Ok(()),
    }
}

/// Whether a command name, with or without its folder, is a coding agent's.
fn is_agent(command: &str) -> bool {
    let name = command.rsplit(['/', '\\']).next().unwrap_or(command);
    let name = name.to_ascii_lowercase();
    AGENTS.contains(&name.strip_suffix(".exe").unwrap_or(&name))
}

/// Whether a typed phrase says what it must, in either language: the verb, then what is
/// judged. White space and case do not matter; anything else does.
pub fn phrase_matches(typed: &str, says: impl Into<Phrase>, what: &str) -> bool {
    let typed = folded(typed);
    let says = says.into();
    says.verbs()
        .iter()
        .any(|verb| typed == folded(&format!("{verb} {what}")))
}

/// The phrase a person has to type, in the language `lang` (`es`, else English).
pub fn phrase(says: impl Into<Phrase>, what: &str, lang: &str) -> String {
    let [english, spanish] = says.into().verbs();
    let verb = if lang == "es" { spanish } else { english };
    format!("{verb} {what}")
}

fn folded(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}
