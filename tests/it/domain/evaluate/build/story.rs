//! A run being told, record by record, and judged.

use super::{
    literals::{SHOWN, START, WORK, changed, contract, patterns},
    ran::{Ran, ran},
};
use git_rapid::domain::{
    amendment::{Amendment, Author},
    contract::Contract,
    digest::Digest,
    evaluate::{Assertion, BaseFact, Facts, Input, Report, SignatureFact, evaluate},
    event::{Event, EventCode, EventSubject},
    evidence::{ArtifactLabel, ArtifactRef, Evidence, Judged, Payload, Review, WorkspaceSeen},
    gate::GateKind,
    id::{RunId, TaskId},
    oid::TreeId,
    policy::PolicyDocument,
    producer::Producer,
    record::{Body, Place, Record},
    run::{Run, RunState, fold},
    vocabulary::{
        AssertionStatus, Change, GateStatus, Mode, Outcome, Phase, ReviewType, RunStatus,
        TaskStatus, Verdict, Workspace,
    },
};

/// A run being told.
#[derive(Clone)]
pub struct Story {
    pub contract: Contract,
    pub policy: PolicyDocument,
    pub facts: Facts,
    pub subject: TreeId,
    pub spec_bytes: Option<Digest>,
    /// The hypothetical state: all is done and acknowledged unless a test says otherwise.
    pub status: RunStatus,
    pub tasks: Vec<(usize, TaskStatus)>,
    pub gates: Vec<(GateKind, GateStatus)>,
    pub records: Vec<Record>,
    pub heads: Vec<Digest>,
}

impl Story {
    /// A run that holds its contract only.
    pub fn of(contract: Contract) -> Self {
        let first = Record::new(
            Place::First {
                nonce: "0".repeat(32),
            },
            Producer::rapid("start"),
            contract.clone(),
        );
        let paths = if contract.mode == Mode::Research {
            Vec::new()
        } else {
            vec![changed("src/lib.rs", Change::Modified, 3, 1)]
        };
        Self {
            spec_bytes: Some(contract.acceptance_digest),
            policy: PolicyDocument::built_in(),
            facts: Facts {
                base: BaseFact {
                    commit: contract.base.commit,
                    tree: START,
                },
                paths: Some(paths),
                commits: Some(Vec::new()),
                signatures: Vec::new(),
            },
            subject: WORK,
            status: RunStatus::Finished,
            tasks: Vec::new(),
            gates: Vec::new(),
            heads: vec![first.digest],
            records: vec![first],
            contract,
        }
    }

    /// A run of this mode with everything a PASS needs, but events.
    pub fn good(mode: Mode) -> Self {
        Self::good_of(contract(mode))
    }

    /// The same with a contract of the test's own.
    pub fn good_of(contract: Contract) -> Self {
        let mut story = Self::of(contract);
        story.workspace(story.contract.workspace);
        if story.has(GateKind::BaselineCheck) {
            story.ran(ran(3).on(START).gate(GateKind::BaselineCheck));
        }
        match story.contract.mode {
            Mode::Bugfix => {
                story.reproduced();
            }
            Mode::Research => {
                story.attach(1);
            }
            _ => {}
        }
        if !story.contract.checks.is_empty() {
            story.ran(ran(4).task(1));
        }
        for gate in story.contract.gates.clone() {
            if gate.human {
                story.review(gate.kind.row().review.unwrap(), Outcome::Approved);
            }
        }
        story
    }

    pub fn has(&self, kind: GateKind) -> bool {
        self.contract.gates.iter().any(|gate| gate.kind == kind)
    }

    /// Appends a record to all heads.
    pub fn add(&mut self, producer: Producer, body: impl Into<Body>) -> Digest {
        let stream = self.records[0].digest;
        let mut prev = self.heads.clone();
        prev.sort_unstable();
        let seq = self
            .records
            .iter()
            .filter(|record| prev.contains(&record.digest))
            .map(Record::seq)
            .max()
            .unwrap()
            + 1;
        let record = Record::new(Place::Next { stream, seq, prev }, producer, body);
        let digest = record.digest;
        self.records.push(record);
        self.heads = vec![digest];
        digest
    }

