//! `log`: a run's story, record by record; without a run, which runs there are.

use super::{
    Context, Error, target,
    view::{RecordView, records_of},
};
use crate::{
    domain::{
        digest::Digest,
        id::RunId,
        oid::CommitId,
        record::Body,
        run::Run,
        vocabulary::{Classification, Mode, Risk, RunStatus, Verdict},
    },
    git::Repository,
    ledger::{Ledger, StreamName},
};
use serde::Serialize;

/// A run in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunRow {
    /// Its name.
    pub run_id: RunId,
    /// Its identity.
    pub contract: Digest,
    /// Its mode.
    pub mode: Mode,
    /// Its state.
    pub status: RunStatus,
    /// Its class.
    pub class: Classification,
    /// Its risk.
    pub risk: Risk,
    /// The commit its stream ends on; null when it is packed and its journal is not here.
    pub tip: Option<CommitId>,
    /// Its stored verdict.
    pub verdict: Option<Verdict>,
}

/// What is told.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// One run's records.
    Run {
        /// The version of this schema.
        schema_version: u32,
        /// The run.
        run_id: RunId,
        /// Its records, oldest first.
        records: Vec<RecordView>,
    },
    /// All runs.
    Runs {
        /// The version of this schema.
        schema_version: u32,
        /// The runs, by name.
        runs: Vec<RunRow>,
    },
}

/// The latest stored report of a run.
pub(super) fn stored_report(run: &Run) -> Option<(Digest, &crate::domain::evaluate::Report)> {
    run.records
        .iter()
        .rev()
        .find_map(|record| match &record.body {
            Body::Report(report) => Some((record.digest, &**report)),
            _ => None,
        })
}

/// A run in a list.
pub(super) fn row(repo: &Repository, run: &Run) -> Result<RunRow, Error> {
    let name = StreamName::Run(run.id.clone()).ref_name();
    let tip = match repo.find_ref(&name)? {
        Some(tip) => Some(CommitId(tip)),
        None => Ledger::new(repo)
            .seal_of(run.contract_digest)?
            .map(|seal| seal.tip),
    };
    Ok(RunRow {
        run_id: run.id.clone(),
        contract: run.contract_digest,
        mode: run.contract.mode,
        status: run.state.status,
        class: run.contract.class,
        risk: run.contract.risk,
        tip,
        verdict: stored_report(run).map(|(_, report)| report.verdict),
    })
}

/// All runs here, by name.
pub(super) fn rows(repo: &Repository) -> Result<Vec<RunRow>, Error> {
    let ledger = Ledger::new(repo);
    let mut rows = Vec::new();
    for id in ledger.runs()? {
        rows.push(row(repo, &ledger.read_run(&id)?)?);
    }
    Ok(rows)
}

/// Tells the story of the named run, of the one bound here, or which runs there are.
pub fn run(ctx: &Context<'_>, name: Option<&str>) -> Result<Outcome, Error> {
    let run = match name.or(ctx.run.as_deref()) {
        Some(name) => Some(target::named(&ctx.repo, name)?),
        None => target::bound(&ctx.repo)?.run,
    };
    let Some(run) = run else {
        return Ok(Outcome::Runs {
            schema_version: 1,
            runs: rows(&ctx.repo)?,
        });
    };
    let records = records_of(&ctx.repo, &StreamName::Run(run.id.clone()))?;
    Ok(Outcome::Run {
        schema_version: 1,
        run_id: run.id,
        records,
    })
}
