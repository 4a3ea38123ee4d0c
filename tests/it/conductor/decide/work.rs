//! Rows 5 to 5b: the work itself.

use super::*;

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
