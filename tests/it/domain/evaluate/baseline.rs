//! What was measured before the work.

use super::build::*;
use git_rapid::domain::{
    contract::Contract,
    evaluate::{BaselineState, baseline},
    vocabulary::{Mode, Note, Tier},
};

fn state(story: &Story) -> BaselineState {
    baseline(&story.run(), &story.policy)
}

fn pending(names: &[&str]) -> BaselineState {
    BaselineState::Pending {
        missing: names.iter().map(|name| (*name).to_owned()).collect(),
    }
}

#[test]
fn green_is_exit_zero_and_stable_whatever_was_counted() {
    for result in [ran(3), ran(0), ran(0).uncounted()] {
        let mut story = Story::of(contract(Mode::Feature));
        assert_eq!(state(&story), pending(&["test"]));
        let record = story.ran(result.on(START));
        assert_eq!(
            state(&story),
            BaselineState::Green {
                records: vec![record]
            }
        );
    }
}

#[test]
fn everything_else_that_is_stable_is_red() {
    let reds = [
        ran(3).red(&["a"]),
        ran(0).uncounted().exit(101),
        ran(0).uncounted().result(|result| {
            result.exit_code = None;
            result.timed_out = true;
        }),
        ran(3).note(Note::Contradictory),
        ran(0).uncounted().exit(1).note(Note::Incomplete),
    ];
    for result in reds {
        let mut story = Story::of(contract(Mode::Feature));
        let record = story.ran(result.on(START));
        assert_eq!(
            state(&story),
            BaselineState::Red {
                records: vec![record]
            }
        );
    }
}

#[test]
fn other_trees_other_commands_and_other_writers_measure_nothing() {
    let others = [
        ran(3).on(EARLIER),
        ran(3).on(START).unstable(),
        ran(3).on(START).by("harness:x"),
        ran(3).on(START).command("true"),
        ran(3).on(START).check("test", "cargo test --lib"),
        ran(3).on(START).result(|result| result.cwd = path("toy")),
        ran(3).on(START).red(&["a"]).expect_fail(),
    ];
    for result in others {
        let mut story = Story::of(contract(Mode::Feature));
        story.ran(result);
        assert_eq!(state(&story), pending(&["test"]));
    }
}

#[test]
fn generated_files_may_move_the_tree() {
    let moved = |file: &str| {
        ran(3).on(EARLIER).result(|result| {
            result.subject.before = Some(START);
            result.subject.changed = vec![path(file)];
        })
    };
    let mut story = Story::of(two_checks());
    story.ran(moved("src/lib.rs"));
    assert_eq!(state(&story), pending(&["test", "lint"]));
    story.ran(moved("Cargo.lock"));
    assert_eq!(state(&story), pending(&["lint"]));
    // The next check begins where the generated files left the tree.
    story.ran(ran(0).check("lint", "make lint").on(EARLIER));
    assert!(matches!(state(&story), BaselineState::Green { .. }));
}

fn two_checks() -> Contract {
    let mut contract = contract(Mode::Feature);
    contract.checks.push(named("lint", "make lint"));
    contract.checks[1].tier = Tier::Commit;
    contract
}

#[test]
fn one_red_makes_it_red_and_one_missing_pending() {
    let mut story = Story::of(two_checks());
    let red = story.ran(ran(3).red(&["a"]).on(START));
    assert_eq!(state(&story), pending(&["lint"]));
    story.ran(ran(0).check("lint", "make lint").on(START));
    assert_eq!(state(&story), BaselineState::Red { records: vec![red] });
}

#[test]
fn only_checks_that_meet_the_declared_scope_are_measured() {
    let mut wanted = two_checks();
    wanted.checks[1].paths = patterns(&["web/**", ":(exclude)src/**"]);
    let rows: [(Option<&[&str]>, bool); 6] = [
        (None, true),
        (Some(&["src/**"]), false),
        (Some(&["web/app.js"]), true),
        (Some(&["**/*.js"]), true),
        (Some(&[":(exclude)docs"]), true),
        (Some(&[]), false),
    ];
    for (scope, lint) in rows {
        let mut contract = wanted.clone();
        contract.scope.patterns = scope.map(patterns);
        let names: &[&str] = if lint { &["test", "lint"] } else { &["test"] };
        assert_eq!(state(&Story::of(contract)), pending(names), "{scope:?}");
    }
}

#[test]
fn nothing_to_measure_is_green() {
    let mut contract = contract(Mode::Feature);
    contract.checks.clear();
    assert_eq!(
        state(&Story::of(contract)),
        BaselineState::Green {
            records: Vec::new()
        }
    );
}
