//! Each row of the conductor's table, by a scene in which it is the first that applies.

use super::world::{World, leads_on, shown};
use crate::support::story::{
    START, check_verb, checked, contract, event, gate, path, result, task, tree,
};
use git_rapid::{
    conductor::{
        ActionKind, Lang, NextAction, NoSnapshot, Who, Why, WhyNoSnapshot, gate_satisfied,
        without_run,
    },
    domain::{
        amendment::{Amendment, Author},
        contract::Contract,
        evidence::Judged,
        gate::GateKind,
        id::TaskId,
        producer::Producer,
        vocabulary::{
            Expectation, Mode, Note, Outcome, ReviewType, Risk, RunStatus, TaskStatus, Verdict,
        },
    },
};

const GREEN: (u64, u64) = (3, 0);
const MORE: (u64, u64) = (4, 0);
const RED: (u64, u64) = (3, 1);

/// The action in short, and that it leads on.
#[track_caller]
fn told(next: &NextAction) -> (ActionKind, Why, Option<String>, Option<String>) {
    assert!(leads_on(next), "{next:?}");
    let context = next.context.as_ref().unwrap();
    let why = context.why.as_ref().unwrap();
    assert!(why.text.len() <= 2_000 && !why.text.is_empty());
    assert!(!why.text.contains('{'), "{}", why.text);
    assert!(next.action.instructions.len() <= 2_000);
    assert_eq!(context.never.is_some(), {
        context.who == Who::Agent && next.action.kind != ActionKind::Done
    });
    assert_eq!(context.tell_human.is_some(), context.who == Who::Human);
    (
        next.action.kind,
        why.code,
        shown(&next.action.command),
        shown(&next.action.after),
    )
}

#[track_caller]
fn expect(
    world: &World,
    kind: ActionKind,
    why: Why,
    command: Option<&str>,
    after: Option<&str>,
) -> NextAction {
    let next = world.next();
    assert_eq!(
        told(&next),
        (
            kind,
            why,
            command.map(str::to_owned),
            after.map(str::to_owned)
        ),
        "{next:#?}"
    );
    next
}

fn active(contract: Contract) -> World {
    let mut world = World::new(contract, GREEN);
    world.activate();
    world
}

fn command(world: &mut World, line: &str) -> bool {
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    world.command(&words)
}

#[test]
fn row_0_without_a_run_a_spec_is_written() {
    let next = without_run(
        Some(Mode::Bugfix),
        Lang::En,
        "/here",
        "/here/.git/rapid/spec.json",
    );
    let (kind, why, command, after) = told(&next);
    assert_eq!(
        (kind, why, after),
        (ActionKind::AuthorSpec, Why::NoRun, None)
    );
    assert_eq!(
        command.unwrap(),
        "git rapid start bugfix --spec-file /here/.git/rapid/spec.json"
    );
    assert_eq!((next.run_id, next.mode), (None, None));
    let template = next.action.spec_template.unwrap();
    assert_eq!(template["mode"], "bugfix");

    let next = without_run(None, Lang::Es, "/here", "/here/spec.json");
    for mode in Mode::ALL {
        assert!(next.action.instructions.contains(mode.as_str()), "{mode}");
    }
}

#[test]
fn row_0_a_run_elsewhere_is_told_from_here() {
    let mut world = active(contract(Mode::Direct));
    world.workspace = Some("/home/ada/sum.rapid/run".to_owned());
    let next = expect(
        &world,
        ActionKind::ImplementTask,
        Why::Elsewhere,
        Some("git rapid task start T001"),
        Some("git rapid task done T001"),
    );
    assert_eq!(
        next.action.workspace_path.as_deref(),
        Some("/home/ada/sum.rapid/run")
    );
    assert!(next.context.unwrap().why.unwrap().text.contains("T001"));
}

#[test]
fn row_1_an_end_is_done() {
    let mut world = active(contract(Mode::Direct));
    assert!(command(&mut world, "git rapid abort"));
    let next = expect(&world, ActionKind::Done, Why::Ended, None, None);
    let outcome = next.outcome.unwrap();
    assert_eq!(outcome.status, RunStatus::Cancelled);
    assert_eq!((outcome.verdict, outcome.report), (None, None));
    assert!(next.missing.is_empty() && next.awaiting_human.is_empty());
}

