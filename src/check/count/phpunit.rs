//! PHPUnit: `OK (6 tests, 6 assertions)`, or a list `Tests: 6, Assertions: 3, …`.

use super::{
    Found, Names, found,
    words::{counted_list, labelled_as, labelled_list},
};
use crate::domain::evidence::Counts;

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let (at, counts) = lines
        .iter()
        .enumerate()
        .rev()
        .find_map(|(at, line)| Some((at, summary(line)?)))?;
    let names: Names = match counts.failed.max(counts.errors) {
        0 => Names::default(),
        _ => lines[..at]
            .iter()
            .filter_map(|line| failure(line))
            .collect(),
    };
    Some(Found::complete(at, counts).failing(names))
}

fn summary(line: &str) -> Option<Counts> {
    if line == "No tests executed!" {
        return Some(Counts::default());
    }
    if let Some(list) = line.strip_prefix("OK (") {
        let list = counted_list(list.strip_suffix(')')?, ", ")?;
        let [
            (total, "tests" | "test"),
            (_, "assertions" | "assertion"),
            ..,
        ] = list[..]
        else {
            return None;
        };
        return Some(found::of_total(total, 0, 0, 0));
    }
    let list = labelled_list(line.strip_suffix('.')?, ", ", ": ")?;
    let [("Tests", total), ("Assertions", _), ..] = list[..] else {
        return None;
    };
    let part = |name| labelled_as(&list, &[name]);
    Some(found::of_total(
        total,
        part("Failures"),
        part("Errors"),
        part("Skipped").saturating_add(part("Incomplete")),
    ))
}

/// `1) Name\Of\ClassTest::testMethod`
fn failure(line: &str) -> Option<&str> {
    let (number, name) = line.split_once(") ")?;
    let numbered = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (numbered && name.contains("::")).then_some(name)
}
