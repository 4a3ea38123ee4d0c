//! gotestsum: a last line `DONE …`.

use super::{
    Found, Names, found,
    words::{counted_as, counted_list, is_seconds},
};

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let (at, list) = lines
        .iter()
        .enumerate()
        .rev()
        .find_map(|(at, line)| Some((at, summary(line)?)))?;
    let counts = found::of_total(
        counted_as(&list, &["test", "tests"]),
        counted_as(&list, &["failure", "failures"]),
        counted_as(&list, &["error", "errors"]),
        counted_as(&list, &["skipped"]),
    );
    let names: Names = lines[..at]
        .iter()
        .filter_map(|line| line.strip_prefix("=== FAIL: "))
        .map(|line| line.rsplit_once(" (").map_or(line, |(name, _)| name))
        .collect();
    Some(Found::complete(at, counts).failing(names))
}

/// `DONE 2 runs, 4 tests, 1 skipped, 1 failure in 0.453s`
fn summary(line: &str) -> Option<Vec<(u64, &str)>> {
    let (list, time) = line.strip_prefix("DONE ")?.rsplit_once(" in ")?;
    let list = counted_list(list, ", ")?;
    let tells = list.iter().any(|(_, word)| word.starts_with("test"));
    (is_seconds(time) && tells).then_some(list)
}
