//! What counts: which result of which command decides on which tree.
//!
//! Source: RULES "What counts for gate.tests". The commit rule asks here too, so that
//! what verifies a commit is what will verify the run.

use super::{
    Reason, SignatureFact,
    baseline::Baseline,
    latest::latest,
    review::{self, Waiver},
    standing::{Standing, standing},
};
use crate::domain::{
    bytes::ByteText,
    contract::NamedCheck,
    evidence::CheckResult,
    gate::GateKind,
    oid::TreeId,
    path::RepoPath,
    policy::{PolicyDocument, Witness},
    producer::Producer,
    run::{EvidenceRecord, Run, RunState, is_aside},
    scope::Matcher,
    vocabulary::{Expectation, SubjectKind, Tier},
};

/// What the results of one command say of one tree.
#[derive(Clone, Debug)]
pub struct Decision<'a> {
    /// The answer.
    pub answer: Answer,
    /// Why it is so, or why nothing counts.
    pub why: Reason,
    /// The deciding records, in reading order; for no answer the latest one that does not count.
    pub records: Vec<&'a EvidenceRecord>,
    /// Whether good and bad results stand on this one tree.
    pub flaky: bool,
}

/// What a decision says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It holds.
    Good,
    /// It does not.
    Bad,
    /// Nothing counts.
    Nothing,
}

/// The checks of this tier that are due when `changed` paths differ, in the contract's
/// order; `None` when that depends on paths that are not known.
pub fn due_checks<'a>(
    checks: &'a [NamedCheck],
    tier: Tier,
    changed: Option<&[&RepoPath]>,
) -> Option<Vec<&'a NamedCheck>> {
    let mut due = Vec::new();
    for check in checks {
        if check.tier != tier && check.tier != Tier::Both {
            continue;
        }
        if check.paths.is_empty() {
            due.push(check);
            continue;
        }
        let matcher = Matcher::new(&check.paths);
        if changed?.iter().any(|path| matcher.admits(path)) {
            due.push(check);
        }
    }
    Some(due)
}

/// The check results of a run, ready to be asked what they say.
#[derive(Debug)]
pub struct Results<'a> {
    run: &'a Run,
    policy: &'a PolicyDocument,
    signatures: &'a [SignatureFact],
    pub(super) baseline: Baseline<'a>,
    /// The waiver of the baseline, where it holds.
    pub(super) baseline_waived: bool,
}

/// What a command must show.
#[derive(Clone, Copy)]
enum Want<'a> {
    /// A check that closes gate.tests: tests were counted.
    Counted(&'a NamedCheck),
    /// A command of a task's or criterion's own: it ended well.
    Met,
}

impl<'a> Results<'a> {
    /// The results of `run`, with gates as `state` has them.
    pub fn of(
        run: &'a Run,
        state: &RunState,
        policy: &'a PolicyDocument,
        signatures: &'a [SignatureFact],
    ) -> Self {
        let gate = run
            .contract
            .gates
            .iter()
            .find(|gate| gate.kind == GateKind::BaselineCheck);
        // A pre gate's waiver holds for the contract; the tree does not matter.
        let tree = run.contract.base.tree;
        let baseline_waived = gate
            .is_some_and(|gate| matches!(review::waiver(run, state, tree, gate), Waiver::Holds(_)));
        Self {
            run,
            policy,
            signatures,
            baseline: Baseline::of(run, policy),
            baseline_waived,
        }
    }

    /// What counts for gate.tests says of `check` on `tree`.
    pub fn counting(&self, check: &'a NamedCheck, tree: TreeId) -> Decision<'a> {
        self.decide(&check.argv, &check.cwd, tree, Want::Counted(check))
    }

    /// What a task's or criterion's own command, run in the root, says of `tree`.
    pub(super) fn own(&self, argv: &[ByteText], tree: TreeId) -> Decision<'a> {
        self.decide(argv, &RepoPath::root(), tree, Want::Met)
    }

    /// How a linked result stands for what it is linked to; asides are left out before.
    pub(super) fn linked(&self, record: &EvidenceRecord, result: &CheckResult) -> Standing {
        let stands = standing(&record.body, result);
        match stands {
            Standing::Bad(Reason::Red) if self.only_known_failures(result) => {
                Standing::Good(Reason::KnownFailures)
            }
            other => other,
        }
    }

    /// Whether the check's result in `record` is good by itself, whatever it is asked for;
    /// `None`: it holds none, or one that is neither good nor bad.
    pub fn is_good(&self, record: &EvidenceRecord) -> Option<bool> {
        match self.linked(record, record.body.check()?) {
            Standing::Good(_) => Some(true),
            Standing::Bad(_) => Some(false),
            Standing::Neutral(_) => None,
        }
    }

    /// Whether the waived baseline explains every failure of a result of a named check.
    pub(super) fn only_known_failures(&self, result: &CheckResult) -> bool {
        self.baseline_waived
            && result.expectation == Expectation::Pass
            && self.run.contract.checks.iter().any(|check| {
                check.argv == result.argv
                    && check.cwd == result.cwd
                    && self.baseline.only_known_failures(check, result)
            })
    }

