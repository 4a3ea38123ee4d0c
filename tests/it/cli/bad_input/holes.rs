//! Things of ours or of git that are missing or damaged.

use super::*;

#[test]
fn a_ledger_with_holes_is_never_taken_for_a_whole_one() {
    type Damage = fn(&Sandbox);
    let rows: &[(&str, Damage)] = &[
        ("the run's tip", |sandbox| {
            fs::remove_file(object_file(sandbox, &format!("refs/rapid/runs/{RUN}"))).unwrap();
        }),
        ("the contract", |sandbox| {
            fs::remove_file(object_file(sandbox, &ledger_file(sandbox, "contract"))).unwrap();
        }),
        ("an event", |sandbox| {
            fs::remove_file(object_file(sandbox, &ledger_file(sandbox, "event"))).unwrap();
        }),
        ("an artifact", |sandbox| {
            fs::remove_file(object_file(sandbox, &ledger_file(sandbox, "artifacts/"))).unwrap();
        }),
        ("a garbled event", |sandbox| {
            let file = object_file(sandbox, &ledger_file(sandbox, "event"));
            fs::remove_file(&file).unwrap();
            fs::write(file, "garbage").unwrap();
        }),
        ("the journal", |sandbox| {
            let name = sandbox.git(&["for-each-ref", "--format=%(refname)", "refs/rapid/journal"]);
            fs::remove_file(object_file(sandbox, &name)).unwrap();
        }),
        ("a garbled ref", |sandbox| {
            sandbox.write(format!(".git/refs/rapid/runs/{RUN}"), "garbage\n");
        }),
    ];
    for (name, damage) in rows {
        let sandbox = with_run();
        damage(&sandbox);
        drop(fs::remove_dir_all(sandbox.path(".git/rapid/cache")));
        let fsck = json(&sandbox, &["fsck"]);
        assert!([1, 4].contains(&fsck.code), "{name}: {fsck:?}");
        let passed = json(&sandbox, &["verify", "--require-pass"]);
        assert_ne!(passed.code, 0, "{name}: {passed:?}");
        every_verb_stands(name, &sandbox);
    }
}

#[test]
fn a_project_with_holes_and_files_of_ours_that_are_damaged() {
    type Damage = fn(&Sandbox);
    let rows: &[(&str, Damage)] = &[
        ("HEAD's commit", |sandbox| {
            fs::remove_file(object_file(sandbox, "HEAD")).unwrap();
        }),
        ("HEAD's tree", |sandbox| {
            fs::remove_file(object_file(sandbox, "HEAD^{tree}")).unwrap();
        }),
        ("a blob", |sandbox| {
            fs::remove_file(object_file(sandbox, "HEAD:src/lib.txt")).unwrap();
        }),
        ("a garbled HEAD", |sandbox| {
            sandbox.write(".git/HEAD", "garbage\n");
        }),
        ("a garbled index", |sandbox| {
            sandbox.write(".git/index", "garbage\n");
        }),
        ("a cut index", |sandbox| {
            let index = fs::read(sandbox.path(".git/index")).unwrap();
            sandbox.write(".git/index", &index[..index.len() / 2]);
        }),
        ("a held index", |sandbox| {
            sandbox.write(".git/index.lock", "");
        }),
        ("a garbled pointer", |sandbox| {
            sandbox.write(".git/rapid/session.json", "\u{0}garbage");
        }),
        ("an empty pointer", |sandbox| {
            sandbox.write(".git/rapid/session.json", "");
        }),
        ("a deep pointer", |sandbox| {
            sandbox.write(".git/rapid/session.json", "[".repeat(100_000));
        }),
        ("a pointer of another version", |sandbox| {
            sandbox.write(
                ".git/rapid/session.json",
                r#"{"schema_version":9,"run":null,"elsewhere":[]}"#,
            );
        }),
        ("a folder as pointer", |sandbox| {
            sandbox.remove(".git/rapid/session.json");
            fs::create_dir(sandbox.path(".git/rapid/session.json")).unwrap();
        }),
        ("a file as our folder", |sandbox| {
            fs::remove_dir_all(sandbox.path(".git/rapid")).unwrap();
            sandbox.write(".git/rapid", "");
        }),
        ("a garbled cache", |sandbox| {
            for entry in fs::read_dir(sandbox.path(".git/rapid/cache/streams")).unwrap() {
                fs::write(entry.unwrap().path(), [0xff; 300]).unwrap();
            }
        }),
        ("a garbled writer", |sandbox| {
            sandbox.write(".git/rapid/writer", "garbage");
        }),
        ("a file as the side store", |sandbox| {
            drop(fs::remove_dir_all(sandbox.path(".git/rapid/objects")));
            sandbox.write(".git/rapid/objects", "");
        }),
    ];
    for (name, damage) in rows {
        let sandbox = with_run();
        damage(&sandbox);
        every_verb_stands(name, &sandbox);
        let fsck = json(&sandbox, &["fsck"]);
        assert!([0, 1, 4].contains(&fsck.code), "{name}: {fsck:?}");
    }
}

