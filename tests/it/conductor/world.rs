//! A world in memory: a run, a working tree that is a number, and what each command of
//! `git rapid` does to them. Every effect is a record, as the real verbs write it.

use crate::support::story::{
    START, Story, check_verb, checked, commit, event, path, result, review, tree,
};
use git_rapid::{
    conductor::{
        ActionKind, Lang, NextAction, NoSnapshot, Playbook, Scene, gate_satisfied, next_action,
    },
    domain::{
        commit_rule::{
            CommitFacts, CommitSubject, CommitVerdict, Verification, VerifiedBy, judge_commit,
            verify_tree,
        },
        contract::Contract,
        digest::Digest,
        evaluate::{BaseFact, CommitFact, Facts, Input, PathFact, evaluate},
        event::{Event, EventCode, EventSubject},
        evidence::{
            ArtifactLabel, ArtifactRef, CheckResult, Evidence, Judged, Milestone, Payload,
            WorkspaceSeen,
        },
        gate::GateKind,
        id::{GateId, TaskId},
        path::RepoPath,
        policy::{CommitBinding, Enforce, Guard, PolicyDocument},
        producer::Producer,
        record::Body,
        run::{Run, check_event, check_task_done},
        vocabulary::{
            Change, Expectation, GateStatus, Note, Outcome, Phase, ReviewType, RunStatus,
            TaskStatus, Verdict, Workspace,
        },
    },
};
use std::collections::BTreeMap;

/// How the tests end on a tree: passed, failed.
pub type Truth = (u64, u64);

#[derive(Clone)]
pub struct World {
    pub story: Story,
    /// What lies on disk.
    pub tree: u16,
    /// What HEAD holds.
    pub head: u16,
    /// How the tests end on each tree.
    pub truth: BTreeMap<u16, Truth>,
    /// Whether the tests can be counted.
    pub counted: bool,
    /// The paths that differ from the base, on any tree but the first.
    pub changed: Vec<RepoPath>,
    pub policy: PolicyDocument,
    pub no_snapshot: Option<NoSnapshot>,
    pub workspace: Option<String>,
    commits: Vec<CommitFact>,
    newest_tree: u16,
    pub playbook_lang: Lang,
}

impl World {
    pub fn new(contract: Contract, baseline: Truth) -> Self {
        let mut story = Story::new(contract);
        story.add(Producer::rapid("start"), workspace(Workspace::Current));
        Self {
            story,
            tree: START,
            head: START,
            truth: BTreeMap::from([(START, baseline)]),
            counted: true,
            changed: vec![path("src/total.rs")],
            policy: PolicyDocument::built_in(),
            no_snapshot: None,
            workspace: None,
            commits: Vec::new(),
            newest_tree: START,
            playbook_lang: Lang::En,
        }
    }

    pub fn run(&self) -> Run {
        self.story.run()
    }

    pub fn facts(&self) -> Facts {
        let paths = if self.tree == START {
            Vec::new()
        } else {
            self.changed
                .iter()
                .map(|path| PathFact {
                    path: path.clone(),
                    change: Change::Modified,
                    added: Some(1),
                    deleted: Some(0),
                })
                .collect()
        };
        Facts {
            base: BaseFact {
                commit: Some(commit(START)),
                tree: tree(START),
            },
            paths: Some(paths),
            commits: Some(self.commits.clone()),
            signatures: Vec::new(),
        }
    }

    /// Asks the conductor.
    pub fn next(&self) -> NextAction {
        let run = self.run();
        let facts = self.facts();
        next_action(&Scene {
            run: &run,
            title: "Sum is wrong",
            policy: &self.policy,
            snapshot: match &self.no_snapshot {
                Some(none) => Err(none),
                None => Ok(tree(self.tree)),
            },
            head_tree: Some(tree(self.head)),
            facts: &facts,
            spec_bytes: Some(run.contract.acceptance_digest),
            playbook: Playbook::of(run.contract.mode),
            lang: self.playbook_lang,
            cwd: "/home/ada/sum",
            workspace_path: self.workspace.as_deref(),
            report_path: "/home/ada/sum/.git/rapid/report.md",
            last_log_tail: None,
        })
    }

    /// Everything that can differ between two moments.
    pub fn fingerprint(&self) -> (usize, u16, u16) {
        (self.story.records.len(), self.tree, self.head)
    }

