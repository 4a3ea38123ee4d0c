//! Python's unittest (and Django's runner): `Ran N tests`, a blank, the verdict.

use super::{
    Found, Names, found,
    words::{counted, is_seconds, labelled_as, labelled_list},
};

/// How far below `Ran` the verdict may stand; other output can come between.
const REACH: usize = 6;

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let (at, ran) = lines
        .iter()
        .enumerate()
        .rev()
        .find_map(|(at, line)| Some((at, ran(line)?)))?;
    let told = lines[at + 1..]
        .iter()
        .take(REACH)
        .position(|line| verdict(line).is_some());
    let Some(told) = told.map(|below| at + 1 + below) else {
        return Some(Found::unfinished(at));
    };
    let parts = verdict(lines[told]).unwrap_or_default();
    let part = |name: &str| labelled_as(&parts, &[name]);
    let failed = part("failures").saturating_add(part("unexpected successes"));
    let skipped = part("skipped").saturating_add(part("expected failures"));
    let counts = found::of_total(ran, failed, part("errors"), skipped);
    Some(Found::complete(told, counts).failing(names(&lines[..at])))
}

/// `Ran 6 tests in 0.006s`
fn ran(line: &str) -> Option<u64> {
    let (count, rest) = counted(line.strip_prefix("Ran ")?)?;
    let time = rest
        .strip_prefix("tests in ")
        .or_else(|| rest.strip_prefix("test in "))?;
    is_seconds(time).then_some(count)
}

/// `OK`, `OK (skipped=1)`, `FAILED (failures=1, errors=1)`, `NO TESTS RAN`
fn verdict(line: &str) -> Option<Vec<(&str, u64)>> {
    let line = line.trim_end();
    if line == "OK" || line == "FAILED" || line.starts_with("NO TESTS RAN") {
        return Some(Vec::new());
    }
    let parts = line
        .strip_prefix("OK (")
        .or_else(|| line.strip_prefix("FAILED ("))
        .or_else(|| line.strip_prefix("NO TESTS RAN ("))?;
    labelled_list(parts.strip_suffix(')')?, ", ", "=")
}

/// `FAIL: test_a (tests.Case.test_a)`, below a double rule.
fn names(lines: &[&str]) -> Names {
    lines
        .windows(2)
        .filter(|pair| pair[0].len() >= 70 && pair[0].bytes().all(|byte| byte == b'='))
        .filter_map(|pair| {
            let name = pair[1]
                .strip_prefix("FAIL: ")
                .or_else(|| pair[1].strip_prefix("ERROR: "))
                .or_else(|| pair[1].strip_prefix("UNEXPECTED SUCCESS: "))?;
            // The full name stands in brackets, since 3.11 with the method in it.
            let Some((method, class)) = name.split_once(" (") else {
                return Some(name.to_owned());
            };
            let class = class.split(')').next().unwrap_or(class);
            Some(if class.ends_with(&format!(".{method}")) {
                class.to_owned()
            } else {
                format!("{class}.{method}")
            })
        })
        .fold(Names::default(), |mut names, name| {
            names.push(&name);
            names
        })
}
