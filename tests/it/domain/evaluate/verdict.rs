//! The verdict, and the order of the table.

use super::build::*;
use git_rapid::domain::{
    evaluate::{Input, UnsupportedRuleset, evaluate},
    vocabulary::{Mode, RunStatus, TaskStatus, Verdict},
};

#[test]
fn every_mode_can_pass() {
    for mode in Mode::ALL {
        let story = Story::good(*mode);
        story.verdict(Verdict::Pass);
        let told = story.told_to_the_end().judge_told();
        assert_eq!(told.verdict, Verdict::Pass, "{mode}: {:#?}", open(&told));
    }
}

#[test]
fn a_fail_wins_over_unverified_and_that_over_a_waiver() {
    let mut contract = contract(Mode::Feature);
    contract.tasks.push(task(2));
    let mut story = Story::good_of(contract);
    story.tasks = vec![(2, TaskStatus::Skipped)];
    story.verdict(Verdict::PassWithWaivers);
    story.status = RunStatus::Active;
    story.verdict(Verdict::Unverified);
    story.ran(ran(3).red(&["a"]));
    story.verdict(Verdict::Fail);
}

#[test]
fn assertions_come_in_the_order_of_the_table() {
    let report = Story::good(Mode::Hardening).judge();
    insta::assert_snapshot!(ids(&report).join("\n"), @r"
    run.lifecycle
    events.legal
    spec.integrity
    scope.paths
    risk.observed
    task.T001.evidence
    gate.gate.workspace-isolation.evidence
    gate.gate.baseline.evidence
    gate.gate.tests.evidence
    gate.gate.review.evidence
    gate.gate.final-verification.evidence
    tests.not-fewer
    acceptance.A001
    commits.verified
    capability.context.consume.observed
    capability.repository.read.observed
    capability.repository.write.observed
    capability.tests.execute.observed
    capability.workspace.isolated.observed
    ");
    let report = Story::good(Mode::Bugfix).judge();
    assert_eq!(
        &ids(&report)[5..8],
        [
            "task.T001.evidence",
            "reproduction.T001",
            "gate.gate.baseline.evidence"
        ]
    );
    let report = Story::good(Mode::Direct).judge();
    assert_eq!(ids(&report)[5], "direct.bounds");
}

#[test]
fn what_does_not_arise_is_never_required() {
    for mode in Mode::ALL {
        for assertion in Story::good(*mode).judge().assertions {
            if assertion.status.as_str() == "not_applicable" {
                assert!(!assertion.required, "{}", assertion.id);
            }
        }
    }
}

#[test]
fn other_rules_are_refused() {
    let story = Story::good(Mode::Direct);
    let run = story.run();
    for ruleset in [0, 1, 2, 4] {
        let answer = evaluate(&Input {
            run: &run,
            state: &run.state,
            facts: &story.facts,
            subject: WORK,
            spec_bytes: None,
            policy: &story.policy,
            ruleset,
        });
        assert_eq!(answer, Err(UnsupportedRuleset { ruleset }));
    }
}
