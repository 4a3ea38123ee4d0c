//! Runs in memory: a contract to start from and a story of records that follows it.
//! For the tests of pure rules; nothing here touches git.

use git_rapid::domain::{
    contract::{Base, Contract, Gate, NamedCheck, PolicyRef, Scope, SpecRef, Task},
    digest::Digest,
    event::{Event, EventCode, EventSubject},
    evidence::{
        CheckResult, Counts, Environment, Evidence, Hidden, Judged, Payload, Review, Subject,
    },
    gate::GateKind,
    id::{RunId, TaskId},
    oid::{CommitId, Oid, TreeId},
    path::RepoPath,
    producer::Producer,
    record::{Body, Place, Record},
    run::{Run, fold},
    vocabulary::{
        Classification, Expectation, Mode, Outcome, ReviewType, Risk, SubjectKind, Tier, Workspace,
    },
};

/// A tree id that differs for each number.
pub fn tree(number: u16) -> TreeId {
    TreeId(oid(0, number))
}

/// A commit id that differs for each number.
pub fn commit(number: u16) -> CommitId {
    CommitId(oid(1, number))
}

fn oid(kind: u8, number: u16) -> Oid {
    let [high, low] = number.to_be_bytes();
    let mut bytes = [kind; 20];
    bytes[18] = high;
    bytes[19] = low;
    Oid::Sha1(bytes)
}

/// The tree every run here starts from.
pub const START: u16 = 1;

pub fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

pub fn task_id(number: usize) -> TaskId {
    TaskId::at(number)
}

pub fn task(number: usize, after: &[usize]) -> Task {
    Task {
        id: task_id(number),
        description: format!("Do part {number}"),
        paths: Vec::new(),
        checks: Vec::new(),
        after: after.iter().map(|number| task_id(*number)).collect(),
        minutes: None,
        attempts: None,
    }
}

pub fn gate(kind: GateKind) -> Gate {
    let row = kind.row();
    Gate {
        id: kind.gate_id(),
        kind,
        phase: row.phase,
        human: row.human,
        waivable: row.waivable,
    }
}

/// The pinned check `test`.
pub fn named_check() -> NamedCheck {
    NamedCheck {
        name: "test".to_owned(),
        argv: vec!["make".into(), "test".into()],
        cwd: RepoPath::root(),
        paths: Vec::new(),
        tier: Tier::Both,
        timeout: None,
        report: None,
        source: "option".to_owned(),
    }
}

/// A contract of `mode` with one task, the gates of its usual class and one check.
pub fn contract(mode: Mode) -> Contract {
    let (class, risk, gates): (_, _, &[GateKind]) = match mode {
        Mode::Direct => (
            Classification::Direct,
            Risk::Low,
            &[GateKind::ImplementationTests],
        ),
        Mode::Research => (
            Classification::Spike,
            Risk::Low,
            &[GateKind::FinalVerification],
        ),
        Mode::Hardening => (
            Classification::Architectural,
            Risk::High,
            &[
                GateKind::WorkspaceIsolation,
                GateKind::BaselineCheck,
                GateKind::ImplementationTests,
                GateKind::PeerReview,
                GateKind::FinalVerification,
            ],
        ),
        _ => (
            Classification::Bounded,
            Risk::Medium,
            &[
                GateKind::BaselineCheck,
                GateKind::ImplementationTests,
                GateKind::FinalVerification,
            ],
        ),
    };
    let workspace = match risk {
        Risk::Low | Risk::Medium => Workspace::Current,
        Risk::High | Risk::Critical => Workspace::Isolated,
    };
    let mut capabilities = vec![
        "context.consume".to_owned(),
        "repository.read".to_owned(),
        format!("workspace.{workspace}"),
    ];
    if mode != Mode::Research {
        capabilities.push("repository.write".to_owned());
        capabilities.push("tests.execute".to_owned());
    }
    capabilities.sort();
    Contract {
        mode,
        class,
        risk,
        signals: Vec::new(),
        reasons: Vec::new(),
        workspace,
        spec: SpecRef {
            stream: Digest::of(b"spec stream"),
            record: Digest::of(b"spec record"),
            id: "sum-is-wrong".parse().unwrap(),
            revision: 1,
        },
        acceptance_digest: Digest::of(b"spec bytes"),
        base: Base {
            commit: Some(commit(START)),
            tree: tree(START),
            start_tree: tree(START),
        },
        bystanders: Vec::new(),
        target: Some("main".into()),
        scope: Scope::default(),
        tasks: vec![task(1, &[])],
        acceptance: Vec::new(),
        gates: gates.iter().copied().map(gate).collect(),
        capabilities,
        checks: vec![named_check()],
        policy: PolicyRef {
            source: "built-in".to_owned(),
            digest: Digest::of(b"policy"),
        },
        harness: None,
        author: None,
        predecessor: None,
        ruleset_version: 3,
    }
}

