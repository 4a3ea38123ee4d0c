//! The commit rule: each row on both sides, and what verifies a tree.

use crate::support::story::{
    START, Story, check_verb, checked, contract, event, named_check, path, result, review, task,
    tree,
};
use git_rapid::{
    diagnostic::Code,
    domain::{
        commit_rule::{
            CommitFacts, CommitSubject, CommitVerdict, Refusal, Verification, VerifiedBy,
            judge_commit, verify_tree,
        },
        contract::Contract,
        digest::Digest,
        evidence::{CheckResult, Judged},
        path::RepoPath,
        policy::{CommitBinding, Enforce, Guard, PolicyDocument},
        producer::Producer,
        run::Run,
        scope::Pattern,
        vocabulary::{Expectation, Mode, Note, Outcome, ReviewType, RunStatus, SubjectKind, Tier},
    },
};

fn patterns(texts: &[&str]) -> Vec<Pattern> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn paths(texts: &[&str]) -> Vec<RepoPath> {
    texts.iter().map(|text| path(text)).collect()
}

fn active(contract: Contract) -> Story {
    let mut story = Story::new(contract);
    story.moved("run", "prepared", "active");
    story
}

fn active_run() -> Run {
    let mut contract = contract(Mode::Direct);
    contract.scope.patterns = Some(patterns(&["src/**", ".rapid/**"]));
    contract.scope.protected = patterns(&[".rapid/**"]);
    active(contract).run()
}

fn record() -> Digest {
    Digest::of(b"a result")
}

fn verified(worktree: bool) -> Verification<'static> {
    Verification::Verified {
        records: vec![Digest::of(b"an older one"), record()],
        worktree,
    }
}

/// A commit that every row lets through.
fn good<'a>(run: &'a Run, staged: &'a [RepoPath]) -> CommitFacts<'a> {
    CommitFacts {
        run: Some(run),
        require_run: &[],
        staged,
        tree: tree(2),
        head_tree: Some(tree(START)),
        verification: verified(true),
        incomparable: &[],
        untracked: &[],
        binding: CommitBinding::Tree,
        snapshot: None,
        guard: Guard::Commit,
        enforce: Enforce::Strict,
        wip: false,
    }
}

fn allowed(verified: Option<VerifiedBy>) -> CommitVerdict {
    CommitVerdict::Allow { verified }
}

#[track_caller]
fn refused(facts: &CommitFacts<'_>, code: Code) -> Refusal {
    match judge_commit(facts) {
        CommitVerdict::Refuse(refusal) => {
            assert_eq!(refusal.code, code);
            refusal
        }
        other => panic!("expected {code}, got {other:?}"),
    }
}

#[test]
fn a_verified_commit_in_scope_is_allowed() {
    let run = active_run();
    let staged = paths(&["src/a.rs"]);
    assert_eq!(
        judge_commit(&good(&run, &staged)),
        allowed(Some(VerifiedBy::Record(record())))
    );
}

#[test]
fn row_1_without_a_run_everything_goes_but_where_one_is_required() {
    let run = active_run();
    let staged = paths(&["docs/x", "src/a.rs"]);
    let required = patterns(&["src/**"]);
    let facts = CommitFacts {
        run: None,
        verification: Verification::Never { due: vec![] },
        ..good(&run, &staged)
    };
    assert_eq!(judge_commit(&facts), allowed(None));
    let facts = CommitFacts {
        require_run: &required,
        ..facts
    };
    assert_eq!(
        refused(&facts, Code::RunRequired).paths,
        paths(&["src/a.rs"])
    );
    let staged = paths(&["docs/x"]);
    let facts = CommitFacts {
        staged: &staged,
        ..facts
    };
    assert_eq!(judge_commit(&facts), allowed(None));
}

#[test]
fn row_1_a_paused_run_and_an_ended_one_guard_nothing() {
    for end in ["paused", "finished", "cancelled", "superseded", "failed"] {
        let mut run = active_run();
        run.state.status = end.parse().unwrap();
        let staged = paths(&["docs/x"]);
        let facts = CommitFacts {
            verification: Verification::Never { due: vec![] },
            ..good(&run, &staged)
        };
        assert_eq!(judge_commit(&facts), allowed(None), "{end}");
    }
}

#[test]
fn row_2_a_run_that_is_not_active_takes_no_commit() {
    for status in [RunStatus::Prepared, RunStatus::Blocked] {
        let mut run = active_run();
        run.state.status = status;
        let staged = paths(&["src/a.rs"]);
        let mut facts = good(&run, &staged);
        refused(&facts, Code::RunNotActive);
        facts.head_tree = Some(facts.tree);
        refused(&facts, Code::RunNotActive);
    }
}

