//! Minitest and test-unit: `4 runs, 2 assertions, 1 failures, 1 errors, 1 skips`. Parallel
//! runners print one line for each process: added up.

use super::{
    Found, Names, found,
    words::{counted_as, counted_list},
};
use crate::domain::evidence::Counts;

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let mut counts = Counts::default();
    let mut names = Names::default();
    let mut last = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some(block) = summary(line) {
            counts = found::sum(&counts, &block);
            last = Some(at);
        } else if let Some(name) = failure(line, lines.get(at + 1)) {
            names.push(name);
        }
    }
    Some(Found::complete(last?, counts).failing(names))
}

fn summary(line: &str) -> Option<Counts> {
    let list = counted_list(line, ", ")?;
    let [
        (total, "runs" | "tests" | "run" | "test"),
        (_, "assertions" | "assertion"),
        ..,
    ] = list[..]
    else {
        return None;
    };
    Some(found::of_total(
        total,
        counted_as(&list, &["failures", "failure"]),
        counted_as(&list, &["errors", "error"]),
        counted_as(&list, &["skips", "skip", "pendings", "omissions"]),
    ))
}

/// `  1) Failure:` and on the next line `TestA#test_b [file.rb:3]:`
fn failure<'a>(line: &str, next: Option<&&'a str>) -> Option<&'a str> {
    let (number, word) = line.trim_start().split_once(") ")?;
    let head = number.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(word.trim_end(), "Failure:" | "Error:");
    let next = next.filter(|_| head)?;
    let name = next.split_once(" [").map_or(*next, |(name, _)| name);
    Some(name.trim_end_matches(':'))
}
