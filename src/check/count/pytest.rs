//! pytest: one closing line, with a frame or (`-q`) without.

use super::{
    Found, Names,
    words::{counted_as, counted_list, is_seconds},
};
use crate::domain::evidence::Counts;

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let begun = lines
        .iter()
        .rposition(|line| line.starts_with('=') && line.contains(" test session starts "));
    let closed = lines
        .iter()
        .enumerate()
        .rev()
        .find_map(|(at, line)| Some((at, summary(line)?)));
    match (begun, closed) {
        (Some(begun), Some((at, _))) if begun > at => Some(Found::unfinished(begun)),
        (Some(begun), None) => Some(Found::unfinished(begun)),
        (None, None) => None,
        (_, Some((at, counts))) => {
            let from = begun.unwrap_or(0);
            let mut found = Found::complete(at, counts).failing(names(&lines[from..at]));
            found.complete = !lines[from..at]
                .iter()
                .any(|line| line.starts_with("!!") && line.contains(" KeyboardInterrupt "));
            Some(found)
        }
    }
}

/// `== 1 failed, 2 passed, 1 skipped, 1 xfailed, 1 warning, 1 error in 0.09s ==`
fn summary(line: &str) -> Option<Counts> {
    let line = line.trim_matches(['=', ' ']);
    let (list, time) = line.rsplit_once(" in ")?;
    if !is_seconds(time) {
        return None;
    }
    if list == "no tests ran" {
        return Some(Counts::default());
    }
    let list = counted_list(list, ", ")?;
    const KNOWN: &[&str] = &[
        "failed",
        "passed",
        "skipped",
        "deselected",
        "xfailed",
        "xpassed",
        "error",
        "errors",
    ];
    // Plugins add words of their own, but never alone.
    if !list.iter().any(|(_, word)| KNOWN.contains(word)) {
        return None;
    }
    Some(Counts {
        passed: counted_as(&list, &["passed", "xpassed"]),
        failed: counted_as(&list, &["failed", "subtests failed"]),
        errors: counted_as(&list, &["error", "errors"]),
        skipped: counted_as(&list, &["skipped", "xfailed"]),
        flaky: None,
    })
}

/// `FAILED tests/test_a.py::test_b[x] - assert 1 == 2`, below its headline.
fn names(lines: &[&str]) -> Names {
    let from = lines
        .iter()
        .rposition(|line| line.contains(" short test summary info "))
        .unwrap_or(lines.len());
    lines[from..]
        .iter()
        .filter_map(|line| {
            line.strip_prefix("FAILED ")
                .or_else(|| line.strip_prefix("ERROR "))
        })
        .map(|line| line.split_once(" - ").map_or(line, |(name, _)| name))
        .collect()
}
