//! The effective policy: built-in and file merged, every key written out.

use super::signal::names_governance;
use crate::domain::{
    bytes::ByteText,
    digest::Digest,
    gate::CATALOGUE,
    id::GateId,
    path::RepoPath,
    scope::Pattern,
    spec::Spec,
    vocabulary::{Classification, Risk, Tier, vocabulary_words},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The team's own rules: no run writes them in passing.
const PROTECTED: &str = ".rapid/**";

/// Lock files: a test run may write them without saying anything about the work.
const GENERATED: &[&str] = &[
    "**/Cargo.lock",
    "**/go.sum",
    "**/go.work.sum",
    "**/package-lock.json",
    "**/npm-shrinkwrap.json",
    "**/yarn.lock",
    "**/pnpm-lock.yaml",
    "**/bun.lock",
    "**/bun.lockb",
    "**/deno.lock",
    "**/poetry.lock",
    "**/uv.lock",
    "**/pdm.lock",
    "**/pixi.lock",
    "**/Pipfile.lock",
    "**/Gemfile.lock",
    "**/composer.lock",
    "**/mix.lock",
    "**/pubspec.lock",
    "**/Package.resolved",
    "**/packages.lock.json",
    "**/gradle.lockfile",
    "**/flake.lock",
];

/// Where tests lie: a direct change may not take lines away there.
const TEST_PATHS: &[&str] = &[
    "**/test",
    "**/test/**",
    "**/tests",
    "**/tests/**",
    "**/spec",
    "**/spec/**",
    "**/__tests__",
    "**/__tests__/**",
    "**/test.*",
    "**/tests.*",
    "**/*_test.*",
    "**/test_*.*",
    "**/*.test.*",
    "**/*.spec.*",
];

/// Every key of RULES "Policy", with its value in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyDocument {
    /// The version of this schema.
    pub schema_version: u32,
    /// The lowest class a run may have.
    pub minimum_classification: Option<Classification>,
    /// The lowest risk a run may have.
    pub minimum_risk: Risk,
    /// More tags, by signal.
    pub tags: BTreeMap<String, Vec<String>>,
    /// More folders, by signal.
    pub dirs: BTreeMap<String, Vec<String>>,
    /// Gates that are always present.
    pub extra_gates: Vec<GateId>,
    /// The gates that stay waivable.
    pub waivable: Vec<GateId>,
    /// Checks by name.
    pub checks: Vec<PolicyCheck>,
    /// What may not be written.
    pub protected_paths: Vec<Pattern>,
    /// Where a commit needs a run.
    pub require_run: Vec<Pattern>,
    /// Whether the working tree must match too.
    pub commit: CommitBinding,
    /// From which risk up the working tree must match too; the default of `commit`.
    pub commit_snapshot_from: Option<Risk>,
    /// Whether every commit must be verified.
    pub commits_verified: bool,
    /// Whether every acceptance criterion needs something linked.
    pub acceptance_links: bool,
    /// Whose amendment takes effect at once.
    pub amend: AmendRule,
    /// Gates whose review must be signed, with the principals allowed.
    pub signed: BTreeMap<GateId, Vec<String>>,
    /// How many approvals a gate needs, and by whom not.
    pub approvals: BTreeMap<GateId, Approvals>,
    /// Who may run the tests that count.
    pub witness: Witness,
    /// From which risk up only clean checkouts count; null: never.
    pub clean_from: Option<Risk>,
    /// Files that tools write.
    pub generated: Vec<Pattern>,
    /// Where tests lie.
    pub test_paths: Vec<Pattern>,
    /// What a checkout needs before it can be tested.
    pub workspace: WorkspaceSetup,
    /// Whether the judged tree is kept beside the report.
    pub retain: bool,
    /// How large a direct change may be.
    pub direct: DirectBounds,
    /// The weakest enforcement allowed.
    pub min_enforce: Enforce,
    /// The weakest guard allowed.
    pub min_guard: Guard,
    /// The commit from which on commits are judged.
    pub adopt_from: Option<String>,
    /// Who and what is exempt.
    pub exempt: Exempt,
    /// What a server enforces.
    pub server: ServerRule,
}

/// A check a policy names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyCheck {
    /// Its name.
    pub name: String,
    /// The command, word by word.
    pub argv: Vec<ByteText>,
    /// Where it runs.
    pub cwd: RepoPath,
    /// When it is due.
    pub paths: Vec<Pattern>,
    /// When it is due.
    pub tier: Tier,
    /// Seconds after which it is ended.
    pub timeout: Option<u64>,
    /// A report file that it writes.
    pub report: Option<ByteText>,
}

