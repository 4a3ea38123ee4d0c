//! How a check's result stands by itself: good, bad or neutral.
//!
//! Source: RULES "Evidence". What else a result must be to decide something (whose it
//! is, which command, which tree) is asked in [`counts`](super::counts).

use super::Reason;
use crate::domain::{
    evidence::{CheckResult, Evidence},
    vocabulary::{Expectation, Note},
};

/// Good, bad or neutral, with the word for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Good(Reason),
    Bad(Reason),
    Neutral(Reason),
}

/// Exit codes of a shell that found no command, or one it may not run.
const NOT_RUN: [i32; 2] = [126, 127];

/// How `result`, which lies in `evidence`, stands.
pub(super) fn standing(evidence: &Evidence, result: &CheckResult) -> Standing {
    let noted = |note| evidence.notes.contains(&note);
    if !result.subject.stable {
        return Standing::Neutral(Reason::Unstable);
    }
    if noted(Note::Contradictory) {
        return Standing::Bad(Reason::Contradictory);
    }
    if noted(Note::Incomplete) {
        return Standing::Neutral(Reason::Incomplete);
    }
    if noted(Note::StaleReport) {
        return Standing::Neutral(Reason::StaleReport);
    }
    let met = match result.expectation {
        Expectation::Pass => ended_well(result),
        Expectation::Fail => failed(result),
    };
    if met {
        Standing::Good(Reason::Green)
    } else if result.timed_out {
        Standing::Bad(Reason::TimedOut)
    } else {
        Standing::Bad(Reason::Red)
    }
}

/// Exit 0 in time, and no test that failed or could not run.
pub(super) fn ended_well(result: &CheckResult) -> bool {
    !result.timed_out
        && result.exit_code == Some(0)
        && result
            .counts
            .is_none_or(|counts| counts.failed == 0 && counts.errors == 0)
}

/// The command ran to its end and failed; where tests were counted, one of them did.
fn failed(result: &CheckResult) -> bool {
    !result.timed_out
        && result
            .exit_code
            .is_some_and(|code| code != 0 && !NOT_RUN.contains(&code))
        && result.counts.is_none_or(|counts| counts.failed >= 1)
}

/// Whether `result`, which lies in `evidence`, did what it should: on whichever tree, for
/// whatever it counts.
pub fn is_met(evidence: &Evidence, result: &CheckResult) -> bool {
    let met = match result.expectation {
        Expectation::Pass => ended_well(result),
        Expectation::Fail => failed(result),
    };
    met && !evidence.notes.contains(&Note::Contradictory)
}
