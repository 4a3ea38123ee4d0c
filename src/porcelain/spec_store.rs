//! Specs in the ledger: finding, storing, reading back.

use super::{Error, error::refuse};
use crate::{
    diagnostic::Code,
    domain::{
        digest::Digest,
        id::SpecId,
        producer::Producer,
        record::{Body, Record},
        spec::{Fault, Spec, read_json, spec_id_from_title},
        spec_record::{SpecFormat, SpecRevision, SpecStatus},
        vocabulary::SpecState,
    },
    git::Repository,
    ledger::{Draft, Ledger, Stream, StreamName},
};
use std::collections::BTreeMap;

/// One revision of a stored spec.
#[derive(Clone, Debug)]
pub struct StoredSpec {
    /// Its name.
    pub id: SpecId,
    /// The spec's stream.
    pub stream: Digest,
    /// The revision's record.
    pub record: Digest,
    /// What the record says.
    pub revision: SpecRevision,
    /// The revision's state.
    pub state: SpecState,
    /// The exact bytes.
    pub bytes: Vec<u8>,
}

/// A spec's revisions as its records tell them: what each says and its state.
pub(super) fn revisions(records: &[Record]) -> Vec<(Digest, SpecRevision, SpecState)> {
    let mut found: BTreeMap<u32, (Digest, SpecRevision, SpecState)> = BTreeMap::new();
    for record in records {
        match &record.body {
            Body::SpecRevision(revision) => {
                found
                    .entry(revision.revision)
                    .or_insert_with(|| (record.digest, (**revision).clone(), SpecState::Draft));
            }
            Body::SpecStatus(status) => {
                if let Some((_, _, state)) = found.get_mut(&status.revision)
                    && *state == status.from
                    && *state != SpecState::Archived
                {
                    *state = status.to;
                }
            }
            _ => {}
        }
    }
    found.into_values().collect()
}

/// A stored revision (the newest when none is named).
pub(super) fn load(
    repo: &Repository,
    id: &SpecId,
    revision: Option<u32>,
) -> Result<StoredSpec, Error> {
    let ledger = Ledger::new(repo);
    let name = StreamName::Spec(id.clone());
    let missing = |what: String| {
        Error::from(
            refuse(Code::SpecNotFound, what)
                .detail("spec", id.as_str())
                .hint(
                    "see which specs are here",
                    &["git", "rapid", "spec", "list"],
                ),
        )
    };
    let Some(stream) = ledger.read(&name)? else {
        return Err(missing(format!("no spec named {id} in this ledger")));
    };
    let (record, found, state) = revisions(&stream.records)
        .into_iter()
        .rev()
        .find(|(_, found, _)| revision.is_none_or(|wanted| found.revision == wanted))
        .ok_or_else(|| missing(format!("{id} has no revision {}", revision.unwrap_or(1))))?;
    let bytes = ledger.artifact(&name, found.acceptance_digest)?;
    Ok(StoredSpec {
        id: id.clone(),
        stream: stream_digest(&stream),
        record,
        revision: found,
        state,
        bytes,
    })
}

fn stream_digest(stream: &Stream) -> Digest {
    stream.records[0].stream()
}

/// Stores a spec's bytes under the id its title gives, ready or as a draft. The same bytes
/// under the same id are not stored twice; other bytes get the next free `<id>-2`, `-3`….
pub(super) fn store(repo: &Repository, spec: &Spec, bytes: &[u8]) -> Result<StoredSpec, Error> {
    let ledger = Ledger::new(repo);
    let wanted = spec_id_from_title(&spec.title).ok_or_else(|| {
        refuse(
            Code::SpecId,
            format!("no spec id can be made from the title {:?}", spec.title),
        )
        .advice("use a title with letters or digits")
    })?;
    let digest = Digest::of(bytes);
    let state = if spec.not_ready().is_empty() {
        SpecState::Ready
    } else {
        SpecState::Draft
    };
    for ordinal in 1u32.. {
        let id = numbered(&wanted, ordinal);
        let name = StreamName::Spec(id.clone());
        let mut found = None;
        let appended = ledger.append(&name, |stream| -> Result<Option<Draft>, Error> {
            found = stream.map(|stream| stream.records.clone());
            Ok(stream
                .is_none()
                .then(|| first_revision(&id, spec, bytes, digest, state)))
        })?;
        let records = match (appended, found) {
            (Some(appended), _) => appended.records,
            (None, Some(records)) => records,
            (None, None) => continue,
        };
        let same = revisions(&records)
            .into_iter()
            .find(|(_, revision, has)| revision.acceptance_digest == digest && *has == state);
        if let Some((record, revision, state)) = same {
            return Ok(StoredSpec {
                id,
                stream: records[0].stream(),
                record,
                revision,
                state,
                bytes: bytes.to_vec(),
            });
        }
    }
    unreachable!("some ordinal is free")
}

/// `<id>`, then `<id>-2`, `<id>-3`…, cut to fit.
fn numbered(id: &SpecId, ordinal: u32) -> SpecId {
    if ordinal == 1 {
        return id.clone();
    }
    let tail = format!("-{ordinal}");
    let head = &id.as_str()[..id.as_str().len().min(63 - tail.len())];
    format!("{}{tail}", head.trim_end_matches('-'))
        .parse()
        .expect("a cut id with a number is an id")
}

fn first_revision(
    id: &SpecId,
    spec: &Spec,
    bytes: &[u8],
    digest: Digest,
    state: SpecState,
) -> Draft {
    let producer = Producer::rapid("start");
    let mut records: Vec<(Producer, Body)> = vec![(
        producer.clone(),
        SpecRevision {
            id: id.clone(),
            revision: 1,
            acceptance_digest: digest,
            size: bytes.len() as u64,
            format: SpecFormat::Json,
            title: spec.title.clone(),
            mode: spec.mode,
        }
        .into(),
    )];
    if state == SpecState::Ready {
        records.push((
            producer,
            SpecStatus {
                revision: 1,
                from: SpecState::Draft,
                to: SpecState::Ready,
                reason: None,
            }
            .into(),
        ));
    }
    Draft {
        subject: format!("spec, {} ({state})", spec.title),
        records,
        artifacts: vec![bytes.to_vec()],
        subject_tree: None,
        journal: None,
    }
}

/// Reads a spec document, or says all that is wrong with it.
pub(super) fn read(bytes: &[u8]) -> Result<Spec, Error> {
    read_json(bytes).map_err(|faults| refuse_faults(&faults))
}

fn refuse_faults(faults: &[Fault]) -> Error {
    let lines: Vec<String> = faults
        .iter()
        .map(|fault| match &fault.meant {
            Some(meant) => format!("{}: {} (did you mean {meant}?)", fault.at, fault.what),
            None => format!("{}: {}", fault.at, fault.what),
        })
        .collect();
    let count = if faults.len() == 1 {
        "1 fault".to_owned()
    } else {
        format!("{} faults", faults.len())
    };
    refuse(
        Code::SpecContent,
        format!("the spec has {count}:\n  {}", lines.join("\n  ")),
    )
    .detail(
        "faults",
        serde_json::to_value(faults).expect("faults serialize"),
    )
    .hint(
        "see the form of a spec",
        &["git", "rapid", "spec", "template"],
    )
    .into()
}
