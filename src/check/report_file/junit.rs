//! JUnit XML, which nobody ever specified: what counts is each `<testcase>`, at any depth.
//!
//! The numbers in attributes are a cross-check, and the counts where a writer left the
//! cases out. Entities are never expanded beyond the five that XML itself names.

use super::ReportError;
use crate::check::count::{Found, Names};
use crate::domain::evidence::Counts;
use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};

/// Deeper than any writer nests suites.
const DEEPEST: usize = 256;

/// What an element is to us.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Suites,
    Suite,
    Case,
    Other,
}

/// A case that is being read.
#[derive(Default)]
struct Case {
    name: String,
    failed: bool,
    error: bool,
    skipped: bool,
    /// Not expected to pass yet, so its failure is none.
    todo: bool,
    flaky: bool,
}

/// Numbers in the attributes of a suite.
#[derive(Clone, Copy, Default)]
struct Stated {
    tests: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
}

#[derive(Default)]
struct Reading {
    open: Vec<Element>,
    case: Option<Case>,
    cases: u64,
    counts: Counts,
    names: Names,
    /// The outermost numbers: of the root, else the sum of the suites right below it.
    root: Option<Stated>,
    below: Option<Stated>,
}

pub(super) fn count(bytes: &[u8]) -> Result<Found, ReportError> {
    let damaged = |why: String| ReportError::Damaged { form: "JUnit", why };
    let mut reader = Reader::from_reader(bytes);
    // Writers put raw text where they should not.
    reader.config_mut().allow_dangling_amp = true;
    let mut reading = Reading::default();
    let mut is_junit = false;
    loop {
        let event = reader.read_event().map_err(|error| match is_junit {
            true => damaged(error.to_string()),
            false => ReportError::UnknownForm,
        })?;
        match event {
            Event::Start(start) => {
                is_junit = is_junit || is_root(&start);
                if !is_junit {
                    return Err(ReportError::UnknownForm);
                }
                if reading.open.len() >= DEEPEST {
                    return Err(damaged(format!("nested deeper than {DEEPEST} elements")));
                }
                reading.enter(&start);
            }
            Event::Empty(start) => {
                is_junit = is_junit || is_root(&start);
                if !is_junit {
                    return Err(ReportError::UnknownForm);
                }
                reading.enter(&start);
                reading.leave();
            }
            Event::End(_) => reading.leave(),
            Event::Eof => break,
            _ => {}
        }
    }
    if !is_junit {
        return Err(ReportError::UnknownForm);
    }
    if !reading.open.is_empty() {
        return Err(damaged("it ends in the middle".to_owned()));
    }
    Ok(reading.finish())
}

fn element(start: &BytesStart<'_>) -> Element {
    match start.local_name().as_ref() {
        b"testsuites" => Element::Suites,
        b"testsuite" => Element::Suite,
        b"testcase" => Element::Case,
        _ => Element::Other,
    }
}

fn is_root(start: &BytesStart<'_>) -> bool {
    matches!(element(start), Element::Suites | Element::Suite)
}

impl Reading {
    fn enter(&mut self, start: &BytesStart<'_>) {
        let element = element(start);
        match element {
            Element::Case if self.case.is_none() => self.case = Some(Case::of(start)),
            Element::Suites | Element::Suite => self.note_stated(start),
            _ => self.note_outcome(start),
        }
        self.open.push(element);
    }

    fn leave(&mut self) {
        if self.open.pop() == Some(Element::Case)
            && !self.open.contains(&Element::Case)
            && let Some(case) = self.case.take()
        {
            self.close(case);
        }
    }

    fn note_outcome(&mut self, start: &BytesStart<'_>) {
        let name = start.local_name();
        let (name, parent) = (name.as_ref(), self.open.last());
        match (&mut self.case, name) {
            (Some(case), b"failure") => case.failed = true,
            (Some(case), b"error") => case.error = true,
            (Some(case), b"skipped") => {
                case.skipped = true;
                case.todo |= attribute(start, b"type").is_some_and(|kind| kind == "todo");
            }
            (Some(case), b"flakyFailure" | b"flakyError") => case.flaky = true,
            // A set-up that broke outside of any case.
            (None, b"failure" | b"error") if parent == Some(&Element::Suite) => {
                self.counts.errors += 1;
            }
            _ => {}
        }
    }