    fn decide(
        &self,
        argv: &[ByteText],
        cwd: &RepoPath,
        tree: TreeId,
        want: Want<'_>,
    ) -> Decision<'a> {
        let mut counting: Vec<&'a EvidenceRecord> = Vec::new();
        let mut standings: Vec<Standing> = Vec::new();
        let mut nearest = Nearest::default();
        for record in &self.run.evidence {
            let Some(result) = record.body.check() else {
                continue;
            };
            if result.expectation != Expectation::Pass {
                continue;
            }
            let here = result.subject.tree == tree;
            if result.argv != argv || &result.cwd != cwd {
                if here {
                    self.explain_other(record, result, want, &mut nearest);
                }
                continue;
            }
            let stands = match self.witnessed(record, want) {
                Ok(()) => self.stands(record, result, want),
                Err(why) => Standing::Neutral(why),
            };
            match stands {
                Standing::Neutral(why) if here => nearest.is(nearness(why), why, record),
                Standing::Neutral(_) => {}
                _ if here => {
                    counting.push(record);
                    standings.push(stands);
                }
                _ => nearest.is(2, Reason::OtherTree, record),
            }
        }
        let flaky = standings.iter().any(|one| matches!(one, Standing::Good(_)))
            && standings.iter().any(|one| matches!(one, Standing::Bad(_)));
        let deciding = latest(&self.run.history, &counting);
        let of = |record: &EvidenceRecord| {
            counting
                .iter()
                .position(|one| one.digest == record.digest)
                .map(|place| standings[place])
        };
        let mut answer = Answer::Nothing;
        let mut why = nearest.why;
        for record in &deciding {
            match of(record) {
                Some(Standing::Bad(reason)) => (answer, why) = (Answer::Bad, reason),
                Some(Standing::Good(reason)) if answer == Answer::Nothing => {
                    (answer, why) = (Answer::Good, reason);
                }
                _ => {}
            }
        }
        let records = if deciding.is_empty() {
            nearest.record.into_iter().collect()
        } else {
            deciding
        };
        Decision {
            answer,
            why,
            records,
            flaky,
        }
    }

    /// Whether it was written by someone whose results decide, on a tree laid out well enough.
    fn witnessed(&self, record: &EvidenceRecord, want: Want<'_>) -> Result<(), Reason> {
        let by_ci = self.policy.witness == Witness::Ci && matches!(want, Want::Counted(_));
        if by_ci {
            if !matches!(record.producer, Producer::Ci(_)) {
                return Err(Reason::OtherProducer);
            }
            let listed = self
                .policy
                .signed
                .get(&GateKind::ImplementationTests.gate_id());
            let signed = self.signatures.iter().any(|signature| {
                signature.record == record.digest
                    && listed.is_some_and(|listed| listed.contains(&signature.principal))
            });
            if !signed {
                return Err(Reason::Unsigned);
            }
        } else if !record.producer.is_rapid("check") {
            return Err(Reason::OtherProducer);
        }
        let clean = self
            .policy
            .clean_from
            .is_some_and(|from| self.run.contract.risk >= from);
        let laid_out = record.body.check().map(|result| result.subject.kind);
        if clean && laid_out == Some(SubjectKind::Worktree) {
            return Err(Reason::NotClean);
        }
        Ok(())
    }

    fn stands(&self, record: &EvidenceRecord, result: &CheckResult, want: Want<'_>) -> Standing {
        let stands = self.linked(record, result);
        let Want::Counted(check) = want else {
            return stands;
        };
        match (stands, result.counts) {
            (Standing::Good(Reason::Green), None) => {
                if review::accepts_uncounted(self.run, &check.name) {
                    Standing::Good(Reason::AcceptedUncounted)
                } else {
                    Standing::Neutral(Reason::Uncounted)
                }
            }
            (Standing::Good(Reason::Green), Some(counts)) if counts.passed == 0 => {
                Standing::Neutral(Reason::ZeroTests)
            }
            (stands, _) => stands,
        }
    }

    /// Names what ran on the judged tree in place of the pinned command.
    fn explain_other(
        &self,
        record: &'a EvidenceRecord,
        result: &CheckResult,
        want: Want<'_>,
        nearest: &mut Nearest<'a>,
    ) {
        let claims = match want {
            Want::Counted(check) => result.check.as_deref() == Some(check.name.as_str()),
            Want::Met => false,
        };
        if claims {
            nearest.is(3, Reason::NotAsPinned, record);
        } else if is_aside(self.run, result) {
            nearest.is(1, Reason::Aside, record);
        }
    }
}

/// How near a result of the pinned command on the judged tree comes to counting: the
/// fewer conditions it fails, the nearer. Asides and other trees lie below all of them.
fn nearness(why: Reason) -> u8 {
    match why {
        Reason::Uncounted | Reason::ZeroTests => 6,
        Reason::OtherProducer | Reason::Unsigned | Reason::NotClean => 4,
        _ => 5,
    }
}

/// The result that comes nearest to counting, to say what is wrong with it.
struct Nearest<'a> {
    rank: u8,
    why: Reason,
    record: Option<&'a EvidenceRecord>,
}

impl Default for Nearest<'_> {
    fn default() -> Self {
        Self {
            rank: 0,
            why: Reason::NoResult,
            record: None,
        }
    }
}

impl<'a> Nearest<'a> {
    fn is(&mut self, rank: u8, why: Reason, record: &'a EvidenceRecord) {
        if rank >= self.rank {
            *self = Self {
                rank,
                why,
                record: Some(record),
            };
        }
    }
}