#[test]
fn row_2_what_stands_still_is_resumed() {
    for (to, why) in [("blocked", Why::Blocked), ("paused", Why::Paused)] {
        let mut world = active(contract(Mode::Direct));
        world
            .story
            .add(Producer::rapid("run"), event("run", "active", to));
        expect(
            &world,
            ActionKind::Blocked,
            why,
            Some("git rapid resume sum-is-wrong-r1-run-001"),
            None,
        );
    }
}

#[test]
fn row_3_a_rejection_ends_it() {
    let mut world = active(contract(Mode::Feature));
    world.work(MORE);
    world.person(&GateKind::FinalVerification.gate_id(), Outcome::Rejected);
    let next = expect(
        &world,
        ActionKind::Blocked,
        Why::Rejected,
        Some("git rapid abort --reason rejected"),
        None,
    );
    assert_eq!(next.context.unwrap().who, Who::Human);
    // A person who changes their mind opens it again.
    world.person(&GateKind::FinalVerification.gate_id(), Outcome::Approved);
    assert_ne!(world.next().action.kind, ActionKind::Blocked);
}

#[test]
fn row_3b_an_amendment_waits_for_a_person() {
    let mut world = World::new(contract(Mode::Hardening), GREEN);
    assert!(command(
        &mut world,
        "git rapid resume sum-is-wrong-r1-run-001 --worktree"
    ));
    world.story.add(
        Producer::rapid("amend"),
        Amendment {
            paths: Vec::new(),
            tasks: vec![task(2, &[])],
            acceptance: Vec::new(),
            reason: "one more place".to_owned(),
            author: Author::Agent,
            accepts: None,
        },
    );
    let next = expect(
        &world,
        ActionKind::AwaitHumanApproval,
        Why::AmendmentWaiting,
        None,
        None,
    );
    let context = next.context.unwrap();
    assert!(context.why.unwrap().text.contains("one more place"));
    assert!(context.tell_human.unwrap().contains("git rapid approve"));
}

#[test]
fn row_3b_a_contradiction_waits_for_a_person() {
    let mut world = active(contract(Mode::Direct));
    assert!(command(&mut world, "git rapid task start T001"));
    let heads = world.run().heads();
    for to in ["done", "skipped"] {
        let moved = event("task:T001", "in_progress", to);
        world
            .story
            .add_after(&heads, Producer::rapid("task"), moved);
    }
    let next = expect(
        &world,
        ActionKind::AwaitHumanApproval,
        Why::MergeConflict,
        None,
        None,
    );
    let conflict = world.run().state.conflicts[0].event.short(12);
    let told = next.context.unwrap().tell_human.unwrap();
    assert!(
        told.contains(&format!("git rapid resolve {conflict}")),
        "{told}"
    );
}

#[test]
fn row_3b_a_check_that_cannot_be_counted_waits_for_a_person() {
    let mut world = World::new(contract(Mode::Direct), GREEN);
    world.counted = false;
    world.activate();
    world.edit(MORE);
    command(&mut world, "git rapid check");
    let next = expect(
        &world,
        ActionKind::AwaitHumanApproval,
        Why::Uncounted,
        None,
        None,
    );
    let told = next.context.unwrap().tell_human.unwrap();
    assert!(told.contains("git rapid approve --test-command"), "{told}");
    world.accept_test_command();
    assert_eq!(world.next().action.kind, ActionKind::ImplementTask);
}

#[test]
fn row_3c_three_bad_results_on_one_tree_stop_it() {
    let mut world = active(contract(Mode::Direct));
    world.edit(RED);
    for _ in 0..2 {
        assert!(!command(&mut world, "git rapid check"));
        assert_eq!(world.next().action.kind, ActionKind::ImplementTask);
    }
    assert!(!command(&mut world, "git rapid check"));
    let next = expect(
        &world,
        ActionKind::Blocked,
        Why::NoProgress,
        Some("git rapid resume sum-is-wrong-r1-run-001"),
        None,
    );
    assert_eq!(next.context.unwrap().who, Who::Human);
    world.release_brake();
    assert_eq!(world.next().action.kind, ActionKind::ImplementTask);
    // Only what came after counts.
    command(&mut world, "git rapid check");
    assert_eq!(world.next().action.kind, ActionKind::ImplementTask);
}

#[test]
fn row_3c_edits_between_bad_results_are_progress() {
    let mut world = active(contract(Mode::Direct));
    for _ in 0..5 {
        world.edit(RED);
        command(&mut world, "git rapid check");
    }
    assert_eq!(world.next().action.kind, ActionKind::ImplementTask);
}

