//! CTest: `40% tests passed, 3 tests failed out of 5`, then lists of the others.

use super::{Found, Names, found, words::number};
use crate::domain::evidence::Counts;

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let closed = lines
        .iter()
        .enumerate()
        .rev()
        .find_map(|(at, line)| Some((at, summary(line)?)));
    let Some((at, (failed, total))) = closed else {
        if let Some(at) = lines
            .iter()
            .rposition(|line| *line == "No tests were found!!!")
        {
            return Some(Found::complete(at, Counts::default()));
        }
        return lines
            .iter()
            .rposition(|line| line.starts_with("Test project /"))
            .map(Found::unfinished);
    };
    let mut names = Names::default();
    let (mut in_failed, mut skipped) = (false, 0);
    for line in &lines[at..] {
        if line.starts_with("The following tests ") {
            in_failed = line.contains(" FAILED:");
        }
        // `	  2 - name (Failed)`; the disabled are not in the total.
        let Some((name, how)) = line
            .trim_start()
            .split_once(" - ")
            .filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|(_, rest)| rest.rsplit_once(" ("))
        else {
            continue;
        };
        match in_failed {
            true => names.push(name),
            false => skipped += u64::from(how.starts_with("Skipped)")),
        }
    }
    let counts = found::of_total(total, failed, 0, skipped);
    Some(Found::complete(at, counts).failing(names))
}

/// How many failed, and of how many.
fn summary(line: &str) -> Option<(u64, u64)> {
    let (_, rest) = number(line)?;
    let rest = rest.strip_prefix("% tests passed")?;
    let (failed, rest) = match rest.strip_prefix(", ") {
        Some(rest) => number(rest)?,
        None => (0, rest),
    };
    let (_, total) = rest.split_once(" out of ")?;
    Some((failed, number(total)?.0))
}
