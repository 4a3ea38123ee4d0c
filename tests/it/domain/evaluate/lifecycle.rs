//! `run.lifecycle`.

use super::build::*;
use git_rapid::domain::vocabulary::{
    AssertionStatus::{Fail, Pass, Unverified},
    Mode, RunStatus,
};

#[test]
fn every_status_of_a_run_is_judged() {
    let rows = [
        (RunStatus::Finished, Pass, "finished"),
        (RunStatus::Failed, Fail, "failed"),
        (RunStatus::Cancelled, Fail, "cancelled"),
        (RunStatus::Superseded, Fail, "superseded"),
        (RunStatus::Prepared, Unverified, "not_finished"),
        (RunStatus::Active, Unverified, "not_finished"),
        (RunStatus::Blocked, Unverified, "not_finished"),
        (RunStatus::Paused, Unverified, "not_finished"),
    ];
    assert_eq!(rows.len(), RunStatus::ALL.len());
    for (status, judged, why) in rows {
        let mut story = Story::good(Mode::Direct);
        story.status = status;
        assert!(story.says("run.lifecycle", judged, why).required);
    }
}

#[test]
fn the_event_that_ended_the_run_decides() {
    let story = Story::good(Mode::Direct).told_to_the_end();
    let report = story.judge_told();
    let lifecycle = report.assertion("run.lifecycle").unwrap();
    assert_eq!(lifecycle.records, [*story.heads.last().unwrap()]);
}
