//! RSpec: `4 examples, 1 failure, 2 pending, 1 error occurred outside of examples`.

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
    let mut counts = found::of_total(
        list[0].0,
        counted_as(&list, &["failure", "failures"]),
        0,
        counted_as(&list, &["pending"]),
    );
    counts.errors = list
        .iter()
        .find(|(_, word)| word.starts_with("error"))
        .map_or(0, |(count, _)| *count);
    let names: Names = lines[at..]
        .iter()
        .filter_map(|line| line.strip_prefix("rspec "))
        .collect();
    Some(Found::complete(at, counts).failing(names))
}

fn summary(line: &str) -> Option<Vec<(u64, &str)>> {
    let list = counted_list(line, ", ")?;
    let is = |at: usize, word: &str| list.get(at).is_some_and(|(_, has)| has.starts_with(word));
    (is(0, "example") && is(1, "failure")).then_some(list)
}
