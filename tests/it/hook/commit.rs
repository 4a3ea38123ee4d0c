//! Plain commits: each row of the rule, what is said, and what is left alone.

use super::kit::*;

#[test]
fn a_commit_of_what_was_tested_goes_through_with_its_trailers_and_one_milestone() {
    let sandbox = new();
    good_commit(&sandbox, "two");
    head_is_proven(&sandbox);
    let run = trailers(&sandbox, "Rapid-Run");
    assert_eq!(run.len(), 1, "{run:?}");
    let verified = trailers(&sandbox, "Rapid-Verified");
    assert_eq!(verified.len(), 1, "{verified:?}");
    assert_eq!(verified[0].len(), 16, "{verified:?}");
}

#[test]
fn content_that_was_never_tested_is_refused() {
    let sandbox = new();
    add(&sandbox, "src/a", "two");
    sandbox.git(&["add", "src/a"]);
    let run = refuses(
        &sandbox,
        &["commit", "-m", "x"],
        "RAPID1502",
        &["git rapid commit -a", "--wip"],
    );
    assert!(run.stderr.lines().count() <= 6, "{run:?}");
}

#[test]
fn a_refusal_names_what_was_tested_and_what_differs() {
    let sandbox = new();
    good_commit(&sandbox, "two");
    add(&sandbox, "src/a", "three");
    let run = refuses(
        &sandbox,
        &["commit", "-qam", "x"],
        "RAPID1503",
        &["src/a", "+1 -0", "1 passed"],
    );
    let tested = sandbox.git(&["rev-parse", "--short=7", "HEAD^{tree}"]);
    assert!(run.stderr.contains(&tested), "{run:?}");
}

#[test]
fn without_a_run_commits_are_free() {
    let sandbox = guarded();
    add(&sandbox, "README", "two");
    let message = accepts(&sandbox, &["commit", "-qam", "free"]);
    assert_eq!(message, "free\n");
}

#[test]
fn a_paused_run_guards_nothing() {
    let sandbox = new();
    sandbox.rapid_ok(&["pause"]);
    add(&sandbox, "README", "two");
    assert_eq!(accepts(&sandbox, &["commit", "-qam", "free"]), "free\n");
}

#[test]
fn another_branch_is_free() {
    let sandbox = new();
    sandbox.git(&["checkout", "-q", "-b", "other"]);
    add(&sandbox, "README", "two");
    assert_eq!(accepts(&sandbox, &["commit", "-qam", "free"]), "free\n");
}

#[test]
fn a_protected_path_is_refused_even_inside_the_scope() {
    let sandbox = guarded();
    start(&sandbox, &["**"]);
    sandbox.write(".rapid/x", "x\n");
    sandbox.git(&["add", "-f", ".rapid/x"]);
    refuses(
        &sandbox,
        &["commit", "-qm", "x"],
        "RAPID1505",
        &[".rapid/x", "git restore --staged -- .rapid/x"],
    );
}

#[test]
fn what_config_says_is_heeded() {
    let sandbox = new();
    add(&sandbox, "src/a", "two");
    sandbox.git(&["config", "rapid.enforce", "warn"]);
    let run = sandbox.try_git(&["commit", "-qam", "warned"]).ended(0);
    assert!(
        run.stderr.contains("warning:") && run.stderr.contains("RAPID1502"),
        "{run:?}"
    );
    assert_eq!(trailers(&sandbox, "Rapid-Verified"), ["no"]);
    sandbox.git(&["config", "rapid.enforce", "off"]);
    add(&sandbox, "src/a", "three");
    let run = sandbox.try_git(&["commit", "-qam", "quiet"]).ended(0);
    assert_eq!(run.stderr, "");
    sandbox.git(&["config", "--unset", "rapid.enforce"]);
    sandbox.git(&["config", "rapid.guard", "tip"]);
    add(&sandbox, "src/a", "four");
    accepts(&sandbox, &["commit", "-qam", "tip"]);
    // Commits are free of tests, not of the plan.
    add(&sandbox, "README", "two");
    refuses(&sandbox, &["commit", "-qam", "x"], "RAPID1501", &["README"]);
    sandbox.git(&["config", "rapid.guard", "off"]);
    accepts(&sandbox, &["commit", "-qam", "off"]);
}

