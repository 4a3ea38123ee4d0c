use crate::support::{Sandbox, SandboxKind};
use git_rapid::git::{OpenOptions, Repository};

fn open(sandbox: &Sandbox) -> Repository {
    Repository::open(&OpenOptions {
        start: sandbox.dir().to_owned(),
        environment: sandbox.environment(),
    })
    .unwrap()
}

/// Which of the commits on `branch` count as made here, by their subjects, oldest first.
fn made(sandbox: &Sandbox, branch: &str) -> Vec<String> {
    let mut made = open(sandbox).commits_made_on(branch.as_bytes()).unwrap();
    made.reverse();
    made.iter()
        .map(|commit| {
            let hex = commit.to_string();
            let hex = hex.split_once(':').unwrap().1;
            sandbox.git(&["log", "-1", "--format=%s", hex])
        })
        .collect()
}

#[test]
fn what_was_made_on_a_branch_and_what_only_came_there() {
    for reftable in [false, true] {
        let sandbox = Sandbox::repo_of(SandboxKind {
            reftable,
            ..SandboxKind::default()
        });
        let commit = |name: &str| {
            sandbox.write(name, name);
            sandbox.commit_all(name)
        };
        commit("first");
        sandbox.git(&["checkout", "--quiet", "-b", "work"]);
        commit("mine");
        sandbox.git(&["checkout", "--quiet", "main"]);
        commit("theirs");
        let picked = commit("picked");
        sandbox.git(&["checkout", "--quiet", "-b", "side", "main~1"]);
        commit("aside");
        sandbox.git(&["checkout", "--quiet", "work"]);
        sandbox.git(&["merge", "--quiet", "-m", "merged", "side"]);
        sandbox.git(&["cherry-pick", &picked]);
        sandbox.git(&["revert", "--no-edit", "HEAD"]);
        sandbox.git(&["commit", "--quiet", "--amend", "-m", "taken back"]);
        let expected = ["mine", "picked", "Revert \"picked\"", "taken back"];
        assert_eq!(made(&sandbox, "work"), expected, "reftable: {reftable}");
        assert_eq!(made(&sandbox, "main"), ["first", "theirs", "picked"]);
        sandbox.git(&["checkout", "--quiet", "-b", "follower", "main"]);
        sandbox.git(&["merge", "--quiet", "--ff-only", "main"]);
        sandbox.git(&["reset", "--quiet", "--hard", "side"]);
        assert_eq!(made(&sandbox, "follower"), [""; 0]);
        assert_eq!(made(&sandbox, "nobody"), [""; 0]);
    }
}

#[test]
fn without_a_reflog_nothing_is_known() {
    let sandbox = Sandbox::project();
    sandbox.git(&["reflog", "expire", "--expire=now", "--all"]);
    assert_eq!(made(&sandbox, "main"), [""; 0]);
    assert_eq!(made(&Sandbox::repo(), "main"), [""; 0]);
}
