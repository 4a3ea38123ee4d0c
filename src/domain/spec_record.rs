//! The bodies of a spec stream's records.

use super::{
    digest::Digest,
    id::SpecId,
    vocabulary::{Mode, SpecState},
};
use serde::{Deserialize, Serialize};

/// One revision: the exact bytes lie beside it as an artifact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecRevision {
    /// The spec's name, for display.
    pub id: SpecId,
    /// Counted from 1.
    pub revision: u32,
    /// SHA-256 of the bytes that came in.
    pub acceptance_digest: Digest,
    /// Their length.
    pub size: u64,
    /// `json` or `markdown`.
    pub format: SpecFormat,
    /// The title, for lists.
    pub title: String,
    /// The mode, for lists.
    pub mode: Mode,
}

super::vocabulary::vocabulary_words!(
    /// How a spec was written.
    SpecFormat, "a spec format" {
        /// One JSON document.
        Json = "json",
        /// Headings and lists.
        Markdown = "markdown",
    }
);

/// A revision changed its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecStatus {
    /// The revision it speaks of.
    pub revision: u32,
    /// The state it leaves.
    pub from: SpecState,
    /// The state it enters.
    pub to: SpecState,
    /// Why, in words.
    pub reason: Option<String>,
}
