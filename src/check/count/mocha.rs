//! Mocha: `passing`, then `pending` and `failing` where there are any.

use super::{Found, Names, words::counted};
use crate::domain::evidence::Counts;

/// How far below `passing` the other numbers may stand.
const REACH: usize = 4;

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let closed = lines.iter().rposition(|line| passing(line).is_some());
    let Some(at) = closed else {
        return lines
            .iter()
            .rposition(|line| line.starts_with("Error: No test files found"))
            .map(|at| Found::complete(at, Counts::default()));
    };
    let mut counts = Counts {
        passed: passing(lines[at])?,
        ..Counts::default()
    };
    let mut end = at;
    for (below, line) in lines[at + 1..].iter().take(REACH).enumerate() {
        match line.strip_prefix("  ").and_then(counted) {
            Some((count, "pending")) => counts.skipped = count,
            Some((count, "failing")) => counts.failed = count,
            _ => continue,
        }
        end = at + 1 + below;
    }
    let names = match counts.failed {
        0 => Names::default(),
        _ => names(&lines[end + 1..]),
    };
    Some(Found::complete(end, counts).failing(names))
}

/// `  2 passing (8ms)`
fn passing(line: &str) -> Option<u64> {
    let (count, rest) = counted(line.strip_prefix("  ")?)?;
    (rest == "passing" || (rest.starts_with("passing (") && rest.ends_with(')'))).then_some(count)
}

/// `  1) suite`, deeper suites below it, and last the test with a colon.
fn names(lines: &[&str]) -> Names {
    let mut names = Names::default();
    let mut path: Option<Vec<&str>> = None;
    for line in lines {
        let text = line.trim();
        let head = line
            .strip_prefix("  ")
            .filter(|rest| !rest.starts_with(' '));
        let head = head.and_then(|rest| {
            let (number, title) = rest.split_once(") ")?;
            number
                .bytes()
                .all(|byte| byte.is_ascii_digit())
                .then_some(title)
        });
        if let Some(title) = head {
            path = Some(vec![title]);
        } else if text.is_empty() {
            path = None;
        } else if let Some(path) = &mut path {
            path.push(text);
        }
        // A title may hold line breaks, but not many.
        match &path {
            Some(parts) if text.ends_with(':') => {
                names.push(parts.join(" ").trim_end_matches(':'));
                path = None;
            }
            Some(parts) if parts.len() > 20 => path = None,
            _ => {}
        }
    }
    names
}
