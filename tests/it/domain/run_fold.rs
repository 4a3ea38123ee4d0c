//! Records to run: what counts, what is redundant, what contradicts.

use crate::support::story::{
    Story, check_verb, checked, contract, event, result, run_id, task, task_id, verb,
};
use git_rapid::domain::{
    amendment::{Amendment, Author},
    contract::{Contract, Criterion},
    digest::Digest,
    event::{Event, EventCode, EventSubject},
    id::AcceptanceId,
    producer::Producer,
    record::{Place, Record},
    resolution::Resolution,
    run::{FoldError, Run, fold},
    spec_record::SpecStatus,
    vocabulary::{GateStatus, Mode, Risk, RunStatus, SpecState, TaskStatus},
};
use proptest::prelude::*;

/// Active, with nothing before it.
fn active(contract: Contract) -> Story {
    let mut story = Story::new(contract);
    story.moved("run", "prepared", "active");
    story
}

fn two_tasks() -> Contract {
    let mut contract = contract(Mode::Direct);
    contract.tasks = vec![task(1, &[]), task(2, &[1])];
    contract
}

fn amendment(author: Author) -> Amendment {
    Amendment {
        paths: Vec::new(),
        tasks: vec![task(2, &[])],
        acceptance: vec![Criterion {
            id: AcceptanceId::at(1),
            text: "it holds".to_owned(),
            check: None,
        }],
        reason: "more to do".to_owned(),
        author,
        accepts: None,
    }
}

fn shuffled(story: &Story) -> Vec<Record> {
    let mut records = story.records.clone();
    records.reverse();
    records.swap(0, story.records.len() / 2);
    records
}

#[test]
fn a_contract_alone_is_a_prepared_run() {
    let story = Story::new(two_tasks());
    let run = story.run();
    assert_eq!(run.contract_digest, story.stream);
    assert_eq!(run.state.status, RunStatus::Prepared);
    assert!(run.state.tasks.values().all(|s| *s == TaskStatus::Pending));
    assert!(run.state.gates.values().all(|s| *s == GateStatus::Pending));
    assert_eq!(run.heads(), [story.stream]);
    assert!(run.state.illegal.is_empty() && run.state.conflicts.is_empty());
}

#[test]
fn the_order_in_which_records_come_does_not_matter() {
    let mut story = active(two_tasks());
    story.moved("task:T001", "pending", "in_progress");
    story.add(check_verb(), checked(result(2, 3, 0), &[1], &[]));
    story.moved("task:T001", "in_progress", "done");
    let mut twice = shuffled(&story);
    twice.extend(story.records.clone());
    let run = fold(run_id(), twice).unwrap();
    assert_eq!(run.records, story.records);
    assert_eq!(run.state, story.run().state);
    assert_eq!(run.state.tasks[&task_id(1)], TaskStatus::Done);
    assert_eq!(run.evidence[0].alias, "E001");
}

#[test]
fn what_is_no_run_is_said() {
    assert_eq!(fold(run_id(), vec![]).unwrap_err(), FoldError::Empty);

    let story = active(contract(Mode::Direct));
    let event = story.records[1].clone();
    let digest = event.digest;
    assert_eq!(
        fold(run_id(), vec![event]).unwrap_err(),
        FoldError::NoContract(digest)
    );

    let mut two = Story::new(contract(Mode::Direct));
    two.records
        .extend(Story::new(contract(Mode::Feature)).records);
    assert!(matches!(
        fold(run_id(), two.records),
        Err(FoldError::Foreign(_))
    ));

    let mut second = Story::new(contract(Mode::Direct));
    let digest = second.add_after(&[second.stream], verb(), contract(Mode::Feature));
    assert_eq!(
        fold(run_id(), second.records).unwrap_err(),
        FoldError::Foreign(digest)
    );

    let mut other = Story::new(contract(Mode::Direct));
    let status = SpecStatus {
        revision: 1,
        from: SpecState::Draft,
        to: SpecState::Ready,
        reason: None,
    };
    let digest = other.add_after(&[other.stream], verb(), status);
    assert_eq!(
        fold(run_id(), other.records).unwrap_err(),
        FoldError::Foreign(digest)
    );
}

#[test]
fn an_illegal_move_changes_nothing_and_is_listed() {
    let mut story = Story::new(contract(Mode::Direct));
    let bad = story.moved("task:T001", "pending", "in_progress");
    story.moved("run", "prepared", "active");
    let run = story.run();
    assert_eq!(run.state.status, RunStatus::Active);
    assert_eq!(run.state.tasks[&task_id(1)], TaskStatus::Pending);
    assert_eq!(run.state.illegal, [bad]);
    assert!(run.state.conflicts.is_empty());
}

