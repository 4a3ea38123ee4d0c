//! A person's answer to events that contradict each other after a merge.

use super::digest::Digest;
use serde::{Deserialize, Serialize};

/// The body of a `resolution` record: the conflicting events it settles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resolution {
    /// The events, sorted.
    pub events: Vec<Digest>,
    /// Why, in the person's words.
    pub reason: Option<String>,
}
