//! Every cell of the transition tables, every precondition, with its code.

use crate::support::story::{
    START, Story, check_verb, checked, contract, event, gate, result, task, task_id, verb,
};
use git_rapid::{
    diagnostic::Code,
    domain::{
        contract::Contract,
        event::Event,
        evidence::CheckResult,
        gate::GateKind,
        producer::Producer,
        run::{
            GATE_MOVES, IllegalMove, RUN_MOVES, Run, RunState, TASK_MOVES, check_event,
            check_task_done, startable,
        },
        vocabulary::{Expectation, GateStatus, Mode, Note, RunStatus, TaskStatus},
    },
};

/// A run in which every task is done and every gate addressed.
fn complete(contract: Contract) -> (Run, RunState) {
    let run = Story::new(contract).run();
    let mut state = run.state.clone();
    state.status = RunStatus::Active;
    for status in state.tasks.values_mut() {
        *status = TaskStatus::Done;
    }
    for status in state.gates.values_mut() {
        *status = GateStatus::Acknowledged;
    }
    (run, state)
}

fn by_verb(run: &Run, state: &RunState, event: &Event) -> Result<(), IllegalMove> {
    check_event(run, state, event, &verb())
}

#[track_caller]
fn refused(result: Result<(), IllegalMove>, code: Code, names: &[&str]) {
    let illegal = result.expect_err("this move is not legal");
    assert_eq!(illegal.code, code, "{}", illegal.fact);
    for name in names {
        assert!(illegal.fact.contains(name), "{name}: {}", illegal.fact);
    }
}

#[test]
fn every_cell_of_the_runs_table() {
    let (run, mut state) = complete(contract(Mode::Feature));
    for from in RunStatus::ALL {
        let (_, moves) = RUN_MOVES.iter().find(|(row, _)| row == from).unwrap();
        state.status = *from;
        for to in RunStatus::ALL {
            let moved = by_verb(&run, &state, &event("run", from.as_str(), to.as_str()));
            if moves.contains(to) {
                assert_eq!(moved, Ok(()), "{from} to {to}");
            } else {
                refused(moved, Code::RunMove, &[from.as_str(), to.as_str()]);
            }
        }
    }
}

#[test]
fn every_cell_of_a_tasks_table() {
    let (run, mut state) = complete(contract(Mode::Feature));
    for from in TaskStatus::ALL {
        let (_, moves) = TASK_MOVES.iter().find(|(row, _)| row == from).unwrap();
        state.tasks.insert(task_id(1), *from);
        for to in TaskStatus::ALL {
            let moved = by_verb(
                &run,
                &state,
                &event("task:T001", from.as_str(), to.as_str()),
            );
            if moves.contains(to) {
                assert_eq!(moved, Ok(()), "{from} to {to}");
            } else {
                refused(moved, Code::TaskMove, &["T001", from.as_str(), to.as_str()]);
            }
        }
    }
}

#[test]
fn every_cell_of_a_gates_table() {
    let (run, mut state) = complete(contract(Mode::Feature));
    let id = GateKind::ImplementationTests.gate_id();
    for from in GateStatus::ALL {
        let (_, moves) = GATE_MOVES.iter().find(|(row, _)| row == from).unwrap();
        state.gates.insert(id.clone(), *from);
        for to in GateStatus::ALL {
            let moved = check_event(
                &run,
                &state,
                &event("gate:gate.tests", from.as_str(), to.as_str()),
                &Producer::User,
            );
            if moves.contains(to) {
                assert_eq!(moved, Ok(()), "{from} to {to}");
            } else {
                refused(moved, Code::GateMove, &["gate.tests", from.as_str()]);
            }
        }
    }
}

#[test]
fn a_word_that_is_no_state_is_refused_with_the_code_of_its_subject() {
    let (run, state) = complete(contract(Mode::Feature));
    refused(
        by_verb(&run, &state, &event("run", "active", "perfect")),
        Code::RunMove,
        &["perfect"],
    );
    let mut none = event("run", "active", "paused");
    none.to = None;
    refused(by_verb(&run, &state, &none), Code::RunMove, &["active"]);
    none.from = None;
    refused(by_verb(&run, &state, &none), Code::RunMove, &["active"]);
}

#[test]
fn what_does_not_exist_cannot_move() {
    let (run, state) = complete(contract(Mode::Feature));
    refused(
        by_verb(&run, &state, &event("task:T009", "pending", "in_progress")),
        Code::TaskMove,
        &["T009"],
    );
    refused(
        by_verb(
            &run,
            &state,
            &event("gate:gate.review", "pending", "acknowledged"),
        ),
        Code::GateMove,
        &["gate.review"],
    );
}