#[test]
fn row_3c_a_task_has_only_so_many_attempts() {
    let mut contract = contract(Mode::Direct);
    contract.tasks[0].attempts = Some(2);
    let mut world = active(contract);
    command(&mut world, "git rapid task start T001");
    for number in 1..=2 {
        assert_eq!(world.next().action.kind, ActionKind::ImplementTask);
        world.edit(RED);
        command(&mut world, "git rapid task done T001");
        let view = world.next().context.unwrap().task;
        assert_eq!(view.unwrap().failed_checks, number);
    }
    expect(
        &world,
        ActionKind::Blocked,
        Why::NoProgress,
        Some("git rapid resume sum-is-wrong-r1-run-001"),
        None,
    );
    world.release_brake();
    assert_eq!(world.next().action.kind, ActionKind::ImplementTask);
}

#[test]
fn row_3c_asides_and_neutral_results_do_not_count() {
    let mut world = active(contract(Mode::Direct));
    world.edit(RED);
    for number in 0..6 {
        let mut other = result(world.tree, 3, 1);
        if number % 2 == 0 {
            other.argv = vec!["false".into()];
        } else {
            other.subject.stable = false;
        }
        world.story.add(check_verb(), checked(other, &[], &[]));
    }
    assert_eq!(world.next().action.kind, ActionKind::ImplementTask);
}

#[test]
fn row_4_isolation_comes_first() {
    let world = World::new(contract(Mode::Hardening), GREEN);
    let next = expect(
        &world,
        ActionKind::Blocked,
        Why::IsolationUnmet,
        Some("git rapid resume sum-is-wrong-r1-run-001 --worktree"),
        None,
    );
    assert_eq!(
        next.action.gate_ids,
        Some(vec![GateKind::WorkspaceIsolation.gate_id()])
    );
}

fn critical() -> Contract {
    let mut contract = contract(Mode::Hardening);
    contract.risk = Risk::Critical;
    contract.gates.insert(2, gate(GateKind::ManualApproval));
    contract
}

#[test]
fn row_4_then_a_persons_go_ahead() {
    let mut world = World::new(critical(), GREEN);
    let isolate = world.next().action.command.unwrap();
    world.command(&isolate);
    let next = expect(
        &world,
        ActionKind::AwaitHumanApproval,
        Why::ApprovalPending,
        None,
        None,
    );
    assert_eq!(
        next.action.gate_ids,
        Some(vec![GateKind::ManualApproval.gate_id()])
    );
    world.person(&GateKind::ManualApproval.gate_id(), Outcome::Approved);
    assert_eq!(world.next().action.kind, ActionKind::RunBaseline);
}

#[test]
fn row_4_then_the_baseline() {
    let mut world = World::new(contract(Mode::Feature), GREEN);
    let next = expect(
        &world,
        ActionKind::RunBaseline,
        Why::BaselinePending,
        Some("git rapid check --gate gate.baseline"),
        None,
    );
    assert_eq!(next.awaiting_human, [GateKind::FinalVerification.gate_id()]);
    // On other files it would measure something else.
    world.edit(GREEN);
    expect(
        &world,
        ActionKind::RunBaseline,
        Why::BaselinePending,
        None,
        Some("git rapid check --gate gate.baseline"),
    );
    world.tree = START;
    command(&mut world, "git rapid check --gate gate.baseline");
    expect(
        &world,
        ActionKind::Activate,
        Why::Ready,
        Some("git rapid resume"),
        None,
    );
}

#[test]
fn row_4_a_red_baseline_is_a_persons() {
    let mut world = World::new(contract(Mode::Feature), RED);
    command(&mut world, "git rapid check --gate gate.baseline");
    let next = expect(
        &world,
        ActionKind::AwaitHumanApproval,
        Why::BaselineRed,
        None,
        None,
    );
    assert_eq!(
        next.action.gate_ids,
        Some(vec![GateKind::BaselineCheck.gate_id()])
    );
    let context = next.context.unwrap();
    assert!(context.why.unwrap().text.contains("1 of 4"));
    assert!(
        context
            .tell_human
            .unwrap()
            .contains("git rapid approve gate.baseline --waive")
    );
    world.person(&GateKind::BaselineCheck.gate_id(), Outcome::Waived);
    expect(
        &world,
        ActionKind::Activate,
        Why::Ready,
        Some("git rapid resume"),
        None,
    );
}

