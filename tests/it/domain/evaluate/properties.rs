//! What holds for every story.

use super::build::*;
use git_rapid::domain::{
    canonical,
    evaluate::{Replay, replay},
    run::fold,
    vocabulary::{AssertionStatus, Mode, Note, Outcome, ReviewType, Verdict, Workspace},
};
use proptest::{collection::vec, prelude::*, sample::select};

/// One thing that may happen.
#[derive(Clone, Debug)]
enum Step {
    Green(u8, u64),
    Red(u8, u64),
    Uncounted(u8),
    Noted(u8, Note),
    Expected(u8),
    Review(ReviewType, Outcome),
    Attach,
    Amend,
    Workspace(Workspace),
    Fork,
}

fn step() -> impl Strategy<Value = Step> {
    let tree = || select(vec![1_u8, 2, 3, 9, 9, 9]);
    prop_oneof![
        4 => (tree(), 0_u64..6).prop_map(|(tree, passed)| Step::Green(tree, passed)),
        2 => (tree(), 0_u64..6).prop_map(|(tree, passed)| Step::Red(tree, passed)),
        1 => tree().prop_map(Step::Uncounted),
        1 => (tree(), select(Note::ALL)).prop_map(|(tree, note)| Step::Noted(tree, note)),
        1 => tree().prop_map(Step::Expected),
        3 => (select(ReviewType::ALL), select(Outcome::ALL))
            .prop_map(|(kind, outcome)| Step::Review(kind, outcome)),
        1 => Just(Step::Attach),
        1 => Just(Step::Amend),
        1 => select(Workspace::ALL).prop_map(Step::Workspace),
        1 => Just(Step::Fork),
    ]
}

fn tell(story: &mut Story, steps: &[Step]) {
    for (place, step) in steps.iter().enumerate() {
        match step {
            Step::Green(on, passed) => {
                story.ran(ran(*passed).on(tree(*on)).task(1));
            }
            Step::Red(on, passed) => {
                story.ran(ran(*passed).red(&["a"]).on(tree(*on)).task(1));
            }
            Step::Uncounted(on) => {
                story.ran(ran(0).uncounted().on(tree(*on)));
            }
            Step::Noted(on, note) => {
                story.ran(ran(2).on(tree(*on)).note(*note));
            }
            Step::Expected(on) => {
                story.ran(ran(2).red(&["b"]).on(tree(*on)).expect_fail().task(1));
            }
            Step::Review(kind, outcome) => {
                story.review(*kind, *outcome);
            }
            Step::Attach => {
                story.attach(1);
            }
            Step::Amend => {
                story.amend("rapid:amend".parse().unwrap(), &["docs/**"], None);
            }
            Step::Workspace(mode) => {
                story.workspace(*mode);
            }
            Step::Fork => {
                // What follows happens in one clone, one green result in the other.
                let rest = steps[place + 1..].to_vec();
                story.at_once(
                    |story| tell(story, &rest),
                    |story| story.ran(ran(3).task(1)),
                );
                return;
            }
        }
    }
}

/// What `check -- …` and other writers may leave that decides nothing.
fn asides() -> Vec<Ran> {
    vec![
        ran(0).uncounted().command("true").task(1).accept(1),
        ran(0).uncounted().command("false").exit(1).task(1),
        ran(9).red(&["a"]).command("echo failed").task(1),
        ran(9).result(|result| {
            result.check = None;
            result.cwd = path("toy");
        }),
        ran(9).check("test", "cargo test --lib"),
        ran(9)
            .command("false")
            .exit(1)
            .on(SHOWN)
            .expect_fail()
            .task(1),
        ran(9).by("harness:x").task(1),
        ran(9).red(&["a"]).by("ci:main").task(1),
        ran(9).unstable().task(1),
        ran(9).note(Note::StaleReport).task(1),
    ]
}

proptest! {
    #[test]
    fn the_order_in_which_records_come_changes_nothing(
        mode in select(Mode::ALL),
        steps in vec(step(), 0..12),
        seed in any::<u64>(),
    ) {
        let mut story = Story::of(contract(mode));
        tell(&mut story, &steps);
        let bytes = canonical::to_bytes(&story.judge());
        prop_assert_eq!(&bytes, &canonical::to_bytes(&story.judge()));
        let length = story.records.len() as u64;
        story.records.sort_by_key(|record| {
            let place = u64::from(record.digest.hex().as_bytes()[0]) ^ seed;
            place % length
        });
        prop_assert_eq!(&bytes, &canonical::to_bytes(&story.judge()));
    }

    #[test]
    fn an_aside_never_changes_the_judgement(
        mode in select(Mode::ALL),
        steps in vec(step(), 0..12),
        aside in select(asides()),
    ) {
        let mut story = Story::of(contract(mode));
        tell(&mut story, &steps);
        let before = story.judge();
        story.ran(aside);
        let after = story.judge();
        prop_assert_eq!(before.verdict, after.verdict);
        for (one, other) in before.assertions.iter().zip(&after.assertions) {
            prop_assert_eq!((&one.id, one.status), (&other.id, other.status));
        }
    }

    #[test]
    fn every_report_replays(mode in select(Mode::ALL), steps in vec(step(), 0..12)) {
        let mut story = Story::of(contract(mode));
        tell(&mut story, &steps);
        let report = story.judge_told();
        story.ran(ran(5));
        let again = replay(run_id(), &story.records, &report, &story.policy, story.spec_bytes);
        prop_assert_eq!(again, Ok(Replay::Same));
    }

    #[test]
    fn nothing_passes_while_a_required_assertion_does_not(
        mode in select(Mode::ALL),
        steps in vec(step(), 0..12),
    ) {
        let mut story = Story::good(mode);
        tell(&mut story, &steps);
        let report = story.judge();
        let required = |status| report.assertions.iter().any(|one| one.required && one.status == status);
        let expected = if required(AssertionStatus::Fail) {
            Verdict::Fail
        } else if required(AssertionStatus::Unverified) {
            Verdict::Unverified
        } else if required(AssertionStatus::Waived) {
            Verdict::PassWithWaivers
        } else {
            Verdict::Pass
        };
        prop_assert_eq!(report.verdict, expected);
    }

    #[test]
    fn the_runs_own_state_is_never_looked_at(mode in select(Mode::ALL), steps in vec(step(), 0..8)) {
        let mut story = Story::good(mode);
        tell(&mut story, &steps);
        let mut run = fold(run_id(), story.records.clone()).unwrap();
        let told = run.state.clone();
        let mut wrong = told.clone();
        wrong.status = git_rapid::domain::vocabulary::RunStatus::Cancelled;
        wrong.gates.clear();
        wrong.tasks.clear();
        let judge = |run: &_| {
            git_rapid::domain::evaluate::evaluate(&git_rapid::domain::evaluate::Input {
                run,
                state: &told,
                facts: &story.facts,
                subject: story.subject,
                spec_bytes: story.spec_bytes,
                policy: &story.policy,
                ruleset: 3,
            })
            .unwrap()
        };
        let one = judge(&run);
        run.state = wrong;
        prop_assert_eq!(one, judge(&run));
    }
}
