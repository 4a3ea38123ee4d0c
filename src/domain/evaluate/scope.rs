//! `scope.paths`: was every changed path planned, and is none protected?
//!
//! Bystanders are listed, because a test may have leaned on them.

use super::{Assertion, Reason, case::Case, judgement::Judgement};
use crate::domain::{path::RepoPath, scope::Matcher};

pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    let judgement = match &case.changed {
        None => Judgement::object_missing("paths"),
        Some(changed) => judge(case, changed),
    };
    vec![
        judgement
            .paths("bystanders", bystanders(case))
            .asserted("scope.paths".to_owned(), true),
    ]
}

fn judge(case: &Case<'_>, changed: &[&RepoPath]) -> Judgement {
    let protected = Matcher::new(&case.contract.scope.protected);
    // A pattern that is a changed file's exact name is literal: it admits nothing else.
    let declared = case
        .run
        .scope_patterns()
        .map(|patterns| Matcher::with_files(patterns, |file| changed.contains(&file)));
    let guarded: Vec<&RepoPath> = changed
        .iter()
        .copied()
        .filter(|path| protected.admits(path))
        .collect();
    let outside: Vec<&RepoPath> = changed
        .iter()
        .copied()
        .filter(|path| declared.as_ref().is_some_and(|scope| !scope.admits(path)))
        .collect();
    let judgement = if !guarded.is_empty() {
        Judgement::fail(Reason::Protected)
    } else if !outside.is_empty() {
        Judgement::fail(Reason::OutOfScope)
    } else if declared.is_none() {
        Judgement::pass(Reason::ScopeNotDeclared)
    } else {
        Judgement::pass(Reason::InScope)
    };
    judgement
        .fact("changed", changed.len())
        .paths("protected", guarded)
        .paths("paths", outside)
}

/// Those that the latest check of the judged tree saw, else those of the start.
fn bystanders<'a>(case: &Case<'a>) -> Vec<&'a RepoPath> {
    let run = case.run;
    let seen = run.evidence.iter().rev().find_map(|record| {
        let result = record.body.check()?;
        let here = result.subject.tree == case.input.subject;
        (here && record.producer.is_rapid("check")).then_some(&result.subject.bystanders)
    });
    match seen {
        Some(paths) => paths.iter().collect(),
        None => case
            .contract
            .bystanders
            .iter()
            .map(|bystander| &bystander.path)
            .collect(),
    }
}
