//! Scope patterns: which paths a run declared it would write.
//!
//! A pattern is a git pathspec with `glob` magic: `*` stops at `/`, `**` does
//! not, a directory covers what is below it, `:(exclude)` takes away again. A
//! pattern that is the exact name of a file is literal: `[ab]` never admits `a`
//! while a file `[ab]` is there. Always case-sensitive. Git is the oracle: a test
//! compares with `git ls-files ':(glob)…'`.

use super::path::RepoPath;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// One pattern, as it was written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern(String);

/// Why a text is not a scope pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pattern:?} is not a scope pattern: {why}")]
pub struct BadPattern {
    /// The text.
    pub pattern: String,
    /// What is wrong with it.
    pub why: &'static str,
}

/// Patterns made ready for matching.
#[derive(Debug)]
pub struct Matcher {}

impl Pattern {
    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Pattern {
    type Err = BadPattern;

    fn from_str(text: &str) -> Result<Self, BadPattern> {
        let _ = text;
        todo!()
    }
}

impl Matcher {
    /// Prepares `patterns`. No patterns match nothing.
    pub fn new<'a>(patterns: impl IntoIterator<Item = &'a Pattern>) -> Self {
        let _ = patterns.into_iter();
        todo!()
    }

    /// Whether `path` is admitted: by an including pattern, and by no excluding one.
    pub fn admits(&self, path: &RepoPath) -> bool {
        let _ = path;
        todo!()
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Pattern {
    type Error = BadPattern;

    fn try_from(text: String) -> Result<Self, BadPattern> {
        text.parse()
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.0
    }
}
