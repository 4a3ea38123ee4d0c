//! The contract: the first record of a run, which never changes.

use super::{
    bytes::ByteText,
    digest::Digest,
    gate::GateKind,
    id::{AcceptanceId, GateId, SpecId, TaskId},
    oid::{CommitId, Oid, TreeId},
    path::RepoPath,
    scope::Pattern,
    vocabulary::{Classification, Mode, Phase, Risk, Tier, Workspace},
};
use serde::{Deserialize, Serialize};

/// The body of a `contract` record: all that was settled at the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    /// The way of working.
    pub mode: Mode,
    /// How much ceremony.
    pub class: Classification,
    /// How much can go wrong.
    pub risk: Risk,
    /// What raised the risk, in the order of the signal table.
    pub signals: Vec<Signal>,
    /// Why class, risk and gates are as they are: stable words.
    pub reasons: Vec<String>,
    /// Where the work happens.
    pub workspace: Workspace,
    /// The spec's revision.
    pub spec: SpecRef,
    /// SHA-256 of the spec's bytes, which lie beside this record.
    pub acceptance_digest: Digest,
    /// What the work starts from.
    pub base: Base,
    /// Untracked files that lay there and are not this run's, sorted by path.
    pub bystanders: Vec<Bystander>,
    /// The branch the work is meant for.
    pub target: Option<ByteText>,
    /// What may be written.
    pub scope: Scope,
    /// What is to be done.
    pub tasks: Vec<Task>,
    /// When it is good.
    pub acceptance: Vec<Criterion>,
    /// What stands between the work and its end, in canonical order.
    pub gates: Vec<Gate>,
    /// What the run may be seen to use, sorted.
    pub capabilities: Vec<String>,
    /// The pinned checks.
    pub checks: Vec<NamedCheck>,
    /// The policy in force; its bytes lie beside this record.
    pub policy: PolicyRef,
    /// The harness it was started under.
    pub harness: Option<String>,
    /// The context that wrote the work, when one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The contract of the run this one follows.
    pub predecessor: Option<Digest>,
    /// The rules it is judged by.
    pub ruleset_version: u32,
}

/// A reason for more care.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signal {
    /// Its name in the signal table.
    pub id: String,
    /// The risk it raises to.
    pub level: Risk,
    /// The tag, path or value that triggered it.
    pub source: ByteText,
}

/// The spec a run follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecRef {
    /// The spec's stream.
    pub stream: Digest,
    /// The revision's record.
    pub record: Digest,
    /// Its name, for display.
    pub id: SpecId,
    /// Its number, for display.
    pub revision: u32,
}

/// What the work starts from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Base {
    /// HEAD's commit; null on an unborn branch.
    pub commit: Option<CommitId>,
    /// Its tree; the empty tree on an unborn branch.
    pub tree: TreeId,
    /// The snapshot at the start.
    pub start_tree: TreeId,
}

/// An untracked file that is not this run's as long as it does not change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bystander {
    /// Which.
    pub path: RepoPath,
    /// The blob id of its content.
    pub blob: Oid,
}

/// What may be written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    /// The declared patterns; null when none were declared.
    pub patterns: Option<Vec<Pattern>>,
    /// What may not be written all the same.
    pub protected: Vec<Pattern>,
}

/// One task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Its name.
    pub id: TaskId,
    /// What is to be done.
    pub description: String,
    /// What it may write; empty: what the run may.
    pub paths: Vec<Pattern>,
    /// Commands of its own that must end well.
    pub checks: Vec<Vec<ByteText>>,
    /// Tasks that come first.
    pub after: Vec<TaskId>,
    /// How long it may take; only shown.
    pub minutes: Option<u32>,
    /// How many bad results it may have before the brake falls.
    pub attempts: Option<u32>,
}

/// One acceptance criterion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    /// Its name.
    pub id: AcceptanceId,
    /// What must hold.
    pub text: String,
    /// The command that shows it.
    pub check: Option<Vec<ByteText>>,
}

/// One gate, as the catalogue and the policy made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// Its name.
    pub id: GateId,
    /// What it asks.
    pub kind: GateKind,
    /// When it is due.
    pub phase: Phase,
    /// Whether only a person can close it.
    pub human: bool,
    /// Whether a person may let it go.
    pub waivable: bool,
}

/// A pinned check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedCheck {
    /// Its name.
    pub name: String,
    /// The command, word by word.
    pub argv: Vec<ByteText>,
    /// Where it runs, relative to the root (`.`).
    pub cwd: RepoPath,
    /// It is due when a changed path matches; empty: always.
    pub paths: Vec<Pattern>,
    /// When it is due.
    pub tier: Tier,
    /// Seconds after which it is ended.
    pub timeout: Option<u64>,
    /// A report file that it writes, relative to `cwd`.
    pub report: Option<ByteText>,
    /// Where the command came from: `policy`, `spec`, `config`, `option`, or the file that told.
    pub source: String,
}

/// The policy in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyRef {
    /// `built-in`, or `.rapid/policy.json`.
    pub source: String,
    /// SHA-256 of the effective policy's bytes.
    pub digest: Digest,
}
