//! `go test` as text. Tests are only listed with `-v`; without it the output names what
//! failed and no more, so a green run is not counted and a red one has failures only.

use super::{Found, Names};
use crate::domain::evidence::Counts;

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let mut counts = Counts::default();
    let mut names = Names::default();
    // Failures of the package that is being read; its name comes last.
    let mut failed_here: Vec<&str> = Vec::new();
    let (mut last_run, mut last_close) = (None, None);
    let mut all_empty = true;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("=== RUN ") {
            last_run = Some(at);
        } else if let Some((word, name)) = test(line) {
            match word {
                "PASS" => counts.passed += 1,
                "SKIP" => counts.skipped += 1,
                _ => {
                    counts.failed += 1;
                    failed_here.push(name);
                }
            }
        } else if let Some((failed, package)) = package(line) {
            last_close = Some(at);
            all_empty &= line.ends_with("[no tests to run]") || line.ends_with("[no test files]");
            let name = package.split_ascii_whitespace().next().unwrap_or(package);
            // Did not build, or ended outside of any test.
            if failed && failed_here.is_empty() {
                counts.errors += 1;
                names.push(name);
            }
            for test in failed_here.drain(..) {
                names.push(&format!("{name}.{test}"));
            }
        } else if matches!(*line, "PASS" | "FAIL") && last_run.is_some() {
            last_close = Some(at);
        }
    }
    for test in failed_here {
        names.push(test);
    }
    let any = counts != Counts::default();
    if last_run.is_none() && !any && !(all_empty && last_close.is_some()) {
        return None;
    }
    // `--- FAIL` alone may be anything.
    let at = last_run.max(last_close)?;
    Some(Found {
        counts,
        failed_tests: names,
        complete: last_run <= last_close,
        at,
    })
}

/// `    --- FAIL: TestBad/case (0.00s)`
fn test(line: &str) -> Option<(&str, &str)> {
    let (word, rest) = line.trim_start().strip_prefix("--- ")?.split_once(": ")?;
    let (name, time) = rest.rsplit_once(" (")?;
    (matches!(word, "PASS" | "FAIL" | "SKIP") && time.ends_with("s)")).then_some((word, name))
}

/// The line that closes a package: whether it failed, and its name with what follows.
fn package(line: &str) -> Option<(bool, &str)> {
    if let Some(rest) = line.strip_prefix("FAIL\t") {
        return Some((true, rest));
    }
    let rest = line
        .strip_prefix("ok  \t")
        .or_else(|| line.strip_prefix("?   \t"))?;
    Some((false, rest))
}
