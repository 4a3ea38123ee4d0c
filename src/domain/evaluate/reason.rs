//! Why an assertion is judged as it is: one stable word each.
//!
//! Reports hold these words and no prose, so wording and language can change
//! without a report changing. Documented in `git-rapid-ledger(5)`.

crate::domain::vocabulary::vocabulary_words!(
    /// The word under `why` in an assertion.
    Reason, "a reason" {
        /// The run is finished.
        Finished = "finished",
        /// The run was given up as not achievable.
        Failed = "failed",
        /// The run was given up.
        Cancelled = "cancelled",
        /// Another run took its place.
        Superseded = "superseded",
        /// The run goes on.
        NotFinished = "not_finished",

        /// No events contradict each other.
        NoConflict = "no_conflict",
        /// Events contradict each other and nobody settled it.
        Conflict = "conflict",

        /// The spec's bytes have the digest that the contract names.
        BytesMatch = "bytes_match",
        /// They have another one.
        BytesDiffer = "bytes_differ",
        /// They are not here.
        BytesMissing = "bytes_missing",

        /// A git object that is needed is not here.
        ObjectMissing = "object_missing",

        /// Every changed path was planned.
        InScope = "in_scope",
        /// No scope was declared, so none can be left.
        ScopeNotDeclared = "scope_not_declared",
        /// A changed path was not planned.
        OutOfScope = "out_of_scope",
        /// A changed path is protected.
        Protected = "protected",

        /// The changed paths say nothing new about the risk.
        NoNewSignal = "no_new_signal",
        /// They show a risk that the contract does not know.
        NewSignal = "new_signal",

        /// The change is as small as a direct one may be.
        WithinBounds = "within_bounds",
        /// It is larger.
        BeyondBounds = "beyond_bounds",
        /// A direct change took lines out of tests.
        TestLinesRemoved = "test_lines_removed",

        /// A good result decides.
        Green = "green",
        /// A bad result decides.
        Red = "red",
        /// The deciding result ran out of time.
        TimedOut = "timed_out",
        /// Counts and exit code of the deciding result contradict each other.
        Contradictory = "contradictory",
        /// Only tests fail that failed at the waived baseline too.
        KnownFailures = "known_failures",
        /// The tests cannot be counted, and a person accepted that.
        AcceptedUncounted = "accepted_uncounted",
        /// Nothing ran yet that could decide.
        NoResult = "no_result",
        /// What ran speaks of another tree.
        OtherTree = "other_tree",
        /// What ran is not a command that decides.
        Aside = "aside",
        /// What ran under the check's name is not the pinned command.
        NotAsPinned = "not_as_pinned",
        /// It was written by someone whose results do not decide.
        OtherProducer = "other_producer",
        /// It carries no signature of a principal listed for it.
        Unsigned = "unsigned",
        /// The tree changed while the command ran.
        Unstable = "unstable",
        /// The test run did not come to its end.
        Incomplete = "incomplete",
        /// The report file was not written by the command.
        StaleReport = "stale_report",
        /// Only a clean checkout counts here.
        NotClean = "not_clean",
        /// The tests were not counted.
        Uncounted = "uncounted",
        /// No test passed.
        ZeroTests = "zero_tests",

        /// The task was left out.
        Skipped = "skipped",
        /// The task is open.
        NotDone = "not_done",
        /// Files were handed in.
        Attached = "attached",
        /// No file was handed in.
        NothingAttached = "nothing_attached",

        /// It failed on another tree and passes on this one.
        Reproduced = "reproduced",
        /// It passed on both.
        PassesOnBoth = "passes_on_both",
        /// Nothing failed that counts as the bug.
        NoReproduction = "no_reproduction",
        /// The command that failed did not pass on this tree.
        NotGreenYet = "not_green_yet",
        /// The test that failed may be gone: no more tests pass than did then.
        TestGone = "test_gone",

        /// No check is due.
        NoneDue = "none_due",
        /// No check is pinned.
        NothingPinned = "nothing_pinned",
        /// Nobody acknowledged or waived it yet.
        Pending = "pending",
        /// A person let it go.
        Waived = "waived",
        /// The latest workspace is isolated.
        Isolated = "isolated",
        /// The latest workspace is the current one.
        NotIsolated = "not_isolated",

        /// A person approved.
        Approved = "approved",
        /// A person rejected it.
        Rejected = "rejected",
        /// A person wants changes.
        ChangesRequested = "changes_requested",
        /// No person judged it.
        NoReview = "no_review",
        /// A person let it go, but that cannot be done here.
        WaiverVoid = "waiver_void",
        /// The run was widened after the review.
        AmendedSince = "amended_since",
        /// Files were handed in after the review.
        AttachedSince = "attached_since",
        /// Fewer people approved than must.
        TooFewApprovals = "too_few_approvals",
        /// The author's own approval does not count, and nobody else's is there.
        AuthorsOwn = "authors_own",

        /// Every check passes as many tests as before the work.
        NotFewer = "not_fewer",
        /// A check passes fewer tests than before the work.
        Fewer = "fewer",
        /// Nothing was measured before the work.
        NoBaseline = "no_baseline",

        /// Good evidence is linked.
        Linked = "linked",
        /// No evidence is linked.
        NotLinked = "not_linked",

        /// Every commit holds a verified tree.
        AllVerified = "all_verified",
        /// A commit holds a tree that nothing verified.
        NotVerified = "not_verified",
        /// There is no commit.
        NoCommit = "no_commit",

        /// It was seen.
        Seen = "seen",
        /// It was not seen.
        NotSeen = "not_seen",
        /// It leaves no trace that could be seen.
        NotObservable = "not_observable",
        /// No path changed.
        NothingChanged = "nothing_changed",
    }
);
