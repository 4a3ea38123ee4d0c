//! What the evaluator is told of git, stored in the report so that it can be judged again.

use crate::domain::{
    digest::Digest,
    oid::{CommitId, TreeId},
    path::RepoPath,
    vocabulary::Change,
};
use serde::{Deserialize, Serialize};

/// Facts about trees, commits and signatures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// What changes are counted from.
    pub base: BaseFact,
    /// Paths that differ between the base's tree and the subject, sorted, without rename detection;
    /// null when an object that is needed is missing.
    pub paths: Option<Vec<PathFact>>,
    /// Commits since the base that are not on the target, oldest first;
    /// null when an object that is needed is missing.
    pub commits: Option<Vec<CommitFact>>,
    /// Signatures that were checked, sorted by record.
    pub signatures: Vec<SignatureFact>,
}

/// What changes are counted from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseFact {
    /// The commit; null on an unborn branch.
    pub commit: Option<CommitId>,
    /// Its tree.
    pub tree: TreeId,
}

/// One path that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathFact {
    /// Which.
    pub path: RepoPath,
    /// How.
    pub change: Change,
    /// Lines added; null for what has no lines.
    pub added: Option<u64>,
    /// Lines removed; null for what has no lines.
    pub deleted: Option<u64>,
}

/// One commit since the base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommitFact {
    /// Which.
    pub commit: CommitId,
    /// Its parents.
    pub parents: Vec<CommitId>,
    /// Its tree.
    pub tree: TreeId,
}

/// One checked signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignatureFact {
    /// The record whose commit is signed.
    pub record: Digest,
    /// Who signed.
    pub principal: String,
    /// `signed` or `touched`.
    pub grade: String,
}
