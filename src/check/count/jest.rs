//! Jest: `Test Suites:` and `Tests:`. A file that does not load is in the first only.

use super::{
    Found, Names,
    words::{counted_as, counted_list},
};
use crate::domain::evidence::Counts;

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let closed = lines
        .iter()
        .rposition(|line| list(line, "Tests:").is_some());
    let begun = lines.iter().rposition(|line| is_file_line(line));
    let Some(at) = closed.filter(|at| begun.is_none_or(|begun| begun < *at)) else {
        return match lines.iter().rposition(|line| is_empty_run(line)) {
            Some(at) if begun.is_none() => Some(Found::complete(at, Counts::default())),
            _ => begun.map(Found::unfinished),
        };
    };
    let tests = list(lines[at], "Tests:")?;
    let suites = lines[..at]
        .iter()
        .rev()
        .take(3)
        .find_map(|line| list(line, "Test Suites:"))
        .unwrap_or_default();
    let failed = counted_as(&tests, &["failed"]);
    let failed_suites = counted_as(&suites, &["failed"]);
    let broken = lines[..at]
        .iter()
        .filter(|line| line.trim() == "● Test suite failed to run")
        .count() as u64;
    let counts = Counts {
        passed: counted_as(&tests, &["passed"]),
        failed,
        errors: match failed {
            0 => failed_suites,
            _ => broken.min(failed_suites),
        },
        skipped: counted_as(&tests, &["skipped", "todo", "pending"]),
        flaky: None,
    };
    Some(Found::complete(at, counts).failing(names(&lines[..at])))
}

/// `Tests:       1 failed, 1 skipped, 1 todo, 1 passed, 4 total`
fn list<'a>(line: &'a str, label: &str) -> Option<Vec<(u64, &'a str)>> {
    let list = counted_list(line.strip_prefix(label)?, ", ")?;
    list.last()
        .is_some_and(|(_, word)| *word == "total")
        .then_some(list)
}

fn is_empty_run(line: &str) -> bool {
    line.starts_with("No tests found, exiting with code ")
}

/// `PASS src/a.test.js (5.1 s)`
fn is_file_line(line: &str) -> bool {
    let file = line
        .strip_prefix("PASS ")
        .or_else(|| line.strip_prefix("FAIL "))
        .and_then(|rest| rest.split_ascii_whitespace().next());
    const ENDINGS: &[&str] = &[".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts"];
    file.is_some_and(|file| ENDINGS.iter().any(|ending| file.ends_with(ending)))
}

/// `  ● suite › test`
fn names(lines: &[&str]) -> Names {
    lines
        .iter()
        .filter_map(|line| line.strip_prefix("  ● "))
        .filter(|name| *name != "Test suite failed to run")
        .collect()
}
