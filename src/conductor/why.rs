//! Why an action comes next, as stable words.

crate::domain::vocabulary::vocabulary_words!(
    /// The words of `context.why.code`.
    Why, "a reason" {
        /// No run here.
        NoRun = "no_run",
        /// A run started from here lives in another worktree.
        Elsewhere = "elsewhere",
        /// The run has ended.
        Ended = "ended",
        /// The run is paused.
        Paused = "paused",
        /// The run is blocked.
        Blocked = "blocked",
        /// A person rejected it.
        Rejected = "rejected",
        /// A question waits for a person.
        OpenQuestion = "open_question",
        /// An amendment waits for a person.
        AmendmentWaiting = "amendment_waiting",
        /// Events contradict each other after a merge.
        MergeConflict = "merge_conflict",
        /// A green check cannot be counted and nobody accepted that.
        Uncounted = "uncounted",
        /// The same thing failed too often.
        NoProgress = "no_progress",
        /// The work must be isolated and is not.
        IsolationUnmet = "isolation_unmet",
        /// A person has not approved yet.
        ApprovalPending = "approval_pending",
        /// An approval speaks of another tree.
        ApprovalStale = "approval_stale",
        /// The tests were not measured before the work.
        BaselinePending = "baseline_pending",
        /// They were, and are red.
        BaselineRed = "baseline_red",
        /// Everything is ready to begin.
        Ready = "ready",
        /// A task is open.
        TaskOpen = "task_open",
        /// Tasks are open and none can start.
        NoneStartable = "none_startable",
        /// The working tree cannot be compared.
        NoSnapshot = "no_snapshot",
        /// Nothing changed since the base.
        NothingChanged = "nothing_changed",
        /// A refactor lost passing tests.
        TestsLost = "tests_lost",
        /// Tests fail.
        Red = "red",
        /// A path lies outside the scope.
        OutOfScope = "out_of_scope",
        /// A reviewer wants changes.
        ChangesRequested = "changes_requested",
        /// Something else does not hold.
        Failed = "failed",
        /// Something is not verified yet.
        Unverified = "unverified",
        /// A check is running.
        Running = "running",
        /// The verified work is not committed.
        NotCommitted = "not_committed",
        /// Everything holds.
        Holds = "holds",
    }
);
