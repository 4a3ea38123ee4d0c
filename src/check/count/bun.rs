//! `bun test`: one number a line, then `Ran 4 tests across 1 file.`

use super::{
    Found, Names,
    words::{counted, counted_as},
};
use crate::domain::evidence::Counts;

/// How far above the last line the numbers begin.
const REACH: usize = 10;

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let Some(at) = lines.iter().rposition(|line| is_summary(line)) else {
        return lines
            .iter()
            .rposition(|line| line.starts_with("No tests found!") || matched_none(line))
            .map(|at| Found::complete(at, Counts::default()));
    };
    let list: Vec<_> = lines[at.saturating_sub(REACH)..at]
        .iter()
        .filter_map(|line| counted(line.strip_prefix(' ')?))
        .collect();
    let counts = Counts {
        passed: counted_as(&list, &["pass"]),
        failed: counted_as(&list, &["fail"]),
        errors: counted_as(&list, &["error", "errors"]),
        skipped: counted_as(&list, &["skip", "todo"]),
        flaky: None,
    };
    let names: Names = lines[..at]
        .iter()
        .filter_map(|line| {
            line.strip_prefix("(fail) ")
                .or_else(|| line.strip_prefix("✗ "))
        })
        .map(|name| name.rsplit_once(" [").map_or(name, |(name, _)| name))
        .collect();
    Some(Found::complete(at, counts).failing(names))
}

fn is_summary(line: &str) -> bool {
    line.strip_prefix("Ran ")
        .and_then(counted)
        .is_some_and(|(_, rest)| {
            rest.starts_with("tests across ") || rest.starts_with("test across ")
        })
}

/// `error: regex "x" matched 0 tests. Searched 1 file (skipping 4 tests)`
fn matched_none(line: &str) -> bool {
    line.starts_with("error: regex ") && line.contains(" matched 0 tests.")
}
