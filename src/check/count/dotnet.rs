//! `dotnet test`, whose summary changed with nearly every major version. One line or
//! block for each project, added up; translated ones are not known.

use super::{
    Found, Names, found,
    words::{labelled, labelled_as, labelled_list},
};
use crate::domain::evidence::Counts;

/// How many lines a block of the versions with one number a line has.
const BLOCK: usize = 6;

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let (mut counts, mut names) = (Counts::default(), Names::default());
    let mut last = None;
    for (at, line) in lines.iter().enumerate() {
        let block = project(line)
            .or_else(|| sentence(line))
            .or_else(|| terminal(line))
            .or_else(|| tall(line, &lines[at + 1..]));
        if let Some(block) = block {
            counts = found::sum(&counts, &block);
            last = Some(at);
        } else if line.trim_end() == "Zero tests ran" || no_test(line) {
            last = Some(at);
        } else if let Some(name) = failure(line) {
            names.push(name);
        }
    }
    Some(Found::complete(last?, counts).failing(names))
}

fn of(list: &[(&str, u64)]) -> Counts {
    Counts {
        passed: labelled_as(list, &["Passed", "passed", "succeeded"]),
        failed: labelled_as(list, &["Failed", "failed"]),
        errors: 0,
        skipped: labelled_as(list, &["Skipped", "skipped"]),
        flaky: None,
    }
}

/// `Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5, Duration: …`
fn project(line: &str) -> Option<Counts> {
    let (word, rest) = line.trim_start().split_once("!  - ")?;
    let list: Vec<_> = rest
        .split(", ")
        .map_while(|part| labelled(part, ":"))
        .collect();
    (matches!(word, "Passed" | "Failed" | "Skipped") && list.len() >= 4).then(|| of(&list))
}

/// `Total tests: 39. Passed: 33. Failed: 4. Skipped: 2.`
fn sentence(line: &str) -> Option<Counts> {
    let list = labelled_list(line.trim_end().strip_suffix('.')?, ". ", ": ")?;
    (list.len() > 1 && list[0].0 == "Total tests").then(|| of(&list))
}

/// `Test summary: total: 5, failed: 0, succeeded: 5, skipped: 0, duration: 1.2s`
fn terminal(line: &str) -> Option<Counts> {
    let rest = line.trim_start().strip_prefix("Test summary: ")?;
    let list: Vec<_> = rest
        .split(", ")
        .map_while(|part| labelled(part, ": "))
        .collect();
    (list.len() >= 4).then(|| of(&list))
}

/// `Total tests: 5` or `Test run summary: …`, then one number a line.
fn tall(line: &str, below: &[&str]) -> Option<Counts> {
    let new = line.trim_start().starts_with("Test run summary: ");
    let old = labelled(line, ": ").is_some_and(|(word, _)| word == "Total tests");
    if !new && !old {
        return None;
    }
    let list: Vec<_> = below
        .iter()
        .take(BLOCK)
        .take_while(|line| line.starts_with(' '))
        .filter_map(|line| labelled(line, ": "))
        .collect();
    (old || list.len() >= 3).then(|| of(&list))
}

/// `No test is available in X.dll. Make sure …`
fn no_test(line: &str) -> bool {
    line.starts_with("No test is available in ")
}

/// `  Failed Name.Space.Class.Method [12 ms]`
fn failure(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("Failed ")?;
    let (name, time) = rest.rsplit_once(" [")?;
    time.ends_with("s]").then_some(name)
}
