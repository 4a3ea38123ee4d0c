//! Stored reports: judged again from the stored facts, they come out as the same bytes.

use super::{
    content::{closure, run_of},
    stream::Proven,
};
use crate::{
    diagnostic::Code,
    domain::{
        canonical,
        digest::Digest,
        evaluate::{Input, Report, evaluate},
        oid::CommitId,
        record::{Body, Record},
        run::Run,
    },
    ledger::{Ledger, StreamName},
};

/// Replays every report of a run.
pub(super) fn prove(ledger: &Ledger<'_>, proven: &mut Proven) {
    let StreamName::Run(id) = proven.name.clone() else {
        return;
    };
    let Some(run) = run_of(proven, &id) else {
        return;
    };
    for record in &run.records {
        let Body::Report(report) = &record.body else {
            continue;
        };
        if let Some(text) = differs(ledger, proven, &run, record, report) {
            let commit = proven
                .records
                .get(&record.digest)
                .map(|(_, commit)| *commit);
            proven.fault(Code::LedgerReport, commit, Some(record.digest), text);
        }
    }
}

fn differs(
    ledger: &Ledger<'_>,
    proven: &Proven,
    run: &Run,
    record: &Record,
    report: &Report,
) -> Option<String> {
    if report.contract != run.contract_digest {
        return Some("it judges another run".into());
    }
    if report.prev != record.prev() {
        return Some("it judges other records than it had seen".into());
    }
    let Some(seen) = closure(run, &report.prev) else {
        return Some("what it had seen is not a run".into());
    };
    let again = evaluate(&Input {
        run: &seen,
        state: &seen.state,
        facts: &report.facts,
        subject: report.subject,
        spec_bytes: spec_bytes(ledger, proven, run),
        ruleset: report.ruleset_version,
    });
    if canonical::to_bytes(&again) == canonical::to_bytes(report) {
        return None;
    }
    let first = again
        .assertions
        .iter()
        .zip(&report.assertions)
        .find(|(now, then)| now != then)
        .map_or_else(|| "the verdict".to_owned(), |(now, _)| now.id.clone());
    Some(format!("judged again, {first} comes out differently"))
}

/// The digest of the spec's bytes as they lie beside the contract.
fn spec_bytes(ledger: &Ledger<'_>, proven: &Proven, run: &Run) -> Option<Digest> {
    let (_, commit): &(Record, CommitId) = proven.records.get(&run.contract_digest)?;
    let tree = ledger.repo.tree_of(*commit).ok()?;
    let bytes = ledger
        .stored_artifact(tree, &run.contract.acceptance_digest)
        .ok()??;
    Some(Digest::of(&bytes))
}