    /// Tells two things at once, in two clones, and merges them.
    pub fn at_once<A, B>(
        &mut self,
        one: impl FnOnce(&mut Self) -> A,
        other: impl FnOnce(&mut Self) -> B,
    ) -> (A, B) {
        let from = self.heads.clone();
        let a = one(self);
        let mut heads = std::mem::replace(&mut self.heads, from);
        let b = other(self);
        heads.append(&mut self.heads);
        self.heads = heads;
        (a, b)
    }

    pub fn ran(&mut self, ran: Ran) -> Digest {
        self.add(ran.producer, ran.evidence)
    }

    pub fn workspace(&mut self, mode: Workspace) -> Digest {
        self.add(
            Producer::rapid("start"),
            Evidence::of(Payload::Workspace(WorkspaceSeen {
                mode,
                worktree: "main".to_owned(),
                branch: None,
            })),
        )
    }

    /// A test fails as expected, for the first task, on [`SHOWN`].
    pub fn reproduced(&mut self) -> Digest {
        self.ran(ran(3).red(&["rounds_up"]).on(SHOWN).expect_fail().task(1))
    }

    pub fn attach(&mut self, task: usize) -> Digest {
        let mut evidence = Evidence::of(Payload::Artifact(ArtifactLabel {
            label: "report".to_owned(),
        }));
        evidence.tasks.push(TaskId::at(task));
        evidence.artifacts.push(ArtifactRef {
            sha256: Digest::of(b"report"),
            size: 6,
            name: "report.md".into(),
        });
        self.add(Producer::rapid("attach"), evidence)
    }

    /// A person's review of the judged tree, or of the contract where that is what is judged.
    pub fn review(&mut self, review_type: ReviewType, outcome: Outcome) -> Digest {
        self.review_with(review_type, outcome, |_| {})
    }

    pub fn review_with(
        &mut self,
        review_type: ReviewType,
        outcome: Outcome,
        change: impl FnOnce(&mut Review),
    ) -> Digest {
        self.review_by(Producer::User, review_type, outcome, change)
    }

    pub fn review_by(
        &mut self,
        producer: Producer,
        review_type: ReviewType,
        outcome: Outcome,
        change: impl FnOnce(&mut Review),
    ) -> Digest {
        let judged = match review_type {
            ReviewType::Manual | ReviewType::Baseline | ReviewType::TestCommand => {
                Judged::Contract(self.records[0].digest)
            }
            _ => Judged::Tree(self.subject),
        };
        let mut review = Review {
            review_type,
            outcome,
            reviewer: "Rita <rita@example.org>".into(),
            via: "terminal".to_owned(),
            judged,
            text: (outcome == Outcome::Waived).then(|| "because".to_owned()),
        };
        change(&mut review);
        self.add(producer, Evidence::of(Payload::Review(review)))
    }

    /// A person accepts that this check cannot be counted.
    pub fn accept_uncounted(&mut self, check: &str) -> Digest {
        self.review_with(ReviewType::TestCommand, Outcome::Approved, |review| {
            review.text = Some(check.to_owned());
        })
    }

    pub fn amend(&mut self, producer: Producer, paths: &[&str], accepts: Option<Digest>) -> Digest {
        let author = if producer == Producer::User {
            Author::Human
        } else {
            Author::Agent
        };
        self.add(
            producer,
            Amendment {
                paths: patterns(paths),
                tasks: Vec::new(),
                acceptance: Vec::new(),
                reason: "it grew".to_owned(),
                author,
                accepts,
            },
        )
    }

    pub fn event(
        &mut self,
        producer: &str,
        subject: EventSubject,
        from: &str,
        to: &str,
        reason: Option<&str>,
    ) -> Digest {
        self.add(
            producer.parse().unwrap(),
            Event {
                subject,
                from: Some(from.to_owned()),
                to: Some(to.to_owned()),
                code: EventCode::Requested,
                reason: reason.map(str::to_owned),
            },
        )
    }

