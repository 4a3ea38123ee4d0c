//! What counts for gate.tests: conditions one by one, and which result decides.

use super::build::*;
use git_rapid::domain::{
    gate::GateKind,
    policy::Witness,
    producer::Producer,
    vocabulary::{
        AssertionStatus::{Fail, NotApplicable, Pass, Unverified},
        Mode, Note, Outcome, ReviewType, Risk, SubjectKind, Tier,
    },
};
use serde_json::json;

const ID: &str = "gate.gate.tests.evidence";

/// A direct run whose only result is this one.
fn only(result: Ran) -> Story {
    let mut story = Story::of(contract(Mode::Direct));
    story.ran(result);
    story
}

#[test]
fn each_condition_is_needed() {
    only(ran(1)).says(ID, Pass, "green");
    let rows = [
        (ran(1).by("harness:x"), Unverified, "other_producer"),
        (ran(1).by("ci:main"), Unverified, "other_producer"),
        (ran(1).by("rapid:start"), Unverified, "other_producer"),
        (ran(1).unstable(), Unverified, "unstable"),
        (ran(1).on(EARLIER), Unverified, "other_tree"),
        (ran(1).note(Note::Incomplete), Unverified, "incomplete"),
        (ran(1).note(Note::StaleReport), Unverified, "stale_report"),
        (ran(1).note(Note::Contradictory), Fail, "contradictory"),
        (ran(0), Unverified, "zero_tests"),
        (ran(0).uncounted(), Unverified, "uncounted"),
        (ran(1).exit(1), Fail, "red"),
        (ran(1).red(&["a"]), Fail, "red"),
        (ran(1).red(&["a"]).exit(0), Fail, "red"),
        (ran(1).uncounted().exit(127), Fail, "red"),
        (
            ran(1).result(|result| result.timed_out = true),
            Fail,
            "timed_out",
        ),
        (
            ran(1).result(|result| {
                if let Some(counts) = &mut result.counts {
                    counts.errors = 1;
                }
            }),
            Fail,
            "red",
        ),
        (
            ran(1).result(|result| {
                result.exit_code = None;
                result.signal = Some(9);
            }),
            Fail,
            "red",
        ),
        (
            ran(1).red(&["a"]).expect_fail().task(1),
            Unverified,
            "no_result",
        ),
        (ran(1).command("echo ok"), Unverified, "aside"),
        (
            ran(1).check("test", "cargo test --lib"),
            Unverified,
            "not_as_pinned",
        ),
        (
            ran(1).result(|result| result.cwd = path("toy")),
            Unverified,
            "not_as_pinned",
        ),
    ];
    for (result, status, why) in rows {
        only(result).says(ID, status, why);
    }
}

#[test]
fn notes_that_only_inform_change_nothing() {
    for note in [
        Note::Cached,
        Note::LeftoverProcesses,
        Note::Truncated,
        Note::Redacted,
        Note::Flaky,
    ] {
        only(ran(1).note(note)).says(ID, Pass, "green");
    }
}

#[test]
fn the_pinned_words_count_without_the_name() {
    only(ran(1).result(|result| result.check = None)).says(ID, Pass, "green");
}

#[test]
fn an_id_of_another_algorithm_is_another_tree() {
    use git_rapid::domain::oid::{Oid, TreeId};
    only(ran(1).on(TreeId(Oid::Sha256([9; 32])))).says(ID, Unverified, "other_tree");
}

#[test]
fn the_latest_result_on_the_tree_decides_and_both_are_flaky() {
    let mut story = only(ran(3).red(&["a"]));
    let green = story.ran(ran(4));
    let judged = story.says(ID, Pass, "green");
    assert_eq!(judged.records, [green]);
    assert_eq!(judged.facts["flaky"], json!(["test"]));
    assert_eq!(judged.facts["passed"], 4);
    story.ran(ran(3).red(&["a"]));
    let judged = story.says(ID, Fail, "red");
    assert_eq!(judged.facts["failed_tests"], json!(["a"]));
}

#[test]
fn a_red_on_another_tree_is_history() {
    let mut story = only(ran(4));
    story.ran(ran(3).red(&["a"]).on(EARLIER));
    let judged = story.says(ID, Pass, "green");
    assert!(!judged.facts.contains_key("flaky"));
}

#[test]
fn what_does_not_count_supersedes_nothing() {
    let mut story = only(ran(3).red(&["a"]));
    story.ran(ran(0));
    story.ran(ran(4).unstable());
    story.ran(ran(0).uncounted());
    story.ran(ran(4).by("harness:x"));
    story.ran(ran(4).command("true"));
    story.says(ID, Fail, "red");
}

#[test]
fn the_result_that_comes_nearest_is_explained() {
    let mut story = only(ran(0));
    for farther in [
        ran(9).by("harness:x"),
        ran(9).unstable(),
        ran(9).check("test", "cargo test --lib"),
        ran(9).on(EARLIER),
        ran(9).command("true"),
    ] {
        story.ran(farther);
        story.says(ID, Unverified, "zero_tests");
    }
}

