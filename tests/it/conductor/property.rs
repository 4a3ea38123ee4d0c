//! An honest agent that only obeys `next` gets to an end, in bounded steps, whatever the
//! run and whatever happens on the way; and from every state it meets some step leads on.

use super::world::{World, gate_id, leads_on};
use crate::support::story::{
    START, check_verb, checked, contract, event, gate, path, task, task_id,
};
use git_rapid::{
    conductor::{ActionKind, NextAction, NoSnapshot, Who, Why, WhyNoSnapshot},
    domain::{
        amendment::{Amendment, Author},
        contract::Contract,
        gate::GateKind,
        producer::Producer,
        resolution::Resolution,
        vocabulary::{Mode, Outcome, Phase, Risk, RunStatus, TaskStatus},
    },
};
use proptest::prelude::*;

/// How a run goes.
#[derive(Clone, Debug)]
struct Scenario {
    mode: Mode,
    critical: bool,
    tasks: usize,
    chained: bool,
    /// Edits that leave the tests red before one mends them.
    flaws: u32,
    red_baseline: bool,
    counted: bool,
    /// How often a reviewer wants changes before approving.
    requests: u32,
    /// What goes wrong, and after how many steps.
    mishaps: Vec<(usize, Mishap)>,
}

/// Something that an honest agent does not do, or that happens to it.
#[derive(Clone, Copy, Debug)]
enum Mishap {
    Check,
    EditRed,
    EditGreen,
    EditEmpty,
    OutOfScope,
    Unstable,
    Pause,
    Block,
    BlockTask,
    SkipTask,
    Amend,
    Contradict,
    Unmerged,
    Commit,
    Approve,
    BackToStart,
}

const MISHAPS: &[Mishap] = &[
    Mishap::Check,
    Mishap::EditRed,
    Mishap::EditGreen,
    Mishap::EditEmpty,
    Mishap::OutOfScope,
    Mishap::Unstable,
    Mishap::Pause,
    Mishap::Block,
    Mishap::BlockTask,
    Mishap::SkipTask,
    Mishap::Amend,
    Mishap::Contradict,
    Mishap::Unmerged,
    Mishap::Commit,
    Mishap::Approve,
    Mishap::BackToStart,
];

fn scenario(mishaps: std::ops::Range<usize>) -> impl Strategy<Value = Scenario> {
    (
        prop::sample::select(Mode::ALL.to_vec()),
        any::<bool>(),
        1_usize..4,
        any::<bool>(),
        0_u32..3,
        any::<bool>(),
        any::<bool>(),
        0_u32..3,
        prop::collection::vec(
            (0_usize..30, prop::sample::select(MISHAPS.to_vec())),
            mishaps,
        ),
    )
        .prop_map(
            |(mode, critical, tasks, chained, flaws, red_baseline, counted, requests, mishaps)| {
                Scenario {
                    mode,
                    // Only architectural work gets that far, and there no red baseline is let go.
                    critical: critical && mode == Mode::Hardening && !red_baseline,
                    tasks,
                    chained,
                    flaws,
                    red_baseline,
                    counted,
                    requests,
                    mishaps,
                }
            },
        )
}

fn contract_of(scenario: &Scenario) -> Contract {
    let mut contract = contract(scenario.mode);
    contract.tasks = (1..=scenario.tasks)
        .map(|number| {
            let after: &[usize] = if scenario.chained && number > 1 {
                &[number - 1]
            } else {
                &[]
            };
            task(number, after)
        })
        .collect();
    contract.scope.patterns = Some(vec!["src/**".parse().unwrap()]);
    if scenario.critical {
        contract.risk = Risk::Critical;
        contract.gates.insert(2, gate(GateKind::ManualApproval));
        for gate in &mut contract.gates {
            gate.waivable = false;
        }
    }
    contract
}

/// Whether the step is about words handed in rather than files of the project.
fn is_report(next: &NextAction) -> bool {
    let after = next.action.after.as_ref();
    after.is_some_and(|words| words.iter().any(|word| word == "attach"))
}

struct Play {
    world: World,
    scenario: Scenario,
    /// Tests there are by now.
    tests: u64,
}

