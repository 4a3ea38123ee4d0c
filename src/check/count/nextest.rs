//! `cargo nextest`: one `Summary` line. The libtest lines before it are the output of
//! single tests.

use super::{
    Found, Names,
    words::{counted, counted_as, number},
};
use crate::domain::evidence::Counts;

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let summary = lines
        .iter()
        .enumerate()
        .rev()
        .find_map(|(at, line)| Some((at, summary(line)?)));
    let Some((at, (all_ran, counts))) = summary else {
        return lines
            .iter()
            .rposition(|line| is_start(line))
            .map(Found::unfinished);
    };
    let names = match counts.failed.max(counts.errors) {
        0 => Names::default(),
        _ => names(&lines[..at], &lines[at + 1..]),
    };
    let mut found = Found::complete(at, counts).failing(names);
    // Fewer than were chosen, and none failed: someone stopped it.
    found.complete = all_ran || counts.failed > 0 || counts.errors > 0;
    Some(found)
}

/// `     Summary [   0.480s] 3/4 tests run: 2 passed (1 flaky), 1 failed, 1 skipped`
fn summary(line: &str) -> Option<(bool, Counts)> {
    let (_, rest) = line
        .trim_start()
        .strip_prefix("Summary [")?
        .split_once("] ")?;
    let (ran, rest) = number(rest)?;
    let (chosen, rest) = match rest.strip_prefix('/') {
        Some(rest) => number(rest)?,
        None => (ran, rest),
    };
    let list = rest
        .strip_prefix(" tests run: ")
        .or_else(|| rest.strip_prefix(" test run: "))?;
    // Remarks in brackets go with the number before them and have commas of their own.
    let (mut parts, mut remarks) = (Vec::new(), Vec::new());
    for (index, piece) in list.split(['(', ')']).enumerate() {
        let into = if index % 2 == 0 {
            &mut parts
        } else {
            &mut remarks
        };
        into.extend(piece.split(',').filter_map(counted));
    }
    let flaky = counted_as(&remarks, &["flaky"]);
    let counts = Counts {
        passed: counted_as(&parts, &["passed"]),
        failed: counted_as(&parts, &["failed", "timed out"]),
        errors: counted_as(&parts, &["exec failed"]),
        skipped: counted_as(&parts, &["skipped"]),
        flaky: (flaky > 0).then_some(flaky),
    };
    Some((ran == chosen, counts))
}

fn is_start(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("Nextest run ID ")
        || line
            .strip_prefix("Starting ")
            .and_then(counted)
            .is_some_and(|(_, word)| word.starts_with("test"))
}

/// `  TRY 2 FAIL [   0.006s] (2/4) krate::binary module::test`: after the summary each
/// test that did not simply pass is listed once more.
fn names(before: &[&str], after: &[&str]) -> Names {
    const GOOD: &[&str] = &["PASS", "FLAKY", "SLOW", "LEAK", "SKIP"];
    const BAD: &[&str] = &["FAIL", "TIMEOUT", "TMT", "ABORT"];
    let listed: Names = after
        .iter()
        .filter_map(|line| status(line))
        .filter(|(word, _)| !GOOD.contains(word))
        .map(|(_, name)| name)
        .collect();
    if listed != Names::default() {
        return listed;
    }
    before
        .iter()
        .filter_map(|line| status(line))
        .filter(|(word, _)| BAD.contains(word) || word.starts_with("SIG"))
        .map(|(_, name)| name)
        .collect()
}

/// The word before the time, and the name behind it.
fn status(line: &str) -> Option<(&str, &str)> {
    let (words, rest) = line.trim_start().split_once(" [")?;
    let words = match words.strip_prefix("TRY ").and_then(number) {
        Some((_, words)) => words.trim_start(),
        None => words,
    };
    let word = words.split(' ').next()?;
    let (time, name) = rest.split_once("] ")?;
    if !time.trim().ends_with('s') || word.is_empty() {
        return None;
    }
    // The place in the run changes from one to the next.
    Some(
        match name
            .strip_prefix('(')
            .and_then(|name| name.split_once(") "))
        {
            Some((place, name)) if place.contains(['/', '─']) => (word, name),
            _ => (word, name),
        },
    )
}
