//! `node --test`: the same numbers as TAP comments (`#`) or in the spec reporter (`ℹ`).

use super::{Found, Names, words::labelled};
use crate::domain::evidence::Counts;

/// The numbers, in their order.
const FIELDS: [&str; 7] = [
    "tests",
    "suites",
    "pass",
    "fail",
    "cancelled",
    "skipped",
    "todo",
];

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let (at, numbers) = (0..lines.len())
        .rev()
        .find_map(|at| Some((at, summary(&lines[at..])?)))?;
    let [_, _, passed, failed, cancelled, skipped, todo] = numbers;
    let counts = Counts {
        passed,
        failed: failed.saturating_add(cancelled),
        errors: 0,
        skipped: skipped.saturating_add(todo),
        flaky: None,
    };
    let names = if lines[at].starts_with('#') {
        tap_names(&lines[..at])
    } else {
        spec_names(&lines[at..])
    };
    Some(Found::complete(at + FIELDS.len() - 1, counts).failing(names))
}

fn summary(lines: &[&str]) -> Option<[u64; 7]> {
    let mut numbers = [0; 7];
    for (index, field) in FIELDS.iter().enumerate() {
        let line = lines.get(index)?;
        let line = line
            .strip_prefix("# ")
            .or_else(|| line.strip_prefix("ℹ "))?;
        let (name, number) = labelled(line, " ")?;
        if name != *field {
            return None;
        }
        numbers[index] = number;
    }
    Some(numbers)
}

/// `    not ok 1 - name` at any depth, but for suites, which fail with their tests.
fn tap_names(lines: &[&str]) -> Names {
    let mut names = Names::default();
    for (at, line) in lines.iter().enumerate() {
        let Some((_, name)) = line
            .trim_start()
            .strip_prefix("not ok ")
            .and_then(|rest| rest.split_once(" - "))
        else {
            continue;
        };
        let details = lines[at + 1..].iter().take(12).map(|line| line.trim());
        let is_parent = details
            .take_while(|line| *line != "..." && !line.starts_with("not ok "))
            .any(|line| line == "type: 'suite'" || line == "failureType: 'subtestsFailed'");
        if !is_parent && !name.contains(" # TODO") && !name.contains(" # SKIP") {
            names.push(name);
        }
    }
    names
}

/// `✖ name (1.2ms)` below `✖ failing tests:`.
fn spec_names(lines: &[&str]) -> Names {
    lines
        .iter()
        .skip_while(|line| **line != "✖ failing tests:")
        .skip(1)
        .filter_map(|line| line.strip_prefix("✖ "))
        .filter(|name| !name.contains(" # TODO") && !name.contains(" # SKIP"))
        .map(|name| match name.rsplit_once(" (") {
            Some((name, time)) if time.ends_with("ms)") => name,
            _ => name,
        })
        .collect()
}