#[test]
fn a_word_that_is_not_known_counts_as_the_strictest() {
    let sandbox = new();
    sandbox.git(&["config", "rapid.enforce", "sometimes"]);
    add(&sandbox, "src/a", "two");
    refuses(
        &sandbox,
        &["commit", "-qam", "x"],
        "RAPID1502",
        &["sometimes"],
    );
}

#[test]
fn work_can_be_saved_untested_inside_the_plan() {
    let sandbox = new();
    add(&sandbox, "src/a", "two");
    sandbox.rapid_ok(&["commit", "--wip", "-a", "-m", "half way"]);
    assert_eq!(trailers(&sandbox, "Rapid-Verified"), ["no"]);
    let head = sandbox.git(&["rev-parse", "HEAD"]);
    assert_eq!(milestones(&sandbox), [(head, serde_json::Value::Null)]);
    add(&sandbox, "README", "two");
    let before = state(&sandbox);
    let run = sandbox
        .rapid(&["commit", "--wip", "-a", "-m", "x", "--json"])
        .ended(1);
    assert_eq!(run.error_code(), "RAPID1501");
    assert_eq!(before, state(&sandbox));
}

#[test]
fn the_verb_and_the_hooks_do_not_say_it_twice() {
    let sandbox = new();
    add(&sandbox, "src/a", "two");
    sandbox.rapid_ok(&["commit", "-a", "-m", "two"]);
    head_is_proven(&sandbox);
    for name in ["Rapid-Run", "Rapid-Verified"] {
        assert_eq!(trailers(&sandbox, name).len(), 1, "{name}");
    }
}

#[test]
fn an_unborn_head_is_judged_like_any_other() {
    let sandbox = crate::support::Sandbox::repo();
    sandbox.git(&[
        "config",
        "rapid.testCommand",
        "sh -c 'echo 1..1; echo \"ok 1 - fine\"'",
    ]);
    sandbox.rapid_ok(&["init"]);
    start(&sandbox, &["src/**"]);
    sandbox.write("src/a", "one\n");
    sandbox.git(&["add", "."]);
    refuses(&sandbox, &["commit", "-qm", "x"], "RAPID1502", &[]);
    check(&sandbox);
    accepts(&sandbox, &["commit", "-qm", "first"]);
    head_is_proven(&sandbox);
}

#[test]
fn case_103_commits_past_the_doors_are_named() {
    let sandbox = new();
    add(&sandbox, "src/a", "two");
    accepts(&sandbox, &["commit", "-qam", "hidden", "--no-verify"]);
    head_is_unproven(&sandbox);
    add(&sandbox, "src/a", "three");
    let none = ["-c", "core.hooksPath=/dev/null", "commit", "-qam", "hidden"];
    accepts(&sandbox, &none);
    head_is_unproven(&sandbox);
}

#[test]
fn what_was_tested_is_proven_even_past_the_doors() {
    let sandbox = new();
    add(&sandbox, "src/a", "two");
    check(&sandbox);
    accepts(&sandbox, &["commit", "-qam", "tested", "--no-verify"]);
    head_is_proven(&sandbox);
}

#[test]
fn a_killed_post_commit_is_caught_up_by_the_next_verb() {
    let sandbox = new();
    add(&sandbox, "src/a", "two");
    check(&sandbox);
    let hook = sandbox.path(".git/hooks/post-commit");
    std::fs::remove_file(hook).unwrap();
    accepts(&sandbox, &["commit", "-qam", "two"]);
    assert_eq!(milestones(&sandbox), []);
    check(&sandbox);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.rapid(&["commit", "-a"]);
    head_is_proven(&sandbox);
}

#[test]
fn case_14_a_refused_commit_is_judged_as_a_whole_with_the_next() {
    let sandbox = new();
    sandbox.write("out", "o\n");
    sandbox.git(&["add", "out"]);
    refuses(&sandbox, &["commit", "-qm", "m"], "RAPID1501", &["out"]);
    add(&sandbox, "src/a", "2");
    sandbox.git(&["add", "src/a"]);
    check(&sandbox);
    refuses(&sandbox, &["commit", "-qm", "m"], "RAPID1501", &["out"]);
}

#[test]
fn case_15_a_lock_that_is_held_is_gits_to_tell() {
    let sandbox = new();
    add(&sandbox, "src/a", "2");
    check(&sandbox);
    sandbox.write(".git/index.lock", "");
    let run = sandbox.try_git(&["commit", "-qam", "m"]);
    assert_eq!(run.code, 128, "{run:?}");
    assert!(
        run.stderr.contains("index.lock") && !run.stderr.contains("RAPID"),
        "{run:?}"
    );
    sandbox.remove(".git/index.lock");
    accepts(&sandbox, &["commit", "-qam", "m"]);
}

