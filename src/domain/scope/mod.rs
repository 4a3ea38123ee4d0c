//! Scope patterns: which paths a run declared it would write.
//!
//! A pattern is a git pathspec with `glob` magic: `*` stops at `/`, `**` does
//! not, a directory covers what is below it, `:(exclude)` takes away again. A
//! pattern that is the exact name of a file is literal: `[ab]` never admits `a`
//! while a file `[ab]` is there. Always case-sensitive. Git is the oracle: a test
//! compares with `git ls-files ':(glob)…'`.
//!
//! Which files exist is not known here; who knows it says so with
//! [`Matcher::with_files`].

mod glob;
mod pattern;

pub use pattern::{BadPattern, Pattern};

use super::path::RepoPath;
use glob::Glob;
use pattern::Kind;

/// Patterns made ready for matching.
#[derive(Clone, Debug)]
pub struct Matcher {
    including: Vec<Ready>,
    excluding: Vec<Ready>,
}

/// One pattern made ready.
#[derive(Clone, Debug)]
struct Ready {
    body: Vec<u8>,
    /// What it matches beyond its own bytes; `None`: nothing.
    glob: Option<Glob>,
}

impl Matcher {
    /// Prepares `patterns`. No patterns match nothing; only excluding ones match
    /// everything else. A path equal to a pattern's bytes is admitted, whatever
    /// else the pattern matches.
    pub fn new<'a>(patterns: impl IntoIterator<Item = &'a Pattern>) -> Self {
        Self::with_files(patterns, |_| false)
    }

    /// Prepares `patterns`, where `is_file` tells which names are files (in the tree
    /// the run started from, say): an including pattern that names one is literal and
    /// matches nothing else.
    ///
    /// An excluding pattern keeps its other meaning as well, because a file with a
    /// clever name must not open what was closed. For the same reason protected paths
    /// are matched with [`Matcher::new`].
    pub fn with_files<'a>(
        patterns: impl IntoIterator<Item = &'a Pattern>,
        is_file: impl Fn(&RepoPath) -> bool,
    ) -> Self {
        let mut matcher = Self {
            including: Vec::new(),
            excluding: Vec::new(),
        };
        for pattern in patterns {
            let body = pattern.body().as_bytes().to_vec();
            let literal = pattern.kind() == Kind::Literal
                || (!pattern.is_exclude()
                    && RepoPath::new(body.as_slice()).is_ok_and(|path| is_file(&path)));
            let glob = (!literal).then(|| Glob::new(&body)).flatten();
            let list = if pattern.is_exclude() {
                &mut matcher.excluding
            } else {
                &mut matcher.including
            };
            list.push(Ready { body, glob });
        }
        if matcher.including.is_empty() && !matcher.excluding.is_empty() {
            matcher.including.push(Ready {
                body: Vec::new(),
                glob: None,
            });
        }
        matcher
    }

    /// Whether `path` is admitted: by an including pattern, and by no excluding one.
    pub fn admits(&self, path: &RepoPath) -> bool {
        let path = path.as_bytes();
        self.including.iter().any(|ready| ready.matches(path))
            && !self.excluding.iter().any(|ready| ready.matches(path))
    }
}

impl Ready {
    /// Git's order: the pattern's own bytes or a folder of that name first, then the wildcards.
    fn matches(&self, path: &[u8]) -> bool {
        self.covers_literally(path) || self.glob.as_ref().is_some_and(|glob| glob.matches(path))
    }

    fn covers_literally(&self, path: &[u8]) -> bool {
        let Some(rest) = path.strip_prefix(self.body.as_slice()) else {
            return false;
        };
        rest.is_empty()
            || self.body.is_empty()
            || self.body.ends_with(b"/")
            || rest.starts_with(b"/")
    }
}
