//! Rows 0 to 4: what comes before the work.

use super::*;

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
    // The start tree is a commit's: it is checked out, whatever lies here.
    world.edit(RED);
    expect(
        &world,
        ActionKind::RunBaseline,
        Why::BaselinePending,
        Some("git rapid check --gate gate.baseline"),
        None,
    );
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
fn row_4_a_start_tree_that_is_no_commits_has_to_come_back() {
    let mut contract = contract(Mode::Feature);
    contract.base.tree = tree(START + 1);
    let mut world = World::new(contract, GREEN);
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
    assert_eq!(world.next().action.kind, ActionKind::Activate);
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
