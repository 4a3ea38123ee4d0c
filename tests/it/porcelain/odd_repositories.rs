//! The whole loop, from `start` to `verify`, in repositories of every shape that git knows.

use crate::support::{Run, Sandbox, SandboxKind, driver::drive};
use serde_json::Value;
use std::{
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

const TEST: &str = "printf '1..1\\nok 1 - all\\n'\n";

/// Files and config that every project here begins with.
fn fill(sandbox: &Sandbox) {
    sandbox.write("t.sh", TEST);
    sandbox.write("code.txt", "one\n");
    sandbox.commit_all("begin");
    configure(sandbox);
}

fn configure(sandbox: &Sandbox) {
    sandbox.git(&["config", "rapid.testCommand", "sh t.sh"]);
}

fn project() -> Sandbox {
    let sandbox = Sandbox::repo();
    fill(&sandbox);
    sandbox
}

fn of_kind(sha256: bool, reftable: bool) -> Sandbox {
    let sandbox = Sandbox::repo_of(SandboxKind {
        sha256,
        reftable,
        bare: false,
    });
    fill(&sandbox);
    sandbox
}

/// Goes through the loop in `dir`; `edit` does the work. Everything must end well.
#[track_caller]
fn loop_in(sandbox: &Sandbox, dir: &Path, edit: impl Fn(&Path)) {
    let rapid = |words: &[&str]| sandbox.rapid_in(dir, words).ended(0);
    rapid(&["start", "direct", "-m", "mend it"]);
    rapid(&["task", "start", "T001"]);
    edit(dir);
    rapid(&["task", "done", "T001"]);
    end_in(sandbox, dir);
}

/// From the last task on: what was tested is committed, the verdict holds and git agrees.
#[track_caller]
fn end_in(sandbox: &Sandbox, dir: &Path) {
    let rapid = |words: &[&str]| sandbox.rapid_in(dir, words).ended(0);
    let git = |words: &[&str]| {
        sandbox
            .finish(sandbox.command("git").args(words).current_dir(dir))
            .ended(0)
            .stdout
    };
    rapid(&["commit", "-a"]);
    assert_eq!(
        git(&["status", "--porcelain"]),
        "",
        "all of it is committed"
    );
    let done = rapid(&["--json", "finish"]).json();
    assert_eq!(done["outcome"]["verdict"], "pass", "{done:#}");
    rapid(&["verify", "HEAD", "--require-pass"]);
    let fsck = rapid(&["--json", "fsck"]).json();
    assert_eq!(fsck["ok"], true, "{fsck:#}");
    git(&["fsck", "--strict"]);
}

fn edit(dir: &Path) {
    fs::write(dir.join("code.txt"), "two\n").unwrap();
}

#[test]
fn every_object_and_ref_format() {
    for (sha256, reftable) in [(true, false), (false, true), (true, true)] {
        let sandbox = of_kind(sha256, reftable);
        loop_in(&sandbox, sandbox.dir(), edit);
    }
}

#[test]
fn a_linked_worktree() {
    let sandbox = project();
    let linked = sandbox.root().join("linked");
    sandbox.git(&[
        "worktree",
        "add",
        "-q",
        "-b",
        "side",
        linked.to_str().unwrap(),
    ]);
    loop_in(&sandbox, &linked, edit);
    let here = sandbox.rapid_json(&["next"]);
    assert!(here["run_id"].is_null(), "nothing is bound here: {here:#}");
}

#[test]
fn a_worktree_of_a_bare_repository() {
    let sandbox = project();
    let (bare, linked) = (sandbox.root().join("bare.git"), sandbox.root().join("tree"));
    sandbox.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    let bare_git = |words: &[&str]| {
        sandbox
            .finish(sandbox.command("git").args(words).current_dir(&bare))
            .ended(0)
    };
    bare_git(&["config", "rapid.testCommand", "sh t.sh"]);
    bare_git(&[
        "worktree",
        "add",
        "-q",
        "-b",
        "side",
        linked.to_str().unwrap(),
    ]);
    loop_in(&sandbox, &linked, edit);
    // What was done there can be read and verified in the bare one.
    sandbox
        .rapid_in(&bare, &["verify", "side", "--require-pass"])
        .ended(0);
}

#[test]
fn a_separate_git_directory() {
    let sandbox = Sandbox::empty();
    sandbox.git(&["init", "-q", "-b", "main", "--separate-git-dir=../git-dir"]);
    fill(&sandbox);
    loop_in(&sandbox, sandbox.dir(), edit);
}

#[test]
fn a_submodule_as_the_repository() {
    let sandbox = project();
    let outer = Sandbox::project();
    outer.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        sandbox.dir().to_str().unwrap(),
        "inner",
    ]);
    outer.commit_all("with a submodule");
    let inner = outer.path("inner");
    outer
        .finish(
            outer
                .command("git")
                .args(["config", "rapid.testCommand", "sh t.sh"])
                .current_dir(&inner),
        )
        .ended(0);
    loop_in(&outer, &inner, edit);
    // The outer one has a run of its own; the moved submodule is a change like others.
    outer.git(&["config", "rapid.testCommand", "printf '1..1\\nok 1\\n'"]);
    loop_in(&outer, outer.dir(), |dir| {
        fs::write(dir.join("src/lib.txt"), "two\n").unwrap();
    });
}

