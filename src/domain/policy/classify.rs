//! Class, risk, workspace, gates and capabilities of a change.
//!
//! Everything here can be raised and nothing lowered: by signals, by the policy, by
//! the user.

use super::{PolicyDocument, signals_of_spec};
use crate::domain::{
    contract::{Gate, NamedCheck, Signal},
    gate::{CATALOGUE, GateKind, GateRow},
    spec::Spec,
    vocabulary::{Classification, Mode, Risk, Workspace},
};

/// What the caller knows besides the spec.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The risk the user asked for.
    pub risk: Option<Risk>,
    /// The checks that would be pinned.
    pub checks: &'a [NamedCheck],
    /// Whether the base tree has no entry.
    pub base_is_empty: bool,
    /// Whether `.rapid/architecture.json` is in the base tree.
    pub has_architecture: bool,
    /// The policy in force.
    pub policy: &'a PolicyDocument,
    /// Signals of paths that were changed already, when the work began before this.
    pub observed: &'a [Signal],
}

/// What was decided, with reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// How much ceremony.
    pub class: Classification,
    /// How much can go wrong.
    pub risk: Risk,
    /// What raised it.
    pub signals: Vec<Signal>,
    /// Stable words: the mode, each signal, what else raised class or risk, what left a
    /// gate out or brought it in.
    pub reasons: Vec<String>,
    /// Where the work happens.
    pub workspace: Workspace,
    /// Gates in canonical order.
    pub gates: Vec<Gate>,
    /// Capabilities, sorted.
    pub capabilities: Vec<String>,
}

/// Why a spec cannot be started this way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotEligible {
    /// Direct asks for more than the spec has (RAPID1330): stable words saying what.
    Direct(Vec<String>),
    /// A test gate without a check to close it (RAPID1330).
    NoCheck,
    /// The user asked for less risk than there is (RAPID1006).
    Downgrade {
        /// What was asked.
        asked: Risk,
        /// What there is.
        found: Risk,
    },
}

/// Decides. Pure.
pub fn decide(spec: &Spec, request: &Request<'_>) -> Result<Decision, NotEligible> {
    let policy = request.policy;
    let mut signals = signals_of_spec(spec, policy);
    for signal in request.observed {
        if signals.iter().all(|known| known.id != signal.id) {
            signals.push(signal.clone());
        }
    }
    if spec.mode == Mode::Direct {
        let missing = direct_lacks(spec, &signals, request);
        if !missing.is_empty() {
            return Err(NotEligible::Direct(missing));
        }
    }
    let mut reasons = vec![format!("mode.{}", spec.mode)];
    reasons.extend(signals.iter().map(|signal| format!("signal.{}", signal.id)));

    let elevated = signals.iter().any(|signal| signal.level >= Risk::High);
    let own = class_of(spec.mode, elevated);
    let class = policy
        .minimum_classification
        .map_or(own, |minimum| own.max(minimum));
    if class > own {
        reasons.push("policy.minimum_classification".into());
    }

    let found = signals
        .iter()
        .map(|signal| signal.level)
        .fold(base_risk(class), Risk::max);
    if policy.minimum_risk > found {
        reasons.push("policy.minimum_risk".into());
    }
    let found = found.max(policy.minimum_risk);
    let risk = request.risk.unwrap_or(found);
    if risk < found {
        return Err(NotEligible::Downgrade { asked: risk, found });
    }
    if risk > found {
        reasons.push("request.risk".into());
    }

    let change = Shape {
        mode: spec.mode,
        class,
        risk,
        signals: &signals,
    };
    let gates = gates(&change, request, &mut reasons);
    let tests = gates
        .iter()
        .any(|gate| gate.kind == GateKind::ImplementationTests);
    if tests && request.checks.is_empty() {
        return Err(NotEligible::NoCheck);
    }
    let workspace = if risk >= Risk::High {
        Workspace::Isolated
    } else {
        Workspace::Current
    };
    Ok(Decision {
        class,
        risk,
        reasons,
        workspace,
        gates,
        capabilities: capabilities(spec.mode, workspace, tests),
        signals,
    })
}

