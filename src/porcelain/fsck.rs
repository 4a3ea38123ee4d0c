//! `fsck`: the append-only proof.

use super::{Context, Error, error::refuse};
use crate::{
    diagnostic::Code,
    ledger::{FsckReport, Ledger, StreamName},
};

/// Proves the named streams (by ref, or by the name of a run or spec), or the whole ledger.
pub fn run(ctx: &Context<'_>, names: &[String]) -> Result<FsckReport, Error> {
    let ledger = Ledger::new(&ctx.repo);
    let mut streams = Vec::new();
    for name in names {
        streams.push(stream_of(&ledger, name)?);
    }
    Ok(ledger.fsck(&streams)?)
}

fn stream_of(ledger: &Ledger<'_>, name: &str) -> Result<StreamName, Error> {
    let full = [
        name.to_owned(),
        format!("refs/rapid/{name}"),
        format!("refs/rapid/runs/{name}"),
        format!("refs/rapid/specs/{name}"),
        format!("refs/rapid/journal/{name}"),
    ];
    let known = ledger.streams()?;
    let found = full
        .iter()
        .filter_map(|name| StreamName::from_ref(name))
        .find(|stream| known.iter().any(|(name, _)| name == stream));
    found.ok_or_else(|| {
        refuse(
            Code::RunNotFound,
            format!("no stream named {name} in this ledger"),
        )
        .detail("stream", name)
        .hint("prove the whole ledger", &["git", "rapid", "fsck"])
        .into()
    })
}