#[test]
fn a_folder_below_the_root() {
    let sandbox = Sandbox::repo();
    sandbox.write("below/code.txt", "one\n");
    fill(&sandbox);
    let below = sandbox.path("below");
    loop_in(&sandbox, &below, edit);
}

#[test]
fn names_of_every_kind() {
    let sandbox = Sandbox::repo();
    let names: Vec<PathBuf> = [
        b"with space".as_slice(),
        b"new\nline",
        b"quo\"te",
        b"back\\slash",
        b"not utf-8 \xff",
        b"-dash",
        b":colon",
        b"[ab]*?",
        b"tab\there",
        b" leading",
    ]
    .into_iter()
    .map(|name| PathBuf::from(OsStr::from_bytes(name)))
    .collect();
    for name in names.iter().take(5) {
        sandbox.write(name, "one\n");
    }
    fill(&sandbox);
    sandbox.git(&["config", "rapid.testCommand", "sh t.sh"]);
    let form = sandbox.root().join("tmp/spec.json");
    let spec = serde_json::json!({
        "title": "odd names",
        "mode": "feature",
        "implementation_tasks": ["all names"],
        "acceptance_criteria": ["all there"],
    });
    fs::write(&form, spec.to_string()).unwrap();
    sandbox.rapid_ok(&["start", "--spec-file", form.to_str().unwrap()]);
    let story = drive(&sandbox, |work| {
        for name in &names {
            fs::write(work.place.dir.join(name), "two\n").unwrap();
        }
        fs::remove_file(work.place.dir.join("with space")).unwrap();
        fs::create_dir_all(work.place.dir.join("a folder\n")).unwrap();
        fs::write(work.place.dir.join("a folder\n/é"), "two\n").unwrap();
    });
    assert_eq!(story.verdict(), "pass", "{story:#?}");
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
    sandbox.rapid_ok(&["verify", "HEAD", "--require-pass"]);
    assert_eq!(sandbox.rapid_json(&["fsck"])["ok"], true);
    let run = story.last["run_id"].as_str().unwrap();
    for words in [vec!["log", run], vec!["show", run], vec!["status"]] {
        sandbox.rapid_ok(&words);
    }
}

#[test]
fn executables_and_symlinks() {
    let sandbox = project();
    loop_in(&sandbox, sandbox.dir(), |dir| {
        sandbox.write_program("run", "#!/bin/sh\n");
        std::os::unix::fs::symlink("nowhere", dir.join("dangling")).unwrap();
        std::os::unix::fs::symlink("code.txt", dir.join("link")).unwrap();
    });
    let listed = sandbox.git(&["ls-tree", "HEAD"]);
    for mode in ["100755 blob", "120000 blob"] {
        assert!(listed.contains(mode), "{listed}");
    }
}

