//! Bats at a terminal (`--pretty`): `3 tests, 1 failure, 1 skipped`. Piped it is TAP.

use super::{
    Found, Names, found,
    words::{counted_as, counted_list},
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
        0,
        counted_as(&list, &["skipped"]),
    );
    let names: Names = lines[..at]
        .iter()
        .filter_map(|line| line.trim_start().strip_prefix("✗ "))
        .collect();
    Some(Found::complete(at, counts).failing(names))
}

fn summary(line: &str) -> Option<Vec<(u64, &str)>> {
    let list = counted_list(line, ", ")?;
    let words: Vec<_> = list.iter().map(|(_, word)| *word).collect();
    let whole = matches!(words[..], ["test" | "tests", "failure" | "failures"])
        || matches!(
            words[..],
            ["test" | "tests", "failure" | "failures", "skipped"]
        );
    whole.then_some(list)
}
