//! `direct.bounds`: is a direct change as small as it said, and did it leave the tests whole?
//!
//! Only asked of direct runs. A direct change has no reviewer, so it must not take a line
//! out of a file that a pinned command names or that lies where tests lie.

use super::{Assertion, PathFact, Reason, case::Case, judgement::Judgement};
use crate::domain::{
    contract::NamedCheck,
    path::RepoPath,
    policy::PolicyDocument,
    scope::Matcher,
    vocabulary::{Change, Classification, Mode},
};

pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    if case.contract.class != Classification::Direct {
        return Vec::new();
    }
    let judgement = match &case.input.facts.paths {
        None => Judgement::object_missing("paths"),
        Some(paths) => judge(case, paths),
    };
    vec![judgement.asserted("direct.bounds".to_owned(), true)]
}

fn judge(case: &Case<'_>, paths: &[PathFact]) -> Judgement {
    let policy = case.input.policy;
    let generated = Matcher::new(&policy.generated);
    let own: Vec<&PathFact> = paths
        .iter()
        .filter(|path| !generated.admits(&path.path))
        .collect();
    let files = own.len() as u64;
    let lines = own.iter().fold(0_u64, |sum, path| {
        sum.saturating_add(path.added.unwrap_or(0))
            .saturating_add(path.deleted.unwrap_or(0))
    });
    let tests = TestFiles::of(policy, &case.contract.checks);
    let shortened: Vec<&RepoPath> = paths
        .iter()
        .filter(|path| removes_lines(path))
        .map(|path| &path.path)
        .filter(|path| tests.admits(path))
        .collect();
    let bounds = policy.direct;
    let judgement = if !shortened.is_empty() {
        Judgement::fail(Reason::TestLinesRemoved)
    } else if files > bounds.files || lines > bounds.lines {
        Judgement::fail(Reason::BeyondBounds)
    } else {
        Judgement::pass(Reason::WithinBounds)
    };
    let judgement = if judgement.why == Reason::WithinBounds {
        judgement
    } else {
        judgement.fact("mode", Mode::Feature.as_str())
    };
    judgement
        .fact("files", files)
        .fact("lines", lines)
        .fact("max_files", bounds.files)
        .fact("max_lines", bounds.lines)
        .paths("paths", shortened)
}

/// What counts as a test: what lies where tests lie, and what a pinned command names. Also what
/// a person is shown first.
pub struct TestFiles {
    places: Matcher,
    named: Vec<RepoPath>,
}

impl TestFiles {
    /// By a run's policy and pinned checks.
    pub fn of(policy: &PolicyDocument, checks: &[NamedCheck]) -> Self {
        Self {
            places: Matcher::new(&policy.test_paths),
            named: named_files(checks),
        }
    }

    /// Whether `path` is one.
    pub fn admits(&self, path: &RepoPath) -> bool {
        self.places.admits(path) || self.named.contains(path)
    }
}

/// What has no lines cannot be compared: any other content may hold less.
fn removes_lines(path: &PathFact) -> bool {
    match path.change {
        Change::Deleted | Change::Type => true,
        Change::Modified => path.deleted != Some(0),
        Change::Added | Change::Mode => path.deleted.is_some_and(|lines| lines > 0),
    }
}

/// The files that words of the pinned commands name, also inside a word such as
/// `--config=jest.config.js` or a script given to a shell.
fn named_files(checks: &[NamedCheck]) -> Vec<RepoPath> {
    let is_edge = |byte: &u8| byte.is_ascii_whitespace() || b"=;&|()<>'\"`".contains(byte);
    checks
        .iter()
        .flat_map(|check| {
            check
                .argv
                .iter()
                .flat_map(move |word| {
                    std::iter::once(word.0.as_slice()).chain(word.0.split(is_edge))
                })
                .filter_map(|word| below(&check.cwd, word))
        })
        .collect()
}

/// The path a word names from `cwd`; `None` when it names none inside the repository.
fn below(cwd: &RepoPath, word: &[u8]) -> Option<RepoPath> {
    let mut parts: Vec<&[u8]> = if *cwd == RepoPath::root() {
        Vec::new()
    } else {
        cwd.components().collect()
    };
    if word.is_empty() || word.starts_with(b"/") {
        return None;
    }
    for part in word.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    RepoPath::new(parts.join(&b'/')).ok()
}
