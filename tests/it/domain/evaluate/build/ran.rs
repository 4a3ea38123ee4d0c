//! Results of checks in the making.

use super::literals::{WORK, path, words};
use git_rapid::domain::{
    evidence::{CheckResult, Counts, Environment, Evidence, Hidden, Payload, Subject},
    gate::GateKind,
    id::{AcceptanceId, TaskId},
    oid::TreeId,
    path::RepoPath,
    producer::Producer,
    vocabulary::{Expectation, Note, SubjectKind},
};

/// A check's result in the making: a good one of the check `test` on [`WORK`].
#[derive(Clone, Debug)]
pub struct Ran {
    pub producer: Producer,
    pub evidence: Evidence,
}

/// `test` ended well with these many passed tests, on [`WORK`].
pub fn ran(passed: u64) -> Ran {
    Ran {
        producer: Producer::rapid("check"),
        evidence: Evidence::of(Payload::TestResult(CheckResult {
            check: Some("test".to_owned()),
            argv: words("cargo test"),
            cwd: RepoPath::root(),
            exit_code: Some(0),
            signal: None,
            timed_out: false,
            duration_ms: 5,
            runner: Some("cargo".to_owned()),
            counts: Some(Counts {
                passed,
                ..Counts::default()
            }),
            failed_tests: Vec::new(),
            expectation: Expectation::Pass,
            subject: Subject {
                kind: SubjectKind::Worktree,
                tree: WORK,
                before: None,
                head: None,
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
                git: "2.47".to_owned(),
                rapid: "0.1.0".to_owned(),
                agent: None,
                ci: None,
                hooks: false,
                program: None,
            },
        })),
    }
}

impl Ran {
    pub fn result(mut self, change: impl FnOnce(&mut CheckResult)) -> Self {
        match &mut self.evidence.payload {
            Payload::TestResult(result) | Payload::CommandResult(result) => change(result),
            _ => unreachable!(),
        }
        self
    }

    pub fn on(self, tree: TreeId) -> Self {
        self.result(|result| result.subject.tree = tree)
    }

    /// Exit 1, with these tests failed.
    pub fn red(self, failed: &[&str]) -> Self {
        self.result(|result| {
            result.exit_code = Some(1);
            result.failed_tests = failed.iter().map(|name| (*name).to_owned()).collect();
            if let Some(counts) = &mut result.counts {
                counts.failed = failed.len() as u64;
            }
        })
    }

    pub fn exit(self, code: i32) -> Self {
        self.result(|result| result.exit_code = Some(code))
    }

    pub fn uncounted(mut self) -> Self {
        self = self.result(|result| {
            result.counts = None;
            result.runner = None;
        });
        if let Payload::TestResult(result) = self.evidence.payload {
            self.evidence.payload = Payload::CommandResult(result);
        }
        self
    }

    pub fn expect_fail(self) -> Self {
        self.result(|result| result.expectation = Expectation::Fail)
    }

    /// Another command, not by name.
    pub fn command(self, command: &str) -> Self {
        self.result(|result| {
            result.check = None;
            result.argv = words(command);
        })
    }

    /// Another named check.
    pub fn check(self, name: &str, command: &str) -> Self {
        self.result(|result| {
            result.check = Some(name.to_owned());
            result.argv = words(command);
        })
    }

    pub fn unstable(self) -> Self {
        self.result(|result| {
            result.subject.stable = false;
            result.subject.changed = vec![path("src/lib.rs")];
        })
    }

    pub fn note(mut self, note: Note) -> Self {
        self.evidence.notes.push(note);
        self
    }

    pub fn task(mut self, number: usize) -> Self {
        self.evidence.tasks.push(TaskId::at(number));
        self
    }

    pub fn gate(mut self, kind: GateKind) -> Self {
        self.evidence.gates.push(kind.gate_id());
        self
    }

    pub fn accept(mut self, number: usize) -> Self {
        self.evidence.acceptance.push(AcceptanceId::at(number));
        self
    }

    pub fn by(mut self, producer: &str) -> Self {
        self.producer = producer.parse().unwrap();
        self
    }
}