#[test]
fn a_move_from_a_state_that_does_not_hold_is_illegal() {
    let mut story = active(contract(Mode::Direct));
    let bad = story.moved("task:T001", "blocked", "in_progress");
    let run = story.run();
    assert_eq!(run.state.illegal, [bad]);
    assert_eq!(run.state.tasks[&task_id(1)], TaskStatus::Pending);
}

#[test]
fn two_clones_that_do_the_same_are_not_in_conflict() {
    let mut story = active(contract(Mode::Direct));
    let heads = story.run().heads();
    for reason in ["here", "there"] {
        let mut started = event("task:T001", "pending", "in_progress");
        started.reason = Some(reason.to_owned());
        story.add_after(&heads, verb(), started);
    }
    let run = story.run();
    assert_eq!(run.state.tasks[&task_id(1)], TaskStatus::InProgress);
    assert!(run.state.conflicts.is_empty() && run.state.illegal.is_empty());
}

/// One clone closes the task while the other leaves it out.
fn contradiction() -> (Story, Run, Digest) {
    let mut story = active(contract(Mode::Direct));
    story.moved("task:T001", "pending", "in_progress");
    let heads = story.run().heads();
    story.add_after(&heads, verb(), event("task:T001", "in_progress", "done"));
    story.add_after(&heads, verb(), event("task:T001", "in_progress", "skipped"));
    let run = story.run();
    let conflict = run.state.conflicts[0].event;
    (story, run, conflict)
}

#[test]
fn a_contradiction_after_a_merge_stays_until_a_person_names_it() {
    let (mut story, run, conflict) = contradiction();
    assert_eq!(run.state.conflicts.len(), 1);
    assert_eq!(run.state.conflicts[0].subject, "task:T001");
    assert!(run.state.illegal.is_empty());
    let winner = run.state.tasks[&task_id(1)];
    assert!(winner.is_terminal());

    let resolution = Resolution {
        events: vec![conflict],
        reason: None,
    };
    story.add(verb(), resolution.clone());
    assert_eq!(
        story.run().state.conflicts.len(),
        1,
        "a program does not resolve"
    );
    story.add(Producer::User, resolution);
    let run = story.run();
    assert!(run.state.conflicts.is_empty());
    assert_eq!(run.state.tasks[&task_id(1)], winner);
}

#[test]
fn a_resolution_that_had_not_seen_the_event_does_not_count() {
    let (mut story, run, conflict) = contradiction();
    let before = run.records[2].digest;
    let resolution = Resolution {
        events: vec![conflict],
        reason: None,
    };
    story.add_after(&[before], Producer::User, resolution);
    assert_eq!(story.run().state.conflicts.len(), 1);
}

#[test]
fn illegal_in_its_own_closure_is_no_conflict_even_after_a_merge() {
    let mut story = active(two_tasks());
    let heads = story.run().heads();
    story.add_after(&heads, verb(), event("task:T001", "pending", "in_progress"));
    let bad = story.add_after(&heads, verb(), event("task:T002", "pending", "in_progress"));
    let run = story.run();
    assert_eq!(run.state.illegal, [bad]);
    assert!(run.state.conflicts.is_empty());
}

#[test]
fn an_agents_amendment_holds_at_once_below_high_risk() {
    let mut story = active(contract(Mode::Direct));
    story.add(Producer::rapid("amend"), amendment(Author::Agent));
    let run = story.run();
    assert_eq!(run.tasks().len(), 2);
    assert_eq!(run.acceptance().len(), 1);
    assert_eq!(run.state.tasks[&task_id(2)], TaskStatus::Pending);
    assert!(run.waiting_amendments.is_empty());
}

#[test]
fn from_high_risk_up_it_waits_for_a_person() {
    let mut contract = contract(Mode::Direct);
    contract.risk = Risk::High;
    let mut story = active(contract);
    // That the author calls itself a person does not help: the producer decides.
    let waiting = story.add(Producer::rapid("amend"), amendment(Author::Human));
    let run = story.run();
    assert_eq!(run.tasks().len(), 1);
    assert_eq!(run.waiting_amendments[0].0, waiting);

    let mut accepted = amendment(Author::Human);
    accepted.tasks.clear();
    accepted.acceptance.clear();
    accepted.accepts = Some(waiting);
    let mut by_program = story.clone();
    by_program.add(Producer::rapid("amend"), accepted.clone());
    assert_eq!(by_program.run().tasks().len(), 1);
    story.add(Producer::User, accepted);
    let run = story.run();
    assert_eq!(run.tasks().len(), 2);
    assert!(run.waiting_amendments.is_empty());
}

