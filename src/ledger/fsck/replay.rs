//! Stored reports: judged again from the stored facts, they come out as the same bytes.

use super::{content::run_of, stream::Proven};
use crate::{
    diagnostic::Code,
    domain::{
        canonical,
        digest::Digest,
        evaluate::{Replay, Report, replay},
        oid::CommitId,
        policy::PolicyDocument,
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
    let Some(policy) = policy(ledger, proven, run) else {
        return Some("the policy it was judged by is missing".into());
    };
    let spec_bytes = beside_contract(ledger, proven, run, &run.contract.acceptance_digest);
    let spec_bytes = spec_bytes.map(|bytes| Digest::of(&bytes));
    match replay(run.id.clone(), &run.records, report, &policy, spec_bytes) {
        Ok(Replay::Same) => None,
        Ok(Replay::Differs(again)) => {
            let first = again
                .assertions
                .iter()
                .zip(&report.assertions)
                .find(|(now, then)| now != then)
                .map_or_else(|| "the verdict".to_owned(), |(now, _)| now.id.clone());
            Some(format!("judged again, {first} comes out differently"))
        }
        Err(error) => Some(error.to_string()),
    }
}

/// The policy that lies beside the contract.
fn policy(ledger: &Ledger<'_>, proven: &Proven, run: &Run) -> Option<PolicyDocument> {
    let bytes = beside_contract(ledger, proven, run, &run.contract.policy.digest)?;
    canonical::from_canonical(&bytes).ok()
}

/// An artifact of the contract's commit.
fn beside_contract(
    ledger: &Ledger<'_>,
    proven: &Proven,
    run: &Run,
    digest: &Digest,
) -> Option<Vec<u8>> {
    let (_, commit): &(Record, CommitId) = proven.records.get(&run.contract_digest)?;
    let tree = ledger.repo.tree_of(*commit).ok()?;
    ledger.stored_artifact(tree, digest).ok()?
}
