//! Documents, words and config that are not what they should be.

use super::*;

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
