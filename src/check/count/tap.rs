//! The Test Anything Protocol, versions 12 to 14. Subtests are indented and counted by
//! the line that closes them. Several streams in a row are added up.

use super::{Found, Names, found, words::number};
use crate::domain::evidence::Counts;

/// One stream: a plan and its tests.
#[derive(Default)]
struct Stream {
    plan: Option<u64>,
    seen: u64,
    counts: Counts,
    names: Names,
    bailed: bool,
}

impl Stream {
    fn is_whole(&self) -> bool {
        self.plan == Some(self.seen)
    }

    fn is_empty(&self) -> bool {
        self.plan.is_none() && self.seen == 0 && !self.bailed
    }
}

pub(in crate::check) fn count(lines: &[&str]) -> Option<Found> {
    let mut streams: Vec<Stream> = Vec::new();
    let mut stream = Stream::default();
    let (mut at, mut is_tap) = (None, false);
    for (index, line) in lines.iter().enumerate() {
        if line.starts_with("TAP version ") {
            is_tap = true;
            if !stream.is_empty() {
                streams.push(std::mem::take(&mut stream));
            }
        } else if let Some(plan) = plan(line) {
            is_tap = true;
            if stream.plan.is_some() {
                streams.push(std::mem::take(&mut stream));
            }
            stream.plan = Some(plan);
        } else if let Some((passed, rest)) = test(line) {
            if stream.is_whole() {
                streams.push(std::mem::take(&mut stream));
            }
            take_test(&mut stream, passed, rest);
        } else if line.starts_with("Bail out!") {
            stream.bailed = true;
            stream.counts.errors += 1;
        } else {
            continue;
        }
        at = Some(index);
    }
    if !is_tap {
        return None;
    }
    streams.push(stream);
    let mut all = Found {
        complete: true,
        at: at?,
        ..Found::default()
    };
    for mut stream in streams {
        // More than planned is a broken plan, not a broken run.
        let surplus = stream.plan.is_some_and(|plan| plan < stream.seen);
        stream.counts.errors += u64::from(surplus);
        all.complete &= (stream.is_whole() || surplus) && !stream.bailed;
        all.counts = found::sum(&all.counts, &stream.counts);
        all.failed_tests.append(&stream.names);
    }
    Some(all)
}

/// `1..4`, `1..0 # SKIP why`
fn plan(line: &str) -> Option<u64> {
    let (count, rest) = number(line.strip_prefix("1..")?)?;
    let rest = rest.trim_start();
    (rest.is_empty() || rest.starts_with('#')).then_some(count)
}

/// `ok 3 - text # SKIP why`: whether it passed, and what follows.
fn test(line: &str) -> Option<(bool, &str)> {
    let (passed, rest) = match line.strip_prefix("not ok") {
        Some(rest) => (false, rest),
        None => (true, line.strip_prefix("ok")?),
    };
    // Not `okay`, and not the lines of `go test`.
    if !rest.is_empty() && (!rest.starts_with(' ') || rest.starts_with("  ")) {
        return None;
    }
    let rest = rest.trim();
    Some((
        passed,
        number(rest).map_or(rest, |(_, rest)| rest.trim_start()),
    ))
}

fn take_test(stream: &mut Stream, passed: bool, rest: &str) {
    stream.seen += 1;
    let directive = rest.rsplit_once('#').and_then(|(_, directive)| {
        let word = directive.trim_start().get(..4)?.to_ascii_lowercase();
        matches!(word.as_str(), "skip" | "todo").then_some(word)
    });
    match (directive, passed) {
        (Some(_), _) => stream.counts.skipped += 1,
        (None, true) => stream.counts.passed += 1,
        (None, false) => {
            stream.counts.failed += 1;
            stream.names.push(rest.strip_prefix("- ").unwrap_or(rest));
        }
    }
}
