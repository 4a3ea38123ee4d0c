//! A record as readers see it: the envelope with digest, alias, commit and time.

use super::Error;
use crate::{
    domain::{
        digest::Digest,
        oid::CommitId,
        record::{Body, Record},
    },
    git::Repository,
    ledger::{Ledger, StreamName},
};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// A record with what the ledger knows of it.
#[derive(Clone, Debug)]
pub struct RecordView {
    /// The record.
    pub record: Record,
    /// `E001`, for evidence of a run.
    pub alias: Option<String>,
    /// The commit that introduced it.
    pub commit: Option<CommitId>,
    /// That commit's time, in seconds since 1970. Times decide nothing.
    pub seconds: Option<i64>,
    /// What happened, as the commit's subject says it.
    pub subject: String,
}

impl RecordView {
    /// The envelope as JSON.
    pub fn envelope(&self) -> Value {
        serde_json::from_slice(&self.record.canonical_bytes()).expect("canonical bytes are JSON")
    }
}

impl Serialize for RecordView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut envelope = self.envelope();
        let fields = envelope.as_object_mut().expect("an envelope is an object");
        fields.insert("digest".into(), self.record.digest.hex().into());
        fields.insert("alias".into(), self.alias.clone().into());
        fields.insert(
            "commit".into(),
            self.commit.map(|commit| commit.to_string()).into(),
        );
        fields.insert("time".into(), self.seconds.into());
        envelope.serialize(serializer)
    }
}

/// All records of a stream, oldest first.
pub(super) fn records_of(repo: &Repository, name: &StreamName) -> Result<Vec<RecordView>, Error> {
    let ledger = Ledger::new(repo);
    let stream = match (ledger.read(name)?, name) {
        (None, StreamName::Run(id)) => ledger.read_sealed(id)?,
        (found, _) => found,
    };
    let Some(stream) = stream else {
        return Err(crate::ledger::Error::NoStream {
            stream: name.ref_name(),
        }
        .into());
    };
    let commits = ledger.commits(&stream)?;
    let mut evidence = 0;
    let mut views = Vec::with_capacity(stream.records.len());
    for record in stream.records {
        let alias = matches!(record.body, Body::Evidence(_)).then(|| {
            evidence += 1;
            format!("E{evidence:03}")
        });
        let commit = commit_of(&commits, record.digest);
        let data = commit.map(|commit| repo.read_commit(commit)).transpose()?;
        views.push(RecordView {
            alias,
            commit,
            seconds: data.as_ref().map(|data| data.seconds),
            subject: data
                .map(|data| {
                    data.message
                        .lossy()
                        .lines()
                        .next()
                        .unwrap_or_default()
                        .to_owned()
                })
                .unwrap_or_default(),
            record,
        });
    }
    Ok(views)
}

fn commit_of(commits: &[(Digest, CommitId)], digest: Digest) -> Option<CommitId> {
    commits
        .iter()
        .find(|(known, _)| *known == digest)
        .map(|(_, commit)| *commit)
}
