//! Merges: what comes in has passed its own door; what comes of it has to stand.

use super::kit::*;
use crate::support::Sandbox;

/// A run on `main` with a tested commit, and a branch `s` beside it with another.
fn two_branches(other: &str) -> Sandbox {
    let sandbox = new();
    sandbox.git(&["checkout", "-q", "-b", "s"]);
    sandbox.write(other, "s\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "-qm", "s"]);
    sandbox.git(&["checkout", "-q", "main"]);
    sandbox.write("src/m", "m\n");
    sandbox.git(&["add", "-A"]);
    check(&sandbox);
    accepts(&sandbox, &["commit", "-qm", "m"]);
    sandbox
}

#[test]
fn case_23_a_merge_is_refused_until_its_tree_is_tested() {
    let sandbox = two_branches("src/s");
    let run = sandbox.try_git(&["merge", "-q", "--no-edit", "s"]);
    assert!(run.code != 0 && run.stderr.contains("RAPID1503"), "{run:?}");
    assert!(run.stderr.contains("src/s"), "{run:?}");
    // The merge is there to be tested and concluded.
    check(&sandbox);
    accepts(&sandbox, &["commit", "-q", "--no-edit"]);
    head_is_proven(&sandbox);
    let parents = sandbox.git(&["log", "-1", "--format=%P"]);
    assert_eq!(parents.split(' ').count(), 2);
}

#[test]
fn case_26_the_merge_state_survives_a_refusal() {
    let sandbox = two_branches("src/m");
    let run = sandbox.try_git(&["merge", "-q", "--no-edit", "s"]);
    assert_ne!(run.code, 0, "{run:?}");
    sandbox.write("src/m", "both\n");
    sandbox.git(&["add", "-A"]);
    refuses(
        &sandbox,
        &["commit", "-q", "--no-edit"],
        "RAPID1503",
        &["src/m"],
    );
    assert!(sandbox.path(".git/MERGE_HEAD").is_file());
    check(&sandbox);
    accepts(&sandbox, &["commit", "-q", "--no-edit"]);
    let parents = sandbox.git(&["log", "-1", "--format=%P"]);
    assert_eq!(parents.split(' ').count(), 2);
    head_is_proven(&sandbox);
    assert_eq!(trailers(&sandbox, "Rapid-Verified").len(), 1);
}

#[test]
fn case_27_paths_that_a_merge_brings_in_are_not_out_of_scope() {
    let sandbox = two_branches("docs/x");
    let run = sandbox.try_git(&["merge", "-q", "--no-edit", "s"]);
    // Untested, yes; out of scope, no.
    assert!(
        run.stderr.contains("RAPID1503") && !run.stderr.contains("RAPID1501"),
        "{run:?}"
    );
    sandbox.write("docs/x", "by hand\n");
    sandbox.git(&["add", "-A"]);
    refuses(
        &sandbox,
        &["commit", "-q", "--no-edit"],
        "RAPID1501",
        &["docs/x"],
    );
}

#[test]
fn case_25_both_ways_to_conclude_a_pick_end_the_same() {
    for tested in [false, true] {
        for conclude in [&["cherry-pick", "--continue"][..], &["commit", "--no-edit"]] {
            let sandbox = two_branches("src/m");
            let run = sandbox.try_git(&["cherry-pick", "s"]);
            assert_ne!(run.code, 0, "{run:?}");
            sandbox.write("src/m", "both\n");
            sandbox.git(&["add", "-A"]);
            if tested {
                check(&sandbox);
                accepts(&sandbox, conclude);
                head_is_proven(&sandbox);
            } else {
                let run = sandbox.try_git(conclude);
                if run.code == 0 {
                    head_is_unproven(&sandbox);
                } else {
                    assert!(run.stderr.contains("RAPID1503"), "{run:?}");
                }
            }
        }
    }
}

#[test]
fn a_fast_forward_is_no_commit() {
    let sandbox = new();
    sandbox.git(&["checkout", "-q", "-b", "s"]);
    sandbox.write("src/s", "s\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "-qm", "s"]);
    sandbox.git(&["checkout", "-q", "main"]);
    sandbox.git(&["merge", "-q", "--ff-only", "s"]);
    head_is_unproven(&sandbox);
}
