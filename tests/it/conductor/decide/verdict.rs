//! Rows 6 to 9: from a judgement to the end.

use super::*;

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
    // A successor of high risk lives elsewhere: what is not committed would stay behind.
    let next = world.next();
    assert_eq!(next.action.kind, ActionKind::Blocked);
    let commit = next.action.command.expect("a command");
    assert_eq!(commit[..3], ["git", "rapid", "commit"]);
    assert!(world.command(&commit));
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
