//! What the conductor is told: the run, and what others looked up for it.

use super::{Lang, Playbook};
use crate::domain::{
    digest::Digest, evaluate::Facts, id::RunId, oid::TreeId, path::RepoPath,
    policy::PolicyDocument, run::Run,
};

/// All that the conductor looks at.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The run.
    pub run: &'a Run,
    /// The title of its spec: what a commit is called.
    pub title: &'a str,
    /// The effective policy, from the artifact beside the contract.
    pub policy: &'a PolicyDocument,
    /// The tree of the working tree, less bystanders, or why there is none.
    pub snapshot: Result<TreeId, &'a NoSnapshot>,
    /// HEAD's tree; `None` on an unborn branch.
    pub head_tree: Option<TreeId>,
    /// Facts for the snapshot as the subject (for HEAD when there is no snapshot).
    pub facts: &'a Facts,
    /// SHA-256 of the stored spec bytes.
    pub spec_bytes: Option<Digest>,
    /// The mode's texts.
    pub playbook: &'a Playbook,
    /// The reader's language.
    pub lang: Lang,
    /// The worktree the action runs in, absolute.
    pub cwd: &'a str,
    /// The same, when that is another worktree than the caller's.
    pub workspace_path: Option<&'a str>,
    /// Where a research report is written, absolute.
    pub report_path: &'a str,
    /// The last lines of the latest check's log, when it is here.
    pub last_log_tail: Option<&'a str>,
}

/// Why the working tree has no snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSnapshot {
    /// The paths in question.
    pub paths: Vec<RepoPath>,
    /// The reason.
    pub why: WhyNoSnapshot,
}

crate::domain::vocabulary::vocabulary_words!(
    /// Why the working tree cannot be compared.
    WhyNoSnapshot, "a reason" {
        /// Entries of an unfinished merge.
        Unmerged = "unmerged",
        /// A submodule with changes of its own.
        DirtySubmodule = "dirty_submodule",
        /// An entry flagged assume-unchanged or skip-worktree that differs on disk.
        Flagged = "flagged",
        /// The tree keeps changing.
        Unsteady = "unsteady",
        /// Something that is neither file, symlink nor folder, or cannot be read.
        Unreadable = "unreadable",
    }
);

/// A run that was started from here and lives in another worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// Which run.
    pub run: RunId,
    /// Where it lives, absolute.
    pub worktree: String,
}