#[test]
fn two_amendments_that_take_one_name_contradict_each_other() {
    let mut story = active(contract(Mode::Direct));
    let heads = story.run().heads();
    for reason in ["here", "there"] {
        let mut more = amendment(Author::Agent);
        more.reason = reason.to_owned();
        story.add_after(&heads, Producer::rapid("amend"), more);
    }
    let run = story.run();
    assert_eq!(run.tasks().len(), 2);
    assert_eq!(run.state.conflicts.len(), 1);
    assert_eq!(run.state.conflicts[0].subject, "amendment");
}

#[test]
fn an_amendment_after_the_end_is_illegal() {
    let mut story = active(contract(Mode::Direct));
    story.moved("run", "active", "cancelled");
    let late = story.add(Producer::User, amendment(Author::Human));
    assert_eq!(story.run().state.illegal, [late]);
}

#[test]
fn ends_reasons_and_the_brake_are_remembered() {
    let mut story = active(two_tasks());
    story.moved("task:T001", "pending", "skipped");
    let brake = Event {
        subject: EventSubject::Brake,
        from: None,
        to: None,
        code: EventCode::Resumed,
        reason: None,
    };
    let by_program = story.add(verb(), brake.clone());
    let released = story.add(Producer::User, brake);
    let paused = story.moved("run", "active", "paused");
    let run = story.run();
    assert_eq!(run.state.task_reasons[&task_id(1)], "because");
    assert_eq!(run.state.brake_released, Some(released));
    assert_eq!(run.state.illegal, [by_program]);
    assert_eq!(run.state.last_run_event, Some(paused));
    story.moved("run", "paused", "active");
    assert_eq!(story.run().state.last_run_event, Some(paused));
}

#[test]
fn a_gate_that_is_not_in_the_contract_is_illegal() {
    let mut story = Story::new(contract(Mode::Direct));
    let bad = story.add(
        Producer::User,
        event("gate:gate.review", "pending", "acknowledged"),
    );
    assert_eq!(story.run().state.illegal, [bad]);
}

#[test]
fn records_of_git_may_have_other_places() {
    // A record whose prev is not here still folds: it had seen nothing.
    let mut story = Story::new(contract(Mode::Direct));
    let place = Place::Next {
        stream: story.stream,
        seq: 9,
        prev: vec![Digest::of(b"gone")],
    };
    story.records.push(Record::new(
        place,
        verb(),
        event("run", "prepared", "active"),
    ));
    assert_eq!(story.run().state.status, RunStatus::Active);
}

const SUBJECTS: &[(&str, &[&str])] = &[
    (
        "run",
        &[
            "prepared",
            "active",
            "blocked",
            "paused",
            "finished",
            "cancelled",
        ],
    ),
    (
        "task:T001",
        &["pending", "in_progress", "blocked", "done", "skipped"],
    ),
    ("task:T002", &["pending", "in_progress", "done", "skipped"]),
    ("gate:gate.tests", &["pending", "acknowledged", "waived"]),
    ("gate:gate.nowhere", &["pending", "acknowledged"]),
];

fn any_event() -> impl Strategy<Value = Event> {
    (prop::sample::select(SUBJECTS.to_vec()), any::<[u8; 3]>()).prop_map(
        |((subject, words), [from, to, number])| {
            let word = |byte: u8| words[usize::from(byte) % words.len()];
            let mut moved = event(subject, word(from), word(to));
            moved.reason = Some(number.to_string());
            moved
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever was written by however many clones, it folds, to the same state in any
    /// order; each record that changed nothing is listed once, and only a fork contradicts.
    #[test]
    fn every_list_of_records_folds(
        shape in prop::collection::vec((any_event(), prop::collection::vec(any::<prop::sample::Index>(), 1..3)), 1..30),
        forks in any::<bool>(),
    ) {
        let mut story = active(two_tasks());
        let mut all: Vec<Digest> = story.records.iter().map(|record| record.digest).collect();
        for (event, parents) in shape {
            let last = all[all.len() - 1];
            let mut prev: Vec<Digest> = if forks {
                parents.iter().map(|index| *index.get(&all)).collect()
            } else {
                vec![last]
            };
            prev.sort_unstable();
            prev.dedup();
            all.push(story.add_after(&prev, verb(), event));
        }
        let run = story.run();
        let again = fold(run_id(), shuffled(&story)).unwrap();
        prop_assert_eq!(&run.state, &again.state);
        let mut listed: Vec<Digest> = run.state.conflicts.iter().map(|one| one.event).collect();
        if run.history.is_linear() {
            prop_assert!(listed.is_empty());
        }
        listed.extend(&run.state.illegal);
        let before = listed.len();
        listed.sort_unstable();
        listed.dedup();
        prop_assert_eq!(before, listed.len());
    }
}
