//! `show`: one thing in full: a run, a record, a spec, or which run made a commit.

use super::{
    Context, Error,
    error::refuse,
    evidence, log, spec_store, target,
    verify::{self, Outcome as Verified},
    view::{RecordView, records_of},
};
use crate::{
    diagnostic::Code,
    domain::{
        contract::Contract,
        id::{RunId, SpecId},
    },
    ledger::{Ledger, StreamName},
};
use serde::Serialize;

/// One thing.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// A run: its row, its contract, its records.
    Run(Box<RunShown>),
    /// A record.
    Record(Box<RecordView>),
    /// A spec's revision.
    Spec(Box<SpecShown>),
    /// A commit: which run made it, and its verdict.
    Commit(Box<Verified>),
}

/// A run in full.
#[derive(Clone, Debug, Serialize)]
pub struct RunShown {
    /// The version of this schema.
    pub schema_version: u32,
    /// The run in short.
    pub run: log::RunRow,
    /// What was settled at the start.
    pub contract: Contract,
    /// Its records, oldest first.
    pub records: Vec<RecordView>,
}

/// A spec in full.
#[derive(Clone, Debug, Serialize)]
pub struct SpecShown {
    /// The version of this schema.
    pub schema_version: u32,
    /// Its name.
    pub spec_id: SpecId,
    /// Its revision.
    pub revision: u32,
    /// The revision's state.
    pub status: crate::domain::vocabulary::SpecState,
    /// SHA-256 of its bytes.
    pub acceptance_digest: crate::domain::digest::Digest,
    /// The document.
    pub spec: serde_json::Value,
    /// The exact bytes (for people).
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

/// Finds out what `name` means and shows it: a run, an alias, a spec, a record's digest, a
/// commit, in this order.
pub fn run(ctx: &Context<'_>, name: &str) -> Result<Outcome, Error> {
    let ledger = Ledger::new(&ctx.repo);
    if let Ok(id) = name.parse::<RunId>()
        && ledger.runs()?.contains(&id)
    {
        return Ok(Outcome::Run(Box::new(show_run(ctx, name)?)));
    }
    if evidence::is_alias(name) {
        return Ok(Outcome::Record(Box::new(evidence::show(ctx, name)?.1)));
    }
    let (spec, revision) = match name.split_once('@') {
        Some((spec, revision)) => (spec, revision.parse().ok()),
        None => (name, None),
    };
    if let Ok(id) = spec.parse::<SpecId>()
        && ledger.read(&StreamName::Spec(id.clone()))?.is_some()
    {
        return Ok(Outcome::Spec(Box::new(spec_shown(&spec_store::load(
            &ctx.repo, &id, revision,
        )?))));
    }
    if name.len() >= 8
        && name
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
        && !ledger.find_record(name)?.is_empty()
    {
        return Ok(Outcome::Record(Box::new(evidence::show(ctx, name)?.1)));
    }
    if ctx.repo.resolve_commit(name).is_ok() {
        let request = verify::Request {
            what: name.to_owned(),
        };
        return Ok(Outcome::Commit(Box::new(verify::run(ctx, &request)?)));
    }
    Err(refuse(
        Code::EvidenceNotFound,
        format!("{name} is no run, record, spec or commit here"),
    )
    .detail("name", name)
    .hint("see which runs are here", &["git", "rapid", "log"])
    .hint(
        "see which specs are here",
        &["git", "rapid", "spec", "list"],
    )
    .into())
}

fn show_run(ctx: &Context<'_>, name: &str) -> Result<RunShown, Error> {
    let run = target::named(&ctx.repo, name)?;
    let records = records_of(&ctx.repo, &StreamName::Run(run.id.clone()))?;
    Ok(RunShown {
        schema_version: 1,
        run: log::row(&ctx.repo, &run)?,
        contract: run.contract,
        records,
    })
}

/// A stored spec as `show` prints it.
pub fn spec_shown(stored: &spec_store::StoredSpec) -> SpecShown {
    SpecShown {
        schema_version: 1,
        spec_id: stored.id.clone(),
        revision: stored.revision.revision,
        status: stored.state,
        acceptance_digest: stored.revision.acceptance_digest,
        spec: serde_json::from_slice(&stored.bytes).unwrap_or_default(),
        bytes: stored.bytes.clone(),
    }
}