#[test]
fn of_concurrent_results_the_bad_one_counts_until_one_follows_both() {
    for green_first in [true, false] {
        let mut story = Story::of(contract(Mode::Direct));
        let green = |story: &mut Story| story.ran(ran(4));
        let red = |story: &mut Story| story.ran(ran(3).red(&["a"]));
        if green_first {
            story.at_once(green, red);
        } else {
            story.at_once(red, green);
        }
        story.says(ID, Fail, "red");
        // A green that had seen only one of them does not follow both.
        story.at_once(|_| (), |story| story.ran(ran(4)));
        story.ran(ran(4));
        story.says(ID, Pass, "green");
    }
}

#[test]
fn a_green_that_had_not_seen_the_red_does_not_outlive_it() {
    let mut story = Story::of(contract(Mode::Direct));
    story.at_once(
        |story| story.ran(ran(3).red(&["a"])),
        |story| {
            // Later in the reading order, and blind to the red.
            story.ran(ran(4).on(EARLIER));
            story.ran(ran(4).on(EARLIER));
            story.ran(ran(4))
        },
    );
    story.says(ID, Fail, "red");
}

#[test]
fn a_person_accepts_what_cannot_be_counted() {
    let mut story = only(ran(0).uncounted());
    story.accept_uncounted("lint");
    story.says(ID, Unverified, "uncounted");
    story.accept_uncounted("test");
    story.says(ID, Pass, "accepted_uncounted");
    story.review_with(ReviewType::TestCommand, Outcome::Rejected, |review| {
        review.text = Some("test".to_owned());
    });
    story.says(ID, Unverified, "uncounted");
}

#[test]
fn acceptance_is_a_persons_of_this_contract_and_does_not_reach_zero() {
    let mut story = only(ran(0).uncounted());
    story.review_by(
        Producer::Harness("x".to_owned()),
        ReviewType::TestCommand,
        Outcome::Approved,
        |review| review.text = Some("test".to_owned()),
    );
    story.says(ID, Unverified, "uncounted");
    story.review_with(ReviewType::TestCommand, Outcome::Approved, |review| {
        review.text = Some("test".to_owned());
        review.judged = git_rapid::domain::evidence::Judged::Tree(WORK);
    });
    story.says(ID, Unverified, "uncounted");

    let mut story = only(ran(0));
    story.accept_uncounted("test");
    story.says(ID, Unverified, "zero_tests");
    // Nor a red one.
    let mut story = only(ran(0).uncounted().exit(1));
    story.accept_uncounted("test");
    story.says(ID, Fail, "red");
}

#[test]
fn due_checks_are_those_whose_paths_changed() {
    let mut contract = contract(Mode::Direct);
    contract.checks[0].paths = patterns(&["src/**"]);
    contract.checks.push(named("web", "npm test"));
    contract.checks[1].paths = patterns(&["web/**"]);
    contract.checks.push(named("quick", "make quick"));
    contract.checks[2].tier = Tier::Commit;
    let mut story = Story::of(contract);
    story.ran(ran(4));
    let judged = story.says(ID, Pass, "green");
    assert!(!judged.facts.contains_key("missing"));

    story.facts.paths = Some(vec![
        changed(
            "src/lib.rs",
            git_rapid::domain::vocabulary::Change::Modified,
            1,
            0,
        ),
        changed(
            "web/a.js",
            git_rapid::domain::vocabulary::Change::Modified,
            1,
            0,
        ),
    ]);
    let judged = story.says(ID, Unverified, "no_result");
    assert_eq!(judged.facts["missing"], json!(["web"]));
    story.says("capability.tests.execute.observed", Pass, "seen");

    story.facts.paths = Some(Vec::new());
    assert!(!story.says(ID, NotApplicable, "none_due").required);
    story.says(
        "capability.tests.execute.observed",
        NotApplicable,
        "none_due",
    );
    story.says("tests.not-fewer", NotApplicable, "none_due");

    story.facts.paths = None;
    story.says(ID, Unverified, "object_missing");
    story.says(
        "capability.tests.execute.observed",
        Unverified,
        "object_missing",
    );
}

#[test]
fn nothing_pinned_is_nothing_verified() {
    let mut contract = contract(Mode::Direct);
    contract.checks.clear();
    let mut story = Story::of(contract);
    story.ran(ran(4));
    story.says(ID, Unverified, "nothing_pinned");
    story.says(
        "capability.tests.execute.observed",
        Unverified,
        "nothing_pinned",
    );
}

#[test]
fn a_policy_may_want_a_clean_checkout() {
    let mut story = only(ran(4));
    story.policy.clean_from = Some(Risk::Medium);
    story.says(ID, Pass, "green");
    story.policy.clean_from = Some(Risk::Low);
    story.says(ID, Unverified, "not_clean");
    story.ran(ran(4).result(|result| result.subject.kind = SubjectKind::Clean));
    story.says(ID, Pass, "green");
    let mut story = only(ran(4).result(|result| result.subject.kind = SubjectKind::Index));
    story.policy.clean_from = Some(Risk::Low);
    story.says(ID, Pass, "green");
}

#[test]
fn a_policy_may_want_ci_to_witness() {
    let mut story = only(ran(4));
    story.policy.witness = Witness::Ci;
    story.says(ID, Unverified, "other_producer");
    let record = story.ran(ran(4).by("ci:main"));
    story.says(ID, Unverified, "unsigned");
    story.signed(record, "ci@example.org");
    story.says(ID, Unverified, "unsigned");
    story.policy.signed.insert(
        GateKind::ImplementationTests.gate_id(),
        vec!["ci@example.org".to_owned()],
    );
    story.says(ID, Pass, "green");
}
