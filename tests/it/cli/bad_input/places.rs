//! Places where nothing can be done.

use super::*;

/// What a person who has no run gets: refused with a hint, or an answer.
#[test]
fn every_verb_without_a_repository_or_in_a_bare_or_an_empty_one() {
    let nowhere = Sandbox::empty();
    for verb in VERBS {
        let run = json(&nowhere, verb);
        assert_no_panic(&run);
        match verb[0] {
            "completions" => assert_eq!(run.code, 0, "{run:?}"),
            _ => assert_refused(&run, 4, "RAPID4004"),
        }
    }
    let bare = Sandbox::repo_of(SandboxKind {
        bare: true,
        ..SandboxKind::default()
    });
    let empty = Sandbox::repo();
    let source = project();
    for sandbox in [&bare, &empty, &source] {
        for verb in VERBS {
            let run = json(sandbox, verb);
            assert_no_panic(&run);
            if run.code != 0 {
                assert!(run.stdout.contains("RAPID"), "{run:?}");
                assert_refused(&run, run.code, &run.error_code());
            }
            // A verb that did begin something is undone for the next one.
            if verb[0] == "start" && run.code == 0 {
                sandbox.rapid(&["abort", "--reason", "x"]);
            }
        }
    }
    assert!(
        bare.git(&["for-each-ref"]).is_empty(),
        "nothing was written"
    );
}

#[test]
fn an_environment_that_leads_nowhere() {
    let nowhere = "/nowhere/at/all";
    let rows: &[(&str, &str)] = &[
        ("GIT_DIR", nowhere),
        ("GIT_WORK_TREE", nowhere),
        ("GIT_OBJECT_DIRECTORY", nowhere),
        ("GIT_COMMON_DIR", nowhere),
    ];
    for (name, value) in rows {
        let mut sandbox = with_run();
        let before = refs(&sandbox);
        sandbox.set(name, value);
        for verb in VERBS.iter().filter(|verb| verb[0] != "completions") {
            let run = json(&sandbox, verb);
            assert_refused(&run, 4, &run.error_code());
        }
        sandbox.unset(name);
        assert_eq!(refs(&sandbox), before, "{name}");
    }
    for (name, value) in [
        ("GIT_INDEX_FILE", nowhere),
        ("GIT_ALTERNATE_OBJECT_DIRECTORIES", nowhere),
        ("GIT_NAMESPACE", "x"),
        ("GIT_CONFIG_COUNT", "abc"),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_PARAMETERS", "garbage"),
        ("GIT_CEILING_DIRECTORIES", nowhere),
        ("GIT_COMMITTER_DATE", "garbage"),
        ("GIT_COMMITTER_NAME", ""),
        ("GIT_COMMITTER_NAME", "<>\n"),
        ("TMPDIR", nowhere),
        ("HOME", ""),
        ("PATH", ""),
        ("LC_ALL", "\u{1}"),
        ("TERM", ""),
        ("COLUMNS", "-1"),
    ] {
        let mut sandbox = with_run();
        sandbox.set(name, value);
        for verb in VERBS {
            assert_no_panic(&json(&sandbox, verb));
        }
        sandbox.unset(name);
        sandbox.set("PATH", Sandbox::empty().environment()[0].1.clone());
        let fsck = sandbox.rapid_json(&["fsck"]);
        assert_eq!(fsck["ok"], true, "{name}={value}: {fsck:#}");
    }
}

#[test]
fn the_current_folder_is_gone() {
    let sandbox = with_run();
    let gone = sandbox.path("gone");
    fs::create_dir(&gone).unwrap();
    for verb in VERBS.iter().filter(|verb| verb[0] != "completions") {
        let program = env!("CARGO_BIN_EXE_git-rapid");
        let script = "rmdir . && exec \"$@\"";
        fs::create_dir_all(&gone).unwrap();
        let run = sandbox.finish(
            sandbox
                .command("sh")
                .current_dir(&gone)
                .args([
                    "-c",
                    &script.replace("rmdir .", "rmdir ../gone"),
                    "sh",
                    program,
                    "--json",
                ])
                .args(*verb),
        );
        assert_refused(&run, 4, "RAPID4008");
    }
}

/// As root, rights do not bind; a read-only mount does, where one may be made.
#[test]
fn a_git_directory_that_cannot_be_written() {
    let sandbox = with_run();
    let mount = "mount --bind .git .git && mount -o remount,ro,bind .git && exec \"$@\"";
    let read_only = |words: &[&str]| {
        let mut command = sandbox.command("unshare");
        command.args(["--mount", "sh", "-c", mount, "sh"]);
        command.args(words);
        sandbox.finish(&mut command)
    };
    if read_only(&["true"]).code != 0 {
        return;
    }
    let before = sandbox.fingerprint();
    let program = env!("CARGO_BIN_EXE_git-rapid");
    for verb in [
        &["check"][..],
        &["task", "start", "T001"],
        &["attach", "README", "--task", "T001"],
        &["commit", "-a"],
        &["pause"],
        &["abort", "--reason", "x"],
        &["supersede", "--reason", "x"],
    ] {
        let mut words = vec![program, "--json"];
        words.extend_from_slice(verb);
        assert_refused(&read_only(&words), 4, "RAPID4010");
    }
    for verb in ["next", "status", "log", "fsck", "verify"] {
        assert_eq!(read_only(&[program, "--json", verb]).code, 0, "{verb}");
    }
    assert_eq!(sandbox.fingerprint(), before);
}
