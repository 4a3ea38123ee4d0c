//! `events.legal`.

use super::build::*;
use git_rapid::domain::{
    event::EventSubject,
    id::TaskId,
    producer::Producer,
    resolution::Resolution,
    vocabulary::{
        AssertionStatus::{Pass, Unverified},
        Mode, Phase,
    },
};

#[test]
fn events_that_agree_are_legal() {
    let story = Story::good(Mode::Direct).told_to_the_end();
    assert!(story.says("events.legal", Pass, "no_conflict").required);
}

#[test]
fn a_conflict_blocks_until_a_person_names_it() {
    let mut story = Story::good(Mode::Direct);
    story.acknowledge(Phase::Pre);
    story.event("rapid:start", EventSubject::Run, "prepared", "active", None);
    let task = EventSubject::Task(TaskId::at(1));
    story.event("rapid:task", task.clone(), "pending", "in_progress", None);
    let (done, skipped) = story.at_once(
        |story| story.event("rapid:task", task.clone(), "in_progress", "done", None),
        |story| {
            story.event(
                "rapid:task",
                task.clone(),
                "in_progress",
                "skipped",
                Some("no need"),
            )
        },
    );
    let judged = story.says("events.legal", Unverified, "conflict");
    assert_eq!(judged.records.len(), 1);
    assert!([done, skipped].contains(&judged.records[0]));
    assert_eq!(judged.facts["subjects"][0], "task:T001");

    story.add(
        Producer::User,
        Resolution {
            events: judged.records,
            reason: None,
        },
    );
    story.says("events.legal", Pass, "no_conflict");
}
