//! What one clone opened and sealed: the bodies of journal records.

use super::{
    digest::Digest,
    id::{RunId, WriterId},
    oid::{CommitId, TreeId},
    vocabulary::{RunStatus, Verdict},
};
use serde::{Deserialize, Serialize};

/// The head of another journal, as far as this clone had seen it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JournalHead {
    /// The other clone.
    pub writer: WriterId,
    /// The digest of its newest record.
    pub record: Digest,
}

/// A run was opened in this clone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opened {
    /// The run's name, for display.
    pub run: RunId,
    /// The digest of its contract: its identity.
    pub contract: Digest,
    /// Other journals seen so far, sorted by writer.
    pub heads: Vec<JournalHead>,
}

/// A run came to its end in this clone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed {
    /// The run's name, for display.
    pub run: RunId,
    /// The digest of its contract: its identity.
    pub contract: Digest,
    /// The commit its stream ended on: an extra parent of the journal's commit.
    pub tip: CommitId,
    /// How it ended.
    pub status: RunStatus,
    /// The verdict, when there is one.
    pub verdict: Option<Verdict>,
    /// The tree that was judged.
    pub subject: Option<TreeId>,
    /// The digest of the stored report.
    pub report: Option<Digest>,
    /// Other journals seen so far, sorted by writer.
    pub heads: Vec<JournalHead>,
}

/// Journals of idle clones were taken over by this one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Folded {
    /// The journals, sorted by writer.
    pub journals: Vec<FoldedJournal>,
    /// Other journals seen so far, sorted by writer.
    pub heads: Vec<JournalHead>,
}

/// One journal that was taken over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoldedJournal {
    /// Whose it was.
    pub writer: WriterId,
    /// The commit it ended on.
    pub tip: CommitId,
    /// Its newest record.
    pub record: Digest,
}
