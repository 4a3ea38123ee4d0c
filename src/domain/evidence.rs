//! Evidence: a claim about a tree, a contract or the world, by someone.
//!
//! Kinds and payloads are closed schemas; RULES "Evidence" is their source.

use super::{
    bytes::ByteText,
    digest::Digest,
    id::{AcceptanceId, GateId, TaskId},
    oid::{CommitId, TreeId},
    path::RepoPath,
    vocabulary::{Change, Expectation, Note, Outcome, ReviewType, SubjectKind, Workspace},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The body of an `evidence` record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Form", into = "Form")]
pub struct Evidence {
    /// One line for people.
    pub summary: Option<String>,
    /// Tasks it speaks for.
    pub tasks: Vec<TaskId>,
    /// Gates it speaks for.
    pub gates: Vec<GateId>,
    /// Acceptance criteria it speaks for.
    pub acceptance: Vec<AcceptanceId>,
    /// Capabilities it shows.
    pub capabilities: Vec<String>,
    /// What was seen.
    pub payload: Payload,
    /// Files kept beside it.
    pub artifacts: Vec<ArtifactRef>,
    /// Remarks of the machine, sorted.
    pub notes: Vec<Note>,
}

impl Evidence {
    /// Evidence with nothing linked.
    pub fn of(payload: Payload) -> Self {
        Self {
            summary: None,
            tasks: Vec::new(),
            gates: Vec::new(),
            acceptance: Vec::new(),
            capabilities: Vec::new(),
            payload,
            artifacts: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The check result in it, counted or not.
    pub fn check(&self) -> Option<&CheckResult> {
        match &self.payload {
            Payload::CommandResult(result) | Payload::TestResult(result) => Some(result),
            _ => None,
        }
    }

    /// Says how the tree of its check result was laid out.
    pub fn laid_out(&mut self, kind: SubjectKind) {
        if let Payload::CommandResult(result) | Payload::TestResult(result) = &mut self.payload {
            result.subject.kind = kind;
        }
    }

    /// The review in it.
    pub fn review(&self) -> Option<&Review> {
        match &self.payload {
            Payload::Review(review) => Some(review),
            _ => None,
        }
    }
}

/// A file kept in the stream by its content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArtifactRef {
    /// SHA-256 of its bytes.
    pub sha256: Digest,
    /// Its length.
    pub size: u64,
    /// What it was called.
    pub name: ByteText,
}

macro_rules! payloads {
    ($($(#[$doc:meta])* $variant:ident($body:ty) = $word:literal,)+) => {
        /// What kind of thing was seen, and the thing itself.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Payload { $($(#[$doc])* $variant($body),)+ }

        impl Payload {
            /// Every kind there is.
            pub const KINDS: &[&str] = &[$($word),+];

            /// The kind as records write it.
            pub fn kind(&self) -> &'static str {
                match self { $(Self::$variant(_) => $word),+ }
            }

            fn to_value(&self) -> Value {
                match self { $(Self::$variant(body) => serde_json::to_value(body)),+ }
                    .expect("own types have string keys only")
            }

            fn from_value(kind: &str, value: Value) -> Result<Self, String> {
                let wrong = |error: serde_json::Error| format!("payload of {kind}: {error}");
                match kind {
                    $($word => serde_json::from_value(value).map(Self::$variant).map_err(wrong),)+
                    _ => Err(format!("unknown evidence kind {kind:?}; known: {}", Self::KINDS.join(", "))),
                }
            }
        }
    };
}

payloads! {
    /// A command ran; its tests were not counted.
    CommandResult(CheckResult) = "command_result",
    /// A command ran and its tests were counted.
    TestResult(CheckResult) = "test_result",
    /// Which paths differ between two trees.
    FileChange(FileChange) = "file_change",
    /// Where the work happens.
    Workspace(WorkspaceSeen) = "workspace",
    /// A person's judgement.
    Review(Review) = "review",
    /// Files that were handed in.
    Artifact(ArtifactLabel) = "artifact",
    /// A commit was made.
    Milestone(Milestone) = "milestone",
    /// A commit was rewritten.
    Rewrite(Rewrite) = "rewrite",
    /// A git operation ran.
    GitResult(Operation) = "git_result",
    /// A tool was called.
    ToolInvocation(Operation) = "tool_invocation",
    /// Work was handed to another agent.
    Delegation(Operation) = "delegation",
}

/// How a command ended, on which tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckResult {
    /// The named check, or null for any other command.
    pub check: Option<String>,
    /// The command, word by word.
    pub argv: Vec<ByteText>,
    /// Where it ran, relative to the root (`.`).
    pub cwd: RepoPath,
    /// Its exit code; null when a signal ended it.
    pub exit_code: Option<i32>,
    /// The signal that ended it; left out otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// Whether its time ran out.
    pub timed_out: bool,
    /// How long it ran, in milliseconds.
    pub duration_ms: u64,
    /// The test runner whose output was recognised.
    pub runner: Option<String>,
    /// What was counted; null when the output has no known shape.
    pub counts: Option<Counts>,
    /// Names of failed tests, at most 50.
    pub failed_tests: Vec<String>,
    /// What it should have done.
    pub expectation: Expectation,
    /// The tree it speaks of.
    pub subject: Subject,
    /// Its output, kept apart.
    pub log: Option<LogRef>,
    /// Where it ran.
    pub environment: Environment,
}

/// Tests by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Ended well.
    pub passed: u64,
    /// Ended badly.
    pub failed: u64,
    /// Could not run: a file that does not load, a set-up that broke.
    pub errors: u64,
    /// Left out.
    pub skipped: u64,
    /// Ended well only after another try.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flaky: Option<u64>,
}

/// The tree a check speaks of, and how sure that is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// How the tree was laid out.
    pub kind: SubjectKind,
    /// The tree after the command.
    pub tree: TreeId,
    /// The tree it began on, when generated files moved it and it ran once more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<TreeId>,
    /// HEAD's commit; null when there was none.
    pub head: Option<CommitId>,
    /// Whether the tree was the same before and after.
    pub stable: bool,
    /// Paths that differ between before and after.
    pub changed: Vec<RepoPath>,
    /// Tracked files that were written without becoming different.
    pub touched: Vec<RepoPath>,
    /// Files hidden from the snapshot by anything but a `.gitignore` in the tree.
    pub hidden: Hidden,
    /// Untracked files that are not this run's.
    pub bystanders: Vec<RepoPath>,
}