#[test]
fn row_2b_the_same_tree_needs_nothing() {
    let run = active_run();
    let staged = paths(&[]);
    let facts = CommitFacts {
        head_tree: Some(tree(2)),
        verification: Verification::Never { due: vec![] },
        ..good(&run, &staged)
    };
    assert_eq!(judge_commit(&facts), allowed(Some(VerifiedBy::No)));
    let first = CommitFacts {
        head_tree: None,
        ..facts
    };
    refused(&first, Code::NeverVerified);
}

#[test]
fn row_3_every_path_out_of_scope_is_named() {
    let run = active_run();
    let staged = paths(&["docs/x", "out/f", "src/a.rs"]);
    let facts = good(&run, &staged);
    assert_eq!(
        refused(&facts, Code::OutOfScope).paths,
        paths(&["docs/x", "out/f"])
    );
    // Saving untested work does not widen the scope.
    let wip = CommitFacts { wip: true, ..facts };
    refused(&wip, Code::OutOfScope);
    let undeclared = active(contract(Mode::Direct)).run();
    assert_eq!(
        judge_commit(&good(&undeclared, &staged)),
        allowed(Some(VerifiedBy::Record(record())))
    );
}

#[test]
fn row_4_a_protected_path_is_refused_even_in_scope() {
    let run = active_run();
    let staged = paths(&[".rapid/policy.json", "src/a.rs"]);
    assert_eq!(
        refused(&good(&run, &staged), Code::ProtectedPath).paths,
        paths(&[".rapid/policy.json"])
    );
}

#[test]
fn row_5_what_cannot_be_compared_spoils_a_result_of_the_working_tree() {
    let run = active_run();
    let staged = paths(&["src/a.rs"]);
    let hidden = paths(&["src/flagged.rs"]);
    let facts = CommitFacts {
        incomparable: &hidden,
        ..good(&run, &staged)
    };
    assert_eq!(refused(&facts, Code::Incomparable).paths, hidden);
    let seen = CommitFacts {
        verification: Verification::Reproduction {
            record: record(),
            worktree: true,
        },
        ..facts.clone()
    };
    refused(&seen, Code::Incomparable);
    let clean = CommitFacts {
        verification: verified(false),
        ..facts
    };
    assert_eq!(
        judge_commit(&clean),
        allowed(Some(VerifiedBy::Record(record())))
    );
}

#[test]
fn row_6_what_was_never_tested_is_refused() {
    let run = active_run();
    let staged = paths(&["src/a.rs"]);
    let facts = CommitFacts {
        verification: Verification::Never { due: vec![] },
        ..good(&run, &staged)
    };
    assert_eq!(refused(&facts, Code::NeverVerified).paths, staged);
    let wip = CommitFacts {
        wip: true,
        ..facts.clone()
    };
    assert_eq!(judge_commit(&wip), allowed(Some(VerifiedBy::No)));
    for guard in [Guard::Tip, Guard::Off] {
        let free = CommitFacts {
            guard,
            ..facts.clone()
        };
        assert_eq!(judge_commit(&free), allowed(Some(VerifiedBy::No)));
    }
}

#[test]
fn row_6_another_tree_is_named_with_what_differs() {
    let run = active_run();
    let staged = paths(&["src/a.rs"]);
    let differs = paths(&["src/new.rs"]);
    let mut facts = CommitFacts {
        verification: Verification::Other {
            tree: tree(7),
            record: record(),
            differs: differs.clone(),
        },
        ..good(&run, &staged)
    };
    let refusal = refused(&facts, Code::OtherTreeVerified);
    assert_eq!(refusal.paths, differs);
    assert_eq!(refusal.verified_tree, Some(tree(7)));
    assert!(!refusal.only_untracked);
    facts.untracked = &differs;
    assert!(refused(&facts, Code::OtherTreeVerified).only_untracked);
}

#[test]
fn row_6_reproductions_and_waivers_do_and_say_so() {
    let run = active_run();
    let staged = paths(&["src/a.rs"]);
    let seen = CommitFacts {
        verification: Verification::Reproduction {
            record: record(),
            worktree: true,
        },
        ..good(&run, &staged)
    };
    assert_eq!(
        judge_commit(&seen),
        allowed(Some(VerifiedBy::Reproduction(record())))
    );
    let waived = CommitFacts {
        verification: Verification::Waived { record: record() },
        ..seen
    };
    assert_eq!(judge_commit(&waived), allowed(Some(VerifiedBy::No)));
}

