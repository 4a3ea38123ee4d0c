//! `evidence`: a run's evidence, one record of it, or the bytes it kept.

use super::{
    Context, Error,
    error::refuse,
    target,
    view::{RecordView, records_of},
};
use crate::{
    diagnostic::Code,
    domain::{digest::Digest, id::RunId, record::Body},
    ledger::{Ledger, StreamName},
};
use serde::Serialize;

/// The evidence of a run.
#[derive(Clone, Debug, Serialize)]
pub struct List {
    /// The version of this schema.
    pub schema_version: u32,
    /// The run.
    pub run_id: RunId,
    /// Its evidence, oldest first.
    pub records: Vec<RecordView>,
}

/// All evidence of the run.
pub fn list(ctx: &Context<'_>) -> Result<List, Error> {
    let run = target::target(ctx)?.run;
    let records = records_of(&ctx.repo, &StreamName::Run(run.id.clone()))?
        .into_iter()
        .filter(|view| view.alias.is_some())
        .collect();
    Ok(List {
        schema_version: 1,
        run_id: run.id,
        records,
    })
}

/// One record, by alias (of the run at hand) or by a beginning of its digest (of any stream).
pub fn show(ctx: &Context<'_>, name: &str) -> Result<(StreamName, RecordView), Error> {
    if is_alias(name) {
        let run = target::target(ctx)?.run;
        let stream = StreamName::Run(run.id.clone());
        let found = records_of(&ctx.repo, &stream)?
            .into_iter()
            .find(|view| view.alias.as_deref() == Some(name));
        return found.map(|view| (stream, view)).ok_or_else(|| {
            refuse(Code::EvidenceNotFound, format!("{} has no {name}", run.id))
                .detail("record", name)
                .hint(
                    "see what it has",
                    &["git", "rapid", "evidence", "list", "--run", run.id.as_str()],
                )
                .into()
        });
    }
    let hex = |text: &str| {
        text.len() <= 64
            && text
                .bytes()
                .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    };
    if name.len() < 8 || !hex(name) {
        return Err(refuse(
            Code::EvidenceId,
            format!("{name} names no record: E001, or 8 hex digits or more"),
        )
        .detail("record", name)
        .into());
    }
    let mut found = Ledger::new(&ctx.repo).find_record(name)?;
    match found.len() {
        1 => {
            let located = found.remove(0);
            let digest = located.record.digest;
            let view = records_of(&ctx.repo, &located.stream)?
                .into_iter()
                .find(|view| view.record.digest == digest)
                .expect("the record was found in this stream");
            Ok((located.stream, view))
        }
        0 => Err(refuse(
            Code::EvidenceNotFound,
            format!("no record begins with {name}"),
        )
        .detail("record", name)
        .into()),
        _ => {
            let known: Vec<String> = found
                .iter()
                .map(|located| located.record.digest.short(16))
                .collect();
            Err(refuse(
                Code::EvidenceNotFound,
                format!("{name} begins several records: {}", known.join(", ")),
            )
            .detail("record", name)
            .detail("known", known)
            .into())
        }
    }
}

/// Whether a name is an alias such as `E003`.
pub(super) fn is_alias(name: &str) -> bool {
    name.strip_prefix('E')
        .is_some_and(|digits| digits.len() >= 3 && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// The bytes a piece of evidence kept: the named artifact, its only one, or its log.
pub fn cat(ctx: &Context<'_>, name: &str, artifact: Option<&str>) -> Result<Vec<u8>, Error> {
    let (stream, view) = show(ctx, name)?;
    let Body::Evidence(evidence) = &view.record.body else {
        return Err(refuse(
            Code::EvidenceId,
            format!(
                "{name} is a {} record; it keeps no bytes",
                view.record.record_type()
            ),
        )
        .into());
    };
    let ledger = Ledger::new(&ctx.repo);
    if let Some(wanted) = artifact {
        let matches = |digest: &Digest| wanted.len() >= 8 && digest.hex().starts_with(wanted);
        let found = evidence
            .artifacts
            .iter()
            .find(|artifact| artifact.name.0 == wanted.as_bytes() || matches(&artifact.sha256));
        return match found {
            Some(found) => Ok(ledger.artifact(&stream, found.sha256)?),
            None => {
                let known: Vec<String> = evidence
                    .artifacts
                    .iter()
                    .map(|found| found.name.lossy().into_owned())
                    .collect();
                Err(refuse(
                    Code::EvidenceNotFound,
                    format!(
                        "{name} has no artifact {wanted}; it has: {}",
                        known.join(", ")
                    ),
                )
                .detail("known", known)
                .into())
            }
        };
    }
    match (
        evidence.artifacts.as_slice(),
        evidence.check().and_then(|result| result.log.as_ref()),
        &stream,
    ) {
        ([one], None, _) => Ok(ledger.artifact(&stream, one.sha256)?),
        ([], Some(log), StreamName::Run(run)) => {
            ledger.read_log(run, log.sha256)?.ok_or_else(|| {
                refuse(
                    Code::EvidenceNotFound,
                    format!("the log of {name} is withheld: it was dropped or not fetched"),
                )
                .detail("sha256", log.sha256.hex())
                .into()
            })
        }
        ([], ..) => Err(refuse(Code::EvidenceNotFound, format!("{name} kept no bytes")).into()),
        (several, ..) => {
            let known: Vec<String> = several
                .iter()
                .map(|found| found.name.lossy().into_owned())
                .collect();
            Err(refuse(
                Code::EvidenceNotFound,
                format!("{name} has several artifacts: {}", known.join(", ")),
            )
            .detail("known", known)
            .into())
        }
    }
}
