//! `reproduction.T001`: was the bug of a bugfix seen, and is it gone?
//!
//! Something failed on another tree (an expected failure linked to T001, or the baseline),
//! and the same command in the same place passes on the judged tree. What counts as having
//! failed is [`is_reproduction`]'s to say, which the first task's precondition asks too.

use super::{
    Assertion, Reason,
    baseline::failed_names,
    case::Case,
    judgement::Judgement,
    latest::latest,
    standing::{Standing, ended_well},
};
use crate::domain::{
    evidence::CheckResult,
    id::TaskId,
    run::{EvidenceRecord, is_aside, is_reproduction},
    vocabulary::{Expectation, Mode},
};

pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    if case.contract.mode != Mode::Bugfix {
        return Vec::new();
    }
    vec![judge(case).asserted(format!("reproduction.{}", TaskId::at(1)), true)]
}

fn judge(case: &Case<'_>) -> Judgement {
    let mut nearest = Judgement::unverified(why_nothing(case));
    // The newest first: what was seen last is what the fix was made for.
    for red in case.run.evidence.iter().rev() {
        let Some(failed) = red.body.check() else {
            continue;
        };
        if failed.subject.tree == case.input.subject || !is_reproduction(case.run, red) {
            continue;
        }
        match passes_now(case, failed) {
            Ok(green) => {
                return Judgement::pass(Reason::Reproduced)
                    .fact("failed_on", failed.subject.tree.to_string())
                    .list("failed_tests", &failed.failed_tests)
                    .decided_by([red.digest])
                    .by(&green);
            }
            Err(why) => {
                if nearest.why != Reason::TestGone {
                    nearest = Judgement::unverified(why).decided_by([red.digest]);
                }
            }
        }
    }
    match passed_on_both(case) {
        Some(judgement)
            if nearest.why != Reason::TestGone && nearest.why != Reason::NotGreenYet =>
        {
            judgement
        }
        _ => nearest,
    }
}

/// The results that show the command of `failed` passing on the judged tree.
fn passes_now<'a>(
    case: &Case<'a>,
    failed: &CheckResult,
) -> Result<Vec<&'a EvidenceRecord>, Reason> {
    let now = results_here(case, failed);
    if now.is_empty() {
        return Err(Reason::NotGreenYet);
    }
    for record in &now {
        let result = record.body.check().ok_or(Reason::NotGreenYet)?;
        let green = ended_well(result);
        if !green && !mended_among_known(case, failed, result) {
            return Err(Reason::NotGreenYet);
        }
        // A failing test that was taken out leaves as many passing as before; one that was
        // mended leaves more.
        if let (Some(then), Some(now)) = (failed.counts, result.counts)
            && now.passed <= then.passed
        {
            return Err(Reason::TestGone);
        }
    }
    Ok(now)
}

/// The latest good or bad results of the same command on the judged tree.
fn results_here<'a>(case: &Case<'a>, like: &CheckResult) -> Vec<&'a EvidenceRecord> {
    let same: Vec<&EvidenceRecord> = case
        .run
        .evidence
        .iter()
        .filter(|record| {
            record.producer.is_rapid("check")
                && record.body.check().is_some_and(|result| {
                    result.expectation == Expectation::Pass
                        && result.argv == like.argv
                        && result.cwd == like.cwd
                        && result.subject.tree == case.input.subject
                        && !matches!(case.results.linked(record, result), Standing::Neutral(_))
                })
        })
        .collect();
    let latest = latest(&case.run.history, &same);
    let good = latest.iter().all(|record| {
        record
            .body
            .check()
            .is_some_and(|result| matches!(case.results.linked(record, result), Standing::Good(_)))
    });
    if good { latest } else { Vec::new() }
}

/// Where the baseline was waived: a test that failed then does not now, and what fails now
/// was known. Both must name every test that failed.
fn mended_among_known(case: &Case<'_>, failed: &CheckResult, now: &CheckResult) -> bool {
    case.results.only_known_failures(now)
        && match (failed_names(failed), failed_names(now)) {
            (Some(then), Some(names)) => then.iter().any(|name| !names.contains(name)),
            _ => false,
        }
}

/// An expected failure that did not come, of a command that passes here as well.
fn passed_on_both(case: &Case<'_>) -> Option<Judgement> {
    case.run.evidence.iter().rev().find_map(|record| {
        let result = record.body.check()?;
        let unmet = result.expectation == Expectation::Fail
            && record.producer.is_rapid("check")
            && record.body.tasks.contains(&TaskId::at(1))
            && result.subject.stable
            && result.subject.tree != case.input.subject
            && !is_aside(case.run, result)
            && ended_well(result);
        if !unmet {
            return None;
        }
        let here = results_here(case, result);
        (!here.is_empty()).then(|| {
            Judgement::fail(Reason::PassesOnBoth)
                .decided_by([record.digest])
                .by(&here)
        })
    })
}

/// What is wrong with the expected failures that were recorded, if any.
fn why_nothing(case: &Case<'_>) -> Reason {
    let mut expected = case.run.evidence.iter().rev().filter_map(|record| {
        let result = record.body.check()?;
        (result.expectation == Expectation::Fail).then_some(result)
    });
    match expected.next() {
        Some(result) if is_aside(case.run, result) => Reason::Aside,
        Some(result) if result.subject.tree == case.input.subject => Reason::OtherTree,
        Some(result) if !result.subject.stable => Reason::Unstable,
        Some(result) if result.timed_out => Reason::TimedOut,
        Some(result) if result.counts.is_none() && !ended_well(result) => Reason::Uncounted,
        _ => Reason::NoReproduction,
    }
}
