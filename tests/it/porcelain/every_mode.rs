//! Every mode, from nothing to its verdict, on real projects with their real runners, by a
//! driver that knows only `next --json`.

use crate::support::{
    driver::{Story, Work, drive, start_from_form, type_phrase},
    project::{Code, Project},
};

/// What the driver's hands do in a mode: the honest work.
fn work(project: Project, mode: &str, work: &Work<'_>) {
    let write = |(file, text): (&str, String)| work.place.write(file, text);
    match (mode, work.task()) {
        ("bugfix", "T001") => {
            write(project.tests(&[(0, 0), (2, 4), (3, 6)]));
            let words = ["check", "--expect", "fail", "--task", "T001"];
            work.rapid(&words);
        }
        ("refactor", _) => write(project.code(Code::Product)),
        ("research", task) => {
            // Without a path the report is handed in already.
            let Some(path) = work.next["action"]["report_path"].as_str() else {
                return;
            };
            std::fs::write(
                path,
                format!("What {task} found out: doubling is adding.\n"),
            )
            .expect("writable");
        }
        (_, _) => {
            write(project.tests(&[(0, 0), (2, 4), (3, 6)]));
            write(project.code(Code::Product));
        }
    }
}

fn run(project: Project, mode: &str) -> Story {
    let sandbox = project.sandbox();
    sandbox.git(&["config", "rapid.testCommand", project.test_command()]);
    if mode == "bugfix" {
        project.write_code(&sandbox, Code::Square);
        sandbox.commit_all("double is wrong for 3");
    }
    let scope = if mode == "research" {
        &[]
    } else {
        project.scope()
    };
    start_from_form(&sandbox, mode, "double and nothing else", scope);
    let story = drive(&sandbox, |asked| work(project, mode, asked));
    let fsck = sandbox.rapid_json(&["fsck", "--json"]);
    assert_eq!(fsck["ok"], true, "{fsck:#}");
    sandbox.git(&["fsck", "--strict"]);
    story
}

macro_rules! every_mode {
    ($($name:ident: $mode:literal;)+) => {
        $(#[test]
        fn $name() {
            for project in Project::ALL {
                let story = run(project, $mode);
                assert_eq!(story.verdict(), "pass", "{project:?}: {story:#?}");
            }
        })+
    };
}

every_mode! {
    direct_passes: "direct";
    feature_passes: "feature";
    bugfix_passes: "bugfix";
    refactor_passes: "refactor";
    research_passes: "research";
    hardening_passes: "hardening";
}

#[test]
fn a_refactor_that_loses_tests_ends_blocked() {
    for project in Project::ALL {
        let sandbox = project.sandbox();
        sandbox.git(&["config", "rapid.testCommand", project.test_command()]);
        start_from_form(
            &sandbox,
            "refactor",
            "double in another shape",
            project.scope(),
        );
        let story = drive(&sandbox, |asked| {
            let (file, text) = project.tests(&[(0, 0)]);
            asked.place.write(file, text);
        });
        assert_eq!(
            story.last["action"]["kind"], "blocked",
            "{project:?}: {story:#?}"
        );
        assert_eq!(
            story.last["context"]["why"]["code"], "tests_lost",
            "{:#}",
            story.last
        );
        assert!(
            !story.kinds.iter().any(|kind| kind == "finish"),
            "{:?}",
            story.kinds
        );
    }
}

