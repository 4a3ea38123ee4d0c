//! Counting tests in JUnit XML and TAP files that a command wrote.

mod junit;

use super::Counted;
use super::count::{Lines, tap};

/// Why a report file cannot be counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// Neither JUnit XML nor TAP.
    #[error("neither JUnit XML nor TAP")]
    UnknownForm,
    /// It begins as one and is damaged.
    #[error("a damaged {form} report: {why}")]
    Damaged {
        /// Which form.
        form: &'static str,
        /// What is wrong.
        why: String,
    },
}

/// Counts the tests in a report file's bytes. Runner is `junit` or `tap`.
pub fn count_report(bytes: &[u8]) -> Result<Counted, ReportError> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if text.trim_ascii_start().starts_with(b"<") {
        return junit::count(text).map(|found| found.named("junit"));
    }
    let lines = Lines::of(text);
    tap::count(&lines.as_strs())
        .map(|found| found.named("tap"))
        .ok_or(ReportError::UnknownForm)
}