/// Who and what is exempt from the commit rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exempt {
    /// Authors, by address.
    pub authors: Vec<String>,
    /// Paths.
    pub paths: Vec<Pattern>,
}

/// How many approvals a gate needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approvals {
    /// At least so many.
    pub min: u32,
    /// Whether the author's own does not count.
    pub not_author: bool,
}

/// What a checkout needs before it can be tested.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceSetup {
    /// A command that sets it up.
    pub setup: Option<Vec<ByteText>>,
    /// Paths to bring along.
    pub carry: Vec<RepoPath>,
}

/// How large a direct change may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DirectBounds {
    /// At most so many files.
    pub files: u64,
    /// At most so many changed lines.
    pub lines: u64,
}

/// What a server enforces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerRule {
    /// Branches it guards.
    pub protected: Vec<String>,
    /// What it asks of what is pushed there.
    pub require: Requirement,
}

vocabulary_words!(
    /// What a server asks of a pushed branch.
    Requirement, "a requirement" {
        /// A run that passed.
        Pass = "pass",
        /// Verified trees.
        Verified = "verified",
    }
);
vocabulary_words!(
    /// What must match the verified tree.
    CommitBinding, "a commit binding" {
        /// The tree that is committed.
        Tree = "tree",
        /// That, and the working tree.
        Snapshot = "snapshot",
    }
);
vocabulary_words!(
    /// Whose amendment takes effect at once.
    AmendRule, "an amend rule" {
        /// An agent's too, below high risk; from there up it waits for a person.
        Agent = "agent",
        /// A person's only; an agent's always waits for one.
        Human = "human",
    }
);
vocabulary_words!(
    /// Whose test runs count.
    Witness, "a witness" {
        /// Any `rapid:check`.
        Any = "any",
        /// Only signed ones by CI.
        Ci = "ci",
    }
);
vocabulary_words!(
    /// What the hooks do with a refusal.
    Enforce, "an enforcement" {
        /// Nothing.
        Off = "off",
        /// Say it.
        Warn = "warn",
        /// Refuse.
        Strict = "strict",
    }
);
vocabulary_words!(
    /// Where the commit rule stands.
    Guard, "a guard" {
        /// Nowhere.
        Off = "off",
        /// Before what is pushed.
        Tip = "tip",
        /// Before each commit.
        Commit = "commit",
    }
);

impl PolicyDocument {
    /// The policy in force when a project has none of its own.
    pub fn built_in() -> Self {
        Self {
            schema_version: 1,
            minimum_classification: None,
            minimum_risk: Risk::Low,
            tags: BTreeMap::new(),
            dirs: BTreeMap::new(),
            extra_gates: Vec::new(),
            waivable: CATALOGUE
                .iter()
                .filter(|row| row.waivable)
                .map(|row| row.kind.gate_id())
                .collect(),
            checks: Vec::new(),
            protected_paths: patterns(&[PROTECTED]),
            require_run: Vec::new(),
            commit: CommitBinding::Tree,
            commit_snapshot_from: None,
            commits_verified: false,
            acceptance_links: false,
            amend: AmendRule::Agent,
            signed: BTreeMap::new(),
            approvals: BTreeMap::new(),
            witness: Witness::Any,
            clean_from: None,
            generated: patterns(GENERATED),
            test_paths: patterns(TEST_PATHS),
            workspace: WorkspaceSetup::default(),
            retain: false,
            direct: DirectBounds {
                files: 5,
                lines: 200,
            },
            min_enforce: Enforce::Off,
            min_guard: Guard::Off,
            adopt_from: None,
            exempt: Exempt::default(),
            server: ServerRule {
                protected: Vec::new(),
                require: Requirement::Pass,
            },
        }
    }

    /// What a run of `spec` may not write: the protected paths, but for `.rapid/**` when
    /// the spec names it (which is the signal `scope.governance`).
    pub fn protected_for(&self, spec: &Spec) -> Vec<Pattern> {
        let named = names_governance(spec).is_some();
        self.protected_paths
            .iter()
            .filter(|pattern| !(named && pattern.as_str() == PROTECTED))
            .cloned()
            .collect()
    }

    /// Its canonical bytes: the artifact beside the contract.
    pub fn to_bytes(&self) -> Vec<u8> {
        crate::domain::canonical::to_bytes(self)
    }

    /// SHA-256 of those bytes: what the contract pins.
    pub fn digest(&self) -> Digest {
        Digest::of(&self.to_bytes())
    }
}

fn patterns(texts: &[&str]) -> Vec<Pattern> {
    texts
        .iter()
        .map(|text| text.parse().expect("the built-in patterns have the form"))
        .collect()
}
