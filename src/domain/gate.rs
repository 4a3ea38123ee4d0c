//! The catalogue of gates, as RULES "Gates" lists them.

use super::{
    id::GateId,
    vocabulary::{Phase, ReviewType},
};

super::vocabulary::vocabulary_words!(
    /// What a gate asks.
    GateKind, "a gate kind" {
        /// Is the work isolated?
        WorkspaceIsolation = "workspace_isolation",
        /// Were the tests measured before the work?
        BaselineCheck = "baseline_check",
        /// Did a person say "go"?
        ManualApproval = "manual_approval",
        /// Do the tests pass?
        ImplementationTests = "implementation_tests",
        /// Do the imports keep to the architecture?
        ArchitectureCheck = "architecture_check",
        /// Did another developer look?
        PeerReview = "peer_review",
        /// Did someone look for security?
        SecurityReview = "security_review",
        /// Did someone look at the migration?
        MigrationReview = "migration_review",
        /// Did a person look at the whole?
        FinalVerification = "final_verification",
    }
);

/// One row of the catalogue.
#[derive(Debug)]
pub struct GateRow {
    /// The gate's name.
    pub id: &'static str,
    /// What it asks.
    pub kind: GateKind,
    /// When it is due.
    pub phase: Phase,
    /// Whether only a person can close it.
    pub human: bool,
    /// Whether a person may let it go below critical risk.
    pub waivable: bool,
    /// The review that closes or waives it.
    pub review: Option<ReviewType>,
}

/// Every gate, in canonical order.
pub const CATALOGUE: &[GateRow] = &[
    row(
        "gate.workspace-isolation",
        GateKind::WorkspaceIsolation,
        Phase::Pre,
        false,
        false,
        None,
    ),
    row(
        "gate.baseline",
        GateKind::BaselineCheck,
        Phase::Pre,
        false,
        true,
        Some(ReviewType::Baseline),
    ),
    row(
        "gate.manual-approval",
        GateKind::ManualApproval,
        Phase::Pre,
        true,
        false,
        Some(ReviewType::Manual),
    ),
    row(
        "gate.tests",
        GateKind::ImplementationTests,
        Phase::Post,
        false,
        true,
        Some(ReviewType::Tests),
    ),
    row(
        "gate.architecture",
        GateKind::ArchitectureCheck,
        Phase::Post,
        false,
        false,
        None,
    ),
    row(
        "gate.review",
        GateKind::PeerReview,
        Phase::Post,
        true,
        true,
        Some(ReviewType::Peer),
    ),
    row(
        "gate.security-review",
        GateKind::SecurityReview,
        Phase::Post,
        true,
        false,
        Some(ReviewType::Security),
    ),
    row(
        "gate.migration-review",
        GateKind::MigrationReview,
        Phase::Post,
        true,
        false,
        Some(ReviewType::Migration),
    ),
    row(
        "gate.final-verification",
        GateKind::FinalVerification,
        Phase::Post,
        true,
        false,
        Some(ReviewType::Final),
    ),
];

const fn row(
    id: &'static str,
    kind: GateKind,
    phase: Phase,
    human: bool,
    waivable: bool,
    review: Option<ReviewType>,
) -> GateRow {
    GateRow {
        id,
        kind,
        phase,
        human,
        waivable,
        review,
    }
}

impl GateKind {
    /// The catalogue's row of this kind.
    pub fn row(self) -> &'static GateRow {
        CATALOGUE
            .iter()
            .find(|row| row.kind == self)
            .expect("the catalogue has a row for each kind")
    }

    /// The gate's name.
    pub fn gate_id(self) -> GateId {
        self.row()
            .id
            .parse()
            .expect("catalogue names have the form")
    }
}