impl Play {
    fn new(scenario: Scenario) -> Self {
        let baseline = if scenario.red_baseline {
            (3, 1)
        } else {
            (3, 0)
        };
        let mut world = World::new(contract_of(&scenario), baseline);
        world.counted = scenario.counted;
        Self {
            world,
            scenario,
            tests: 4,
        }
    }

    fn edit_green(&mut self) {
        self.tests += 1;
        self.world.edit((self.tests, 0));
    }

    fn edit_red(&mut self) {
        self.world.edit((3, 2));
    }

    /// One step of an agent, or of the person it fetches.
    fn step(&mut self, next: &NextAction) {
        let context = next.context.as_ref().unwrap();
        let why = context.why.as_ref().unwrap().code;
        if context.who == Who::Human {
            return self.person(next, why);
        }
        if why == Why::NoSnapshot {
            self.world.no_snapshot = None;
            return;
        }
        let reproducing =
            self.scenario.mode == Mode::Bugfix && next.action.task_id == Some(task_id(1));
        if let Some(command) = &next.action.command {
            let expects = command.iter().any(|word| word == "--expect");
            if expects && self.world.truth[&self.world.tree].1 == 0 {
                self.edit_red();
            }
            self.world.command(command);
            return;
        }
        let after = next.action.after.as_ref().unwrap();
        if next.action.kind == ActionKind::RunBaseline {
            self.world.tree = START;
        } else if !reproducing && !is_report(next) {
            self.world.changed = vec![path("src/total.rs")];
            if self.scenario.flaws > 0 {
                self.scenario.flaws -= 1;
                self.edit_red();
            } else {
                self.edit_green();
            }
        }
        self.world.command(after);
    }

    fn person(&mut self, next: &NextAction, why: Why) {
        let told = next.context.as_ref().unwrap().tell_human.as_ref().unwrap();
        let run = self.world.run();
        match why {
            Why::Uncounted => self.world.accept_test_command(),
            Why::NoProgress => self.world.release_brake(),
            Why::AmendmentWaiting => {
                let (waiting, _) = run.waiting_amendments[0];
                self.world.story.add(
                    Producer::User,
                    Amendment {
                        accepts: Some(waiting),
                        author: Author::Human,
                        ..amendment(Vec::new())
                    },
                );
            }
            Why::MergeConflict => {
                let events = run.state.conflicts.iter().map(|one| one.event).collect();
                self.world.story.add(
                    Producer::User,
                    Resolution {
                        events,
                        reason: None,
                    },
                );
            }
            Why::Unverified => {
                assert!(told.contains("approve --test-command"), "{told}");
                self.world.accept_test_command();
            }
            Why::BaselineRed | Why::ApprovalPending | Why::ApprovalStale => {
                for id in next.action.gate_ids.as_ref().unwrap() {
                    let gate = run.contract.gates.iter().find(|one| one.id == *id).unwrap();
                    let outcome = if *id == gate_id(GateKind::BaselineCheck) {
                        Outcome::Waived
                    } else if gate.phase == Phase::Post && self.scenario.requests > 0 {
                        self.scenario.requests -= 1;
                        Outcome::ChangesRequested
                    } else {
                        Outcome::Approved
                    };
                    self.world.person(id, outcome);
                }
            }
            other => panic!("nobody told a person what to do about {other}: {told}"),
        }
    }

