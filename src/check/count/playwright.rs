//! Playwright: one number a line where there is one, the time behind `passed`.

use super::{Found, Names, words::counted};
use crate::domain::evidence::Counts;

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let begun = lines.iter().rposition(|line| is_start(line));
    let Some(begun) = begun else {
        return lines
            .iter()
            .rposition(|line| *line == "Error: No tests found")
            .map(|at| Found::complete(at, Counts::default()));
    };
    let mut counts = Counts::default();
    let mut names = Names::default();
    let (mut at, mut listing) = (None, false);
    for (index, line) in lines.iter().enumerate().skip(begun + 1) {
        if let Some(name) = line.strip_prefix("    ").filter(|_| listing) {
            names.push(name.trim_end_matches(['─', ' ']));
            continue;
        }
        listing = false;
        let number = line
            .strip_prefix("  ")
            .filter(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()))
            .and_then(counted);
        let Some((number, word)) = number else {
            continue;
        };
        match word {
            "failed" => (counts.failed, listing) = (number, true),
            "interrupted" => counts.errors = counts.errors.saturating_add(number),
            "flaky" => counts.flaky = Some(number),
            "skipped" => counts.skipped = counts.skipped.saturating_add(number),
            "did not run" => {}
            "passed" => counts.passed = number,
            _ if word.starts_with("passed (") => counts.passed = number,
            _ if word.contains(" not a part of any test") => {
                counts.errors = counts.errors.saturating_add(number);
            }
            _ => continue,
        }
        at = Some(index);
    }
    let Some(at) = at else {
        return Some(Found::unfinished(begun));
    };
    // What passed at last did pass.
    counts.passed = counts.passed.saturating_add(counts.flaky.unwrap_or(0));
    Some(Found::complete(at, counts).failing(names))
}

/// `Running 7 tests using 2 workers`
fn is_start(line: &str) -> bool {
    line.strip_prefix("Running ")
        .and_then(counted)
        .is_some_and(|(_, rest)| {
            rest.starts_with("test") && rest.contains(" using ") && rest.contains(" worker")
        })
}
