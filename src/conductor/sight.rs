//! What the rows look at: the scene, and what the evaluator says of it when every machine
//! gate is acknowledged and the run is finished. It is asked once.

use super::Scene;
use crate::domain::{
    contract::NamedCheck,
    evaluate::{
        Assertion, Facts, Input, Report,
        counts::{Answer, Decision, Results, due_checks},
        evaluate,
    },
    evidence::CheckResult,
    gate::GateKind,
    id::GateId,
    oid::TreeId,
    path::RepoPath,
    policy::PolicyDocument,
    run::{EvidenceRecord, Run, RunState},
    vocabulary::{AssertionStatus, Expectation, GateStatus, RunStatus, Tier},
};

/// The scene, judged.
#[derive(Debug)]
pub struct Sight<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) run: &'a Run,
    /// The snapshot; without one what comes nearest, only to tell what is missing.
    pub(super) subject: TreeId,
    /// `None`: this version has no rules of the run's version.
    pub(super) report: Option<Report>,
    pub(super) results: Results<'a>,
    changed: Option<Vec<&'a RepoPath>>,
}

impl<'a> Sight<'a> {
    /// Judges the scene.
    pub fn of(scene: &'a Scene<'a>) -> Self {
        let run = scene.run;
        let subject = scene
            .snapshot
            .ok()
            .or(scene.head_tree)
            .unwrap_or(run.contract.base.tree);
        let report = evaluate(&Input {
            run,
            state: &hypothetical(run),
            facts: scene.facts,
            policy: scene.policy,
            subject,
            spec_bytes: scene.spec_bytes,
            ruleset: run.contract.ruleset_version,
        })
        .ok();
        Self {
            scene,
            run,
            subject,
            report,
            results: Results::of(run, &run.state, scene.policy, &scene.facts.signatures),
            changed: changed(scene.facts),
        }
    }

    /// What the evaluator says of a gate.
    pub(super) fn gate(&self, gate: &GateId) -> Option<&Assertion> {
        let report = self.report.as_ref()?;
        report.assertion(&format!("gate.{gate}.evidence"))
    }

    /// What it says of a kind of gate, when the contract has one.
    pub(super) fn gate_of(&self, kind: GateKind) -> Option<(GateId, &Assertion)> {
        let gate = self
            .run
            .contract
            .gates
            .iter()
            .find(|gate| gate.kind == kind)?;
        Some((gate.id.clone(), self.gate(&gate.id)?))
    }

    /// Human gates that do not hold yet, in the contract's order.
    pub(super) fn awaiting_human(&self) -> Vec<GateId> {
        self.run
            .contract
            .gates
            .iter()
            .filter(|gate| gate.human)
            .filter(|gate| self.gate(&gate.id).is_none_or(|said| !holds(said)))
            .map(|gate| gate.id.clone())
            .collect()
    }

    /// Required assertions of this status, in the evaluator's order.
    pub(super) fn required(&self, status: AssertionStatus) -> impl Iterator<Item = &Assertion> {
        self.report
            .iter()
            .flat_map(|report| &report.assertions)
            .filter(move |said| said.required && said.status == status)
    }

    /// The human gate an assertion is about.
    pub(super) fn human_gate(&self, id: &str) -> Option<&GateId> {
        let gate = gate_name(id)?;
        self.run
            .contract
            .gates
            .iter()
            .find(|one| one.human && one.id.as_str() == gate)
            .map(|one| &one.id)
    }