    /// The files change: a new tree on which the tests end so.
    pub fn edit(&mut self, truth: Truth) {
        self.newest_tree += 1;
        self.tree = self.newest_tree;
        self.truth.insert(self.tree, truth);
    }

    /// What the pinned check says of what lies on disk.
    pub fn measure(&self) -> CheckResult {
        self.measure_on(self.tree)
    }

    /// What the pinned check says of a tree.
    fn measure_on(&self, tree: u16) -> CheckResult {
        let (passed, failed) = self.truth[&tree];
        let mut measured = result(tree, passed, failed);
        if !self.counted {
            measured.counts = None;
            measured.failed_tests = Vec::new();
            measured.runner = None;
        }
        measured
    }

    /// Appends an event if it is legal; says whether it was.
    pub fn event(&mut self, producer: Producer, event: Event) -> bool {
        let run = self.run();
        let legal = check_event(&run, &run.state, &event, &producer).is_ok();
        if legal {
            self.story.add(producer, event);
        }
        legal
    }

    fn moved(&mut self, subject: &str, from: &str, to: &str) -> bool {
        self.event(Producer::rapid("run"), event(subject, from, to))
    }

    /// Runs an argv of `git rapid`; says whether it ended well.
    pub fn command(&mut self, argv: &[String]) -> bool {
        let words: Vec<&str> = argv.iter().map(String::as_str).collect();
        assert_eq!(words[..2], ["git", "rapid"], "{words:?}");
        match &words[2..] {
            ["next"] => true,
            ["check", rest @ ..] => self.check(rest),
            ["task", "start", task] => {
                let from = self.run().state.tasks[&task.parse().unwrap()];
                self.moved(&format!("task:{task}"), from.as_str(), "in_progress")
            }
            ["task", "done", task, rest @ ..] => self.task_done(task, rest.is_empty()),
            ["attach", _, "--task", task] => {
                let mut evidence = Evidence::of(Payload::Artifact(ArtifactLabel {
                    label: "report".to_owned(),
                }));
                evidence.tasks = vec![task.parse().unwrap()];
                let content = format!("report {}", self.story.records.len());
                evidence.artifacts = vec![ArtifactRef {
                    sha256: Digest::of(content.as_bytes()),
                    size: content.len() as u64,
                    name: "report.md".into(),
                }];
                self.story.add(Producer::rapid("attach"), evidence);
                true
            }
            ["resume", rest @ ..] => self.resume(rest.contains(&"--worktree")),
            ["commit", "-a", "-m", _] => self.commit(),
            ["finish"] => self.finish(),
            ["abort", ..] => self.end("cancelled"),
            ["supersede", ..] => self.end("superseded"),
            other => panic!("the conductor named a command nobody knows: {other:?}"),
        }
    }

    fn end(&mut self, how: &str) -> bool {
        let from = self.run().state.status;
        self.moved("run", from.as_str(), how)
    }

