//! What widens a run after its contract was made.

use super::{contract::Criterion, contract::Task, digest::Digest, scope::Pattern};
use serde::{Deserialize, Serialize};

/// The body of an `amendment` record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Amendment {
    /// Scope patterns that are added.
    pub paths: Vec<Pattern>,
    /// Tasks that are added, numbered on.
    pub tasks: Vec<Task>,
    /// Acceptance criteria that are added, numbered on.
    pub acceptance: Vec<Criterion>,
    /// Why, in the author's words.
    pub reason: String,
    /// Whether an agent or a person asked.
    pub author: Author,
    /// The waiting amendment that this one, a person's, puts into effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepts: Option<Digest>,
}

super::vocabulary::vocabulary_words!(
    /// Who asked for an amendment.
    Author, "an author" {
        /// A coding agent.
        Agent = "agent",
        /// A person.
        Human = "human",
    }
);
