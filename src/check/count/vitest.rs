//! Vitest: `Test Files` and `Tests`, aligned to the right. A file that does not load is
//! in the first only.

use super::{
    Found, Names,
    words::{counted, counted_as},
};
use crate::domain::evidence::Counts;

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let closed = lines
        .iter()
        .rposition(|line| list(line, "Tests  ").is_some());
    let begun = lines
        .iter()
        .rposition(|line| line.trim_start().starts_with("RUN  v"));
    let Some(at) = closed.filter(|at| begun.is_none_or(|begun| begun < *at)) else {
        let empty = lines
            .iter()
            .rposition(|line| line.starts_with("No test files found, exiting with code "));
        return match empty {
            Some(at) => Some(Found::complete(at, Counts::default())),
            None => begun.map(Found::unfinished),
        };
    };
    let tests = list(lines[at], "Tests  ")?;
    let files = lines[..at]
        .iter()
        .rev()
        .take(2)
        .find_map(|line| list(line, "Test Files  "))
        .unwrap_or_default();
    let loose = lines[at + 1..]
        .iter()
        .take(3)
        .find_map(|line| list(line, "Errors  "))
        .unwrap_or_default();
    let failed = counted_as(&tests, &["failed"]);
    let (names, broken) = failures(&lines[begun.unwrap_or(0)..at]);
    let broken = match failed {
        0 => counted_as(&files, &["failed"]),
        _ => broken.min(counted_as(&files, &["failed"])),
    };
    let counts = Counts {
        passed: counted_as(&tests, &["passed"]),
        failed,
        errors: broken.saturating_add(counted_as(&loose, &["error", "errors"])),
        skipped: counted_as(&tests, &["skipped", "todo"]),
        flaky: None,
    };
    Some(Found::complete(at, counts).failing(names))
}

/// `      Tests  1 failed | 1 passed | 1 skipped | 1 todo (4)`
fn list<'a>(line: &'a str, label: &str) -> Option<Vec<(u64, &'a str)>> {
    let list = line.trim_start().strip_prefix(label)?.trim();
    if list == "no tests" {
        return Some(Vec::new());
    }
    let list = match list.rsplit_once(" (") {
        Some((list, total)) if total.ends_with(')') => list,
        _ => list,
    };
    list.split(" | ").map(counted).collect()
}

/// ` FAIL  src/a.test.ts > suite > test`, or ` FAIL  src/a.test.ts [ src/a.test.ts ]`
/// for a file that did not load.
fn failures(lines: &[&str]) -> (Names, u64) {
    let (mut names, mut broken) = (Names::default(), 0);
    for name in lines.iter().filter_map(|line| failure(line)) {
        match name.split_once(" [ ") {
            Some((file, again)) if again.strip_suffix(" ]") == Some(file) => {
                names.push(file);
                broken += 1;
            }
            _ => names.push(name),
        }
    }
    (names, broken)
}

fn failure(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("FAIL  ")
}
