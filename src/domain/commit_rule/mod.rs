//! The commit rule: facts about a commit that is about to be made → allow, warn or refuse.
//!
//! Pure. Every door (verb, hooks, server) gathers the facts and asks here. Wording and
//! the commands that mend it are the door's.

mod rows;
mod verify;

pub use rows::{ROWS, Row};
pub use verify::{CommitSubject, verify_tree};

use super::{
    contract::NamedCheck,
    digest::Digest,
    oid::TreeId,
    path::RepoPath,
    policy::{CommitBinding, Enforce, Guard},
    run::Run,
    scope::Pattern,
};
use crate::diagnostic::Code;

/// What the door knows.
#[derive(Clone, Debug)]
pub struct CommitFacts<'a> {
    /// The run bound to this worktree and branch, unless paused.
    pub run: Option<&'a Run>,
    /// Where a commit needs a run.
    pub require_run: &'a [Pattern],
    /// Staged paths against HEAD, without rename detection; in a merge only those that differ
    /// from every parent.
    pub staged: &'a [RepoPath],
    /// The tree about to be committed.
    pub tree: TreeId,
    /// HEAD's tree.
    pub head_tree: Option<TreeId>,
    /// What verifies `tree`, or what was verified instead.
    pub verification: Verification<'a>,
    /// Entries that cannot be compared: dirty submodules, flagged entries that differ.
    pub incomparable: &'a [RepoPath],
    /// Untracked files that are not ignored: to tell when only they differ from what was verified.
    pub untracked: &'a [RepoPath],
    /// Whether the working tree must match as well.
    pub binding: CommitBinding,
    /// The working tree's snapshot, when it was taken.
    pub snapshot: Option<TreeId>,
    /// Where the rule stands.
    pub guard: Guard,
    /// How hard it is.
    pub enforce: Enforce,
    /// Whether the user saves work untested (`--wip`).
    pub wip: bool,
}

/// What the evidence says of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verification<'a> {
    /// Every due check of tier commit has a result that counts on this tree.
    Verified {
        /// The deciding records, in reading order; empty when no check is due.
        records: Vec<Digest>,
        /// Whether one of them is of kind worktree.
        worktree: bool,
    },
    /// A met reproduction, for a commit of a bugfix's T001 only.
    Reproduction {
        /// The deciding record.
        record: Digest,
        /// Whether it is of kind worktree.
        worktree: bool,
    },
    /// A person let gate.tests go for exactly this tree: it may be committed, unverified.
    Waived {
        /// The review.
        record: Digest,
    },
    /// Nothing was ever verified.
    Never {
        /// What would have to run.
        due: Vec<&'a NamedCheck>,
    },
    /// Another tree was verified.
    Other {
        /// The newest verified tree.
        tree: TreeId,
        /// The record that verified it.
        record: Digest,
        /// Paths that differ between it and the tree about to be committed.
        differs: Vec<RepoPath>,
    },
}

/// The rule's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommitVerdict {
    /// Go on; `verified` goes into the trailer and the milestone.
    Allow {
        /// What the `Rapid-Verified` trailer says; `None` without a run.
        verified: Option<VerifiedBy>,
    },
    /// Say it and go on.
    Warn(Refusal),
    /// Stop.
    Refuse(Refusal),
}

/// What the `Rapid-Verified` trailer says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerifiedBy {
    /// A record.
    Record(Digest),
    /// A met reproduction.
    Reproduction(Digest),
    /// Nothing.
    No,
}

/// Why a commit is refused: a value with facts, not an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// RAPID1501 to 1508.
    pub code: Code,
    /// Paths it is about.
    pub paths: Vec<RepoPath>,
    /// The tree that was verified instead.
    pub verified_tree: Option<TreeId>,
    /// Whether only untracked files differ.
    pub only_untracked: bool,
}

impl Refusal {
    /// A refusal that names paths.
    pub fn of(code: Code, paths: Vec<RepoPath>) -> Self {
        Self {
            code,
            paths,
            verified_tree: None,
            only_untracked: false,
        }
    }
}

/// Applies the rule: first row that holds.
pub fn judge_commit(facts: &CommitFacts<'_>) -> CommitVerdict {
    let refused = ROWS.iter().find_map(|row| (row.applies)(facts));
    match refused {
        Some(rows::Answer::Refuse(refusal)) => match facts.enforce {
            Enforce::Strict => CommitVerdict::Refuse(refusal),
            Enforce::Warn => CommitVerdict::Warn(refusal),
            Enforce::Off => allow(facts),
        },
        Some(rows::Answer::Allow) | None => allow(facts),
    }
}

fn allow(facts: &CommitFacts<'_>) -> CommitVerdict {
    CommitVerdict::Allow {
        verified: rows::guarding(facts).map(|_| facts.verification.trailer()),
    }
}

impl Verification<'_> {
    /// What the `Rapid-Verified` trailer says of it: of several records the latest.
    pub fn trailer(&self) -> VerifiedBy {
        match self {
            Self::Verified { records, .. } => records
                .last()
                .map_or(VerifiedBy::No, |record| VerifiedBy::Record(*record)),
            Self::Reproduction { record, .. } => VerifiedBy::Reproduction(*record),
            Self::Waived { .. } | Self::Never { .. } | Self::Other { .. } => VerifiedBy::No,
        }
    }

    /// Whether a commit of the tree needs no other evidence.
    pub fn is_enough(&self) -> bool {
        matches!(
            self,
            Self::Verified { .. } | Self::Reproduction { .. } | Self::Waived { .. }
        )
    }
}
