//! `cargo test`: one block for each test binary, added up.
//!
//! A failing test's output is printed inside its block and may hold another run's
//! block. It is told apart by the number that the block's first line promises.

use super::{Found, Names, found, words::counted};
use crate::domain::evidence::Counts;

/// How many open blocks a closing line is compared with. Real ones do not nest.
const DEEPEST: usize = 32;

/// A block that began.
#[derive(Default)]
struct Block {
    /// How many tests it said it would run.
    promised: u64,
    /// Where its list of failures begins.
    list: Option<usize>,
    /// Tests that failed before it was closed.
    failed: Names,
    /// The sum of blocks that were closed inside it: its own output, if it is closed too.
    inner: Closed,
}

#[derive(Clone, Default)]
struct Closed {
    counts: Counts,
    names: Names,
}

impl Closed {
    fn add(&mut self, other: &Self) {
        self.counts = found::sum(&self.counts, &other.counts);
        self.names.append(&other.names);
    }
}

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let mut open: Vec<Block> = Vec::new();
    let mut total = Closed::default();
    // The last block closed outside of any other: what it promised, what it gave.
    let mut last: Option<(u64, Closed)> = None;
    let mut at = None;
    for (index, line) in lines.iter().enumerate() {
        if let Some(promised) = begin(line) {
            total.add(&last.take().unwrap_or_default().1);
            open.push(Block {
                promised,
                ..Block::default()
            });
            at = Some(index);
        } else if let Some((ran, counts)) = result(line) {
            at = Some(index);
            let block = open
                .iter()
                .rev()
                .take(DEEPEST)
                .position(|block| block.promised == ran)
                .map(|above| open.len() - 1 - above);
            let closed = |block: Option<&Block>| Closed {
                counts,
                names: block
                    .and_then(|block| block.list)
                    .map(|from| listed(&lines[from + 1..index]))
                    .unwrap_or_default(),
            };
            match block {
                Some(position) => {
                    let closed = closed(open.get(position));
                    open.truncate(position);
                    match open.last_mut() {
                        Some(outer) => outer.inner.add(&closed),
                        None => last = Some((ran, closed)),
                    }
                }
                // Quoted, as it does not fit the block it stands in.
                None if !open.is_empty() => {}
                // What closed the block before was quoted, and this is its end; or the
                // lines before were cut away.
                None => {
                    let again = last.as_ref().is_some_and(|(promised, _)| *promised == ran);
                    if !again {
                        total.add(&last.take().unwrap_or_default().1);
                    }
                    last = Some((ran, closed(None)));
                }
            }
        } else if let Some(block) = open.last_mut() {
            if *line == "failures:" {
                block.list = Some(index);
            } else if let Some(name) = red(line) {
                block.failed.push(name);
            }
        }
    }
    total.add(&last.unwrap_or_default().1);
    let complete = open.is_empty();
    // Whoever never closed was no output of a test, and neither is what followed.
    for block in &open {
        total.add(&block.inner);
        total.names.append(&block.failed);
    }
    Some(Found {
        counts: total.counts,
        failed_tests: total.names,
        complete,
        at: at?,
    })
}

/// `running 4 tests`
fn begin(line: &str) -> Option<u64> {
    let (count, word) = counted(line.strip_prefix("running ")?)?;
    matches!(word, "test" | "tests").then_some(count)
}

/// `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; …`
fn result(line: &str) -> Option<(u64, Counts)> {
    let rest = line.strip_prefix("test result: ")?;
    let rest = rest
        .strip_prefix("ok. ")
        .or_else(|| rest.strip_prefix("FAILED. "))?;
    let mut counts = Counts::default();
    let (mut ran, mut told) = (0_u64, 0);
    for (count, word) in rest.split("; ").filter_map(counted) {
        match word {
            "passed" => counts.passed = count,
            "failed" => counts.failed = count,
            "ignored" => counts.skipped = count,
            "measured" => {}
            _ => continue,
        }
        told += 1;
        ran = ran.saturating_add(count);
    }
    (told == 4).then_some((ran, counts))
}

/// `test a::b ... FAILED`
fn red(line: &str) -> Option<&str> {
    line.strip_prefix("test ")?.strip_suffix(" ... FAILED")
}

/// The indented names of the list of failures.
fn listed(lines: &[&str]) -> Names {
    lines
        .iter()
        .map_while(|line| line.strip_prefix("    "))
        .collect()
}