#[test]
fn row_5_the_first_startable_task() {
    let mut contract = contract(Mode::Direct);
    contract.tasks = vec![task(1, &[2]), task(2, &[])];
    let mut world = active(contract);
    let next = expect(
        &world,
        ActionKind::ImplementTask,
        Why::TaskOpen,
        Some("git rapid task start T002"),
        Some("git rapid task done T002"),
    );
    assert_eq!(next.action.task_id, Some(TaskId::at(2)));
    assert!(next.action.instructions.starts_with("T002: Do part 2"));
    assert_eq!(next.progress.tasks_total, 2);
    command(&mut world, "git rapid task start T002");
    let next = expect(
        &world,
        ActionKind::ImplementTask,
        Why::TaskOpen,
        None,
        Some("git rapid task done T002"),
    );
    assert!(next.context.unwrap().last_check.is_none());
}

#[test]
fn row_5_an_open_task_that_is_red_says_so() {
    let mut world = active(contract(Mode::Direct));
    command(&mut world, "git rapid task start T001");
    world.edit(RED);
    assert!(!command(&mut world, "git rapid task done T001"));
    let next = expect(
        &world,
        ActionKind::ImplementTask,
        Why::Red,
        None,
        Some("git rapid task done T001"),
    );
    let context = next.context.unwrap();
    let why = context.why.unwrap();
    assert!(
        why.text.contains("1 of 4") && why.text.contains("t1"),
        "{}",
        why.text
    );
    let last = context.last_check.unwrap();
    assert_eq!(last.failed_tests, ["t1"]);
    assert_eq!(why.records, [last.record]);
    assert_eq!(context.task.unwrap().failed_checks, 1);
}

#[test]
fn row_5_a_blocked_task_stops_what_waits_for_it() {
    let mut contract = contract(Mode::Direct);
    contract.tasks = vec![task(1, &[]), task(2, &[1])];
    let mut world = active(contract);
    command(&mut world, "git rapid task start T001");
    world.story.add(
        Producer::rapid("task"),
        event("task:T001", "in_progress", "blocked"),
    );
    let next = expect(
        &world,
        ActionKind::Blocked,
        Why::NoneStartable,
        Some("git rapid task start T001"),
        None,
    );
    assert!(next.context.unwrap().why.unwrap().text.contains("because"));
}

#[test]
fn row_5_the_bug_is_shown_before_it_is_mended() {
    let mut contract = contract(Mode::Bugfix);
    contract.tasks = vec![task(1, &[]), task(2, &[1])];
    let mut world = active(contract);
    command(&mut world, "git rapid task start T001");
    let expected = "git rapid check --expect fail --task T001";
    expect(
        &world,
        ActionKind::ImplementTask,
        Why::TaskOpen,
        Some(expected),
        Some("git rapid task done T001"),
    );
    assert!(!command(&mut world, expected), "nothing fails yet");
    assert!(!command(&mut world, "git rapid task done T001"));
    assert_eq!(shown(&world.next().action.command).unwrap(), expected);
    world.edit(RED);
    assert!(command(&mut world, expected));
    // The earlier miss is history.
    expect(
        &world,
        ActionKind::ImplementTask,
        Why::TaskOpen,
        None,
        Some("git rapid task done T001"),
    );
    assert!(command(&mut world, "git rapid task done T001"));
    assert_eq!(world.next().action.task_id, Some(TaskId::at(2)));
}

#[test]
fn row_5_a_failure_without_a_test_is_not_cited_again_and_again() {
    let mut world = active(contract(Mode::Bugfix));
    command(&mut world, "git rapid task start T001");
    world.edit(RED);
    // The command is counted elsewhere; here it did not get to its tests.
    let mut broken = result(world.tree, 0, 1);
    broken.counts = None;
    broken.expectation = Expectation::Fail;
    world.story.add(check_verb(), checked(broken, &[1], &[]));
    expect(
        &world,
        ActionKind::ImplementTask,
        Why::TaskOpen,
        None,
        Some("git rapid check --expect fail --task T001"),
    );
}

#[test]
fn row_5_a_red_baseline_is_the_reproduction() {
    let mut world = World::new(contract(Mode::Bugfix), RED);
    command(&mut world, "git rapid check --gate gate.baseline");
    world.person(&GateKind::BaselineCheck.gate_id(), Outcome::Waived);
    world.activate();
    command(&mut world, "git rapid task start T001");
    expect(
        &world,
        ActionKind::ImplementTask,
        Why::TaskOpen,
        None,
        Some("git rapid task done T001"),
    );
}