/// What direct asks for and does not find. A missing check alone is not told here: the
/// test gate asks for it with a hint of its own.
fn direct_lacks(spec: &Spec, signals: &[Signal], request: &Request<'_>) -> Vec<String> {
    let change = &spec.change;
    let raised = |level: Option<Risk>| level.is_some_and(|level| level > Risk::Low);
    let minimum = request.policy.minimum_classification;
    let facts = [
        (!change.clear, "change.clear"),
        (!change.bounded, "change.bounded"),
        (!change.reversible, "change.reversible"),
        (!change.checkable, "change.checkable"),
        (
            minimum > Some(Classification::Direct),
            "policy.minimum_classification",
        ),
        (
            raised(Some(request.policy.minimum_risk)),
            "policy.minimum_risk",
        ),
        (raised(request.risk), "request.risk"),
    ];
    let mut lacks: Vec<_> = facts
        .iter()
        .filter(|(lacking, _)| *lacking)
        .map(|(_, word)| (*word).to_owned())
        .collect();
    lacks.extend(
        signals
            .iter()
            .filter(|signal| signal.level > Risk::Low)
            .map(|signal| format!("signal.{}", signal.id)),
    );
    lacks
}

fn class_of(mode: Mode, elevated: bool) -> Classification {
    match mode {
        Mode::Hardening => Classification::Architectural,
        _ if elevated => Classification::Architectural,
        Mode::Direct => Classification::Direct,
        Mode::Research => Classification::Spike,
        Mode::Feature | Mode::Bugfix | Mode::Refactor => Classification::Bounded,
    }
}

fn base_risk(class: Classification) -> Risk {
    match class {
        Classification::Direct | Classification::Spike => Risk::Low,
        Classification::Bounded => Risk::Medium,
        Classification::Architectural => Risk::High,
    }
}

/// What the presence of gates depends on.
struct Shape<'a> {
    mode: Mode,
    class: Classification,
    risk: Risk,
    signals: &'a [Signal],
}

impl Shape<'_> {
    fn has_signal(&self, ids: &[&str]) -> bool {
        let mut signals = self.signals.iter();
        signals.any(|signal| ids.contains(&signal.id.as_str()))
    }

    /// The column "present when" of RULES "Gates".
    fn needs(&self, kind: GateKind, request: &Request<'_>) -> bool {
        match kind {
            GateKind::WorkspaceIsolation | GateKind::PeerReview => self.risk >= Risk::High,
            // Without a check there is nothing to measure.
            GateKind::BaselineCheck => {
                self.risk >= Risk::Medium && !request.base_is_empty && !request.checks.is_empty()
            }
            GateKind::ManualApproval => self.risk == Risk::Critical,
            GateKind::ImplementationTests => self.class != Classification::Spike,
            GateKind::ArchitectureCheck => {
                request.has_architecture
                    && matches!(self.mode, Mode::Feature | Mode::Bugfix | Mode::Refactor)
            }
            GateKind::SecurityReview => {
                self.has_signal(&["scope.security", "scope.authentication"])
            }
            GateKind::MigrationReview => self.has_signal(&["scope.database-migration"]),
            GateKind::FinalVerification => self.class != Classification::Direct,
        }
    }
}

fn gates(change: &Shape<'_>, request: &Request<'_>, reasons: &mut Vec<String>) -> Vec<Gate> {
    let extra = |row: &GateRow| {
        let mut named = request.policy.extra_gates.iter();
        named.any(|gate| gate.as_str() == row.id)
    };
    let mut gates = Vec::new();
    for row in CATALOGUE {
        if !change.needs(row.kind, request) {
            if row.kind == GateKind::BaselineCheck && change.risk >= Risk::Medium {
                let word = if request.base_is_empty {
                    "base.empty"
                } else {
                    "checks.none"
                };
                reasons.push(word.into());
            }
            if !extra(row) {
                continue;
            }
            reasons.push(format!("policy.extra_gates.{}", row.id));
        }
        let id = row.kind.gate_id();
        gates.push(Gate {
            kind: row.kind,
            phase: row.phase,
            human: row.human,
            waivable: row.waivable
                && change.risk < Risk::Critical
                && request.policy.waivable.contains(&id),
            id,
        });
    }
    gates
}

fn capabilities(mode: Mode, workspace: Workspace, tests: bool) -> Vec<String> {
    let mut names = vec![
        "context.consume".to_owned(),
        "repository.read".to_owned(),
        format!("workspace.{workspace}"),
    ];
    if mode != Mode::Research {
        names.push("repository.write".into());
    }
    if tests {
        names.push("tests.execute".into());
    }
    names.sort_unstable();
    names
}
