//! `task.T.evidence`.

use super::build::*;
use git_rapid::domain::vocabulary::{
    AssertionStatus::{Fail, Pass, Unverified, Waived},
    Mode, Note, TaskStatus,
};

const ID: &str = "task.T001.evidence";

/// A feature without any result yet.
fn bare() -> Story {
    Story::of(contract(Mode::Feature))
}

#[test]
fn a_linked_good_check_shows_it() {
    let mut story = bare();
    story.says(ID, Unverified, "no_result");
    let record = story.ran(ran(4).task(1));
    let judged = story.says(ID, Pass, "green");
    assert!(judged.required);
    assert_eq!(judged.records, [record]);
}

#[test]
fn a_check_linked_to_another_task_does_not() {
    let mut contract = contract(Mode::Feature);
    contract.tasks.push(task(2));
    let mut story = Story::of(contract);
    story.ran(ran(4).task(2));
    story.says(ID, Unverified, "no_result");
    story.says("task.T002.evidence", Pass, "green");
}

#[test]
fn the_latest_linked_result_decides() {
    let mut story = bare();
    story.ran(ran(3).red(&["a"]).task(1));
    story.says(ID, Fail, "red");
    story.ran(ran(4).task(1));
    story.says(ID, Pass, "green");
    story.ran(ran(3).red(&["a"]).task(1));
    story.says(ID, Fail, "red");
    // What does not count does not supersede.
    story.ran(ran(4).unstable().task(1));
    story.ran(ran(4).note(Note::Incomplete).task(1));
    story.says(ID, Fail, "red");
}

#[test]
fn of_concurrent_results_the_bad_one_counts() {
    let mut story = bare();
    story.at_once(
        |story| story.ran(ran(4).task(1)),
        |story| story.ran(ran(3).red(&["a"]).task(1)),
    );
    story.says(ID, Fail, "red");
    story.ran(ran(4).task(1));
    story.says(ID, Pass, "green");
}

#[test]
fn only_check_and_attach_show_it() {
    let mut story = bare();
    for producer in ["user", "harness:x", "ci:main", "rapid:start"] {
        story.ran(ran(4).task(1).by(producer));
        story.says(ID, Unverified, "no_result");
    }
    story.attach(1);
    story.says(ID, Pass, "attached");
}

#[test]
fn an_aside_does_not_show_it() {
    let mut story = bare();
    story.ran(ran(4).uncounted().command("true").task(1));
    story.says(ID, Unverified, "aside");
}

#[test]
fn an_open_task_is_unverified_whatever_was_run() {
    for status in [
        TaskStatus::Pending,
        TaskStatus::InProgress,
        TaskStatus::Blocked,
    ] {
        let mut story = Story::good(Mode::Feature);
        story.tasks = vec![(1, status)];
        story.says(ID, Unverified, "not_done");
    }
}

#[test]
fn a_skipped_task_is_waived() {
    let mut story = bare();
    story.tasks = vec![(1, TaskStatus::Skipped)];
    story.says(ID, Waived, "skipped");
}

#[test]
fn own_checks_decide_on_the_judged_tree() {
    let mut contract = contract(Mode::Feature);
    contract.tasks[0].checks = vec![words("make lint"), words("make docs")];
    let mut story = Story::of(contract);
    // A linked check of the run does not do for a task that has its own.
    story.ran(ran(4).task(1));
    story.says(ID, Unverified, "no_result");
    let lint = ran(0).uncounted().command("make lint");
    let docs = ran(0).uncounted().command("make docs");
    story.ran(lint.clone());
    story.ran(docs.clone().on(EARLIER));
    story.says(ID, Unverified, "other_tree");
    story.ran(docs.clone());
    story.says(ID, Pass, "green");
    story.ran(lint.clone().exit(2));
    story.says(ID, Fail, "red");
    // A red on another tree is history.
    story.ran(lint);
    story.ran(docs.exit(2).on(EARLIER));
    story.says(ID, Pass, "green");
}

#[test]
fn an_own_check_in_another_folder_is_another_command() {
    let mut contract = contract(Mode::Feature);
    contract.tasks[0].checks = vec![words("make lint")];
    let mut story = Story::of(contract);
    let toy = ran(0)
        .uncounted()
        .command("make lint")
        .result(|result| result.cwd = path("toy"));
    story.ran(toy);
    story.says(ID, Unverified, "aside");
}

#[test]
fn research_needs_a_file() {
    let mut story = Story::of(contract(Mode::Research));
    story.says(ID, Unverified, "nothing_attached");
    story.attach(1);
    story.says(ID, Pass, "attached");
}

#[test]
fn a_met_expected_failure_shows_it_and_an_unmet_one_is_history() {
    let mut story = Story::of(contract(Mode::Bugfix));
    story.ran(ran(4).on(EARLIER).expect_fail().task(1));
    story.says(ID, Fail, "red");
    story.reproduced();
    story.says(ID, Pass, "green");
}