#[test]
fn row_5_research_writes_a_report_and_hands_it_in() {
    let mut world = active(contract(Mode::Research));
    command(&mut world, "git rapid task start T001");
    let attach = "git rapid attach /home/ada/sum/.git/rapid/report.md --task T001";
    let next = expect(
        &world,
        ActionKind::ImplementTask,
        Why::TaskOpen,
        None,
        Some(attach),
    );
    assert_eq!(
        next.action.report_path.as_deref(),
        Some("/home/ada/sum/.git/rapid/report.md")
    );
    command(&mut world, attach);
    let next = expect(
        &world,
        ActionKind::ImplementTask,
        Why::TaskOpen,
        Some("git rapid task done T001 --no-check"),
        None,
    );
    assert_eq!(next.action.report_path, None);
}

#[test]
fn row_5a_what_cannot_be_compared_is_named() {
    let mut world = active(contract(Mode::Direct));
    world.work(MORE);
    world.no_snapshot = Some(NoSnapshot {
        paths: vec![path("src/total.rs")],
        why: WhyNoSnapshot::Unmerged,
    });
    let next = expect(
        &world,
        ActionKind::Blocked,
        Why::NoSnapshot,
        None,
        Some("git rapid next"),
    );
    let text = next.context.unwrap().why.unwrap().text;
    assert!(text.contains("src/total.rs") && text.contains("unmerged"));
}

#[test]
fn row_5b_nothing_changed_is_no_work() {
    let mut world = active(contract(Mode::Feature));
    command(&mut world, "git rapid task start T001");
    command(&mut world, "git rapid task done T001");
    assert_eq!(world.run().state.tasks[&TaskId::at(1)], TaskStatus::Done);
    expect(
        &world,
        ActionKind::ImplementTask,
        Why::NothingChanged,
        None,
        Some("git rapid check"),
    );
}

#[test]
fn row_6_a_refactor_keeps_its_tests() {
    let mut world = active(contract(Mode::Refactor));
    world.work((2, 0));
    let next = expect(
        &world,
        ActionKind::Blocked,
        Why::TestsLost,
        None,
        Some("git rapid check"),
    );
    let text = next.context.unwrap().why.unwrap().text;
    assert!(text.contains("2 tests") && text.contains('3'), "{text}");
    world.edit(GREEN);
    command(&mut world, "git rapid check");
    assert_eq!(world.next().action.kind, ActionKind::Commit);
    // In other modes fewer is told to the approver, not to the conductor.
    let mut world = active(contract(Mode::Feature));
    world.work((2, 0));
    assert_eq!(world.next().action.kind, ActionKind::Commit);
}

#[test]
fn row_6_a_red_check_is_edited_first() {
    let mut world = active(contract(Mode::Direct));
    world.work(MORE);
    world.edit(RED);
    command(&mut world, "git rapid check --task T001");
    let next = expect(
        &world,
        ActionKind::Verify,
        Why::Red,
        None,
        Some("git rapid check --task T001"),
    );
    assert!(
        next.missing
            .contains(&"gate.gate.tests.evidence".to_owned())
    );
    let missing = next.context.unwrap().missing.unwrap();
    assert!(missing.iter().all(|one| one.fix.is_some()));
}

#[test]
fn row_6_a_path_out_of_scope_is_edited_first() {
    let mut contract = contract(Mode::Direct);
    contract.scope.patterns = Some(vec!["src/**".parse().unwrap()]);
    let mut world = active(contract);
    world.work(MORE);
    world.changed = vec![path("src/total.rs"), path("docs/x.md")];
    let next = expect(
        &world,
        ActionKind::Verify,
        Why::OutOfScope,
        None,
        Some("git rapid check"),
    );
    let context = next.context.unwrap();
    assert!(context.why.unwrap().text.contains("docs/x.md"));
    assert_eq!(context.scope.unwrap().patterns.len(), 1);
    world.changed = vec![path("src/total.rs")];
    assert_eq!(world.next().action.kind, ActionKind::Commit);
}

