//! The verdict: what the assertions add up to.

use super::Assertion;
use crate::domain::vocabulary::{AssertionStatus, Verdict};

/// A required FAIL, else a required UNVERIFIED, else a waiver, else PASS.
pub(super) fn verdict(assertions: &[Assertion]) -> Verdict {
    let required = |status| {
        assertions
            .iter()
            .any(|assertion| assertion.required && assertion.status == status)
    };
    if required(AssertionStatus::Fail) {
        Verdict::Fail
    } else if required(AssertionStatus::Unverified) {
        Verdict::Unverified
    } else if required(AssertionStatus::Waived) {
        Verdict::PassWithWaivers
    } else {
        Verdict::Pass
    }
}
