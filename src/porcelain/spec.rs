//! `spec`: the specs here, one of them, or the form to fill in.

use super::{
    Context, Error,
    spec_store::{self, StoredSpec},
};
use crate::{
    conductor::Playbook,
    domain::{
        digest::Digest,
        id::SpecId,
        vocabulary::{Mode, SpecState},
    },
    ledger::{Ledger, StreamName},
};
use serde::Serialize;
use serde_json::Value;

/// A spec in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Its name.
    pub spec_id: SpecId,
    /// Its newest revision.
    pub revision: u32,
    /// That revision's state.
    pub status: SpecState,
    /// Its title.
    pub title: String,
    /// Its mode.
    pub mode: Mode,
    /// SHA-256 of its bytes.
    pub acceptance_digest: Digest,
}

/// All specs here, by name.
pub fn list(ctx: &Context<'_>) -> Result<Vec<Row>, Error> {
    let ledger = Ledger::new(&ctx.repo);
    let mut rows = Vec::new();
    for (name, _) in ledger.streams()? {
        let StreamName::Spec(id) = &name else {
            continue;
        };
        let Some(stream) = ledger.read(&name)? else {
            continue;
        };
        if let Some((_, revision, status)) = spec_store::revisions(&stream.records)
            .into_iter()
            .next_back()
        {
            rows.push(Row {
                spec_id: id.clone(),
                revision: revision.revision,
                status,
                title: revision.title,
                mode: revision.mode,
                acceptance_digest: revision.acceptance_digest,
            });
        }
    }
    Ok(rows)
}

/// A stored spec.
pub fn show(ctx: &Context<'_>, id: &SpecId, revision: Option<u32>) -> Result<StoredSpec, Error> {
    spec_store::load(&ctx.repo, id, revision)
}

/// The form of a mode, in the reader's language.
pub fn template(ctx: &Context<'_>, mode: Mode) -> Value {
    Playbook::of(mode).spec_template(ctx.lang)
}