#[test]
fn row_6_changes_requested_lead_back_to_work() {
    let mut world = active(contract(Mode::Feature));
    world.work(MORE);
    let commit = world.next().action.command.unwrap();
    assert!(world.command(&commit));
    world.person(
        &GateKind::FinalVerification.gate_id(),
        Outcome::ChangesRequested,
    );
    let next = expect(
        &world,
        ActionKind::Verify,
        Why::ChangesRequested,
        None,
        Some("git rapid check"),
    );
    assert!(
        next.action.instructions.contains("seen"),
        "the reviewer's words"
    );
    // On another tree the request is history.
    world.edit((5, 0));
    command(&mut world, "git rapid check --task T001");
    assert_eq!(world.next().action.kind, ActionKind::Commit);
}

#[test]
fn row_6_what_no_edit_mends_names_its_command() {
    let mut world = active(contract(Mode::Direct));
    world.work(MORE);
    world.changed = (0..9).map(|n| path(&format!("src/f{n}.rs"))).collect();
    expect(
        &world,
        ActionKind::Blocked,
        Why::Failed,
        Some("git rapid supersede feature --reason beyond_bounds"),
        None,
    );

    let mut world = active(contract(Mode::Feature));
    world.work(MORE);
    world.changed = vec![path("src/auth/login.rs")];
    expect(
        &world,
        ActionKind::Blocked,
        Why::Failed,
        Some("git rapid supersede --risk high --reason new_signal"),
        None,
    );
}

#[test]
fn row_7_what_is_unverified_is_run() {
    let mut world = active(contract(Mode::Direct));
    world.work(MORE);
    world.edit(MORE);
    let next = expect(
        &world,
        ActionKind::Verify,
        Why::Unverified,
        Some("git rapid check"),
        None,
    );
    assert!(
        next.missing
            .contains(&"gate.gate.tests.evidence".to_owned())
    );
    command(&mut world, "git rapid check");
    assert_eq!(world.next().action.kind, ActionKind::Commit);
}

#[test]
fn row_7_a_check_that_ran_no_test_is_not_run_again_and_again() {
    let mut world = active(contract(Mode::Direct));
    world.work(MORE);
    world.edit((0, 0));
    command(&mut world, "git rapid check");
    let next = expect(
        &world,
        ActionKind::Verify,
        Why::Unverified,
        None,
        Some("git rapid check"),
    );
    assert!(
        next.context
            .unwrap()
            .why
            .unwrap()
            .text
            .contains("zero_tests")
    );
}

#[test]
fn row_7_a_run_that_did_not_end_is_not_run_again_and_again() {
    let mut world = active(contract(Mode::Direct));
    world.work(MORE);
    world.edit(MORE);
    let mut cut = checked(result(world.tree, 2, 0), &[], &[]);
    cut.notes = vec![Note::Incomplete];
    world.story.add(check_verb(), cut);
    expect(
        &world,
        ActionKind::Verify,
        Why::Unverified,
        None,
        Some("git rapid check"),
    );
}

#[test]
fn row_7_an_unstable_check_runs_once_more_and_then_is_looked_at() {
    let mut world = active(contract(Mode::Direct));
    world.work(MORE);
    world.edit(MORE);
    let mut moved = result(world.tree, 4, 0);
    moved.subject.stable = false;
    world
        .story
        .add(check_verb(), checked(moved.clone(), &[], &[]));
    expect(
        &world,
        ActionKind::Verify,
        Why::Unverified,
        Some("git rapid check"),
        None,
    );
    world.story.add(check_verb(), checked(moved, &[], &[]));
    expect(
        &world,
        ActionKind::Verify,
        Why::Unverified,
        None,
        Some("git rapid check"),
    );
}

#[test]
fn row_7_a_check_that_is_not_due_is_named() {
    let mut contract = contract(Mode::Feature);
    contract.checks[0].paths = vec!["lib/**".parse().unwrap()];
    let mut world = active(contract);
    command(&mut world, "git rapid task start T001");
    world.edit(MORE);
    let from = event("task:T001", "in_progress", "done");
    world.story.add(Producer::rapid("task"), from);
    expect(
        &world,
        ActionKind::Verify,
        Why::Unverified,
        Some("git rapid check test --task T001"),
        None,
    );
    command(&mut world, "git rapid check test --task T001");
    assert_eq!(world.next().action.kind, ActionKind::Commit);
}