#[test]
fn a_run_becomes_active_when_every_pre_gate_is_addressed() {
    let run = Story::new(contract(Mode::Hardening)).run();
    let mut state = run.state.clone();
    let activate = event("run", "prepared", "active");
    refused(
        by_verb(&run, &state, &activate),
        Code::Precondition,
        &["gate.workspace-isolation", "gate.baseline"],
    );
    state.gates.insert(
        GateKind::WorkspaceIsolation.gate_id(),
        GateStatus::Acknowledged,
    );
    refused(
        by_verb(&run, &state, &activate),
        Code::Precondition,
        &["gate.baseline"],
    );
    state
        .gates
        .insert(GateKind::BaselineCheck.gate_id(), GateStatus::Waived);
    assert_eq!(by_verb(&run, &state, &activate), Ok(()));
}

#[test]
fn a_run_is_finished_when_nothing_is_open() {
    let finish = event("run", "active", "finished");
    let open = |change: fn(&mut RunState), name: &str| {
        let (run, mut state) = complete(contract(Mode::Feature));
        change(&mut state);
        refused(by_verb(&run, &state, &finish), Code::Precondition, &[name]);
    };
    open(
        |state| {
            state.tasks.insert(task_id(1), TaskStatus::Blocked);
        },
        "T001 (blocked)",
    );
    open(
        |state| {
            state
                .gates
                .insert(GateKind::BaselineCheck.gate_id(), GateStatus::Pending);
        },
        "gate.baseline",
    );
    open(
        |state| {
            state
                .gates
                .insert(GateKind::FinalVerification.gate_id(), GateStatus::Pending);
        },
        "gate.final-verification",
    );
    let (run, state) = complete(contract(Mode::Feature));
    assert_eq!(by_verb(&run, &state, &finish), Ok(()));
}

#[test]
fn a_task_moves_only_while_the_run_is_active() {
    let (run, mut state) = complete(contract(Mode::Feature));
    state.tasks.insert(task_id(1), TaskStatus::Pending);
    let start = event("task:T001", "pending", "in_progress");
    for status in RunStatus::ALL {
        state.status = *status;
        let moved = by_verb(&run, &state, &start);
        if *status == RunStatus::Active {
            assert_eq!(moved, Ok(()));
        } else {
            refused(moved, Code::Precondition, &["T001", status.as_str()]);
        }
    }
}

#[test]
fn a_task_starts_when_those_before_it_are_closed() {
    let mut contract = contract(Mode::Feature);
    contract.tasks = vec![task(1, &[]), task(2, &[1, 3]), task(3, &[])];
    let (run, mut state) = complete(contract);
    state.tasks.insert(task_id(1), TaskStatus::Pending);
    state.tasks.insert(task_id(2), TaskStatus::Pending);
    let start = event("task:T002", "pending", "in_progress");
    refused(
        by_verb(&run, &state, &start),
        Code::Precondition,
        &["T002", "T001"],
    );
    let first: Vec<_> = startable(&run, &state).iter().map(|t| &t.id).collect();
    assert_eq!(first, [&task_id(1)]);
    // What is not started yet may be left out all the same.
    assert_eq!(
        by_verb(&run, &state, &event("task:T002", "pending", "skipped")),
        Ok(())
    );
    state.tasks.insert(task_id(1), TaskStatus::Skipped);
    assert_eq!(by_verb(&run, &state, &start), Ok(()));
}

#[test]
fn skipping_wants_a_reason() {
    let (run, mut state) = complete(contract(Mode::Feature));
    state.tasks.insert(task_id(1), TaskStatus::Pending);
    for reason in [None, Some("  ".to_owned())] {
        let mut skip = event("task:T001", "pending", "skipped");
        skip.reason = reason;
        refused(
            by_verb(&run, &state, &skip),
            Code::Precondition,
            &["T001", "reason"],
        );
    }
}

#[test]
fn pre_gates_move_only_before_the_work() {
    let (run, mut state) = complete(contract(Mode::Feature));
    let id = GateKind::BaselineCheck.gate_id();
    state.gates.insert(id, GateStatus::Pending);
    let close = event("gate:gate.baseline", "pending", "acknowledged");
    for status in RunStatus::ALL {
        state.status = *status;
        let moved = by_verb(&run, &state, &close);
        if *status == RunStatus::Prepared {
            assert_eq!(moved, Ok(()));
        } else {
            refused(
                moved,
                Code::Precondition,
                &["gate.baseline", status.as_str()],
            );
        }
    }
}

