//! Gradle says numbers only when something failed: `12 tests completed, 1 failed`. A green
//! build is not counted here; its report files are.

use super::{
    Found, Names, found,
    words::{counted_as, counted_list},
};
use crate::domain::evidence::Counts;

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let (mut counts, mut names) = (Counts::default(), Names::default());
    let mut last = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some(block) = summary(line) {
            counts = found::sum(&counts, &block);
            last = Some(at);
        } else if let Some(name) = line.strip_suffix(" FAILED").filter(|n| n.contains(" > ")) {
            names.push(name);
        }
    }
    Some(Found::complete(last?, counts).failing(names))
}

fn summary(line: &str) -> Option<Counts> {
    let list = counted_list(line, ", ")?;
    let [(total, "tests completed" | "test completed"), ..] = list[..] else {
        return None;
    };
    Some(found::of_total(
        total,
        counted_as(&list, &["failed"]),
        0,
        counted_as(&list, &["skipped"]),
    ))
}
