//! Input that is wrong in every way there is: one clear error with a code and a hint, an exit
//! code of the table, and a ledger that is as it was.

use crate::support::{Run, Sandbox, SandboxKind};
use std::{
    ffi::{OsStr, OsString},
    fs,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

/// Everything that tells a person's or a program's verb from an accident.
#[track_caller]
fn assert_refused(run: &Run, exit: i32, code: &str) {
    assert_eq!(run.code, exit, "{run:?}");
    assert_eq!(run.error_code(), code, "{run:?}");
    let error = &run.json()["error"];
    let hints = error["hints"].as_array().expect("a list");
    assert!(!hints.is_empty(), "no hint: {run:?}");
    assert!(!error["message"].as_str().unwrap().is_empty());
    assert!(!run.stderr.contains("error["), "said once: {run:?}");
}

/// Not a mistake of the program, whatever else it is.
#[track_caller]
fn assert_no_panic(run: &Run) {
    assert!((0..=4).contains(&run.code), "{run:?}");
    for text in [&run.stdout, &run.stderr] {
        assert!(!text.contains("RAPID4019"), "{run:?}");
        assert!(!text.contains("panicked"), "{run:?}");
    }
    if run.code != 0 {
        assert!(!run.stdout.is_empty() || !run.stderr.is_empty(), "{run:?}");
    }
}

fn project() -> Sandbox {
    let sandbox = Sandbox::project();
    // Words of the config are split as a shell would; printf reads the rest.
    sandbox.git(&["config", "rapid.testCommand", r"printf '1..1\nok 1\n'"]);
    sandbox
}

fn with_run() -> Sandbox {
    let sandbox = project();
    sandbox.rapid_ok(&["start", "direct", "-m", "mend it"]);
    sandbox.write("src/lib.txt", "two\n");
    sandbox
}

const RUN: &str = "mend-it-r1-run-001";

fn refs(sandbox: &Sandbox) -> String {
    sandbox.git(&["for-each-ref"])
}

fn json(sandbox: &Sandbox, words: &[&str]) -> Run {
    let mut all = vec!["--json"];
    all.extend_from_slice(words);
    sandbox.rapid(&all)
}

#[test]
fn specs_that_are_no_specs() {
    let sandbox = project();
    let before = refs(&sandbox);
    let deep = format!("{{\"title\":{}", "[".repeat(100_000));
    let large = vec![b' '; 3 << 20];
    let rows: &[(&str, &[u8], &str)] = &[
        ("unknown key", br#"{"title":"x","mode":"feature","titel":1}"#, "RAPID803"),
        ("wrong type", br#"{"title":1,"mode":"feature"}"#, "RAPID803"),
        ("wrong type below", br#"{"title":"x","mode":"feature","implementation_tasks":[1]}"#, "RAPID803"),
        ("truncated", br#"{"title":"x","mode":"feat"#, "RAPID803"),
        ("duplicate key", br#"{"title":"x","title":"y","mode":"feature"}"#, "RAPID803"),
        ("duplicate key below", br#"{"title":"x","mode":"feature","change":{"clear":true,"clear":false}}"#, "RAPID803"),
        ("not UTF-8", b"{\"title\":\"\xff\",\"mode\":\"feature\"}", "RAPID803"),
        ("a byte order mark", b"\xef\xbb\xbf{}", "RAPID803"),
        ("UTF-16", b"\xff\xfe{\0}\0", "RAPID803"),
        ("half a surrogate", br#"{"title":"\ud800","mode":"feature"}"#, "RAPID803"),
        ("deep nesting", deep.as_bytes(), "RAPID803"),
        ("blanks", b" \n\t ", "RAPID803"),
        ("NULs", &[0; 100], "RAPID803"),
        ("nothing", b"", "RAPID4003"),
        ("huge", &large, "RAPID4003"),
        ("null", b"null", "RAPID803"),
        ("a list", b"[]", "RAPID803"),
        ("a word", b"\"spec\"", "RAPID803"),
        ("two documents", br#"{"title":"x","mode":"feature"}{}"#, "RAPID803"),
        ("an empty object", b"{}", "RAPID803"),
        ("a blank title", br#"{"title":" ","mode":"feature"}"#, "RAPID803"),
        ("a title of signs", br#"{"title":"!!!","mode":"feature","implementation_tasks":["a"],"acceptance_criteria":["b"]}"#, "RAPID806"),
        ("a control character", br#"{"title":"a\u0000b","mode":"feature"}"#, "RAPID803"),
        ("an unknown mode", br#"{"title":"x","mode":"chore"}"#, "RAPID803"),
        ("a path outside", br#"{"title":"x","mode":"feature","affected_paths":["../x"]}"#, "RAPID803"),
        ("an absolute path", br#"{"title":"x","mode":"feature","affected_paths":["/etc"]}"#, "RAPID803"),
        ("unknown magic", br#"{"title":"x","mode":"feature","affected_paths":[":(bogus)x"]}"#, "RAPID803"),
        ("a cycle", br#"{"title":"x","mode":"feature","implementation_tasks":[{"description":"a","after":["T001"]}]}"#, "RAPID803"),
        ("no such task", br#"{"title":"x","mode":"feature","implementation_tasks":[{"description":"a","after":["T009"]}]}"#, "RAPID803"),
        ("an empty command", br#"{"title":"x","mode":"feature","test_command":{"argv":[],"cwd":"."}}"#, "RAPID803"),
        ("a number too large", br#"{"title":"x","mode":"feature","implementation_tasks":[{"description":"a","minutes":1e400}]}"#, "RAPID803"),
        ("a fraction", br#"{"title":"x","mode":"feature","implementation_tasks":[{"description":"a","minutes":1.5}]}"#, "RAPID803"),
        ("Markdown", b"# A spec\n\n## Tasks\n- one\n", "RAPID803"),
    ];
    let file = sandbox.root().join("tmp/spec");
    for (_, bytes, code) in rows {
        fs::write(&file, bytes).unwrap();
        let from_file = json(&sandbox, &["start", "--spec-file", file.to_str().unwrap()]);
        assert_refused(&from_file, 3, code);
        let from_input = sandbox.rapid_with_input(&["--json", "start", "--spec-file", "-"], bytes);
        assert_refused(&from_input, 3, code);
    }
    assert_eq!(refs(&sandbox), before);
}

#[test]
fn files_that_cannot_be_read() {
    let sandbox = with_run();
    let before = refs(&sandbox);
    let endless = Path::new("/dev/zero");
    let rows: &[(&[&str], i32, &str)] = &[
        (&["attach", "--task", "T001", "missing"], 3, "RAPID4002"),
        (&["attach", "--task", "T001", "src"], 3, "RAPID1204"),
        (&["attach", "--task", "T001", ""], 2, "RAPID4001"),
        (&["attach", "--task", "T009", "README"], 3, "RAPID1207"),
        (&["attach", "--task", "nine", "README"], 2, "RAPID4001"),
        (&["check", "--accept", "A009"], 3, "RAPID1207"),
        (&["check", "--gate", "gate.nine"], 3, "RAPID1207"),
        (&["check", "no-such-check"], 3, "RAPID1207"),
    ];
    for (words, exit, code) in rows {
        let run = json(&sandbox, words);
        assert!(run.code != 0, "{run:?}");
        assert_no_panic(&run);
        assert_refused(&run, *exit, code);
    }
    if endless.exists() {
        let run = json(&sandbox, &["attach", "--task", "T001", "/dev/zero"]);
        assert_no_panic(&run);
        assert_eq!(run.code, 3, "{run:?}");
    }
    assert_eq!(refs(&sandbox), before);
    sandbox.rapid_ok(&["abort", "--reason", "enough"]);
    for file in ["missing", ".", "README/below"] {
        let run = json(&sandbox, &["start", "--spec-file", file]);
        assert_refused(&run, 3, "RAPID4002");
    }
}

/// Every verb, with words that are right.
const VERBS: &[&[&str]] = &[
    &["next"],
    &["next", "feature"],
    &["init"],
    &["start", "direct", "-m", "x"],
    &["check"],
    &["check", "--", "true"],
    &["task", "list"],
    &["task", "start", "T001"],
    &["task", "done", "T001"],
    &["task", "block", "T001", "--reason", "x"],
    &["task", "skip", "T001", "--reason", "x"],
    &["attach", "README", "--task", "T001"],
    &["commit", "-a", "-m", "x"],
    &["commit"],
    &["finish"],
    &["approve"],
    &["resolve", "0123456789abcdef"],
    &["status"],
    &["abort", "--reason", "x"],
    &["pause"],
    &["resume"],
    &["resume", RUN],
    &["supersede", "--reason", "x"],
    &["log"],
    &["log", RUN],
    &["show", "HEAD"],
    &["show", RUN],
    &["review"],
    &["verify"],
    &["verify", "HEAD"],
    &["verify", RUN],
    &["spec", "list"],
    &["spec", "show", "mend-it"],
    &["spec", "template"],
    &["evidence", "list"],
    &["evidence", "show", "E001"],
    &["evidence", "cat", "E001"],
    &["eval", "run"],
    &["fsck"],
    &["completions", "bash"],
];

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
fn words_that_are_no_words() {
    let sandbox = with_run();
    let before = refs(&sandbox);
    let long = "a".repeat(100_000);
    let raw = |bytes: &[u8]| OsStr::from_bytes(bytes).to_owned();
    let word = |text: &str| OsString::from(text);
    let rows: Vec<Vec<OsString>> = vec![
        vec![word("")],
        vec![raw(b"\xff")],
        vec![word(&long)],
        vec![word("start"), word("-m"), raw(b"\xff")],
        vec![word("start"), word("bogus"), word("-m"), word("x")],
        vec![
            word("start"),
            word("-m"),
            word("x"),
            word("--risk"),
            word("none"),
        ],
        vec![
            word("start"),
            word("-m"),
            word("x"),
            word("--paths"),
            word(""),
        ],
        vec![
            word("start"),
            word("-m"),
            word("x"),
            word("--paths"),
            word("../.."),
        ],
        vec![
            word("start"),
            word("-m"),
            word("x"),
            word("--paths"),
            raw(b"\xff"),
        ],
        vec![
            word("start"),
            word("-m"),
            word("x"),
            word("--test-command"),
            word(""),
        ],
        vec![
            word("start"),
            word("-m"),
            word("x"),
            word("--test-command"),
            word("a \"b"),
        ],
        vec![
            word("start"),
            word("-m"),
            word("x"),
            word("--test-command"),
            word("a && b"),
        ],
        vec![word("start"), word("--spec"), word("NO SPEC@x")],
        vec![word("check"), word("--timeout"), word("soon")],
        vec![word("check"), word("--timeout"), word("0")],
        vec![word("check"), word("--timeout"), word("-1")],
        vec![word("check"), word("--timeout"), word(&"9".repeat(40))],
        vec![word("check"), word("--expect"), word("maybe")],
        vec![word("task"), word("start"), word("T1")],
        vec![word("task"), word("start"), raw(b"T\xff")],
        vec![word("--run"), word(""), word("log")],
        vec![word("--run"), word("../../x"), word("log")],
        vec![word("--lang"), word("xx"), word("log")],
        vec![word("--color"), word("loud"), word("log")],
    ];
    for words in rows {
        let run = sandbox.finish(sandbox.rapid_command(&["--json"]).args(&words));
        assert_refused(&run, 2, "RAPID4001");
    }
    // Words of a command are bytes: they are recorded as they are.
    let run = sandbox.finish(
        sandbox
            .rapid_command(&["--json", "check", "--", "true"])
            .arg(raw(b"\xff\xfe"))
            .arg("")
            .arg(&long),
    );
    assert_eq!(run.code, 0, "{run:?}");
    assert_ne!(refs(&sandbox), before);
    let empty = sandbox.rapid(&["--json", "check", "--", ""]);
    assert_no_panic(&empty);
    assert_ne!(empty.code, 0, "{empty:?}");
    assert_eq!(sandbox.rapid_json(&["fsck"])["ok"], true);
}

#[test]
fn config_that_cannot_be_meant() {
    let rows: &[(&str, &str, &[&str], i32, &str)] = &[
        (
            "rapid.testCommand",
            "a \"b",
            &["start", "-m", "x"],
            3,
            "RAPID4003",
        ),
        (
            "rapid.testCommand",
            "a | b",
            &["start", "-m", "x"],
            3,
            "RAPID4003",
        ),
        ("rapid.testCommand", "a \"b", &["init"], 3, "RAPID4003"),
        (
            "rapid.writer",
            "zzz",
            &["start", "direct", "-m", "x"],
            3,
            "RAPID4003",
        ),
    ];
    for (key, value, words, exit, code) in rows {
        let sandbox = project();
        sandbox.git(&["config", key, value]);
        let before = refs(&sandbox);
        assert_refused(&json(&sandbox, words), *exit, code);
        assert_eq!(refs(&sandbox), before, "{key}");
    }
    let sandbox = with_run();
    let before = refs(&sandbox);
    for (key, values) in [
        (
            "rapid.timeout",
            ["abc", "-1", "0", "", "1d", "99999999999999999999999"],
        ),
        (
            "rapid.logLimit",
            ["abc", "-1", "0", "", "10", "99999999999999999999999"],
        ),
    ] {
        for value in values {
            sandbox.git(&["config", key, value]);
            let run = json(&sandbox, &["check", "--fresh"]);
            assert_refused(&run, 3, "RAPID4003");
            assert_eq!(refs(&sandbox), before, "{key}={value}");
        }
        sandbox.git(&["config", "--unset", key]);
    }
    // What is understood: as on the command line, and as git writes numbers.
    for (key, value) in [("rapid.timeout", "15m"), ("rapid.logLimit", "64k")] {
        sandbox.git(&["config", key, value]);
    }
    sandbox.rapid_ok(&["check", "--fresh"]);
    // A language nobody speaks here is passed over, as one of the locale is.
    sandbox.git(&["config", "rapid.lang", "xx"]);
    sandbox.rapid_ok(&["status"]);
    fs::write(sandbox.path(".git/config"), "[broken").unwrap();
    for verb in VERBS {
        if verb[0] != "completions" {
            let run = json(&sandbox, verb);
            assert_refused(&run, 4, &run.error_code());
        }
    }
}

#[test]
fn nobody_is_known_to_git() {
    let mut sandbox = with_run();
    for name in [
        "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_EMAIL",
        "GIT_COMMITTER_NAME",
        "GIT_COMMITTER_EMAIL",
    ] {
        sandbox.unset(name);
    }
    sandbox.git(&["config", "user.useConfigOnly", "true"]);
    let before = sandbox.fingerprint();
    for verb in [
        &["check"][..],
        &["task", "start", "T001"],
        &["attach", "README", "--task", "T001"],
        &["commit", "-a"],
        &["finish"],
        &["pause"],
        &["abort", "--reason", "x"],
        &["resume"],
        &["supersede", "--reason", "x"],
        &["start", "-m", "x"],
    ] {
        let run = json(&sandbox, verb);
        assert_refused(&run, 4, "RAPID4006");
    }
    for verb in [&["next"][..], &["status"], &["log"], &["fsck"], &["verify"]] {
        assert_eq!(json(&sandbox, verb).code, 0, "reading needs no name");
    }
    assert_eq!(sandbox.fingerprint(), before);
}

/// Runs every verb on a sandbox that something was done to; none panics, none changes a ref
/// but where `may_write` says so.
#[track_caller]
fn every_verb_stands(name: &str, sandbox: &Sandbox) {
    for verb in VERBS {
        let run = json(sandbox, verb);
        assert!(
            (0..=4).contains(&run.code)
                && !run.stdout.contains("RAPID4019")
                && !run.stderr.contains("panicked"),
            "{name}: {run:?}"
        );
        // `evidence cat` and `completions` print raw bytes.
        if !["evidence", "completions", "spec"].contains(&verb[0]) {
            assert!(!run.stdout.is_empty(), "{name}: {run:?}");
        }
        if run.code != 0 && run.stdout.contains("\"error\"") {
            let error = &run.json()["error"];
            assert!(
                !error["hints"].as_array().unwrap().is_empty(),
                "{name}: no hint: {run:?}"
            );
        }
    }
}

fn object_file(sandbox: &Sandbox, name: &str) -> PathBuf {
    let id = sandbox.git(&["rev-parse", name]);
    sandbox.path(format!(".git/objects/{}/{}", &id[..2], &id[2..]))
}

/// A file of the run's tree whose name holds `part`.
fn ledger_file(sandbox: &Sandbox, part: &str) -> String {
    let tip = format!("refs/rapid/runs/{RUN}");
    let names = sandbox.git(&["ls-tree", "-r", "--name-only", &tip]);
    let name = names
        .lines()
        .find(|name| name.contains(part))
        .unwrap_or_else(|| panic!("no {part} in {names}"));
    format!("{tip}:{name}")
}

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

#[test]
fn a_commit_whose_test_cannot_be_counted_names_the_way_on() {
    let sandbox = Sandbox::project();
    sandbox.git(&["config", "rapid.testCommand", "true"]);
    sandbox.rapid_ok(&["start", "direct", "-m", "mend it"]);
    sandbox.write("src/lib.txt", "two\n");
    let refused = json(&sandbox, &["commit", "-a"]);
    assert_refused(&refused, 1, "RAPID1502");
    // To test it again would say the same again.
    let hints = refused.json()["error"]["hints"].to_string();
    assert!(hints.contains(r#"["git","rapid","next"]"#), "{hints}");
    let next = sandbox.rapid_json(&["next"]);
    assert_eq!(next["context"]["why"]["code"], "uncounted", "{next:#}");
}