/// Files the snapshot does not see.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hidden {
    /// How many.
    pub count: u64,
    /// Their names, at most 50.
    pub names: Vec<RepoPath>,
}

/// Command output in the run's log ref.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogRef {
    /// SHA-256 of the kept bytes.
    pub sha256: Digest,
    /// Their length.
    pub size: u64,
}

/// What a result may depend on besides the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Environment {
    /// Operating system.
    pub os: String,
    /// Processor architecture.
    pub arch: String,
    /// Version of git.
    pub git: String,
    /// Version of this program.
    pub rapid: String,
    /// The coding agent whose marker was set.
    pub agent: Option<String>,
    /// The CI system whose marker was set.
    pub ci: Option<String>,
    /// Whether our hooks were active.
    pub hooks: bool,
    /// The file that `argv[0]` named.
    pub program: Option<ByteText>,
}

/// Paths that differ between two trees, computed, never declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileChange {
    /// The older tree.
    pub base: TreeId,
    /// The newer tree.
    pub tree: TreeId,
    /// What differs, sorted by path.
    pub paths: Vec<PathChange>,
}

/// One path that differs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathChange {
    /// Which.
    pub path: RepoPath,
    /// How.
    pub change: Change,
}

/// Where the work happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceSeen {
    /// The worktree it was started in, or one of its own.
    pub mode: Workspace,
    /// The worktree's id: `main`, or the name git gave the linked one.
    pub worktree: String,
    /// The branch; null on a detached HEAD.
    pub branch: Option<ByteText>,
}

/// A person's judgement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// What was looked at.
    pub review_type: ReviewType,
    /// What was said.
    pub outcome: Outcome,
    /// Who said it: name and address as git knows them.
    pub reviewer: ByteText,
    /// How it came in: `terminal`.
    pub via: String,
    /// The tree, or for pre gates and test commands the contract, it speaks of.
    pub judged: Judged,
    /// What was said in words; for `test_command` the check's name.
    pub text: Option<String>,
}

/// What a review judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Judged {
    /// A tree: `sha1:…` or `sha256:…`.
    Tree(TreeId),
    /// A contract: bare 64 hex.
    Contract(Digest),
}

/// Files that were handed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArtifactLabel {
    /// What they are.
    pub label: String,
}

/// A commit of this run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Milestone {
    /// The commit.
    pub commit: CommitId,
    /// Its parents.
    pub parents: Vec<CommitId>,
    /// Its tree.
    pub tree: TreeId,
    /// The record that verified the tree; null when none did.
    pub verified_by: Option<Digest>,
}

/// A commit was replaced by another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rewrite {
    /// The commit that was.
    pub old: CommitId,
    /// The commit that is.
    pub new: CommitId,
    /// Their trees, old then new.
    pub trees: [TreeId; 2],
}

/// Something ran; it informs and decides nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// What was done.
    pub operation: String,
    /// With which tool or on what.
    pub target: Option<String>,
    /// `success` or `failure`.
    pub outcome: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    tasks: Vec<TaskId>,
    gates: Vec<GateId>,
    acceptance: Vec<AcceptanceId>,
    capabilities: Vec<String>,
    payload: Value,
    artifacts: Vec<ArtifactRef>,
    notes: Vec<Note>,
}

impl From<Evidence> for Form {
    fn from(evidence: Evidence) -> Self {
        Self {
            kind: evidence.payload.kind().to_owned(),
            payload: evidence.payload.to_value(),
            summary: evidence.summary,
            tasks: evidence.tasks,
            gates: evidence.gates,
            acceptance: evidence.acceptance,
            capabilities: evidence.capabilities,
            artifacts: evidence.artifacts,
            notes: evidence.notes,
        }
    }
}

impl TryFrom<Form> for Evidence {
    type Error = String;

    fn try_from(form: Form) -> Result<Self, String> {
        Ok(Self {
            payload: Payload::from_value(&form.kind, form.payload)?,
            summary: form.summary,
            tasks: form.tasks,
            gates: form.gates,
            acceptance: form.acceptance,
            capabilities: form.capabilities,
            artifacts: form.artifacts,
            notes: form.notes,
        })
    }
}
