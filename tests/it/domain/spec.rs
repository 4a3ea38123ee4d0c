//! Reading specs, and making them.

use git_rapid::domain::{
    bytes::ByteText,
    id::TaskId,
    spec::{
        DataImpact, Fault, SentenceTexts, Spec, SpecTask, TestCommand, from_sentence, read_json,
        shell_operator, template_json,
    },
    vocabulary::Mode,
};
use serde_json::{Value, json};

/// A document with title and mode, and what else the test gives.
pub(super) fn document(more: Value) -> Value {
    let mut document = json!({"title": "Count the tax once", "mode": "feature"});
    for (key, value) in more.as_object().unwrap() {
        document[key] = value.clone();
    }
    document
}

pub(super) fn read(document: &Value) -> Result<Spec, Vec<Fault>> {
    read_json(&serde_json::to_vec(document).unwrap())
}

fn good(more: Value) -> Spec {
    read(&document(more)).unwrap()
}

/// The faults, one a line.
fn told(faults: &[Fault]) -> String {
    let line = |fault: &Fault| match &fault.meant {
        Some(meant) => format!("{}: {} (meant: {meant})", fault.at, fault.what),
        None => format!("{}: {}", fault.at, fault.what),
    };
    faults.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn faults(more: Value) -> String {
    told(&read(&document(more)).unwrap_err())
}

fn words(argv: &[&str]) -> Vec<ByteText> {
    argv.iter().map(|word| ByteText::from(*word)).collect()
}

#[test]
fn only_title_and_mode_are_needed() {
    let spec = good(json!({}));
    assert_eq!(
        spec,
        Spec {
            title: "Count the tax once".into(),
            ..Spec::empty(Mode::Feature)
        }
    );
    assert_eq!(spec.affected_paths, None);
    assert!(spec.change.all());
}

#[test]
fn every_field_is_read() {
    let spec = good(json!({
        "schema_version": 1,
        "title": "  Count the tax once ",
        "mode": "fix",
        "business_objective": "Right bills.",
        "problem_statement": "Tax twice.\nOn refunds.",
        "scope": [" a ", "", "b"],
        "out_of_scope": ["c"],
        "actors_users": ["d"],
        "main_flow": ["e", "  ", "e"],
        "edge_cases": ["f"],
        "business_rules": ["g"],
        "technical_constraints": ["h"],
        "testing_strategy": ["i"],
        "data_impact": "reads: the orders",
        "affected_paths": ["src/**", "", ":!src/gen"],
        "acceptance_criteria": ["It is right.", {"text": "Fast", "check": ["./bench", "-q"]}, " "],
        "implementation_tasks": [
            "", "First",
            {"description": "Second", "paths": ["src/a"], "checks": [["make", "x"]], "after": ["T001", "T001"], "minutes": 30, "attempts": 3},
        ],
        "open_questions": ["Why?"],
        "change": {"clear": false},
        "tags": [" B ", "a", "A", ""],
        "test_command": {"argv": ["cargo", "test"], "cwd": "./crate/"},
    }));
    assert_eq!(spec.title, "Count the tax once");
    assert_eq!(spec.mode, Mode::Bugfix);
    assert_eq!(spec.scope, ["a", "b"]);
    assert_eq!(spec.main_flow, ["e", "e"], "order and repetition are kept");
    assert_eq!(spec.data_impact, DataImpact::Reads);
    assert_eq!(spec.affected_paths.as_ref().unwrap().len(), 2);
    assert_eq!(spec.acceptance_criteria.len(), 2);
    assert_eq!(
        spec.acceptance_criteria[1].check,
        Some(words(&["./bench", "-q"]))
    );
    assert_eq!(
        spec.implementation_tasks,
        [
            SpecTask::of("First"),
            SpecTask {
                paths: vec!["src/a".parse().unwrap()],
                checks: vec![words(&["make", "x"])],
                after: vec![TaskId::at(1)],
                minutes: Some(30),
                attempts: Some(3),
                ..SpecTask::of("Second")
            },
        ]
    );
    assert!(!spec.change.clear && spec.change.bounded);
    assert_eq!(spec.tags, ["a", "b"]);
    assert_eq!(
        spec.test_command
            .as_ref()
            .unwrap()
            .cwd
            .as_ref()
            .unwrap()
            .as_bytes(),
        b"crate"
    );
    assert_eq!(
        read(&template_json(&spec)).unwrap(),
        spec,
        "its own document reads back"
    );
}

#[test]
fn null_is_as_good_as_absent() {
    let spec = good(json!({
        "affected_paths": null, "test_command": null, "scope": null,
        "implementation_tasks": [{"description": "x", "minutes": null}],
    }));
    assert_eq!((spec.affected_paths, spec.test_command), (None, None));
}

#[test]
fn all_faults_are_told_at_once() {
    let faults = read(&json!({
        "schema_version": 2,
        "title": "two\nlines",
        "mode": "featur",
        "Acceptance-Criteria": [],
        "tasks": [],
        "zzz": 1,
        "a/b~c": 1,
        "business_objective": 7,
        "scope": "one thing",
        "main_flow": ["ok", 1, {}],
        "data_impact": ["none"],
        "affected_paths": ["src", "/etc", "../x"],
        "acceptance_criteria": [{"txt": "x"}, 5, {"text": " ", "check": "make test"}],
        "implementation_tasks": [
            {"description": "a", "after": ["T009", "t2"], "minutes": 0, "attempts": "many", "depends_on": []},
            {"after": ["T003"], "checks": [["cargo", "build", "&&", "cargo", "test x"], []]},
            {"description": "c", "after": ["T002"]},
        ],
        "change": {"clear": "no", "small": true},
        "tags": [true],
        "test_command": "cargo test --all",
    }))
    .unwrap_err();
    insta::assert_snapshot!(told(&faults), @r##"
    /Acceptance-Criteria: is not a key of a spec (meant: acceptance_criteria)
    /tasks: is not a key of a spec (meant: implementation_tasks)
    /zzz: is not a key of a spec
    /a~1b~0c: is not a key of a spec
    /schema_version: is a version that is not known here; known: 1
    /title: has a line break or another control character; it is one line
    /mode: "featur" is not a mode; known: direct, feature, bugfix, refactor, hardening, research (meant: feature)
    /business_objective: is a number; text is expected
    /scope: is text; a list of text is expected (meant: ["one thing"])
    /main_flow/1: is a number; text is expected
    /main_flow/2: is an object; text is expected
    /tags/0: is true or false; text is expected
    /data_impact: is a list; text is expected
    /affected_paths/1: "/etc" is not a scope pattern: it is absolute; patterns are relative to the repository root
    /affected_paths/2: "../x" is not a scope pattern: it has a '..' component
    /acceptance_criteria/0/txt: is not a key of a criterion (meant: text)
    /acceptance_criteria/0/text: is required
    /acceptance_criteria/1: is a number; text, or an object with text and check, is expected
    /acceptance_criteria/2/check: is text; a command as a list of words is expected (meant: ["make","test"])
    /acceptance_criteria/2/text: is blank; it is required
    /implementation_tasks/0/depends_on: is not a key of a task (meant: after)
    /implementation_tasks/0/after/1: "t2" is not a task id (T001) (meant: T002)
    /implementation_tasks/0/minutes: is 0; a whole number from 1 to 4294967295 is expected
    /implementation_tasks/0/attempts: is text; a whole number from 1 up is expected
    /implementation_tasks/1/description: is required
    /implementation_tasks/1/checks/0: has the word "&&", which only a shell understands, and no shell reads it (meant: ["sh","-c","cargo build && cargo 'test x'"])
    /implementation_tasks/1/checks/1: names no program
    /implementation_tasks/0/after: T009 is not a task of this spec, which has 3
    /implementation_tasks/1/after: the tasks wait for each other: T002 after T003 after T002
    /change/small: is not a key of change
    /change/clear: is text; true or false is expected (meant: false)
    /test_command: is text; an object with argv is expected (meant: {"argv":["cargo","test","--all"]})
    "##);
}

#[test]
fn a_title_is_one_line_of_bounded_length() {
    let title = |title: &str| read(&json!({"title": title, "mode": "feature"}));
    assert!(title(&"é".repeat(200)).is_ok());
    assert_eq!(
        told(&title(&"x".repeat(201)).unwrap_err()),
        "/title: has 201 characters; at most 200 are allowed"
    );
    assert_eq!(
        told(&title(" ").unwrap_err()),
        "/title: is blank; it is required"
    );
    assert!(title("a\tb").is_err());
    assert!(title("a\u{1b}[31m").is_err());
    assert_eq!(
        told(&read(&json!({})).unwrap_err()),
        "/title: is required\n/mode: is required; known: direct, feature, bugfix, refactor, hardening, research"
    );
}

#[test]
fn modes_have_aliases() {
    for (alias, mode) in [
        ("quick", Mode::Direct),
        ("new", Mode::Feature),
        ("fix", Mode::Bugfix),
        ("bug", Mode::Bugfix),
        ("refactoring", Mode::Refactor),
        ("legacy", Mode::Hardening),
        ("research", Mode::Research),
    ] {
        assert_eq!(good(json!({"mode": alias})).mode, mode);
    }
    assert!(faults(json!({"mode": "Feature"})).contains("meant: feature"));
    assert!(faults(json!({"mode": ""})).starts_with("/mode: "));
}

#[test]
fn what_data_impact_means() {
    let of = |text: &str| good(json!({"data_impact": text})).data_impact;
    for text in [
        "",
        "none",
        "None.",
        " NONE ",
        "none: only docs",
        "no data impact",
        "No data impact.",
        "n/a",
        "N/A",
        "no",
        "nothing",
        "sin impacto",
        "Sin impacto en los datos.",
        "Ninguno",
        "ningún dato",
        "ninguna",
        "nada",
        "No aplica",
        "no  hay",
        "Ningún impacto.",
    ] {
        assert_eq!(of(text), DataImpact::None, "{text:?}");
    }
    for text in ["reads", "Reads: orders", "READS."] {
        assert_eq!(of(text), DataImpact::Reads, "{text:?}");
    }
    assert_eq!(of("writes: one row per order"), DataImpact::Writes);
    for text in [
        "migrates",
        "migrates: adds a column",
        "Migración",
        "migration",
    ] {
        assert_eq!(of(text), DataImpact::Migrates, "{text:?}");
    }
    for text in [
        "a new table",
        "none of the old rows survive",
        "no idea",
        "drops: everything",
    ] {
        assert_eq!(of(text), DataImpact::Other(text.into()), "{text:?}");
    }
}

#[test]
fn declared_paths_are_patterns_and_not_empty_by_mistake() {
    assert_eq!(
        faults(json!({"affected_paths": [" "]})),
        "/affected_paths: is empty, so nothing at all could be written (meant: name paths or patterns, or leave the key out for the whole repository)"
    );
    let research = good(json!({"mode": "research", "affected_paths": []}));
    assert_eq!(research.affected_paths, Some(vec![]));
    assert!(faults(json!({"affected_paths": [":(icase)x"]})).starts_with("/affected_paths/0: "));
}

#[test]
fn a_tasks_paths_lie_inside_the_declared_ones() {
    let with = |mode: &str, declared: Value, paths: Value| {
        read(&document(json!({
            "mode": mode, "affected_paths": declared,
            "implementation_tasks": [{"description": "x", "paths": paths}],
        })))
    };
    assert!(
        with(
            "feature",
            json!(["src/**"]),
            json!(["src/a.rs", "src/b/**"])
        )
        .is_ok()
    );
    assert!(with("feature", Value::Null, json!(["anywhere"])).is_ok());
    assert_eq!(
        told(&with("feature", json!(["src/**"]), json!(["src/a", "docs"])).unwrap_err()),
        "/implementation_tasks/0/paths: \"docs\" lies outside affected_paths"
    );
    assert!(
        with("research", Value::Null, json!(["docs"])).is_err(),
        "research declares nothing"
    );
    // A fault in the declared paths is told once, not again for each task.
    assert_eq!(
        with("feature", json!(["/src"]), json!(["docs"]))
            .unwrap_err()
            .len(),
        1
    );
}

#[test]
fn tasks_wait_for_tasks_that_exist_and_never_in_a_circle() {
    let after = |lists: &[&[&str]]| {
        let tasks: Vec<_> = lists
            .iter()
            .map(|list| json!({"description": "x", "after": list}))
            .collect();
        read(&document(json!({"implementation_tasks": tasks})))
    };
    assert!(after(&[&[], &["T001"], &["T001", "T002"]]).is_ok());
    assert!(
        after(&[&["T002"], &[]]).is_ok(),
        "a later task may come first"
    );
    assert_eq!(
        told(&after(&[&["T001"]]).unwrap_err()),
        "/implementation_tasks/0/after: the tasks wait for each other: T001 after T001"
    );
    assert_eq!(
        told(&after(&[&["T002"], &["T003"], &["T002"], &[]]).unwrap_err()),
        "/implementation_tasks/1/after: the tasks wait for each other: T002 after T003 after T002"
    );
    assert_eq!(
        told(&after(&[&["T002"]]).unwrap_err()),
        "/implementation_tasks/0/after: T002 is not a task of this spec, which has 1"
    );
    let long: Vec<Vec<String>> = (0..1000)
        .map(|task| {
            if task == 0 {
                vec![]
            } else {
                vec![TaskId::at(task).to_string()]
            }
        })
        .collect();
    let long: Vec<Vec<&str>> = long
        .iter()
        .map(|list| list.iter().map(String::as_str).collect())
        .collect();
    assert!(after(&long.iter().map(Vec::as_slice).collect::<Vec<_>>()).is_ok());
}

#[test]
fn blanks_are_dropped_before_tasks_are_numbered() {
    let spec = good(
        json!({"implementation_tasks": ["", "one", " ", {"description": "two", "after": ["T001"]}]}),
    );
    assert_eq!(spec.implementation_tasks.len(), 2);
    // The place in a fault is the one in the document.
    let faults =
        faults(json!({"implementation_tasks": ["", {"description": "x", "after": ["T002"]}]}));
    assert!(
        faults.starts_with("/implementation_tasks/1/after: "),
        "{faults}"
    );
}

#[test]
fn commands_are_words_for_no_shell() {
    assert_eq!(
        faults(json!({"test_command": {"argv": ["npm", "ci", "&&", "npm", "test"]}})),
        "/test_command/argv: has the word \"&&\", which only a shell understands, and no shell reads it (meant: [\"sh\",\"-c\",\"npm ci && npm test\"])"
    );
    assert_eq!(
        faults(json!({"test_command": {"argv": "cargo test 'a b'"}})),
        "/test_command/argv: is text; a command as a list of words is expected (meant: [\"cargo\",\"test\",\"a b\"])"
    );
    assert_eq!(
        faults(json!({"test_command": {"argv": []}})),
        "/test_command/argv: names no program"
    );
    assert_eq!(
        faults(json!({"test_command": {"argv": [" "]}})),
        "/test_command/argv: names no program"
    );
    assert_eq!(
        faults(json!({"test_command": {}})),
        "/test_command/argv: is required"
    );
    assert!(faults(json!({"test_command": {"argv": ["a\0"]}})).contains("NUL"));
    for cwd in ["/abs", "../up", "a/../b", "/"] {
        assert!(
            faults(json!({"test_command": {"argv": ["x"], "cwd": cwd}}))
                .starts_with("/test_command/cwd: "),
            "{cwd}"
        );
    }
    for cwd in [".", "./", ""] {
        let spec = good(json!({"test_command": {"argv": ["x"], "cwd": cwd}}));
        assert_eq!(
            spec.test_command,
            Some(TestCommand {
                argv: words(&["x"]),
                cwd: None
            }),
            "{cwd:?}"
        );
    }
    let spec = good(json!({"test_command": {"argv": ["sh", "-c", "a && b | c", {"bytes": "ff"}]}}));
    assert_eq!(spec.test_command.unwrap().argv[3].0, b"\xff");
    for sign in ["&&", "||", "|", ";", "<", ">", ">>", "2>&1"] {
        assert_eq!(shell_operator(&words(&["a", sign, "b"])), Some(sign));
    }
    assert_eq!(
        shell_operator(&words(&["grep", "a|b", "x>y", "--", "&c"])),
        None
    );
}

#[test]
fn documents_are_bounded() {
    let many: Vec<_> = (0..1001).map(|item| item.to_string()).collect();
    assert_eq!(
        faults(json!({"scope": many})),
        "/scope: has 1001 items; at most 1000 are allowed"
    );
    assert!(read(&document(json!({"scope": many[..1000]}))).is_ok());
    let long = "x".repeat(20_001);
    assert_eq!(
        faults(json!({"problem_statement": long})),
        "/problem_statement: has 20001 characters; at most 20000 are allowed"
    );
    let huge = vec![b' '; (1 << 20) + 1];
    assert_eq!(
        told(&read_json(&huge).unwrap_err()),
        "document: has 1048577 bytes; at most 1048576 are allowed"
    );
}

#[test]
fn what_is_not_a_json_object_says_so() {
    let told = |bytes: &[u8]| told(&read_json(bytes).unwrap_err());
    let cases: Vec<String> = [
        &b""[..],
        b" \n",
        b"# A title\n\n## Tasks\n",
        b"title: x\n",
        b"\n \n--- yaml",
        b"[]",
        b"\"text\"",
        b"12",
        b"{\n\"title\": }",
        b"{\"title\":\"a\",\"title\":\"b\"}",
        b"{\"title\":\"\xff\"}",
        b"\xef\xbb\xbf{}",
        b"{\"title\":1.5}",
        b"{} {}",
    ]
    .iter()
    .map(|bytes| told(bytes))
    .collect();
    insta::assert_snapshot!(cases.join("\n"), @r##"
    document: is empty; a spec is one JSON object
    document: is empty; a spec is one JSON object
    line 1: JSON is expected, one object from '{' to '}'; no other form is read
    line 1: JSON is expected, one object from '{' to '}'; no other form is read
    line 3: JSON is expected, one object from '{' to '}'; no other form is read
    document: a spec is one JSON object, from '{' to '}'
    document: a spec is one JSON object, from '{' to '}'
    document: a spec is one JSON object, from '{' to '}'
    line 2: not valid JSON: expected value
    document: the key "title" stands twice in one object
    document: not valid JSON: byte 10 is not valid UTF-8
    document: not valid JSON: starts with a byte order mark; plain UTF-8 without one is expected
    document: 1.5 is not an integer between -(2^53-1) and 2^53-1
    line 1: not valid JSON: trailing characters
    "##);
    assert!(told("[".repeat(100_000).as_bytes()).contains("nested deeper"));
}

#[test]
fn not_ready_says_everything_that_is_missing() {
    assert_eq!(good(json!({})).not_ready().len(), 2);
    let spec = good(
        json!({"implementation_tasks": ["a"], "acceptance_criteria": ["b"], "open_questions": ["c"]}),
    );
    assert_eq!(spec.not_ready().len(), 1);
}

#[test]
fn a_sentence_becomes_a_spec() {
    let texts = SentenceTexts {
        tasks: vec!["do".into(), "check".into()],
        acceptance: vec!["good".into()],
    };
    let paths = vec!["src".parse().unwrap()];
    let spec = from_sentence(" Count ", Mode::Feature, Some(paths), &texts);
    assert_eq!(spec.title, "Count");
    assert_eq!(
        spec.implementation_tasks,
        [SpecTask::of("do"), SpecTask::of("check")]
    );
    assert_eq!(spec.acceptance_criteria[0].text, "good");
    let bugfix = from_sentence("Count", Mode::Bugfix, None, &texts);
    assert_eq!(bugfix.implementation_tasks[1].after, [TaskId::at(1)]);
}

#[test]
fn a_document_keeps_the_order_of_the_fields() {
    let value = template_json(&good(
        json!({"affected_paths": ["a"], "test_command": {"argv": ["x"]}}),
    ));
    let keys: Vec<_> = value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        keys,
        [
            "title",
            "mode",
            "business_objective",
            "problem_statement",
            "scope",
            "out_of_scope",
            "actors_users",
            "main_flow",
            "edge_cases",
            "business_rules",
            "technical_constraints",
            "testing_strategy",
            "data_impact",
            "affected_paths",
            "acceptance_criteria",
            "implementation_tasks",
            "open_questions",
            "change",
            "tags",
            "test_command",
        ]
    );
}
