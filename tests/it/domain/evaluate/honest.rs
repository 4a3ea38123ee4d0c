//! What an honest person or agent meets on the way: each still leads to a PASS.

use super::build::*;
use git_rapid::domain::{
    evidence::{Evidence, Payload, Rewrite},
    gate::GateKind,
    oid::{CommitId, Oid},
    producer::Producer,
    vocabulary::{
        AssertionStatus::{Pass, Unverified},
        Change, GateStatus, Mode, Note, Outcome, ReviewType, TaskStatus, Verdict, Workspace,
    },
};

#[test]
fn a_stray_note_in_the_directory() {
    let mut story = Story::good(Mode::Feature);
    story.ran(ran(4).task(1).result(|result| {
        result.subject.bystanders = vec![path("notes.txt")];
    }));
    let report = story.verdict(Verdict::Pass);
    let scope = report.assertion("scope.paths").unwrap();
    assert_eq!(scope.facts["bystanders"][0], "notes.txt");
}

#[test]
fn a_first_test_run_that_writes_a_lock_file() {
    let mut story = Story::of(contract(Mode::Feature));
    story.workspace(Workspace::Current);
    story.ran(ran(3).on(EARLIER).result(|result| {
        result.subject.before = Some(START);
        result.subject.changed = vec![path("Cargo.lock")];
    }));
    story.ran(ran(4).task(1));
    story.review(ReviewType::Final, Outcome::Approved);
    story.verdict(Verdict::Pass);
}

#[test]
fn a_merge_of_main_in_the_middle() {
    let mut story = Story::good(Mode::Feature);
    story.policy.commits_verified = true;
    story.ran(ran(4).on(EARLIER));
    story.facts.commits = Some(vec![
        commit(11, &[7], EARLIER),
        commit(12, &[11, 20], tree(30)),
        commit(13, &[12], WORK),
    ]);
    story.verdict(Verdict::Pass);
}

#[test]
fn an_amended_message() {
    let mut story = Story::good(Mode::Feature);
    story.policy.commits_verified = true;
    story.add(
        Producer::rapid("hook"),
        Evidence::of(Payload::Rewrite(Rewrite {
            old: CommitId(Oid::Sha1([11; 20])),
            new: CommitId(Oid::Sha1([12; 20])),
            trees: [WORK, WORK],
        })),
    );
    story.facts.commits = Some(vec![commit(12, &[7], WORK)]);
    story.verdict(Verdict::Pass);
}

#[test]
fn a_task_skipped_with_a_reason() {
    let mut contract = contract(Mode::Feature);
    contract.tasks.push(task(2));
    let mut story = Story::good_of(contract);
    story.tasks = vec![(2, TaskStatus::Skipped)];
    story.verdict(Verdict::PassWithWaivers);
}

#[test]
fn a_start_inside_a_linked_worktree() {
    let mut story = Story::good(Mode::Feature);
    story.workspace(Workspace::Isolated);
    story.says("capability.workspace.current.observed", Pass, "seen");
    story.verdict(Verdict::Pass);
}

#[test]
fn an_approval_from_another_clone() {
    let mut contract = contract(Mode::Feature);
    contract.tasks.push(task(2));
    let mut story = Story::of(contract);
    story.workspace(Workspace::Current);
    story.ran(ran(3).on(START).gate(GateKind::BaselineCheck));
    story.ran(ran(4).task(1).task(2));
    story.at_once(
        |story| story.review(ReviewType::Final, Outcome::Approved),
        // The other clone cites the same result for another link meanwhile.
        |story| story.ran(ran(4).task(2).note(Note::Cached)),
    );
    story.verdict(Verdict::Pass);
}

#[test]
fn red_results_on_the_way() {
    let mut story = Story::of(contract(Mode::Feature));
    story.workspace(Workspace::Current);
    story.ran(ran(3).on(START).gate(GateKind::BaselineCheck));
    for number in 20..25 {
        story.ran(ran(2).red(&["a", "b"]).on(tree(number)).task(1));
    }
    story.ran(ran(4).task(1));
    story.review(ReviewType::Final, Outcome::Approved);
    story.verdict(Verdict::Pass);
}

#[test]
fn changes_that_a_reviewer_wanted() {
    let mut story = Story::good(Mode::Feature);
    story.review(ReviewType::Final, Outcome::ChangesRequested);
    story.verdict(Verdict::Fail);
    story.subject = tree(10);
    story.ran(ran(5).on(tree(10)).task(1));
    story.says(
        "gate.gate.final-verification.evidence",
        Unverified,
        "other_tree",
    );
    story.review(ReviewType::Final, Outcome::Approved);
    story.verdict(Verdict::Pass);
}

#[test]
fn a_project_whose_main_is_red() {
    let mut story = Story::of(contract(Mode::Feature));
    story.workspace(Workspace::Current);
    story.ran(ran(3).red(&["old"]).on(START).gate(GateKind::BaselineCheck));
    story.review(ReviewType::Baseline, Outcome::Waived);
    story.gates = vec![(GateKind::BaselineCheck, GateStatus::Waived)];
    story.ran(ran(4).red(&["old"]).task(1));
    story.review(ReviewType::Final, Outcome::Approved);
    story.verdict(Verdict::PassWithWaivers);
}

#[test]
fn documents_alone_where_no_check_is_due() {
    let mut contract = contract(Mode::Feature);
    contract.checks[0].paths = patterns(&["src/**"]);
    contract.scope.patterns = Some(patterns(&["docs/**"]));
    let mut story = Story::of(contract);
    story.workspace(Workspace::Current);
    story.facts.paths = Some(vec![changed("docs/a.md", Change::Modified, 3, 1)]);
    story.attach(1);
    story.review(ReviewType::Final, Outcome::Approved);
    story.verdict(Verdict::Pass);
}

#[test]
fn the_pinned_command_typed_out() {
    let mut story = Story::of(contract(Mode::Direct));
    story.workspace(Workspace::Current);
    story.ran(ran(4).task(1).result(|result| result.check = None));
    story.verdict(Verdict::Pass);
}
