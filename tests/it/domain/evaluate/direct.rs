//! `direct.bounds`.

use super::build::*;
use git_rapid::domain::{
    contract::NamedCheck,
    evaluate::PathFact,
    vocabulary::{
        AssertionStatus::{Fail, Pass, Unverified},
        Change, Mode,
    },
};
use serde_json::json;

fn direct(paths: Vec<PathFact>) -> Story {
    with_check(named("test", "cargo test"), paths)
}

fn with_check(check: NamedCheck, paths: Vec<PathFact>) -> Story {
    let mut contract = contract(Mode::Direct);
    contract.checks = vec![check];
    let mut story = Story::of(contract);
    story.facts.paths = Some(paths);
    story
}

fn many(count: usize) -> Vec<PathFact> {
    (0..count)
        .map(|number| changed(&format!("src/{number}.rs"), Change::Modified, 1, 1))
        .collect()
}

#[test]
fn only_direct_runs_are_asked() {
    assert!(
        Story::good(Mode::Feature)
            .judge()
            .assertion("direct.bounds")
            .is_none()
    );
}

#[test]
fn five_files_and_two_hundred_lines_are_within() {
    assert!(
        direct(many(5))
            .says("direct.bounds", Pass, "within_bounds")
            .required
    );
    let judged = direct(many(6)).says("direct.bounds", Fail, "beyond_bounds");
    assert_eq!(judged.facts["files"], 6);
    assert_eq!(judged.facts["mode"], "feature");

    let lines = |added| direct(vec![changed("src/a.rs", Change::Modified, added, 100)]);
    lines(100).says("direct.bounds", Pass, "within_bounds");
    let judged = lines(101).says("direct.bounds", Fail, "beyond_bounds");
    assert_eq!(
        (&judged.facts["lines"], &judged.facts["max_lines"]),
        (&json!(201), &json!(200))
    );
}

#[test]
fn generated_files_do_not_count() {
    let mut paths = many(5);
    paths.push(changed("Cargo.lock", Change::Modified, 900, 900));
    direct(paths).says("direct.bounds", Pass, "within_bounds");
}

#[test]
fn tests_may_grow_and_not_shrink() {
    for file in [
        "tests/total.rs",
        "src/__tests__/a.js",
        "test_total.py",
        "a/total.spec.ts",
    ] {
        direct(vec![changed(file, Change::Modified, 9, 0)]).says(
            "direct.bounds",
            Pass,
            "within_bounds",
        );
        let judged = direct(vec![changed(file, Change::Modified, 9, 1)]).says(
            "direct.bounds",
            Fail,
            "test_lines_removed",
        );
        assert_eq!(judged.facts["paths"], json!([file]));
        direct(vec![changed(file, Change::Deleted, 0, 0)]).says(
            "direct.bounds",
            Fail,
            "test_lines_removed",
        );
    }
    direct(vec![changed("src/total.rs", Change::Modified, 0, 9)]).says(
        "direct.bounds",
        Pass,
        "within_bounds",
    );
}

#[test]
fn what_has_no_lines_cannot_be_shown_to_be_whole() {
    let binary = PathFact {
        added: None,
        deleted: None,
        ..changed("tests/golden.png", Change::Modified, 0, 0)
    };
    direct(vec![binary]).says("direct.bounds", Fail, "test_lines_removed");
    direct(vec![changed("tests/run", Change::Mode, 0, 0)]).says(
        "direct.bounds",
        Pass,
        "within_bounds",
    );
    direct(vec![changed("tests/run", Change::Type, 1, 0)]).says(
        "direct.bounds",
        Fail,
        "test_lines_removed",
    );
}

#[test]
fn a_file_that_a_pinned_command_names_is_a_test() {
    let shrunk = |file: &str| vec![changed(file, Change::Modified, 0, 1)];
    let mut below = named("test", "sh ../verify.sh");
    below.cwd = path("web");
    let rows = [
        (named("test", "sh verify.sh"), "verify.sh"),
        (named("test", "./ci/verify"), "ci/verify"),
        (
            named("test", "jest --config=jest.config.js"),
            "jest.config.js",
        ),
        (below, "verify.sh"),
    ];
    for (check, file) in rows {
        with_check(check.clone(), shrunk(file)).says("direct.bounds", Fail, "test_lines_removed");
        with_check(check, shrunk("src/lib.rs")).says("direct.bounds", Pass, "within_bounds");
    }
    let mut script = named("test", "sh");
    script
        .argv
        .extend(["-c".into(), "cd .; sh verify.sh && echo ok".into()]);
    with_check(script, shrunk("verify.sh")).says("direct.bounds", Fail, "test_lines_removed");
}

#[test]
fn a_missing_object_says_so() {
    let mut story = direct(Vec::new());
    story.facts.paths = None;
    story.says("direct.bounds", Unverified, "object_missing");
}