#[test]
fn line_ends_and_clean_filters() {
    let sandbox = project();
    sandbox.git(&["config", "core.autocrlf", "true"]);
    sandbox.git(&["config", "filter.up.clean", "tr a-z A-Z"]);
    sandbox.git(&["config", "filter.up.smudge", "tr A-Z a-z"]);
    sandbox.write(".gitattributes", "*.up filter=up\n");
    sandbox.commit_all("attributes");
    loop_in(&sandbox, sandbox.dir(), |dir| {
        fs::write(dir.join("dos.txt"), "one\r\ntwo\r\n").unwrap();
        fs::write(dir.join("loud.up"), "abc\n").unwrap();
    });
    assert_eq!(sandbox.git(&["show", "HEAD:dos.txt"]), "one\ntwo");
    assert_eq!(sandbox.git(&["show", "HEAD:loud.up"]), "ABC");
}

#[test]
fn indexes_of_every_kind() {
    let setups: [&[&[&str]]; 4] = [
        &[
            &["config", "feature.manyFiles", "true"],
            &["update-index", "--index-version", "4"],
        ],
        &[
            &["config", "core.splitIndex", "true"],
            &["update-index", "--split-index"],
        ],
        &[&["update-index", "--force-write-index", "--untracked-cache"]],
        &[&["config", "core.logAllRefUpdates", "always"]],
    ];
    for setup in setups {
        let sandbox = project();
        for words in setup {
            sandbox.git(words);
        }
        loop_in(&sandbox, sandbox.dir(), edit);
    }
}

#[test]
fn a_sparse_checkout() {
    let ways: [&[&str]; 2] = [
        &["sparse-checkout", "set", "--cone", "in"],
        &["sparse-checkout", "set", "--no-cone", "/in/", "/t.sh"],
    ];
    for way in ways {
        let sandbox = Sandbox::repo();
        sandbox.write("in/code.txt", "one\n");
        sandbox.write("out/code.txt", "one\n");
        fill(&sandbox);
        sandbox.git(way);
        assert!(!sandbox.path("out").exists());
        loop_in(&sandbox, sandbox.dir(), |dir| {
            fs::write(dir.join("in/code.txt"), "two\n").unwrap();
        });
        assert_eq!(sandbox.git(&["show", "HEAD:out/code.txt"]), "one");
    }
}

#[test]
fn a_detached_head() {
    let sandbox = project();
    sandbox.git(&["checkout", "-q", "--detach"]);
    loop_in(&sandbox, sandbox.dir(), edit);
}

#[test]
fn an_unborn_branch() {
    for mode in ["direct", "feature"] {
        let sandbox = Sandbox::repo();
        configure(&sandbox);
        sandbox.rapid_ok(&["start", mode, "-m", "the first file"]);
        let story = drive(&sandbox, |work| {
            work.place.write("t.sh", TEST);
            work.place.write("code.txt", "one\n");
        });
        assert_eq!(story.verdict(), "pass", "{mode}: {story:#?}");
        assert_eq!(sandbox.git(&["rev-list", "--count", "HEAD"]), "1");
        sandbox.rapid_ok(&["verify", "HEAD", "--require-pass"]);
        assert_eq!(sandbox.rapid_json(&["fsck"])["ok"], true);
        sandbox.git(&["fsck", "--strict"]);
    }
    let sandbox = Sandbox::repo();
    configure(&sandbox);
    let refused = sandbox
        .rapid(&["--json", "start", "hardening", "-m", "too early"])
        .ended(1);
    assert_eq!(refused.error_code(), "RAPID1330");
    assert!(sandbox.git(&["for-each-ref"]).is_empty());
}

