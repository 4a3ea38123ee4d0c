//! Stored reports: judged again from the stored facts, they come out as the same bytes.
//!
//! A report that cannot be judged again proves nothing and is a fault, whatever the reason.

use super::{content::run_of, stream::Proven};
use crate::{
    diagnostic::Code,
    domain::{
        canonical,
        digest::Digest,
        evaluate::{Replay, Report, replay},
        oid::{CommitId, TreeId},
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
        if let Err(text) = judge_again(ledger, proven, &run, record, report) {
            let commit = proven
                .records
                .get(&record.digest)
                .map(|(_, commit)| *commit);
            proven.fault(Code::LedgerReport, commit, Some(record.digest), text);
        }
    }
}

fn judge_again(
    ledger: &Ledger<'_>,
    proven: &Proven,
    run: &Run,
    record: &Record,
    report: &Report,
) -> Result<(), String> {
    if report.contract != run.contract_digest {
        return Err("it judges another run".into());
    }
    if report.prev != record.prev() {
        return Err("it judges other records than it had seen".into());
    }
    let policy = stored(ledger, proven, run, &run.contract.policy.digest)
        .ok_or("the policy it judges by cannot be read")?;
    let policy: PolicyDocument = canonical::from_canonical(&policy)
        .map_err(|bad| format!("the policy it judges by cannot be read: {bad}"))?;
    let spec = stored(ledger, proven, run, &run.contract.acceptance_digest);
    let again = replay(
        run.id.clone(),
        &run.records,
        report,
        &policy,
        spec.map(|bytes| Digest::of(&bytes)),
    );
    match again {
        Ok(Replay::Same) => Ok(()),
        Ok(Replay::Differs(again)) => Err(first_difference(&again, report)),
        Err(why) => Err(format!("it cannot be judged again: {why}")),
    }
}

fn first_difference(again: &Report, stored: &Report) -> String {
    let same = again
        .assertions
        .iter()
        .zip(&stored.assertions)
        .take_while(|(now, then)| now == then)
        .count();
    let at = again.assertions.get(same).or(stored.assertions.get(same));
    match at {
        Some(assertion) => format!("judged again, {} comes out differently", assertion.id),
        None => format!("judged again, the verdict is {}", again.verdict),
    }
}

/// The bytes that lie beside the contract under this name.
fn stored(ledger: &Ledger<'_>, proven: &Proven, run: &Run, digest: &Digest) -> Option<Vec<u8>> {
    let (_, commit): &(Record, CommitId) = proven.records.get(&run.contract_digest)?;
    let tree: TreeId = ledger.repo.tree_of(*commit).ok()?;
    ledger.stored_artifact(tree, digest).ok()?
}
