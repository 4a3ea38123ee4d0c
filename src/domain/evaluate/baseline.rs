//! The baseline: what the checks said before the work.
//!
//! A measurement on the start tree of every check whose paths meet the declared scope.
//! `start`, the conductor and `finish` ask the same question here.

use super::{latest::latest, standing::ended_well};
use crate::domain::{
    contract::NamedCheck,
    digest::Digest,
    evidence::CheckResult,
    oid::TreeId,
    policy::PolicyDocument,
    run::{EvidenceRecord, Run},
    scope::{Matcher, Pattern},
    vocabulary::{Expectation, Note},
};

/// What the checks said before the work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaselineState {
    /// Some were not measured.
    Pending {
        /// The names of these checks, in the contract's order.
        missing: Vec<String>,
    },
    /// All ended well, whether or not a test was counted.
    Green {
        /// The measurements, in reading order; empty when no check had to be measured.
        records: Vec<Digest>,
    },
    /// One did not: a person has to waive it.
    Red {
        /// The red measurements, in reading order.
        records: Vec<Digest>,
    },
}

/// What the checks of `run` said before the work. Independent of the run's state.
pub fn baseline(run: &Run, policy: &PolicyDocument) -> BaselineState {
    let baseline = Baseline::of(run, policy);
    let mut missing = Vec::new();
    let mut green = Vec::new();
    let mut red = Vec::new();
    for check in measured_checks(run) {
        let latest = baseline.latest(check);
        if latest.is_empty() {
            missing.push(check.name.clone());
        }
        for record in latest {
            if is_green(record) {
                green.push(record);
            } else {
                red.push(record);
            }
        }
    }
    let in_order = |mut records: Vec<&EvidenceRecord>| {
        records.sort_by_key(|record| (record.seq, record.digest));
        records.dedup_by_key(|record| record.digest);
        records.iter().map(|record| record.digest).collect()
    };
    if !missing.is_empty() {
        BaselineState::Pending { missing }
    } else if red.is_empty() {
        BaselineState::Green {
            records: in_order(green),
        }
    } else {
        BaselineState::Red {
            records: in_order(red),
        }
    }
}

/// The checks that are measured before the work, in the contract's order. What an
/// amendment adds later was not there to be measured.
fn measured_checks(run: &Run) -> impl Iterator<Item = &NamedCheck> {
    let scope = run.contract.scope.patterns.as_deref();
    run.contract.checks.iter().filter(move |check| match scope {
        None => true,
        Some(scope) => check.paths.is_empty() || may_meet(&check.paths, scope),
    })
}

/// The measurements on the start tree.
#[derive(Debug)]
pub(super) struct Baseline<'a> {
    run: &'a Run,
    records: Vec<&'a EvidenceRecord>,
}

impl<'a> Baseline<'a> {
    pub(super) fn of(run: &'a Run, policy: &PolicyDocument) -> Self {
        let generated = Matcher::new(&policy.generated);
        // Generated files may move the tree while the checks run one after the other.
        let mut start_trees: Vec<TreeId> = vec![run.contract.base.start_tree];
        let mut records = Vec::new();
        for record in &run.evidence {
            let Some(result) = record.body.check() else {
                continue;
            };
            let subject = &result.subject;
            if !record.producer.is_rapid("check")
                || result.expectation != Expectation::Pass
                || !subject.stable
            {
                continue;
            }
            let moved_by_generated = subject
                .before
                .is_some_and(|before| start_trees.contains(&before))
                && subject.changed.iter().all(|path| generated.admits(path));
            if moved_by_generated && !start_trees.contains(&subject.tree) {
                start_trees.push(subject.tree);
            }
            if start_trees.contains(&subject.tree) {
                records.push(record);
            }
        }
        Self { run, records }
    }