#[test]
fn five_thousand_files() {
    let sandbox = Sandbox::repo();
    for number in 0..5_000 {
        sandbox.write(format!("d{}/f{number}", number % 50), format!("{number}\n"));
    }
    fill(&sandbox);
    loop_in(&sandbox, sandbox.dir(), edit);
}

#[test]
fn during_a_rebase() {
    let sandbox = project();
    sandbox.git(&["checkout", "-q", "-b", "side"]);
    sandbox.write("side.txt", "side\n");
    sandbox.commit_all("side");
    sandbox.git(&["checkout", "-q", "main"]);
    sandbox.write("main.txt", "main\n");
    sandbox.commit_all("main");
    sandbox.git(&["checkout", "-q", "side"]);
    sandbox.rapid_ok(&["start", "direct", "-m", "mend it"]);
    sandbox
        .finish(
            sandbox
                .command("git")
                .args(["rebase", "-q", "-i", "main"])
                .env("GIT_SEQUENCE_EDITOR", "sed -i 1s/pick/edit/"),
        )
        .ended(0);
    // The branch being rebased is the one the run is bound to.
    let next = sandbox.rapid_json(&["next"]);
    assert_eq!(next["action"]["task_id"], "T001", "{next:#}");
    sandbox.rapid_ok(&["check"]);
    sandbox.git(&["rebase", "--continue"]);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    edit(sandbox.dir());
    sandbox.rapid_ok(&["task", "done", "T001"]);
    end_in(&sandbox, sandbox.dir());
}

#[test]
fn a_merge_with_conflicts() {
    let sandbox = project();
    sandbox.git(&["checkout", "-q", "-b", "side"]);
    sandbox.write("code.txt", "side\n");
    sandbox.commit_all("side");
    sandbox.git(&["checkout", "-q", "main"]);
    sandbox.write("code.txt", "main\n");
    sandbox.commit_all("main");
    sandbox.rapid_ok(&["start", "direct", "-m", "mend it"]);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.try_git(&["merge", "side"]).ended(1);
    for verb in [
        vec!["check"],
        vec!["commit", "-a"],
        vec!["task", "done", "T001"],
    ] {
        let mut words = vec!["--json"];
        words.extend(&verb);
        let refused = sandbox.rapid(&words).ended(1);
        assert_eq!(refused.error_code(), "RAPID4012", "{refused:?}");
        let error = &refused.json()["error"];
        assert_eq!(error["details"]["paths"][0], "code.txt", "{error:#}");
        assert_eq!(
            error["hints"][0]["command"],
            serde_json::json!(["git", "add", "code.txt"])
        );
    }
    sandbox.write("code.txt", "both\n");
    sandbox.git(&["add", "code.txt"]);
    sandbox.rapid_ok(&["task", "done", "T001"]);
    end_in(&sandbox, sandbox.dir());
    assert_eq!(
        sandbox.git(&["rev-list", "--merges", "--count", "HEAD"]),
        "1",
        "the merge was made by it"
    );
}

/// A run whose work is tested, before its commit.
fn ready_to_commit() -> Sandbox {
    let sandbox = project();
    sandbox.rapid_ok(&["start", "direct", "-m", "mend it"]);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    edit(sandbox.dir());
    sandbox.rapid_ok(&["task", "done", "T001"]);
    sandbox
}

fn records(sandbox: &Sandbox) -> Vec<Value> {
    let document = sandbox.rapid_json(&["log", "mend-it-r1-run-001"]);
    document["records"].as_array().unwrap().clone()
}

/// A commit that git did not make: said, nothing recorded, and the next step is the same.
#[track_caller]
fn assert_not_made(sandbox: &Sandbox, refused: &Run, code: &str) {
    assert_eq!(refused.error_code(), code, "{refused:?}");
    let error = &refused.json()["error"];
    assert_eq!(error["hints"][0]["command"][2], "commit", "{error:#}");
    assert_eq!(sandbox.git(&["rev-list", "--count", "HEAD"]), "1");
    let milestones = records(sandbox)
        .into_iter()
        .filter(|record| record["body"]["kind"] == "milestone")
        .count();
    assert_eq!(milestones, 0);
    let next = sandbox.rapid_json(&["next"]);
    assert_eq!(next["action"]["kind"], "commit", "{next:#}");
}