    fn check(&mut self, words: &[&str]) -> bool {
        let mut tasks = Vec::new();
        let mut gates = Vec::new();
        let mut expectation = Expectation::Pass;
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || *words.next().unwrap();
            match *word {
                "--task" => tasks.push(value().parse::<TaskId>().unwrap()),
                "--gate" => gates.push(value().parse::<GateId>().unwrap()),
                "--expect" => expectation = value().parse().unwrap(),
                "test" => {}
                other => panic!("check does not know {other}"),
            }
        }
        // One task in progress is linked to.
        let run = self.run();
        let mut in_progress = run
            .state
            .tasks
            .iter()
            .filter(|(_, status)| **status == TaskStatus::InProgress)
            .map(|(task, _)| task.clone());
        if tasks.is_empty()
            && let (Some(task), None) = (in_progress.next(), in_progress.next())
        {
            tasks.push(task);
        }
        // A baseline is measured on the start tree wherever the worktree has got to, as long as
        // it is a commit's and can be checked out.
        let base = &run.contract.base;
        let baseline = run.state.status == RunStatus::Prepared
            && gates == [gate_id(GateKind::BaselineCheck)]
            && base.start_tree == base.tree;
        let mut measured = self.measure_on(if baseline { START } else { self.tree });
        measured.expectation = expectation;
        let bad = measured.exit_code != Some(0);
        let met = bad == (expectation == Expectation::Fail);
        let mut evidence = checked(measured.clone(), &[], &[]);
        evidence.tasks = tasks;
        evidence.gates = gates;
        // A good result is cited, or copied when it gets a new link.
        let same = run.evidence.iter().rfind(|record| {
            record.body.check().is_some_and(|earlier| {
                earlier.subject.tree == measured.subject.tree
                    && earlier.subject.stable
                    && earlier.expectation == measured.expectation
                    && earlier.counts == measured.counts
            })
        });
        if met && let Some(same) = same {
            let linked = evidence
                .tasks
                .iter()
                .all(|task| same.body.tasks.contains(task))
                && evidence
                    .gates
                    .iter()
                    .all(|gate| same.body.gates.contains(gate));
            if linked {
                return true;
            }
            evidence.notes = vec![Note::Cached];
        }
        self.story.add(check_verb(), evidence);
        met
    }

    fn task_done(&mut self, task: &str, check: bool) -> bool {
        let id: TaskId = task.parse().unwrap();
        let run = self.run();
        let reproducing = check_task_done(&run, &id).is_ok()
            && run.contract.mode == git_rapid::domain::vocabulary::Mode::Bugfix
            && id == TaskId::at(1);
        if check && !reproducing && !self.check(&["--task", task]) {
            return false;
        }
        self.moved(&format!("task:{task}"), "in_progress", "done")
    }

    fn resume(&mut self, isolate: bool) -> bool {
        if isolate {
            self.story
                .add(Producer::rapid("resume"), workspace(Workspace::Isolated));
        }
        let run = self.run();
        let facts = self.facts();
        if run.state.status == RunStatus::Prepared {
            for gate in run.contract.gates.iter().filter(|gate| {
                gate.phase == Phase::Pre && run.state.gates[&gate.id] == GateStatus::Pending
            }) {
                let subject = tree(self.tree);
                if gate_satisfied(&run, &run.state, &facts, &self.policy, subject, &gate.id) {
                    self.moved(&format!("gate:{}", gate.id), "pending", "acknowledged");
                }
            }
        }
        let from = self.run().state.status;
        from == RunStatus::Active || self.moved("run", from.as_str(), "active") || isolate
    }

    /// What the evidence says of what lies on disk.
    pub fn verification<'a>(&self, run: &'a Run, policy: &'a PolicyDocument) -> Verification<'a> {
        verify_tree(
            run,
            &CommitSubject {
                tree: tree(self.tree),
                changed: Some(&[]),
                policy,
                signatures: &[],
            },
            |_| self.changed.clone(),
        )
    }

    fn commit(&mut self) -> bool {
        let run = self.run();
        if !self.verification(&run, &self.policy).is_enough() {
            self.check(&[]);
        }
        let run = self.run();
        let policy = self.policy.clone();
        let verdict = judge_commit(&CommitFacts {
            run: Some(&run),
            require_run: &[],
            staged: &self.changed,
            tree: tree(self.tree),
            head_tree: Some(tree(self.head)),
            verification: self.verification(&run, &policy),
            incomparable: &[],
            untracked: &[],
            binding: CommitBinding::Tree,
            snapshot: Some(tree(self.tree)),
            guard: Guard::Commit,
            enforce: Enforce::Strict,
            wip: false,
        });
        let CommitVerdict::Allow { verified } = verdict else {
            return false;
        };
        let verified_by = match verified {
            Some(VerifiedBy::Record(record) | VerifiedBy::Reproduction(record)) => Some(record),
            Some(VerifiedBy::No) | None => None,
        };
        let parent = self.commits.last().map_or(commit(START), |one| one.commit);
        let made = CommitFact {
            commit: commit(self.tree),
            parents: vec![parent],
            tree: tree(self.tree),
        };
        self.story.add(
            Producer::rapid("commit"),
            Evidence::of(Payload::Milestone(Milestone {
                commit: made.commit,
                parents: made.parents.clone(),
                tree: made.tree,
                verified_by,
            })),
        );
        self.commits.push(made);
        self.head = self.tree;
        true
    }

    fn finish(&mut self) -> bool {
        let run = self.run();
        let facts = self.facts();
        let subject = tree(self.head);
        let backed: Vec<_> = run
            .contract
            .gates
            .iter()
            .filter(|gate| {
                run.state.gates[&gate.id] == GateStatus::Pending
                    && gate_satisfied(&run, &run.state, &facts, &self.policy, subject, &gate.id)
            })
            .map(|gate| format!("gate:{}", gate.id))
            .collect();
        let mut after = self.clone();
        for gate in backed {
            assert!(after.moved(&gate, "pending", "acknowledged"), "{gate}");
        }
        if !after.moved("run", "active", "finished") {
            return false;
        }
        let run = after.run();
        let report = evaluate(&Input {
            run: &run,
            state: &run.state,
            facts: &facts,
            subject,
            spec_bytes: Some(run.contract.acceptance_digest),
            policy: &self.policy,
            ruleset: 3,
        })
        .unwrap();
        if !report.verdict.is_passing() {
            return false;
        }
        after.story.add(Producer::rapid("finish"), report);
        *self = after;
        true
    }

    /// The verdict of the stored report.
    pub fn verdict(&self) -> Option<Verdict> {
        self.story
            .records
            .iter()
            .rev()
            .find_map(|record| match &record.body {
                Body::Report(report) => Some(report.verdict),
                _ => None,
            })
    }

    /// A person says this of a gate, and closes it if that is what it means.
    pub fn person(&mut self, gate: &GateId, outcome: Outcome) {
        let run = self.run();
        let gate = run
            .contract
            .gates
            .iter()
            .find(|one| one.id == *gate)
            .unwrap()
            .clone();
        let judged = match gate.phase {
            Phase::Pre => Judged::Contract(run.contract_digest),
            Phase::Post => Judged::Tree(tree(self.tree)),
        };
        let review_type = gate.kind.row().review.unwrap();
        self.story
            .add(Producer::User, review(review_type, outcome, judged));
        let to = match outcome {
            Outcome::Approved => "acknowledged",
            Outcome::Waived => "waived",
            _ => return,
        };
        if run.state.gates[&gate.id] == GateStatus::Pending {
            let subject = format!("gate:{}", gate.id);
            assert!(self.event(Producer::User, event(&subject, "pending", to)));
        }
    }

    /// A person accepts that the pinned check cannot be counted.
    pub fn accept_test_command(&mut self) {
        let judged = Judged::Contract(self.story.stream);
        let mut accepted = review(ReviewType::TestCommand, Outcome::Approved, judged);
        if let Payload::Review(review) = &mut accepted.payload {
            review.text = Some("test".to_owned());
        }
        self.story.add(Producer::User, accepted);
    }

    /// A person lets the brake go.
    pub fn release_brake(&mut self) {
        let released = self.event(
            Producer::User,
            Event {
                subject: EventSubject::Brake,
                from: None,
                to: None,
                code: EventCode::Resumed,
                reason: None,
            },
        );
        assert!(released);
    }

    /// Brings the run to where its tasks begin.
    pub fn activate(&mut self) {
        while self.run().state.status == RunStatus::Prepared {
            let action = self.next().action;
            let command = action.command.expect("a machine gets it going");
            assert!(self.command(&command), "{command:?}");
        }
    }

    /// Starts every task and closes it, on a new tree that ends so.
    pub fn work(&mut self, truth: Truth) {
        self.edit(truth);
        while let Some(task) = self.next().action.task_id {
            for verb in ["start", "done"] {
                let command = ["git", "rapid", "task", verb, task.as_str()].map(str::to_owned);
                assert!(self.command(&command), "{command:?}");
            }
        }
    }
}

pub fn workspace(mode: Workspace) -> Evidence {
    Evidence::of(Payload::Workspace(WorkspaceSeen {
        mode,
        worktree: "main".to_owned(),
        branch: Some("main".into()),
    }))
}

pub fn gate_id(kind: GateKind) -> GateId {
    kind.gate_id()
}

/// A command as text.
pub fn shown(command: &Option<Vec<String>>) -> Option<String> {
    command.as_ref().map(|words| words.join(" "))
}

/// Whether a reader of this action knows what to do: run something, edit and run something,
/// or fetch a person who is told what to run.
pub fn leads_on(next: &NextAction) -> bool {
    let human = next
        .context
        .as_ref()
        .is_some_and(|context| context.tell_human.is_some());
    next.action.kind == ActionKind::Done
        || next.action.command.is_some()
        || next.action.after.is_some()
        || human
}
