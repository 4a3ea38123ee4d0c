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
    // Frames fill the width, so a shorter one was printed by a test. One column may be
    // missing where the two sides are not equal.
    let width = begun.map_or(0, |at| lines[at].chars().count().saturating_sub(1));
    let closed = lines
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, line)| line.chars().take(width).count() == width)
        .find_map(|(at, line)| Some((at, summary(line)?)));
    // `--collect-only` runs nothing and says nothing of results.
    let only_collected = |from: usize| {
        lines[from..].iter().any(|line| {
            let line = line.trim_matches(['=', ' ']);
            line.split_once(" collected ")
                .is_some_and(|(count, _)| count.ends_with(" tests") || count.ends_with(" test"))
                && line.ends_with('s')
        })
    };
    match (begun, closed) {
        (Some(begun), None) if only_collected(begun) => None,
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
        .map(name)
        .collect()
}

/// The name without the message behind it. A parameter in brackets may hold anything.
fn name(line: &str) -> &str {
    let in_brackets = line
        .find('[')
        .filter(|open| !line[..*open].contains(" - "))
        .and_then(|open| Some(open + line[open..].find("] - ")? + 1));
    let end = in_brackets.or_else(|| line.find(" - "));
    &line[..end.unwrap_or(line.len())]
}