#[test]
fn row_7b_what_is_verified_is_committed() {
    let mut world = active(contract(Mode::Direct));
    world.work(MORE);
    expect(
        &world,
        ActionKind::Commit,
        Why::NotCommitted,
        Some("git rapid commit -a -m Sum is wrong"),
        None,
    );
    let words = world.next().action.command.unwrap();
    assert_eq!(words[5], "Sum is wrong", "the title is one word");
}

#[test]
fn row_8_then_a_person_approves() {
    let mut world = active(contract(Mode::Feature));
    world.work(MORE);
    let commit = world.next().action.command.unwrap();
    assert!(world.command(&commit));
    let next = expect(
        &world,
        ActionKind::AwaitHumanApproval,
        Why::ApprovalPending,
        None,
        None,
    );
    let final_gate = GateKind::FinalVerification.gate_id();
    assert_eq!(
        next.action.gate_ids.as_deref(),
        Some(&[final_gate.clone()][..])
    );
    assert!(next.missing.is_empty(), "{:?}", next.missing);
    let told = next.context.unwrap().tell_human.unwrap();
    for part in [
        "git rapid approve gate.final-verification",
        "/home/ada/sum",
        "--run sum-is-wrong-r1-run-001 --commit",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }

    world.person(&final_gate, Outcome::Approved);
    assert_eq!(world.next().action.kind, ActionKind::Finish);
    // Another tree makes it stale.
    world.edit((6, 0));
    command(&mut world, "git rapid check --task T001");
    let commit = world.next().action.command.unwrap();
    assert!(world.command(&commit));
    let next = expect(
        &world,
        ActionKind::AwaitHumanApproval,
        Why::ApprovalStale,
        None,
        None,
    );
    assert_eq!(next.awaiting_human, [final_gate]);
}

#[test]
fn row_8_an_approval_before_the_commit_holds_after_it() {
    let mut world = active(contract(Mode::Feature));
    world.work(MORE);
    world.person(&GateKind::FinalVerification.gate_id(), Outcome::Approved);
    let next = world.next();
    assert_eq!(next.action.kind, ActionKind::Commit);
    assert!(next.awaiting_human.is_empty());
    let commit = next.action.command.unwrap();
    assert!(world.command(&commit));
    assert_eq!(world.next().action.kind, ActionKind::Finish);
}

#[test]
fn row_8b_the_bug_has_to_be_gone() {
    let mut contract = contract(Mode::Bugfix);
    contract.gates.pop();
    let mut world = active(contract);
    command(&mut world, "git rapid task start T001");
    world.edit(RED);
    command(&mut world, "git rapid check --expect fail --task T001");
    command(&mut world, "git rapid task done T001");
    // The failing test was taken out rather than mended.
    world.edit(GREEN);
    command(&mut world, "git rapid check --task T001");
    let commit = world.next().action.command.unwrap();
    assert!(world.command(&commit));
    let next = expect(
        &world,
        ActionKind::Verify,
        Why::Unverified,
        None,
        Some("git rapid check --task T001"),
    );
    assert_eq!(next.missing, ["reproduction.T001"]);
    world.edit(MORE);
    command(&mut world, "git rapid check --task T001");
    let commit = world.next().action.command.unwrap();
    assert!(world.command(&commit));
    assert_eq!(world.next().action.kind, ActionKind::Finish);
}

#[test]
fn row_9_everything_holds() {
    let mut world = active(contract(Mode::Direct));
    world.work(MORE);
    let commit = world.next().action.command.unwrap();
    assert!(world.command(&commit));
    let next = expect(
        &world,
        ActionKind::Finish,
        Why::Holds,
        Some("git rapid finish"),
        None,
    );
    assert!(next.missing.is_empty() && next.awaiting_human.is_empty());
    assert!(command(&mut world, "git rapid finish"));
    let next = expect(&world, ActionKind::Done, Why::Ended, None, None);
    let outcome = next.outcome.unwrap();
    assert_eq!(outcome.status, RunStatus::Finished);
    assert_eq!(outcome.verdict, Some(Verdict::Pass));
    assert!(outcome.report.is_some());
}

#[test]
fn a_waiver_of_the_tests_holds_for_its_tree() {
    let mut world = active(contract(Mode::Feature));
    world.work(MORE);
    world.edit((9, 1));
    command(&mut world, "git rapid check");
    assert_eq!(world.next().action.kind, ActionKind::Verify);
    let tests = GateKind::ImplementationTests.gate_id();
    world.person(&tests, Outcome::Waived);
    let commit = world.next().action;
    assert_eq!(commit.kind, ActionKind::Commit, "{commit:?}");
    assert!(world.command(&commit.command.unwrap()));
    world.edit((8, 1));
    command(&mut world, "git rapid check");
    assert_eq!(told(&world.next()).1, Why::Red);
}

