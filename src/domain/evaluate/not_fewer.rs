//! `tests.not-fewer`: do as many tests pass as before the work?
//!
//! In a refactor the verdict depends on it; elsewhere fewer is reported, and the approver
//! sees it first.

use super::{
    Assertion, Reason, case::Case, counts::Answer, judgement::Judgement, review::accepts_uncounted,
};
use crate::domain::{
    contract::NamedCheck,
    run::EvidenceRecord,
    vocabulary::{AssertionStatus, Mode},
};

pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    let required = case.contract.mode == Mode::Refactor;
    vec![judge(case).asserted("tests.not-fewer".to_owned(), required)]
}

/// How one check compares.
enum Compared<'a> {
    /// As many or more passed, or fewer.
    Counted {
        before: u64,
        now: u64,
        records: Vec<&'a EvidenceRecord>,
    },
    /// Measured before, and nothing decides now.
    Open(Reason),
    /// One side was not counted; whether a person accepted that it cannot be.
    Uncounted { accepted: bool },
}

fn judge(case: &Case<'_>) -> Judgement {
    if case.none_due() {
        return Judgement::not_applicable(Reason::NoneDue);
    }
    let Some(due) = &case.due else {
        return Judgement::object_missing("paths");
    };
    let compared: Vec<(&NamedCheck, Compared<'_>)> = due
        .iter()
        .filter_map(|check| Some((*check, compare(case, check)?)))
        .collect();
    if compared.is_empty() {
        return Judgement::not_applicable(Reason::NoBaseline);
    }
    let refactor = case.contract.mode == Mode::Refactor;
    let mut fewer = Vec::new();
    let (mut before_sum, mut now_sum) = (0_u64, 0_u64);
    let mut records = Vec::new();
    let mut open = None;
    let mut uncounted = None;
    for (check, how) in &compared {
        match how {
            Compared::Counted {
                before,
                now,
                records: deciding,
            } => {
                before_sum = before_sum.saturating_add(*before);
                now_sum = now_sum.saturating_add(*now);
                records.extend(deciding);
                if now < before {
                    fewer.push(check.name.as_str());
                }
            }
            Compared::Open(why) => open = open.or(Some(*why)),
            Compared::Uncounted { accepted } => {
                uncounted = Some(uncounted.unwrap_or(true) && *accepted);
            }
        }
    }
    let judgement = if !fewer.is_empty() {
        Judgement::fail(Reason::Fewer).list("fewer", fewer)
    } else if let Some(why) = open {
        Judgement::unverified(why)
    } else {
        match uncounted {
            None => Judgement::pass(Reason::NotFewer),
            Some(_) if !refactor => Judgement::not_applicable(Reason::Uncounted),
            Some(true) => Judgement::waived(Reason::AcceptedUncounted),
            Some(false) => Judgement::unverified(Reason::Uncounted),
        }
    };
    if records.is_empty() || judgement.status == AssertionStatus::NotApplicable {
        return judgement;
    }
    judgement
        .fact("passed", now_sum)
        .fact("baseline_passed", before_sum)
        .by(&records)
}

/// How `check` compares with what was measured before; `None` when it was not measured.
fn compare<'a>(case: &Case<'a>, check: &'a NamedCheck) -> Option<Compared<'a>> {
    let measured = case.results.baseline.latest(check);
    if measured.is_empty() {
        return None;
    }
    let decision = case.results.counting(check, case.input.subject);
    // No test that passed is a number too, and what was not counted may have been accepted.
    let comparable = matches!(decision.why, Reason::Uncounted | Reason::ZeroTests);
    if decision.answer == Answer::Nothing && !comparable {
        return Some(Compared::Open(decision.why));
    }
    let now = decision
        .records
        .iter()
        .map(|record| record.body.check()?.counts)
        .map(|counts| counts.map(|counts| counts.passed))
        .min()
        .flatten();
    let before = case.results.baseline.passed(check);
    Some(match (before, now) {
        (Some(before), Some(now)) => {
            let mut records = measured;
            records.extend(decision.records);
            Compared::Counted {
                before,
                now,
                records,
            }
        }
        // What was counted before can be counted: accepting does not reach it.
        (Some(_), None) => Compared::Uncounted { accepted: false },
        (None, _) => Compared::Uncounted {
            accepted: accepts_uncounted(case.run, &check.name),
        },
    })
}
