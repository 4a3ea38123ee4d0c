//! `deno test`: `ok | 2 passed (3 steps) | 0 failed | 1 ignored (78ms)`.

use super::{
    Found, Names,
    words::{counted, counted_as},
};
use crate::domain::evidence::Counts;

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let (at, list) = lines
        .iter()
        .enumerate()
        .rev()
        .find_map(|(at, line)| Some((at, summary(line)?)))?;
    let counts = Counts {
        passed: counted_as(&list, &["passed"]),
        failed: counted_as(&list, &["failed"]),
        errors: 0,
        skipped: counted_as(&list, &["ignored"]),
        flaky: None,
    };
    // ` FAILURES `, a blank, then `name => ./file.ts:1:6`, a blank, the summary.
    let names: Names = lines[..at]
        .iter()
        .rposition(|line| line.trim() == "FAILURES")
        .into_iter()
        .flat_map(|from| &lines[from + 1..at])
        .filter_map(|line| Some(line.split_once(" => ")?.0))
        .collect();
    Some(Found::complete(at, counts).failing(names))
}

fn summary(line: &str) -> Option<Vec<(u64, &str)>> {
    let list = line
        .strip_prefix("ok | ")
        .or_else(|| line.strip_prefix("FAILED | "))?;
    let (list, _time) = list.rsplit_once(" (")?;
    list.split(" | ")
        .map(|part| counted(part.split(" (").next().unwrap_or(part)))
        .collect()
}