#[test]
fn row_7_the_working_tree_has_to_be_the_same_where_the_policy_says_so() {
    let run = active_run();
    let staged = paths(&["src/a.rs"]);
    let facts = CommitFacts {
        binding: CommitBinding::Snapshot,
        ..good(&run, &staged)
    };
    for other in [None, Some(tree(9))] {
        let facts = CommitFacts {
            snapshot: other,
            ..facts.clone()
        };
        refused(&facts, Code::OtherTreeVerified);
    }
    let same = CommitFacts {
        snapshot: Some(tree(2)),
        ..facts
    };
    assert_eq!(
        judge_commit(&same),
        allowed(Some(VerifiedBy::Record(record())))
    );
}

#[test]
fn enforcement_turns_a_refusal_into_a_word_or_nothing() {
    let run = active_run();
    let staged = paths(&["docs/x"]);
    let warn = CommitFacts {
        enforce: Enforce::Warn,
        ..good(&run, &staged)
    };
    assert!(matches!(
        judge_commit(&warn),
        CommitVerdict::Warn(Refusal {
            code: Code::OutOfScope,
            ..
        })
    ));
    let off = CommitFacts {
        enforce: Enforce::Off,
        verification: Verification::Never { due: vec![] },
        ..warn
    };
    assert_eq!(judge_commit(&off), allowed(Some(VerifiedBy::No)));
}

// What verifies a tree.

fn ask(story: &Story, on: u16, changed: &[&str]) -> (String, Vec<Digest>) {
    let run = story.run();
    let changed = paths(changed);
    let changed: Vec<&RepoPath> = changed.iter().collect();
    let policy = PolicyDocument::built_in();
    let subject = CommitSubject {
        tree: tree(on),
        changed: Some(&changed),
        policy: &policy,
        signatures: &[],
    };
    match verify_tree(&run, &subject, |_| paths(&["src/b.rs"])) {
        Verification::Verified { records, worktree } => (format!("verified {worktree}"), records),
        Verification::Reproduction { record, worktree } => {
            (format!("reproduction {worktree}"), vec![record])
        }
        Verification::Waived { record } => ("waived".to_owned(), vec![record]),
        Verification::Never { due } => {
            let due: Vec<&str> = due.iter().map(|check| check.name.as_str()).collect();
            (format!("never: {}", due.join(",")), Vec::new())
        }
        Verification::Other {
            tree,
            record,
            differs,
        } => (format!("other {tree} {differs:?}"), vec![record]),
    }
}

fn add(story: &mut Story, result: CheckResult) -> Digest {
    story.add(check_verb(), checked(result, &[], &[]))
}

#[test]
fn a_good_result_verifies_its_tree_and_no_other() {
    let mut story = active(contract(Mode::Feature));
    assert_eq!(ask(&story, 2, &[]).0, "never: test");
    let green = add(&mut story, result(2, 3, 0));
    assert_eq!(
        ask(&story, 2, &[]),
        ("verified true".to_owned(), vec![green])
    );
    let (said, by) = ask(&story, 3, &[]);
    assert_eq!(said, format!("other {} [src/b.rs]", tree(2)));
    assert_eq!(by, [green]);
}

#[test]
fn the_latest_result_on_a_tree_decides() {
    let mut story = active(contract(Mode::Feature));
    add(&mut story, result(2, 3, 0));
    add(&mut story, result(2, 3, 1));
    assert_eq!(ask(&story, 2, &[]).0, "never: test");
    let again = add(&mut story, result(2, 3, 0));
    assert_eq!(ask(&story, 2, &[]).1, [again]);
}

#[test]
fn what_does_not_count_verifies_nothing() {
    let spoiled: [fn(&mut CheckResult); 6] = [
        |result| result.subject.stable = false,
        |result| result.argv = vec!["true".into()],
        |result| result.cwd = path("toy"),
        |result| result.counts = None,
        |result| {
            if let Some(counts) = &mut result.counts {
                counts.passed = 0;
            }
        },
        |result| result.timed_out = true,
    ];
    for spoil in spoiled {
        let mut story = active(contract(Mode::Feature));
        let mut spoiled = result(2, 3, 0);
        spoil(&mut spoiled);
        add(&mut story, spoiled.clone());
        assert_eq!(ask(&story, 2, &[]).0, "never: test", "{spoiled:?}");
    }
    let mut story = active(contract(Mode::Feature));
    let mut cut = checked(result(2, 3, 0), &[], &[]);
    cut.notes = vec![Note::Incomplete];
    story.add(check_verb(), cut);
    story.add(
        "external:ci".parse().unwrap(),
        checked(result(2, 3, 0), &[], &[]),
    );
    assert_eq!(ask(&story, 2, &[]).0, "never: test");
}