#[test]
fn a_bugfix_whose_reproduction_never_turned_green_does_not_pass() {
    let project = Project::Python;
    let sandbox = project.sandbox();
    sandbox.git(&["config", "rapid.testCommand", project.test_command()]);
    project.write_code(&sandbox, Code::Square);
    sandbox.commit_all("double is wrong for 3");
    start_from_form(&sandbox, "bugfix", "double is wrong", project.scope());
    sandbox.rapid_ok(&["task", "start", "T001"]);
    // Nothing red was ever shown.
    let refused = sandbox.rapid(&["task", "done", "T001", "--json"]).ended(1);
    assert_eq!(refused.error_code(), "RAPID1014");
    let refused = sandbox
        .rapid(&["task", "skip", "T001", "--reason", "no time", "--json"])
        .ended(1);
    assert_eq!(refused.error_code(), "RAPID1014");
    let refused = sandbox
        .rapid(&["task", "done", "T001", "--no-check", "--json"])
        .ended(1);
    assert_eq!(refused.error_code(), "RAPID1014");
    // Green where a failure is expected is no reproduction either.
    sandbox
        .rapid(&["check", "--expect", "fail", "--task", "T001"])
        .ended(1);
    sandbox.rapid(&["task", "done", "T001"]).ended(1);
    // Red once, and red still: the run cannot finish.
    project.write_tests(&sandbox, &[(0, 0), (2, 4), (3, 6)]);
    sandbox.rapid_ok(&["check", "--expect", "fail", "--task", "T001"]);
    sandbox.rapid_ok(&["task", "done", "T001"]);
    sandbox.rapid_ok(&["task", "start", "T002"]);
    let red = sandbox.rapid(&["task", "done", "T002", "--json"]).ended(1);
    assert_eq!(red.error_code(), "RAPID1340");
    let finish = sandbox.rapid(&["finish", "--json"]).ended(1).json();
    assert_ne!(finish["action"]["kind"], "done");
}

#[test]
fn a_project_whose_main_is_red_can_be_worked_on() {
    for project in [Project::Python, Project::Node] {
        let sandbox = project.sandbox();
        sandbox.git(&["config", "rapid.testCommand", project.test_command()]);
        project.write_tests(&sandbox, &[(0, 0), (2, 4), (7, 15)]);
        sandbox.commit_all("a test nobody can pass");
        start_from_form(&sandbox, "feature", "double of 5", project.scope());
        let story = drive(&sandbox, |asked| {
            let (file, text) = project.tests(&[(0, 0), (2, 4), (7, 15), (5, 10)]);
            asked.place.write(file, text);
        });
        assert_eq!(
            story.verdict(),
            "pass_with_waivers",
            "{project:?}: {story:#?}"
        );
    }
}

#[test]
fn a_bugfix_takes_the_red_baseline_as_its_reproduction() {
    let project = Project::Python;
    let sandbox = project.sandbox();
    sandbox.git(&["config", "rapid.testCommand", project.test_command()]);
    project.write_code(&sandbox, Code::Square);
    project.write_tests(&sandbox, &[(0, 0), (2, 4), (3, 6)]);
    sandbox.commit_all("red, and known to be");
    start_from_form(&sandbox, "bugfix", "double is wrong for 3", project.scope());
    let story = drive(&sandbox, |asked| {
        if asked.task() == "T002" {
            let (file, text) = project.code(Code::Product);
            asked.place.write(file, text);
        }
    });
    assert_eq!(story.verdict(), "pass_with_waivers", "{story:#?}");
}

#[test]
fn changes_that_are_requested_lead_back_to_work_and_on_to_a_pass() {
    let project = Project::Python;
    let sandbox = project.sandbox();
    sandbox.git(&["config", "rapid.testCommand", project.test_command()]);
    start_from_form(&sandbox, "feature", "double of 3", project.scope());
    sandbox.rapid_ok(&["task", "start", "T001"]);
    project.write_tests(&sandbox, &[(0, 0), (2, 4), (3, 6)]);
    sandbox.rapid_ok(&["task", "done", "T001"]);
    sandbox.rapid_ok(&["commit", "-a"]);
    type_phrase(
        &sandbox,
        &["approve", "--request-changes", "--reason", "name the case"],
    )
    .ended(0);
    let next = sandbox.rapid_json(&["next", "--json"]);
    assert_eq!(
        next["context"]["why"]["code"], "changes_requested",
        "{next:#}"
    );
    assert!(next.to_string().contains("name the case"), "{next:#}");
    let story = drive(&sandbox, |asked| {
        let (file, text) = project.tests(&[(0, 0), (2, 4), (3, 6), (4, 8)]);
        asked.place.write(file, text);
    });
    assert_eq!(story.verdict(), "pass", "{story:#?}");
}
