//! `swift test`: XCTest says it for every suite and last for all; Swift Testing has a
//! line of its own. Both belong to one run.

use super::{
    Found, Names, found,
    words::{counted, number},
};
use crate::domain::evidence::Counts;

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let old = last(lines, xctest);
    let new = last(lines, swift_testing);
    let (mut counts, mut at) = (Counts::default(), None);
    for (line, block) in old.into_iter().chain(new) {
        counts = found::sum(&counts, &block);
        at = at.max(Some(line));
    }
    let names: Names = lines.iter().filter_map(|line| failure(line)).collect();
    match at {
        Some(at) => Some(Found::complete(at, counts).failing(names)),
        None => lines
            .iter()
            .rposition(|line| line.starts_with("Test Suite 'All tests' started at "))
            .map(Found::unfinished),
    }
}

fn last(lines: &[&str], read: fn(&str) -> Option<Counts>) -> Option<(usize, Counts)> {
    lines
        .iter()
        .enumerate()
        .rev()
        .find_map(|(at, line)| Some((at, read(line)?)))
}

/// `Executed 24 tests, with 2 tests skipped and 5 failures (0 unexpected) in …`
fn xctest(line: &str) -> Option<Counts> {
    let (total, rest) = number(line.trim_start().strip_prefix("Executed ")?)?;
    let rest = rest
        .strip_prefix(" tests, with ")
        .or_else(|| rest.strip_prefix(" test, with "))?;
    let mut rest = rest.split_once(" (").map_or(rest, |(list, _)| list);
    let mut skipped = 0;
    if let Some((left, right)) = rest.split_once(" skipped and ") {
        skipped = counted(left)?.0;
        rest = right;
    }
    let (failed, word) = counted(rest)?;
    word.starts_with("failure")
        .then(|| found::of_total(total, failed.min(total), 0, skipped))
}

/// `✘ Test run with 7 tests in 2 suites failed after 0.1 seconds with 1 issue.`
fn swift_testing(line: &str) -> Option<Counts> {
    let (_, rest) = line.split_once("Test run with ")?;
    let (total, rest) = number(rest)?;
    if rest.contains(" passed after ") {
        return Some(found::of_total(total, 0, 0, 0));
    }
    let (_, issues) = rest.split_once(" failed after ")?;
    let issues = issues
        .split_once(" with ")
        .and_then(|(_, issues)| number(issues))
        .map_or(1, |(issues, _)| issues);
    Some(found::of_total(total, issues.clamp(1, total.max(1)), 0, 0))
}

/// `Test Case '-[Tests.A testB]' failed (0.1 seconds).`
fn failure(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("Test Case '")?;
    let (name, rest) = rest.split_once('\'')?;
    rest.starts_with(" failed (").then_some(name)
}