#[test]
fn post_gates_move_only_after_the_tasks() {
    let (run, mut state) = complete(contract(Mode::Feature));
    let id = GateKind::ImplementationTests.gate_id();
    state.gates.insert(id, GateStatus::Pending);
    let close = event("gate:gate.tests", "pending", "acknowledged");
    assert_eq!(by_verb(&run, &state, &close), Ok(()));
    state.tasks.insert(task_id(1), TaskStatus::InProgress);
    refused(
        by_verb(&run, &state, &close),
        Code::Precondition,
        &["gate.tests", "T001 (in_progress)"],
    );
    state.tasks.insert(task_id(1), TaskStatus::Skipped);
    for status in RunStatus::ALL
        .iter()
        .filter(|status| **status != RunStatus::Active)
    {
        state.status = *status;
        refused(
            by_verb(&run, &state, &close),
            Code::Precondition,
            &["gate.tests", status.as_str()],
        );
    }
}

#[test]
fn waiving_is_a_persons_and_wants_flag_and_reason() {
    let mut contract = contract(Mode::Feature);
    contract.gates.push(gate(GateKind::ArchitectureCheck));
    let (run, mut state) = complete(contract);
    for status in state.gates.values_mut() {
        *status = GateStatus::Pending;
    }
    let waive = event("gate:gate.tests", "pending", "waived");
    assert_eq!(check_event(&run, &state, &waive, &Producer::User), Ok(()));
    refused(
        by_verb(&run, &state, &waive),
        Code::GateMove,
        &["gate.tests", "person"],
    );
    let mut silent = waive.clone();
    silent.reason = None;
    refused(
        check_event(&run, &state, &silent, &Producer::User),
        Code::GateMove,
        &["gate.tests", "reason"],
    );
    for fixed in ["gate.architecture", "gate.final-verification"] {
        let waive = event(&format!("gate:{fixed}"), "pending", "waived");
        refused(
            check_event(&run, &state, &waive, &Producer::User),
            Code::GateMove,
            &[fixed, "cannot be waived"],
        );
    }
}

#[test]
fn a_human_gate_is_a_persons() {
    let (run, mut state) = complete(contract(Mode::Feature));
    let id = GateKind::FinalVerification.gate_id();
    state.gates.insert(id, GateStatus::Pending);
    let close = event("gate:gate.final-verification", "pending", "acknowledged");
    assert_eq!(check_event(&run, &state, &close, &Producer::User), Ok(()));
    for producer in ["rapid:finish", "harness:x", "ci:build", "external:y"] {
        refused(
            check_event(&run, &state, &close, &producer.parse().unwrap()),
            Code::GateMove,
            &["gate.final-verification", producer],
        );
    }
}

type Seen<'a> = (
    Producer,
    CheckResult,
    &'a [usize],
    &'a [GateKind],
    &'a [Note],
);

fn bugfix(results: Vec<Seen<'_>>) -> Run {
    let mut story = Story::new(contract(Mode::Bugfix));
    for (producer, result, tasks, gates, notes) in results {
        let mut evidence = checked(result, tasks, gates);
        evidence.notes = notes.to_vec();
        story.add(producer, evidence);
    }
    story.run()
}

fn expected_failure(on: u16, passed: u64, failed: u64) -> CheckResult {
    CheckResult {
        expectation: Expectation::Fail,
        ..result(on, passed, failed)
    }
}