    /// The measurement of `check` that decides; several when concurrent ones stand side by side.
    pub(super) fn latest(&self, check: &NamedCheck) -> Vec<&'a EvidenceRecord> {
        let own: Vec<_> = self.of_check(check).collect();
        latest(&self.run.history, &own)
    }

    /// Every measurement of `check`, in reading order.
    fn of_check(&self, check: &NamedCheck) -> impl Iterator<Item = &'a EvidenceRecord> {
        self.records.iter().copied().filter(|record| {
            record
                .body
                .check()
                .is_some_and(|result| result.argv == check.argv && result.cwd == check.cwd)
        })
    }

    /// The most tests of `check` that any measurement saw pass on the start tree; `None`: not
    /// counted. A later one, with tests switched off, does not lower it.
    pub(super) fn passed(&self, check: &NamedCheck) -> Option<u64> {
        self.of_check(check)
            .filter_map(|record| record.body.check()?.counts)
            .map(|counts| counts.passed)
            .max()
    }

    /// Whether no test fails in `result`, of `check`, that the baseline passed: by name
    /// where both name every test that failed, else by count. What was not counted then
    /// cannot be compared.
    pub(super) fn only_known_failures(&self, check: &NamedCheck, result: &CheckResult) -> bool {
        let measured = self.latest(check);
        !measured.is_empty()
            && measured.iter().all(|record| {
                record
                    .body
                    .check()
                    .is_some_and(|before| only_known(before, result))
            })
    }
}

fn only_known(before: &CheckResult, now: &CheckResult) -> bool {
    let (Some(was), Some(is)) = (before.counts, now.counts) else {
        return false;
    };
    // An exit code without a failed test behind it speaks of something else.
    if now.timed_out || now.exit_code.is_none() || is.passed == 0 || is.failed + is.errors == 0 {
        return false;
    }
    match (failed_names(before), failed_names(now)) {
        (Some(then), Some(names)) => names.iter().all(|name| then.contains(name)),
        // A count cannot tell which: as many pass, and no more fail.
        _ => {
            is.failed + is.errors <= was.failed + was.errors
                && is.errors <= was.errors
                && is.passed >= was.passed
        }
    }
}

/// The names of all tests that failed; `None` where the record does not name each of them.
pub(super) fn failed_names(result: &CheckResult) -> Option<&[String]> {
    let counts = result.counts?;
    let failed = counts.failed.checked_add(counts.errors)?;
    (failed > 0 && u64::try_from(result.failed_tests.len()) == Ok(failed))
        .then_some(result.failed_tests.as_slice())
}

/// Green is exit 0 and stable; no test, or none that was counted, is no fault of the work.
fn is_green(record: &EvidenceRecord) -> bool {
    record.body.check().is_some_and(ended_well) && !record.body.notes.contains(&Note::Contradictory)
}

/// Whether a path could lie in both lists, as far as the patterns' text tells. It may say
/// yes too often, which costs a measurement, but never no where a path does.
fn may_meet(paths: &[Pattern], scope: &[Pattern]) -> bool {
    let including = |patterns: &[Pattern]| -> Vec<String> {
        let prefixes: Vec<String> = patterns
            .iter()
            .filter(|pattern| !pattern.is_exclude())
            .map(|pattern| fixed_prefix(pattern).to_owned())
            .collect();
        // Only exclusions admit everything else.
        if prefixes.is_empty() && !patterns.is_empty() {
            vec![String::new()]
        } else {
            prefixes
        }
    };
    let scope = including(scope);
    including(paths).iter().any(|path| {
        scope
            .iter()
            .any(|planned| path.starts_with(planned.as_str()) || planned.starts_with(path.as_str()))
    })
}

/// The text before the first wildcard, without magic words.
fn fixed_prefix(pattern: &Pattern) -> &str {
    let text = pattern.as_str();
    let body = match text
        .strip_prefix(":(")
        .and_then(|rest| rest.split_once(')'))
    {
        Some((_, body)) => body,
        None => text.trim_start_matches([':', '/']),
    };
    let body = body.strip_prefix("./").unwrap_or(body);
    let end = body.find(['*', '?', '[', '\\']).unwrap_or(body.len());
    body[..end].trim_end_matches('/')
}