    /// Acknowledges the gates of a phase, each by who may.
    pub fn acknowledge(&mut self, phase: Phase) {
        for gate in self.contract.gates.clone() {
            if gate.phase == phase {
                let by = if gate.human { "user" } else { "rapid:finish" };
                let subject = EventSubject::Gate(gate.id);
                self.event(by, subject, "pending", "acknowledged", None);
            }
        }
    }

    /// All events from prepared to finished, legal for evidence that is already there.
    pub fn told_to_the_end(mut self) -> Self {
        self.acknowledge(Phase::Pre);
        self.event("rapid:start", EventSubject::Run, "prepared", "active", None);
        for task in self.contract.tasks.clone() {
            let subject = EventSubject::Task(task.id);
            self.event(
                "rapid:task",
                subject.clone(),
                "pending",
                "in_progress",
                None,
            );
            self.event("rapid:task", subject, "in_progress", "done", None);
        }
        self.acknowledge(Phase::Post);
        self.event(
            "rapid:finish",
            EventSubject::Run,
            "active",
            "finished",
            None,
        );
        self
    }

    pub fn signed(&mut self, record: Digest, principal: &str) {
        self.facts.signatures.push(SignatureFact {
            record,
            principal: principal.to_owned(),
            grade: "signed".to_owned(),
        });
    }

    pub fn run(&self) -> Run {
        fold(run_id(), self.records.clone()).unwrap()
    }

    /// The state a test wants, on top of what the records folded to.
    fn wanted(&self, run: &Run) -> RunState {
        let mut state = run.state.clone();
        state.status = self.status;
        for status in state.tasks.values_mut() {
            *status = TaskStatus::Done;
        }
        for status in state.gates.values_mut() {
            *status = GateStatus::Acknowledged;
        }
        for (number, status) in &self.tasks {
            state.tasks.insert(TaskId::at(*number), *status);
        }
        for (kind, status) in &self.gates {
            state.gates.insert(kind.gate_id(), *status);
        }
        state
    }

    /// The judgement in the wanted state.
    pub fn judge(&self) -> Report {
        let run = self.run();
        let state = self.wanted(&run);
        self.judge_in(&run, &state)
    }

    /// The judgement in the state that the events add up to.
    pub fn judge_told(&self) -> Report {
        let run = self.run();
        self.judge_in(&run, &run.state)
    }

    fn judge_in(&self, run: &Run, state: &RunState) -> Report {
        evaluate(&Input {
            run,
            state,
            facts: &self.facts,
            subject: self.subject,
            spec_bytes: self.spec_bytes,
            policy: &self.policy,
            ruleset: 3,
        })
        .unwrap()
    }

    pub fn assertion(&self, id: &str) -> Assertion {
        let report = self.judge();
        report
            .assertion(id)
            .unwrap_or_else(|| panic!("no {id} in {:?}", ids(&report)))
            .clone()
    }

    #[track_caller]
    pub fn says(&self, id: &str, status: AssertionStatus, why: &str) -> Assertion {
        let assertion = self.assertion(id);
        assert_eq!(
            (assertion.status, assertion.why.as_str()),
            (status, why),
            "{id}: {:?}",
            assertion.facts
        );
        assertion
    }

    #[track_caller]
    pub fn verdict(&self, verdict: Verdict) -> Report {
        let report = self.judge();
        assert_eq!(report.verdict, verdict, "{:#?}", open(&report));
        report
    }
}

pub fn run_id() -> RunId {
    "do-it-r1-run-001".parse().unwrap()
}

pub fn ids(report: &Report) -> Vec<&str> {
    report
        .assertions
        .iter()
        .map(|assertion| assertion.id.as_str())
        .collect()
}

/// What does not hold: id, status, why.
pub fn open(report: &Report) -> Vec<(&str, AssertionStatus, &str)> {
    report
        .assertions
        .iter()
        .filter(|assertion| {
            !matches!(
                assertion.status,
                AssertionStatus::Pass | AssertionStatus::NotApplicable
            )
        })
        .map(|assertion| {
            (
                assertion.id.as_str(),
                assertion.status,
                assertion.why.as_str(),
            )
        })
        .collect()
}