    fn happens(&mut self, mishap: Mishap) {
        let run = self.world.run();
        let task = |status: TaskStatus| {
            run.state
                .tasks
                .iter()
                .find(|(_, now)| **now == status)
                .map(|(task, _)| format!("task:{task}"))
        };
        let run_verb = || Producer::rapid("run");
        let world = &mut self.world;
        match mishap {
            Mishap::Check => {
                world.command(&["git", "rapid", "check"].map(str::to_owned));
            }
            Mishap::EditRed => self.edit_red(),
            Mishap::EditGreen => self.edit_green(),
            Mishap::EditEmpty => world.edit((0, 0)),
            Mishap::OutOfScope => {
                self.edit_green();
                self.world.changed = vec![path("src/total.rs"), path("docs/x.md")];
            }
            Mishap::Unstable => {
                let mut moved = world.measure();
                moved.subject.stable = false;
                world.story.add(check_verb(), checked(moved, &[], &[]));
            }
            Mishap::Pause => {
                world.event(run_verb(), event("run", "active", "paused"));
            }
            Mishap::Block => {
                world.event(run_verb(), event("run", "active", "blocked"));
            }
            Mishap::BlockTask => {
                if let Some(task) = task(TaskStatus::InProgress) {
                    world.event(run_verb(), event(&task, "in_progress", "blocked"));
                }
            }
            Mishap::SkipTask => {
                if let Some(task) = task(TaskStatus::Pending) {
                    world.event(run_verb(), event(&task, "pending", "skipped"));
                }
            }
            Mishap::Amend => {
                let number = run.tasks().len() + 1;
                world.story.add(
                    Producer::rapid("amend"),
                    amendment(vec![crate::support::story::task(number, &[])]),
                );
            }
            Mishap::Contradict => {
                if let Some(task) = task(TaskStatus::InProgress) {
                    let heads = run.heads();
                    for to in ["blocked", "skipped"] {
                        let moved = event(&task, "in_progress", to);
                        world.story.add_after(&heads, run_verb(), moved);
                    }
                }
            }
            Mishap::Unmerged => {
                world.no_snapshot = Some(NoSnapshot {
                    paths: vec![path("src/total.rs")],
                    why: WhyNoSnapshot::Unmerged,
                });
            }
            Mishap::Commit => {
                let commit = ["git", "rapid", "commit", "-a", "-m", "x"].map(str::to_owned);
                world.command(&commit);
            }
            Mishap::Approve => {
                let post = run
                    .contract
                    .gates
                    .iter()
                    .filter(|gate| gate.human && gate.phase == Phase::Post);
                if run.state.status == RunStatus::Active && run.state.tasks_are_terminal() {
                    for gate in post {
                        world.person(&gate.id, Outcome::Approved);
                    }
                }
            }
            Mishap::BackToStart => world.tree = START,
        }
    }

    /// Obeys until the end.
    fn play(&mut self) -> RunStatus {
        const ENOUGH: usize = 150;
        for number in 0..ENOUGH {
            let mishaps: Vec<Mishap> = self
                .scenario
                .mishaps
                .iter()
                .filter(|(when, _)| *when == number)
                .map(|(_, what)| *what)
                .collect();
            for mishap in mishaps {
                if !self.world.run().state.status.is_terminal() {
                    self.happens(mishap);
                }
            }
            let next = self.world.next();
            assert!(leads_on(&next), "{next:#?}");
            assert_eq!(next, self.world.next(), "asking changes nothing");
            if next.action.kind == ActionKind::Done {
                return self.world.run().state.status;
            }
            let before = (self.world.fingerprint(), self.world.no_snapshot.clone());
            self.step(&next);
            let after = (self.world.fingerprint(), self.world.no_snapshot.clone());
            assert_ne!(before, after, "obeying this changed nothing: {next:#?}");
        }
        panic!("no end after {ENOUGH} steps: {:#?}", self.world.next());
    }
}

fn amendment(tasks: Vec<git_rapid::domain::contract::Task>) -> Amendment {
    Amendment {
        paths: Vec::new(),
        tasks,
        acceptance: Vec::new(),
        reason: "more to do".to_owned(),
        author: Author::Agent,
        accepts: None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Nothing goes wrong but tests that fail at first and reviewers who want more: PASS.
    #[test]
    fn obeying_leads_to_a_pass(scenario in scenario(0..1).prop_map(|mut scenario| {
        scenario.mishaps.clear();
        scenario
    })) {
        let mut play = Play::new(scenario);
        prop_assert_eq!(play.play(), RunStatus::Finished);
        prop_assert!(play.world.verdict().unwrap().is_passing());
    }

    /// Whatever happens on the way, obeying leads to an end; and what finishes, passed.
    #[test]
    fn from_everywhere_obeying_leads_to_an_end(scenario in scenario(1..8)) {
        let mut play = Play::new(scenario);
        let end = play.play();
        prop_assert!(end.is_terminal());
        if end == RunStatus::Finished {
            prop_assert!(play.world.verdict().unwrap().is_passing());
        }
    }
}