#[test]
fn case_16_an_amended_message_needs_no_test_and_amended_content_does() {
    let sandbox = new();
    good_commit(&sandbox, "2");
    accepts(&sandbox, &["commit", "-q", "--amend", "-m", "other"]);
    head_is_proven(&sandbox);
    assert_eq!(trailers(&sandbox, "Rapid-Run").len(), 1);
    add(&sandbox, "src/a", "3");
    refuses(
        &sandbox,
        &["commit", "-q", "--amend", "-a", "--no-edit"],
        "RAPID1503",
        &["src/a"],
    );
    check(&sandbox);
    accepts(&sandbox, &["commit", "-q", "--amend", "-a", "--no-edit"]);
    head_is_proven(&sandbox);
    for name in ["Rapid-Run", "Rapid-Verified"] {
        assert_eq!(trailers(&sandbox, name).len(), 1, "{name}");
    }
    assert_eq!(of_kind(&sandbox, "rewrite").len(), 2);
}

#[test]
fn case_17_what_is_staged_is_judged_not_what_lies_on_disk() {
    let sandbox = new();
    sandbox.write("src/a", "v1\n");
    sandbox.git(&["add", "src/a"]);
    sandbox.write("src/a", "v2\n");
    check(&sandbox);
    refuses(&sandbox, &["commit", "-qm", "m"], "RAPID1503", &["src/a"]);
    sandbox.git(&["add", "src/a"]);
    accepts(&sandbox, &["commit", "-qm", "m"]);
}

#[test]
fn case_19_a_check_that_rewrites_files_proves_nothing() {
    let mut sandbox = guarded();
    sandbox.set("FMT", "1");
    sandbox.git(&[
        "config",
        "rapid.testCommand",
        "sh -c 'test -z \"$FMT\" || echo fmt >>src/a; echo 1..1; echo \"ok 1 - x\"'",
    ]);
    start(&sandbox, &["src/**"]);
    sandbox.rapid(&["check"]).ended(1);
    sandbox.git(&["add", "-A"]);
    refuses(&sandbox, &["commit", "-qm", "m"], "RAPID1502", &[]);
    sandbox.unset("FMT");
    check(&sandbox);
    accepts(&sandbox, &["commit", "-qm", "m"]);
}

#[test]
fn case_20_a_file_that_was_tested_and_is_not_staged_is_named() {
    let sandbox = new();
    sandbox.write("src/new", "ok\n");
    add(&sandbox, "src/a", "2");
    check(&sandbox);
    sandbox.git(&["add", "src/a"]);
    refuses(
        &sandbox,
        &["commit", "-qm", "m"],
        "RAPID1503",
        &["src/new", "git add -- src/new"],
    );
}

#[test]
fn case_21_every_commit_of_a_session_is_judged_and_recorded() {
    let sandbox = new();
    for line in ["1", "2", "3"] {
        good_commit(&sandbox, line);
        head_is_proven(&sandbox);
    }
    assert_eq!(milestones(&sandbox).len(), 3);
    add(&sandbox, "src/a", "4");
    sandbox.git(&["add", "-A"]);
    refuses(&sandbox, &["commit", "-qm", "m"], "RAPID1503", &["src/a"]);
}

/// The former hook kills the script that called it, so ours never gets its turn.
#[test]
fn a_hook_that_is_killed_again_and_again_leaves_one_milestone_each() {
    let sandbox = new();
    sandbox.write_program(
        ".git/hooks/post-commit.before-rapid",
        "#!/bin/sh\nkill -9 $PPID\n",
    );
    for line in 0..10 {
        good_commit(&sandbox, &line.to_string());
        let head = sandbox.git(&["rev-parse", "HEAD"]);
        assert!(
            milestones(&sandbox)
                .iter()
                .all(|(commit, _)| *commit != head)
        );
    }
    // The next verb that writes.
    check(&sandbox);
    let commits = sandbox.git(&["log", "-10", "--format=%H"]);
    let mut found: Vec<String> = milestones(&sandbox)
        .into_iter()
        .filter(|(_, verified)| verified.is_string())
        .map(|(commit, _)| commit)
        .collect();
    let mut made: Vec<String> = commits.lines().map(str::to_owned).collect();
    found.sort();
    made.sort();
    assert_eq!(found, made);
}
