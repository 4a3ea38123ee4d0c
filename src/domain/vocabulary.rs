//! The closed word lists of the rules: modes, classes, levels, statuses.
//!
//! Each is written in records and JSON exactly as [`as_str`](Mode::as_str) gives it.

/// A word that is not in its list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not {what}; known: {known}")]
pub struct UnknownWord {
    /// What kind of word was wanted.
    pub what: &'static str,
    /// The word that was given.
    pub text: String,
    /// The words there are.
    pub known: String,
}

macro_rules! vocabulary_words {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// Every word, in order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word as records and JSON write it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::domain::vocabulary::UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().copied().find(|word| word.as_str() == text).ok_or_else(|| $crate::domain::vocabulary::UnknownWord {
                    what: $what,
                    text: text.to_owned(),
                    known: Self::ALL.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(", "),
                })
            }
        }
    };
}
pub(crate) use vocabulary_words;

vocabulary_words!(
    /// The way of working a spec asks for.
    Mode, "a mode" {
        /// A small, clear change.
        Direct = "direct",
        /// New behaviour.
        Feature = "feature",
        /// A bug, proved first, then mended.
        Bugfix = "bugfix",
        /// The same behaviour in another shape.
        Refactor = "refactor",
        /// Making what is there safer.
        Hardening = "hardening",
        /// Finding something out.
        Research = "research",
    }
);
vocabulary_words!(
    /// How much ceremony a change needs.
    Classification, "a class" {
        /// Small and clear: tests, no approval.
        Direct = "direct",
        /// Research without an elevating signal.
        Spike = "spike",
        /// An ordinary change.
        Bounded = "bounded",
        /// A change that reaches far.
        Architectural = "architectural",
    }
);
vocabulary_words!(
    /// How much can go wrong.
    Risk, "a risk" {
        /// Little.
        Low = "low",
        /// The usual.
        Medium = "medium",
        /// Much: the work is isolated and reviewed.
        High = "high",
        /// All: a person approves before the work starts.
        Critical = "critical",
    }
);
vocabulary_words!(
    /// Where a run's work happens.
    Workspace, "a workspace" {
        /// The worktree in which it was started.
        Current = "current",
        /// A linked worktree of its own.
        Isolated = "isolated",
    }
);
vocabulary_words!(
    /// The state of a run.
    RunStatus, "a run status" {
        /// Opened; pre gates are due.
        Prepared = "prepared",
        /// Work goes on.
        Active = "active",
        /// Work stands still until someone resumes it.
        Blocked = "blocked",
        /// Put aside; guards nothing.
        Paused = "paused",
        /// Done.
        Finished = "finished",
        /// Given up as not achievable.
        Failed = "failed",
        /// Given up.
        Cancelled = "cancelled",
        /// Replaced by another run.
        Superseded = "superseded",
    }
);
vocabulary_words!(
    /// The state of a task.
    TaskStatus, "a task status" {
        /// Not started.
        Pending = "pending",
        /// Being worked on.
        InProgress = "in_progress",
        /// Cannot go on.
        Blocked = "blocked",
        /// Done.
        Done = "done",
        /// Left out, with a reason.
        Skipped = "skipped",
    }
);
vocabulary_words!(
    /// The state of a gate.
    GateStatus, "a gate status" {
        /// Open.
        Pending = "pending",
        /// Someone or something vouched for it.
        Acknowledged = "acknowledged",
        /// A person let it go, with a reason.
        Waived = "waived",
    }
);
vocabulary_words!(
    /// When a gate is due.
    Phase, "a phase" {
        /// Before the work.
        Pre = "pre",
        /// After the work.
        Post = "post",
    }
);
vocabulary_words!(
    /// What a check's command should do.
    Expectation, "an expectation" {
        /// End well.
        Pass = "pass",
        /// Fail: the reproduction of a bug.
        Fail = "fail",
    }
);
vocabulary_words!(
    /// What kind of tree a check spoke of.
    SubjectKind, "a subject kind" {
        /// The working tree as it lay on disk.
        Worktree = "worktree",
        /// The index, checked out into a scratch worktree.
        Index = "index",
        /// A clean checkout of the snapshot.
        Clean = "clean",
    }
);
vocabulary_words!(
    /// When a named check is due.
    Tier, "a tier" {
        /// For each commit.
        Commit = "commit",
        /// For the finish.
        Finish = "finish",
        /// For both.
        Both = "both",
    }
);
vocabulary_words!(
    /// How a path differs between two trees.
    Change, "a change" {
        /// Only in the new tree.
        Added = "added",
        /// Other content.
        Modified = "modified",
        /// Only in the old tree.
        Deleted = "deleted",
        /// Other permission bits.
        Mode = "mode",
        /// Another kind of thing: file, symlink, submodule.
        Type = "type",
    }
);
vocabulary_words!(
    /// What a review looked at.
    ReviewType, "a review type" {
        /// Another developer's look.
        Peer = "peer",
        /// Security.
        Security = "security",
        /// A database migration.
        Migration = "migration",
        /// The go-ahead before critical work.
        Manual = "manual",
        /// The last look at the whole.
        Final = "final",
        /// A waiver of the baseline gate.
        Baseline = "baseline",
        /// A waiver of the tests gate.
        Tests = "tests",
        /// A test command that cannot be counted, accepted.
        TestCommand = "test_command",
    }
);
vocabulary_words!(
    /// What a review said.
    Outcome, "an outcome" {
        /// Yes.
        Approved = "approved",
        /// Not yet.
        ChangesRequested = "changes_requested",
        /// No.
        Rejected = "rejected",
        /// Not needed, with a reason.
        Waived = "waived",
    }
);
vocabulary_words!(
    /// A remark of the machine on a piece of evidence.
    Note, "a note" {
        /// Copied from an earlier result of the same thing.
        Cached = "cached",
        /// The command left processes behind.
        LeftoverProcesses = "leftover_processes",
        /// The log was cut.
        Truncated = "truncated",
        /// Secrets were taken out of the log.
        Redacted = "redacted",
        /// Red and green on one tree.
        Flaky = "flaky",
        /// Counts and exit code contradict: always bad.
        Contradictory = "contradictory",
        /// The test run did not come to its end: does not count.
        Incomplete = "incomplete",
        /// A report file was not written by the command: does not count.
        StaleReport = "stale_report",
    }
);
vocabulary_words!(
    /// The judgement of one assertion.
    AssertionStatus, "an assertion status" {
        /// It holds.
        Pass = "pass",
        /// It does not.
        Fail = "fail",
        /// Nobody can say.
        Unverified = "unverified",
        /// A person let it go.
        Waived = "waived",
        /// It does not arise.
        NotApplicable = "not_applicable",
    }
);
vocabulary_words!(
    /// The judgement of a whole run.
    Verdict, "a verdict" {
        /// Everything required holds.
        Pass = "pass",
        /// Everything required holds or was waived.
        PassWithWaivers = "pass_with_waivers",
        /// Something required does not hold.
        Fail = "fail",
        /// Something required cannot be said.
        Unverified = "unverified",
    }
);
vocabulary_words!(
    /// The state of a spec's revision.
    SpecState, "a spec status" {
        /// Being written.
        Draft = "draft",
        /// Can be started.
        Ready = "ready",
        /// Put away.
        Archived = "archived",
    }
);

impl RunStatus {
    /// Whether nothing follows.
    pub fn is_terminal(self) -> bool {
        matches!(
            self,
            Self::Finished | Self::Failed | Self::Cancelled | Self::Superseded
        )
    }

    /// Whether commits in its place are judged by its rules: it is neither put aside nor
    /// ended.
    pub fn is_guarding(self) -> bool {
        self != Self::Paused && !self.is_terminal()
    }
}

impl TaskStatus {
    /// Whether nothing follows.
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Done | Self::Skipped)
    }
}

impl Verdict {
    /// Whether the run passed, with or without waivers.
    pub fn is_passing(self) -> bool {
        matches!(self, Self::Pass | Self::PassWithWaivers)
    }
}

impl Mode {
    /// A mode by its name or one of its aliases.
    pub fn from_alias(text: &str) -> Result<Self, UnknownWord> {
        match text {
            "quick" => Ok(Self::Direct),
            "new" => Ok(Self::Feature),
            "fix" | "bug" => Ok(Self::Bugfix),
            "refactoring" => Ok(Self::Refactor),
            "legacy" => Ok(Self::Hardening),
            other => other.parse(),
        }
    }
}