#[test]
fn the_first_task_of_a_bugfix_shows_the_bug() {
    let shows = |run: &Run| {
        let mut state = run.state.clone();
        state.status = RunStatus::Active;
        state.tasks.insert(task_id(1), TaskStatus::InProgress);
        let done = by_verb(run, &state, &event("task:T001", "in_progress", "done"));
        assert_eq!(done, check_task_done(run, &task_id(1)));
        done
    };
    let one = |result, tasks, gates| bugfix(vec![(check_verb(), result, tasks, gates, &[])]);
    const BASELINE: &[GateKind] = &[GateKind::BaselineCheck];

    assert_eq!(shows(&one(expected_failure(2, 3, 1), &[1], &[])), Ok(()));
    assert_eq!(shows(&one(result(START, 3, 1), &[], BASELINE)), Ok(()));

    let no = |run: &Run| refused(shows(run), Code::Precondition, &["T001"]);
    no(&bugfix(vec![]));
    // It passed, or only ordinary red was seen, or nothing ties it to the task.
    no(&one(expected_failure(2, 3, 0), &[1], &[]));
    no(&one(result(2, 3, 1), &[1], &[]));
    no(&one(expected_failure(2, 3, 1), &[], &[]));
    // The baseline is green, on another tree, or was not counted.
    no(&one(result(START, 3, 0), &[], BASELINE));
    no(&one(result(7, 3, 1), &[], BASELINE));
    let mut uncounted = result(START, 0, 1);
    uncounted.counts = None;
    no(&one(uncounted, &[], BASELINE));
    // The command was not there, ran out of time, or no test failed.
    for code in [126, 127] {
        let mut missing = expected_failure(2, 0, 0);
        missing.counts = None;
        missing.exit_code = Some(code);
        no(&one(missing, &[1], &[]));
    }
    let mut late = expected_failure(2, 3, 1);
    late.timed_out = true;
    no(&one(late, &[1], &[]));
    let mut only_exit = expected_failure(2, 3, 0);
    only_exit.exit_code = Some(1);
    no(&one(only_exit, &[1], &[]));
    // Another command, an unsteady tree, another writer.
    let mut aside = expected_failure(2, 3, 1);
    aside.argv = vec!["false".into()];
    no(&one(aside, &[1], &[]));
    let mut unsteady = expected_failure(2, 3, 1);
    unsteady.subject.stable = false;
    no(&one(unsteady, &[1], &[]));
    no(&bugfix(vec![(
        "harness:x".parse().unwrap(),
        expected_failure(2, 3, 1),
        &[1],
        &[],
        &[],
    )]));
    for note in [Note::Contradictory, Note::Incomplete, Note::StaleReport] {
        no(&bugfix(vec![(
            check_verb(),
            expected_failure(2, 3, 1),
            &[1],
            &[],
            &[note],
        )]));
    }
}

#[test]
fn an_uncounted_failure_shows_the_bug_only_where_nothing_is_ever_counted() {
    let mut uncounted = expected_failure(2, 0, 1);
    uncounted.counts = None;
    let alone = bugfix(vec![(check_verb(), uncounted.clone(), &[1], &[], &[])]);
    assert_eq!(check_task_done(&alone, &task_id(1)), Ok(()));
    let elsewhere = bugfix(vec![
        (check_verb(), result(START, 3, 0), &[], &[], &[]),
        (check_verb(), uncounted, &[1], &[], &[]),
    ]);
    refused(
        check_task_done(&elsewhere, &task_id(1)),
        Code::Precondition,
        &["T001"],
    );
}

#[test]
fn an_earlier_miss_is_history() {
    let run = bugfix(vec![
        (check_verb(), expected_failure(2, 3, 0), &[1], &[], &[]),
        (check_verb(), expected_failure(3, 3, 1), &[1], &[], &[]),
    ]);
    assert_eq!(check_task_done(&run, &task_id(1)), Ok(()));
}

#[test]
fn the_first_task_of_a_bugfix_is_never_left_out() {
    let (run, mut state) = complete(contract(Mode::Bugfix));
    for from in ["pending", "in_progress", "blocked"] {
        state.tasks.insert(task_id(1), from.parse().unwrap());
        refused(
            by_verb(&run, &state, &event("task:T001", from, "skipped")),
            Code::Precondition,
            &["T001", "cannot be skipped"],
        );
    }
    // Only the first one, and only in a bugfix.
    state.tasks.insert(task_id(2), TaskStatus::Pending);
    assert_eq!(
        by_verb(&run, &state, &event("task:T002", "pending", "skipped")),
        Ok(())
    );
}

#[test]
fn the_brake_has_no_states_and_ends_with_the_run() {
    let (run, mut state) = complete(contract(Mode::Feature));
    let mut brake = event("brake", "pending", "waived");
    refused(
        check_event(&run, &state, &brake, &Producer::User),
        Code::RunMove,
        &["brake"],
    );
    brake.from = None;
    brake.to = None;
    assert_eq!(check_event(&run, &state, &brake, &Producer::User), Ok(()));
    refused(
        check_event(&run, &state, &brake, &verb()),
        Code::RunMove,
        &["person"],
    );
    state.status = RunStatus::Finished;
    refused(
        check_event(&run, &state, &brake, &Producer::User),
        Code::RunMove,
        &["finished"],
    );
}
