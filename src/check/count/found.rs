//! What a counter found in an output.

use super::Counted;
use crate::domain::evidence::Counts;

/// What a counter found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct Found {
    pub(in crate::check) counts: Counts,
    pub(in crate::check) failed_tests: Names,
    /// Whether the run came to its closing line.
    pub(in crate::check) complete: bool,
    /// The line that told last.
    pub(in crate::check) at: usize,
}

impl Found {
    /// A finished run.
    pub(in crate::check) fn complete(at: usize, counts: Counts) -> Self {
        Self {
            counts,
            complete: true,
            at,
            ..Self::default()
        }
    }

    /// A run that began and did not tell how it ended.
    pub(in crate::check) fn unfinished(at: usize) -> Self {
        Self {
            at,
            ..Self::default()
        }
    }

    /// With the names of what failed.
    pub(in crate::check) fn failing(mut self, names: Names) -> Self {
        self.failed_tests = names;
        self
    }

    pub(in crate::check) fn named(self, runner: &'static str) -> Counted {
        Counted {
            runner,
            counts: self.counts,
            failed_tests: self.failed_tests.0,
            complete: self.complete,
        }
    }
}

/// Names of failed tests: each once, at most [`Names::MOST`], in the order of the output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct Names(Vec<String>);

impl Names {
    const MOST: usize = 50;
    /// Bytes of one name; some runners name a test by its whole input.
    const LONGEST: usize = 300;

    /// Takes a name, when there is room.
    pub(in crate::check) fn push(&mut self, name: &str) {
        let name = name.trim();
        let mut end = name.len().min(Self::LONGEST);
        while !name.is_char_boundary(end) {
            end -= 1;
        }
        let name = &name[..end];
        if !name.is_empty() && self.0.len() < Self::MOST && !self.0.iter().any(|has| has == name) {
            self.0.push(name.to_owned());
        }
    }

    /// Takes those of another block.
    pub(in crate::check) fn append(&mut self, other: &Self) {
        for name in &other.0 {
            self.push(name);
        }
    }
}

impl<'a> FromIterator<&'a str> for Names {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        let mut all = Self::default();
        for name in names {
            all.push(name);
        }
        all
    }
}

/// The sum of two blocks of one runner.
pub(super) fn sum(a: &Counts, b: &Counts) -> Counts {
    Counts {
        passed: a.passed.saturating_add(b.passed),
        failed: a.failed.saturating_add(b.failed),
        errors: a.errors.saturating_add(b.errors),
        skipped: a.skipped.saturating_add(b.skipped),
        flaky: match (a.flaky, b.flaky) {
            (None, None) => None,
            (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
        },
    }
}

/// Counts of a runner that tells the total instead of what passed.
pub(super) fn of_total(total: u64, failed: u64, errors: u64, skipped: u64) -> Counts {
    Counts {
        passed: total
            .saturating_sub(failed)
            .saturating_sub(errors)
            .saturating_sub(skipped),
        failed,
        errors,
        skipped,
        flaky: None,
    }
}