#[test]
fn only_due_checks_of_the_commit_tier_are_asked_for() {
    let mut with_docs = contract(Mode::Feature);
    let check = |name: &str, pattern: &str, tier| {
        let mut check = named_check();
        check.name = name.to_owned();
        check.argv = vec![name.into()];
        check.paths = patterns(&[pattern]);
        check.tier = tier;
        check
    };
    with_docs.checks = vec![
        check("docs", "docs/**", Tier::Commit),
        check("slow", "src/**", Tier::Finish),
    ];
    let mut story = active(with_docs);
    assert_eq!(ask(&story, 2, &["docs/x"]).0, "never: docs");
    assert_eq!(
        ask(&story, 2, &["src/a.rs"]),
        ("verified false".to_owned(), vec![])
    );
    let mut docs = result(2, 1, 0);
    docs.check = Some("docs".to_owned());
    docs.argv = vec!["docs".into()];
    docs.subject.kind = SubjectKind::Clean;
    let green = add(&mut story, docs);
    assert_eq!(
        ask(&story, 2, &["docs/x", "src/a.rs"]),
        ("verified false".to_owned(), vec![green])
    );
}

#[test]
fn one_result_of_the_working_tree_is_enough_to_be_careful() {
    let mut two = contract(Mode::Feature);
    let mut lint = named_check();
    lint.name = "lint".to_owned();
    lint.argv = vec!["lint".into()];
    two.checks.push(lint);
    let mut story = active(two);
    add(&mut story, result(2, 3, 0));
    assert_eq!(ask(&story, 2, &[]).0, "never: lint");
    let mut clean = result(2, 3, 0);
    clean.argv = vec!["lint".into()];
    clean.subject.kind = SubjectKind::Index;
    add(&mut story, clean);
    assert_eq!(ask(&story, 2, &[]).0, "verified true");
}

#[test]
fn unknown_paths_verify_nothing_that_depends_on_them() {
    let mut with_paths = contract(Mode::Feature);
    with_paths.checks[0].paths = patterns(&["src/**"]);
    let mut story = active(with_paths);
    add(&mut story, result(2, 3, 0));
    let run = story.run();
    let policy = PolicyDocument::built_in();
    let subject = CommitSubject {
        tree: tree(2),
        changed: None,
        policy: &policy,
        signatures: &[],
    };
    let said = verify_tree(&run, &subject, |_| Vec::new());
    assert!(!said.is_enough(), "{said:?}");
}

#[test]
fn a_reproduction_does_for_the_first_task_of_a_bugfix_only() {
    let seen = |mode: Mode| {
        let mut two = contract(mode);
        two.tasks.push(task(2, &[1]));
        two.gates.retain(|gate| gate.id.as_str() != "gate.baseline");
        let mut story = active(two);
        story.moved("task:T001", "pending", "in_progress");
        let failed = CheckResult {
            expectation: Expectation::Fail,
            ..result(2, 3, 1)
        };
        let record = story.add(check_verb(), checked(failed, &[1], &[]));
        (story, record)
    };
    let (mut story, record) = seen(Mode::Bugfix);
    let said = ("reproduction true".to_owned(), vec![record]);
    assert_eq!(ask(&story, 2, &[]), said);
    assert_eq!(ask(&story, 3, &[]).0, "never: test");
    story.moved("task:T001", "in_progress", "done");
    assert_eq!(ask(&story, 2, &[]), said);
    story.moved("task:T002", "pending", "in_progress");
    assert_eq!(ask(&story, 2, &[]).0, "never: test");

    let (story, _) = seen(Mode::Feature);
    assert_eq!(ask(&story, 2, &[]).0, "never: test");
}

#[test]
fn a_waiver_of_the_tests_lets_exactly_its_tree_through() {
    let mut story = active(contract(Mode::Direct));
    story.moved("task:T001", "pending", "in_progress");
    story.moved("task:T001", "in_progress", "done");
    add(&mut story, result(2, 3, 1));
    let given = story.add(
        Producer::User,
        review(ReviewType::Tests, Outcome::Waived, Judged::Tree(tree(2))),
    );
    assert_eq!(
        ask(&story, 2, &[]).0,
        "never: test",
        "no gate was waived yet"
    );
    story.add(
        Producer::User,
        event("gate:gate.tests", "pending", "waived"),
    );
    assert_eq!(ask(&story, 2, &[]), ("waived".to_owned(), vec![given]));
    assert_eq!(ask(&story, 3, &[]).0, "never: test");
}

#[test]
fn research_without_checks_has_nothing_to_verify() {
    let mut bare = contract(Mode::Research);
    bare.checks.clear();
    assert_eq!(ask(&active(bare), 2, &[]).0, "verified false");
    let mut asked = contract(Mode::Feature);
    asked.checks.clear();
    assert_eq!(ask(&active(asked), 2, &[]).0, "never: ");
}