/// A result of the pinned check on tree `on`, with these counts and an exit code that agrees.
pub fn result(on: u16, passed: u64, failed: u64) -> CheckResult {
    let check = named_check();
    CheckResult {
        check: Some(check.name),
        argv: check.argv,
        cwd: check.cwd,
        exit_code: Some(i32::from(failed > 0)),
        signal: None,
        timed_out: false,
        duration_ms: 5,
        runner: Some("tap".to_owned()),
        counts: Some(Counts {
            passed,
            failed,
            ..Counts::default()
        }),
        failed_tests: (1..=failed).map(|number| format!("t{number}")).collect(),
        expectation: Expectation::Pass,
        subject: Subject {
            kind: SubjectKind::Worktree,
            tree: tree(on),
            before: None,
            head: Some(commit(START)),
            stable: true,
            changed: Vec::new(),
            touched: Vec::new(),
            hidden: Hidden::default(),
            bystanders: Vec::new(),
        },
        log: None,
        environment: Environment {
            os: "linux".to_owned(),
            arch: "x86_64".to_owned(),
            git: "2.47.3".to_owned(),
            rapid: "0.1.0".to_owned(),
            agent: None,
            ci: None,
            hooks: false,
            program: None,
        },
    }
}

/// Evidence of a check, linked to tasks and gates.
pub fn checked(result: CheckResult, tasks: &[usize], gates: &[GateKind]) -> Evidence {
    let payload = match result.counts {
        Some(_) => Payload::TestResult(result),
        None => Payload::CommandResult(result),
    };
    Evidence {
        tasks: tasks.iter().map(|number| task_id(*number)).collect(),
        gates: gates.iter().map(|kind| kind.gate_id()).collect(),
        ..Evidence::of(payload)
    }
}

/// A person's review.
pub fn review(review_type: ReviewType, outcome: Outcome, judged: Judged) -> Evidence {
    Evidence::of(Payload::Review(Review {
        review_type,
        outcome,
        reviewer: "Ada <ada@example.org>".into(),
        via: "terminal".to_owned(),
        judged,
        text: Some("seen".to_owned()),
    }))
}

/// An event with a reason, so that no rule about reasons is in the way.
pub fn event(subject: &str, from: &str, to: &str) -> Event {
    Event {
        subject: subject.parse::<EventSubject>().unwrap(),
        from: Some(from.to_owned()),
        to: Some(to.to_owned()),
        code: EventCode::Requested,
        reason: Some("because".to_owned()),
    }
}

pub fn verb() -> Producer {
    Producer::rapid("run")
}

pub fn check_verb() -> Producer {
    Producer::rapid("check")
}

/// The records of one run, in the order they were written.
#[derive(Clone)]
pub struct Story {
    pub records: Vec<Record>,
    pub stream: Digest,
}

impl Story {
    pub fn new(contract: Contract) -> Self {
        let place = Place::First {
            nonce: "0".repeat(32),
        };
        let first = Record::new(place, Producer::rapid("start"), contract);
        Self {
            stream: first.digest,
            records: vec![first],
        }
    }

    /// Appends a record after all heads.
    pub fn add(&mut self, producer: Producer, body: impl Into<Body>) -> Digest {
        let heads = self.run().heads();
        self.add_after(&heads, producer, body)
    }

    /// Appends a record that had seen only these, as another clone does.
    pub fn add_after(
        &mut self,
        prev: &[Digest],
        producer: Producer,
        body: impl Into<Body>,
    ) -> Digest {
        let seq = self
            .records
            .iter()
            .filter(|record| prev.contains(&record.digest))
            .map(Record::seq)
            .max()
            .unwrap_or(0)
            + 1;
        let mut prev = prev.to_vec();
        prev.sort_unstable();
        let place = Place::Next {
            stream: self.stream,
            seq,
            prev,
        };
        let record = Record::new(place, producer, body);
        let digest = record.digest;
        self.records.push(record);
        digest
    }

    /// Appends an event of a verb.
    pub fn moved(&mut self, subject: &str, from: &str, to: &str) -> Digest {
        self.add(verb(), event(subject, from, to))
    }

    pub fn run(&self) -> Run {
        fold(run_id(), self.records.clone()).unwrap()
    }
}

pub fn run_id() -> RunId {
    "sum-is-wrong-r1-run-001".parse().unwrap()
}