    fn note_stated(&mut self, start: &BytesStart<'_>) {
        let Some(stated) = Stated::of(start) else {
            return;
        };
        match self.open.len() {
            0 => self.root = Some(stated),
            1 => {
                let sum = self.below.get_or_insert_default();
                sum.tests = sum.tests.saturating_add(stated.tests);
                sum.failures = sum.failures.saturating_add(stated.failures);
                sum.errors = sum.errors.saturating_add(stated.errors);
                sum.skipped = sum.skipped.saturating_add(stated.skipped);
            }
            _ => {}
        }
    }

    fn close(&mut self, mut case: Case) {
        self.cases += 1;
        if case.todo {
            (case.failed, case.error) = (false, false);
        }
        if case.failed || case.error {
            self.names.push(&case.name);
        }
        match (case.failed, case.error, case.skipped) {
            (true, _, _) => self.counts.failed += 1,
            (_, true, _) => self.counts.errors += 1,
            (_, _, true) => self.counts.skipped += 1,
            _ => {
                self.counts.passed += 1;
                if case.flaky {
                    *self.counts.flaky.get_or_insert_default() += 1;
                }
            }
        }
    }

    fn finish(mut self) -> Found {
        let stated = self.root.or(self.below).unwrap_or_default();
        let bad = stated.failures.saturating_add(stated.errors);
        if self.cases == 0 {
            self.counts = Counts {
                passed: stated
                    .tests
                    .saturating_sub(bad)
                    .saturating_sub(stated.skipped),
                failed: stated.failures,
                errors: stated.errors.max(self.counts.errors),
                skipped: stated.skipped,
                flaky: None,
            };
        } else if self.counts.failed == 0 && self.counts.errors == 0 {
            // The numbers know of something that no case tells.
            self.counts.errors = bad;
        }
        Found::complete(0, self.counts).failing(self.names)
    }
}

impl Case {
    fn of(start: &BytesStart<'_>) -> Self {
        let name = attribute(start, b"name").unwrap_or_default();
        let class = attribute(start, b"classname").unwrap_or_default();
        // Google Test and its kind say it in attributes.
        let left_out = |key: &[u8], words: &[&str]| {
            attribute(start, key).is_some_and(|value| words.contains(&value.as_str()))
        };
        Self {
            name: match class.is_empty() {
                true => name,
                false => format!("{class}.{name}"),
            },
            skipped: left_out(b"status", &["notrun", "disabled", "skipped"])
                || left_out(b"result", &["suppressed", "skipped"]),
            ..Self::default()
        }
    }
}

impl Stated {
    fn of(start: &BytesStart<'_>) -> Option<Self> {
        let number = |key: &[u8]| attribute(start, key)?.trim().parse::<u64>().ok();
        Some(Self {
            tests: number(b"tests")?,
            failures: number(b"failures").unwrap_or(0),
            errors: number(b"errors").unwrap_or(0),
            skipped: number(b"skipped")
                .or_else(|| number(b"skips"))
                .unwrap_or(0)
                .saturating_add(number(b"disabled").unwrap_or(0)),
        })
    }
}

/// An attribute's text; raw where it is not what XML allows.
fn attribute(start: &BytesStart<'_>, key: &[u8]) -> Option<String> {
    let mut attributes = start.attributes();
    // Looking for doubles takes time in proportion to their square.
    let found = attributes
        .with_checks(false)
        .flatten()
        .find(|attribute| attribute.key.as_ref() == key)?;
    Some(match found.normalized_value(XmlVersion::Implicit1_0) {
        Ok(text) => text.into_owned(),
        Err(_) => String::from_utf8_lossy(&found.value).into_owned(),
    })
}