#[test]
fn a_hook_that_refuses_the_commit() {
    let sandbox = ready_to_commit();
    let hooks = sandbox.root().join("hooks");
    fs::create_dir(&hooks).unwrap();
    sandbox.git(&["config", "core.hooksPath", hooks.to_str().unwrap()]);
    sandbox.write_program(hooks.join("pre-commit"), "#!/bin/sh\nexit 1\n");
    let refused = sandbox.rapid(&["--json", "commit", "-a"]).ended(1);
    assert_not_made(&sandbox, &refused, "RAPID1509");
    let told = sandbox.rapid(&["commit", "-a"]).ended(1);
    assert!(told.stderr.contains("made no commit"), "{told:?}");
    fs::remove_file(hooks.join("pre-commit")).unwrap();
    end_in(&sandbox, sandbox.dir());
}

#[test]
fn a_hook_that_changes_what_is_committed() {
    let sandbox = ready_to_commit();
    sandbox.write_program(
        ".git/hooks/pre-commit",
        "#!/bin/sh\necho more >>code.txt\ngit add code.txt\n",
    );
    let made = sandbox.rapid(&["--json", "commit", "-a"]).ended(0);
    let document = made.json();
    let tree = sandbox.git(&["rev-parse", "HEAD^{tree}"]);
    assert_eq!(document["tree"], format!("sha1:{tree}"), "{document:#}");
    assert_eq!(document["verified"], "no", "{document:#}");
    let milestone = records(&sandbox).pop().unwrap();
    assert_eq!(milestone["body"]["payload"]["verified_by"], Value::Null);
    // What is there now was not tested: the loop says so and leads on.
    let finish = sandbox.rapid(&["--json", "finish"]).ended(1).json();
    assert_eq!(finish["action"]["kind"], "verify", "{finish:#}");
    sandbox.rapid_ok(&["check"]);
    let done = sandbox.rapid_json(&["finish"]);
    assert_eq!(done["outcome"]["verdict"], "pass", "{done:#}");
}

#[test]
fn a_signing_program_that_fails() {
    let sandbox = project();
    sandbox.git(&["config", "commit.gpgSign", "true"]);
    sandbox.git(&["config", "gpg.program", "false"]);
    // The ledger's commits are not the user's: they are not signed by this.
    sandbox.rapid_ok(&["start", "direct", "-m", "mend it"]);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    edit(sandbox.dir());
    sandbox.rapid_ok(&["task", "done", "T001"]);
    let refused = sandbox.rapid(&["--json", "commit", "-a"]).ended(4);
    assert_not_made(&sandbox, &refused, "RAPID4007");
    sandbox.git(&["config", "commit.gpgSign", "false"]);
    end_in(&sandbox, sandbox.dir());
}

#[test]
fn a_commit_that_git_made_and_then_failed() {
    let sandbox = ready_to_commit();
    // Git cannot show what it just committed without the old content.
    let old = sandbox.git(&["rev-parse", "HEAD:code.txt"]);
    sandbox.remove(format!(".git/objects/{}/{}", &old[..2], &old[2..]));
    let made = sandbox.rapid(&["--json", "commit", "-a"]);
    let head = sandbox.git(&["rev-parse", "HEAD"]);
    assert_eq!(sandbox.git(&["rev-list", "--count", "HEAD"]), "2");
    assert_eq!(made.json()["commit"], format!("sha1:{head}"), "{made:?}");
    made.ended(0);
    let milestone = records(&sandbox).pop().unwrap();
    assert_eq!(
        milestone["body"]["payload"]["commit"],
        format!("sha1:{head}"),
        "{milestone:#}"
    );
}
