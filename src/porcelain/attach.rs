//! `attach`: files handed in for a task, kept by their content.

use super::{
    Context, Error, append,
    check::{self, refuse_ended},
    error::refuse,
    milestone,
    target::{self, Target},
};
use crate::{
    diagnostic::Code,
    domain::{
        bytes::ByteText,
        digest::Digest,
        evidence::{ArtifactLabel, ArtifactRef, Evidence, Payload},
        id::{AcceptanceId, RunId, TaskId},
        producer::Producer,
        record::Body,
        vocabulary::RunStatus,
    },
    ledger::Draft,
};
use serde::Serialize;
use std::{os::unix::ffi::OsStrExt as _, path::PathBuf};

/// The largest file that is taken, in bytes.
const LIMIT: u64 = 5 * 1024 * 1024;

/// What the user asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The files.
    pub files: Vec<PathBuf>,
    /// The task they are for.
    pub task: TaskId,
    /// Criteria they show.
    pub accept: Vec<AcceptanceId>,
    /// What they are.
    pub label: Option<String>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The version of this schema.
    pub schema_version: u32,
    /// The run.
    pub run_id: RunId,
    /// The record's digest.
    pub record: Digest,
    /// Its name for people.
    pub alias: String,
    /// The files.
    pub artifacts: Vec<ArtifactRef>,
}

/// Attaches files.
pub fn run(ctx: &Context<'_>, request: &Request) -> Result<Outcome, Error> {
    let Target { run, place } = target::target(ctx)?;
    refuse_ended(&run)?;
    ctx.repo.committer()?;
    if run.state.status != RunStatus::Active {
        return Err(refuse(
            Code::Precondition,
            format!(
                "{} is {}; files are handed in while it is active",
                run.id, run.state.status
            ),
        )
        .hint("see what comes next", &["git", "rapid", "next"])
        .into());
    }
    let links = check::Request {
        accept: request.accept.clone(),
        ..check::Request::default()
    };
    check::refuse_unknown_links(&run, &links, std::slice::from_ref(&request.task))?;
    let mut artifacts = Vec::new();
    let mut contents = Vec::new();
    for file in &request.files {
        let bytes = read_file(&ctx.cwd.join(file))?;
        let name = file
            .file_name()
            .unwrap_or(file.as_os_str())
            .as_bytes()
            .to_vec();
        artifacts.push(ArtifactRef {
            sha256: Digest::of(&bytes),
            size: bytes.len() as u64,
            name: ByteText(name),
        });
        contents.push(bytes);
    }
    let run = milestone::recover(&place, run)?;
    let label = request.label.clone().unwrap_or_else(|| {
        artifacts
            .iter()
            .map(|artifact| artifact.name.lossy())
            .collect::<Vec<_>>()
            .join(", ")
    });
    let mut evidence = Evidence::of(Payload::Artifact(ArtifactLabel {
        label: label.clone(),
    }));
    evidence.tasks = vec![request.task.clone()];
    evidence.acceptance.clone_from(&request.accept);
    evidence.artifacts.clone_from(&artifacts);
    let id = run.id.clone();
    let (run, records) = append::to_run(&place, &id, |run| {
        refuse_ended(run)?;
        Ok(Some(Draft {
            subject: format!("attach {label} on {}", request.task),
            records: vec![(Producer::rapid("attach"), Body::from(evidence.clone()))],
            artifacts: contents.clone(),
            subject_tree: None,
            journal: None,
        }))
    })?;
    let record = run
        .evidence(&records[0].digest)
        .expect("the record was just appended");
    Ok(Outcome {
        schema_version: 1,
        record: record.digest,
        alias: record.alias.clone(),
        run_id: run.id.clone(),
        artifacts,
    })
}

fn read_file(path: &std::path::Path) -> Result<Vec<u8>, Error> {
    let fail = |why: std::io::Error| {
        refuse(
            Code::InputUnreadable,
            format!("cannot read {}: {why}", path.display()),
        )
        .detail("path", path.display().to_string())
    };
    let meta = std::fs::metadata(path).map_err(fail)?;
    if !meta.is_file() {
        return Err(refuse(
            Code::EvidencePath,
            format!("{} is not a file", path.display()),
        )
        .detail("path", path.display().to_string())
        .into());
    }
    if meta.len() > LIMIT {
        return Err(refuse(
            Code::EvidenceArtifact,
            format!(
                "{} has {} bytes; a ledger cannot forget, so it takes at most {LIMIT}",
                path.display(),
                meta.len()
            ),
        )
        .detail("path", path.display().to_string())
        .detail("size", meta.len())
        .detail("limit", LIMIT)
        .into());
    }
    let bytes = std::fs::read(path).map_err(fail)?;
    if bytes.is_empty() {
        return Err(refuse(
            Code::EvidenceArtifact,
            format!("{} is empty", path.display()),
        )
        .into());
    }
    Ok(bytes)
}