    /// The checks of this tier that are due; all of it when the changed paths are not known.
    pub(super) fn due(&self, tier: Tier) -> Vec<&'a NamedCheck> {
        let checks = &self.run.contract.checks;
        due_checks(checks, tier, self.changed.as_deref()).unwrap_or_else(|| {
            checks
                .iter()
                .filter(|check| check.tier == tier || check.tier == Tier::Both)
                .collect()
        })
    }

    /// Every due check, in the contract's order.
    pub(super) fn all_due(&self) -> Vec<&'a NamedCheck> {
        let (commit, finish) = (self.due(Tier::Commit), self.due(Tier::Finish));
        self.run
            .contract
            .checks
            .iter()
            .filter(|check| {
                let is_due = |due: &[&NamedCheck]| due.iter().any(|one| one.name == check.name);
                is_due(&commit) || is_due(&finish)
            })
            .collect()
    }

    /// Whether gate.tests asks for anything: it is there, and no waiver of it holds.
    pub(super) fn tests_wanted(&self) -> bool {
        self.gate_of(GateKind::ImplementationTests)
            .is_some_and(|(_, said)| said.status != AssertionStatus::Waived)
    }

    /// The checks whose results stand between here and the end: every due one while gate.tests
    /// asks for them; without that gate those of a commit that is still to be made.
    pub(super) fn wanted_checks(&self) -> Vec<&'a NamedCheck> {
        if self.gate_of(GateKind::ImplementationTests).is_some() {
            return if self.tests_wanted() {
                self.all_due()
            } else {
                Vec::new()
            };
        }
        match self.scene.snapshot {
            Ok(snapshot) if self.scene.head_tree != Some(snapshot) => self.due(Tier::Commit),
            _ => Vec::new(),
        }
    }

    /// What counts says of a due check on the subject.
    pub(super) fn counting(&self, check: &'a NamedCheck) -> Decision<'a> {
        self.results.counting(check, self.subject)
    }

    /// The latest good result of a check on the subject, whether or not it counts: what
    /// `check` cites instead of running again.
    pub(super) fn cited(&self, check: &NamedCheck) -> Option<&'a EvidenceRecord> {
        self.run.evidence.iter().rev().find(|record| {
            record.producer.is_rapid("check")
                && record.body.check().is_some_and(|result| {
                    result.argv == check.argv
                        && result.cwd == check.cwd
                        && result.expectation == Expectation::Pass
                        && result.subject.tree == self.subject
                })
                && self.results.is_good(record) == Some(true)
        })
    }

    /// The first wanted check that says no on the subject, with its deciding result.
    pub(super) fn red_check(&self) -> Option<(&'a NamedCheck, &'a EvidenceRecord)> {
        self.wanted_checks().into_iter().find_map(|check| {
            let decision = self.counting(check);
            let bad = decision.answer == Answer::Bad;
            Some((check, *decision.records.last().filter(|_| bad)?))
        })
    }

    /// The latest check result, of whatever command.
    pub(super) fn last_check(&self) -> Option<(&'a EvidenceRecord, &'a CheckResult)> {
        self.run
            .evidence
            .iter()
            .rev()
            .filter(|record| record.producer.is_rapid("check"))
            .find_map(|record| Some((record, record.body.check()?)))
    }

    /// Whether nothing differs from the base.
    pub(super) fn nothing_changed(&self) -> bool {
        self.changed.as_ref().is_some_and(Vec::is_empty)
    }
}

/// The changed paths; `None` when an object that is needed is missing.
fn changed(facts: &Facts) -> Option<Vec<&RepoPath>> {
    let paths = facts.paths.as_ref()?;
    Some(paths.iter().map(|path| &path.path).collect())
}

/// The gate in the id of a gate's assertion.
pub(super) fn gate_name(id: &str) -> Option<&str> {
    id.strip_prefix("gate.")?.strip_suffix(".evidence")
}

/// Whether an assertion stands in nobody's way.
pub(super) fn holds(said: &Assertion) -> bool {
    !matches!(
        said.status,
        AssertionStatus::Fail | AssertionStatus::Unverified
    )
}

/// The state the run would be in at its end: every machine gate acknowledged, finished.
/// What a person closes stays as it is.
pub fn hypothetical(run: &Run) -> RunState {
    let mut state = run.state.clone();
    for gate in run.contract.gates.iter().filter(|gate| !gate.human) {
        acknowledge(&mut state, &gate.id);
    }
    if !state.status.is_terminal() {
        state.status = RunStatus::Finished;
    }
    state
}

fn acknowledge(state: &mut RunState, gate: &GateId) {
    if let Some(status @ GateStatus::Pending) = state.gates.get_mut(gate) {
        *status = GateStatus::Acknowledged;
    }
}

/// Whether the evidence backs a machine gate: acknowledge it on a copy of the state, evaluate,
/// does it hold? A gate that does not arise holds. Human gates are never satisfied so.
pub fn gate_satisfied(
    run: &Run,
    state: &RunState,
    facts: &Facts,
    policy: &PolicyDocument,
    subject: TreeId,
    gate: &GateId,
) -> bool {
    let machine = run
        .contract
        .gates
        .iter()
        .any(|one| one.id == *gate && !one.human);
    if !machine {
        return false;
    }
    let mut copy = state.clone();
    acknowledge(&mut copy, gate);
    let report = evaluate(&Input {
        run,
        state: &copy,
        facts,
        policy,
        subject,
        spec_bytes: None,
        ruleset: run.contract.ruleset_version,
    });
    report.is_ok_and(|report| {
        report
            .assertion(&format!("gate.{gate}.evidence"))
            .is_some_and(holds)
    })
}