#[test]
fn a_held_index_is_named_and_waits_for_whoever_holds_it() {
    let sandbox = with_run();
    sandbox.write(".git/index.lock", "");
    let refused = json(&sandbox, &["commit", "-a"]);
    assert_refused(&refused, 4, "RAPID4009");
    sandbox.remove(".git/index.lock");
    sandbox.rapid_ok(&["commit", "-a"]);
}

#[test]
fn a_pointer_to_a_run_that_is_not_here_is_no_dead_end() {
    // The pointer names nothing that is here, and this clone opened a run here.
    let sandbox = with_run();
    let pointer = sandbox.read(".git/rapid/session.json");
    let at = pointer.find("\"contract\":\"").unwrap() + 12;
    let mut garbled = pointer.clone();
    garbled.replace_range(at..at + 8, "00000000");
    sandbox.write(".git/rapid/session.json", &garbled);
    let next = sandbox.rapid_json(&["next"]);
    assert_eq!(next["run_id"], RUN, "{next:#}");
    sandbox.rapid_ok(&["resume", RUN]);
    assert_eq!(sandbox.read(".git/rapid/session.json"), pointer);
    // The run itself is gone.
    sandbox.git(&["update-ref", "-d", &format!("refs/rapid/runs/{RUN}")]);
    for verb in [&["next"][..], &["check"], &["commit", "-a"], &["status"]] {
        assert_refused(&json(&sandbox, verb), 2, "RAPID1304");
    }
    sandbox.rapid_ok(&["log"]);
    sandbox.rapid_ok(&["start", "direct", "-m", "again"]);
    sandbox.rapid_ok(&["check"]);
    // Nobody forgets that it was there.
    let fsck = json(&sandbox, &["fsck"]).ended(1).json();
    assert_eq!(fsck["faults"][0]["code"], "RAPID1607", "{fsck:#}");
}

#[test]
fn clones_that_lack_objects_say_so_and_never_pass_or_fail() {
    let source = project();
    for number in 2..5 {
        source.write("src/lib.txt", format!("{number}\n"));
        source.commit_all("more");
    }
    source.rapid_ok(&["start", "direct", "-m", "mend it"]);
    source.rapid_ok(&["task", "start", "T001"]);
    source.write("src/lib.txt", "last\n");
    source.git(&["config", "rapid.testCommand", "true"]);
    source.rapid(&["check"]);
    source.git(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", source.dir().display());
    for options in [
        &["--depth=1"][..],
        &["--filter=blob:none"],
        &["--filter=tree:0"],
    ] {
        let clone = source.root().join("clone");
        let mut words = vec!["clone", "-q"];
        words.extend_from_slice(options);
        words.extend(["--config", "rapid.testCommand=true", &url]);
        words.push(clone.to_str().unwrap());
        source.git(&words);
        // Work of its own, in a clone that holds only part of the past.
        for words in [
            &["start", "direct", "-m", "here too"][..],
            &["task", "start", "T001"],
            &["check"],
            &["status"],
            &["next"],
            &["verify", "HEAD"],
            &["fsck"],
        ] {
            let run = source.rapid_in(&clone, words);
            assert_eq!(run.code, 0, "{run:?}");
        }
        // The ledger of the source, fetched whole into a clone like that.
        source
            .finish(
                source
                    .command("git")
                    .current_dir(&clone)
                    .args(["fetch", "-q", "--no-filter", "origin"])
                    .arg("refs/rapid/runs/*:refs/rapid/runs/*"),
            )
            .ended(0);
        let eval = source.rapid_in(&clone, &["--json", "--run", RUN, "eval", "run"]);
        assert_no_panic(&eval);
        if eval.code == 0 {
            assert_eq!(eval.json()["verdict"], "unverified", "{eval:?}");
        }
        fs::remove_dir_all(&clone).unwrap();
    }
}