#[test]
fn gates_are_satisfied_by_evidence_and_never_human_ones() {
    let mut world = active(contract(Mode::Feature));
    world.work(MORE);
    world.person(&GateKind::FinalVerification.gate_id(), Outcome::Approved);
    let run = world.run();
    let facts = world.facts();
    let satisfied = |kind: GateKind, on: u16| {
        gate_satisfied(
            &run,
            &run.state,
            &facts,
            &world.policy,
            tree(on),
            &kind.gate_id(),
        )
    };
    assert!(satisfied(GateKind::ImplementationTests, world.tree));
    assert!(!satisfied(GateKind::ImplementationTests, 77));
    assert!(!satisfied(GateKind::FinalVerification, world.tree));
    assert!(
        !satisfied(GateKind::PeerReview, world.tree),
        "not in the contract"
    );
}

#[test]
fn texts_speak_spanish_and_stay_short() {
    let mut world = active(contract(Mode::Feature));
    world.work(MORE);
    let commit = world.next().action.command.unwrap();
    world.command(&commit);
    let review = crate::support::story::review(
        ReviewType::Final,
        Outcome::ChangesRequested,
        Judged::Tree(tree(world.tree)),
    );
    let mut long = review;
    if let git_rapid::domain::evidence::Payload::Review(review) = &mut long.payload {
        review.text = Some("ñ{gates}".repeat(900));
    }
    world.story.add(Producer::User, long);
    world.playbook_lang = Lang::Es;
    let next = world.next();
    let text = next.context.unwrap().why.unwrap().text;
    assert!(text.starts_with("quien revisa pide cambios"), "{text}");
    assert!(
        text.len() <= 2_000 && text.contains("ñ{gates}"),
        "a fact is not read as a place"
    );
    assert!(next.action.instructions.len() <= 2_000);
}

#[test]
fn unused_keys_are_left_out() {
    let mut world = active(contract(Mode::Direct));
    let document = serde_json::to_value(world.next()).unwrap();
    let keys = |value: &serde_json::Value| -> Vec<String> {
        let mut keys: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
        keys.sort();
        keys
    };
    assert_eq!(
        keys(&document),
        [
            "action",
            "awaiting_human",
            "context",
            "missing",
            "mode",
            "outcome",
            "progress",
            "run_id",
            "schema_version"
        ]
    );
    assert_eq!(
        keys(&document["action"]),
        ["after", "command", "instructions", "kind", "task_id"]
    );
    assert_eq!(
        keys(&document["context"]),
        ["cwd", "missing", "never", "scope", "task", "who", "why"]
    );
    assert!(document["outcome"].is_null());
    command(&mut world, "git rapid abort");
    let document = serde_json::to_value(world.next()).unwrap();
    assert_eq!(keys(&document["context"]), ["cwd", "who", "why"]);
}

#[test]
fn row_4_at_critical_risk_nobody_lets_a_red_baseline_go() {
    let mut world = World::new(critical(), RED);
    let isolate = world.next().action.command.unwrap();
    world.command(&isolate);
    command(&mut world, "git rapid check --gate gate.baseline");
    world.person(&GateKind::ManualApproval.gate_id(), Outcome::Approved);
    let next = expect(
        &world,
        ActionKind::Blocked,
        Why::BaselineRed,
        Some("git rapid abort --reason baseline_red"),
        None,
    );
    assert_eq!(next.context.unwrap().who, Who::Human);
}

#[test]
fn row_7_a_good_result_that_does_not_count_is_not_cited_again_and_again() {
    for (truth, counted) in [((0, 0), true), (MORE, false)] {
        let mut world = active(contract(Mode::Direct));
        world.work(MORE);
        world.counted = counted;
        world.edit(truth);
        command(&mut world, "git rapid check");
        let mut moved = world.measure();
        moved.subject.stable = false;
        world.story.add(check_verb(), checked(moved, &[], &[]));
        let next = world.next();
        let (kind, _, command, _) = told(&next);
        assert_eq!(command, None, "{next:#?}");
        assert_eq!(kind == ActionKind::AwaitHumanApproval, !counted);
    }
}
