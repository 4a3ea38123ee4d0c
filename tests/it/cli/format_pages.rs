//! git-rapid-spec(5) and git-rapid-policy(5) against what the program does.

use super::manual::manual_page;
use crate::support::Sandbox;
use git_rapid::{
    cli::manual,
    domain::{
        gate::CATALOGUE,
        path::RepoPath,
        policy::{PolicyDocument, SIGNALS},
        scope::Matcher,
        spec::{DataImpact, Spec, read_json},
        vocabulary::Mode,
    },
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The lines of a section, by its heading.
fn section<'p>(page: &'p str, title: &str) -> &'p str {
    let (_, rest) = page
        .split_once(&format!("\n.SH {title}\n"))
        .unwrap_or_else(|| panic!("no section {title}"));
    rest.split("\n.SH ").next().expect("the first part")
}

/// The words in bold in the tags of a section.
fn tags(section: &str) -> Vec<String> {
    let lines = section.lines().collect::<Vec<_>>();
    let tagged = lines.windows(2).filter(|pair| pair[0] == ".TP");
    tagged.flat_map(|pair| bold(pair[1])).collect()
}

fn bold(text: &str) -> Vec<String> {
    let parts = text.split("\\fB").skip(1);
    parts
        .map(|part| part.split("\\fR").next().expect("the first part"))
        .map(|word| word.replace("\\-", "-"))
        .collect()
}

/// The example of the spec page.
fn example(page: &str) -> String {
    let (_, rest) = page.split_once(".\\\" example\n").expect("an example");
    let (text, _) = rest.split_once("\n.fi\n").expect("its end");
    text.replace("\\-", "-")
}

fn least() -> Value {
    json!({"title": "a", "mode": "feature", "implementation_tasks": ["b"], "acceptance_criteria": ["c"]})
}

fn reads(spec: &Value) -> bool {
    read_json(spec.to_string().as_bytes()).is_ok()
}

#[test]
fn the_spec_page_names_every_key() {
    let page = manual_page("git-rapid-spec.5");
    let keys = tags(section(&page, "FIELDS"));
    for key in &keys {
        let mut spec = least();
        spec[key] = Value::Null;
        if !["title", "mode"].contains(&key.as_str()) {
            assert!(reads(&spec), "{key} is no key of a spec");
        }
    }
    // The form of every field, from the model.
    let mut model: BTreeSet<String> =
        fields(&serde_json::to_value(Spec::empty(Mode::Feature)).unwrap());
    model.insert("schema_version".to_owned());
    assert_eq!(keys.into_iter().collect::<BTreeSet<_>>(), model);
    let keys = tags(section(&page, "TASKS"));
    let task = serde_json::to_value(git_rapid::domain::spec::SpecTask::of("a")).unwrap();
    assert_eq!(keys.into_iter().collect::<BTreeSet<_>>(), fields(&task));
}

fn fields(value: &Value) -> BTreeSet<String> {
    value
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect()
}

#[test]
fn the_bounds_of_the_spec_page_are_the_real_ones() {
    let page = manual_page("git-rapid-spec.5");
    let with = |key: &str, value: Value| {
        let mut spec = least();
        spec[key] = value;
        reads(&spec)
    };
    for (said, key, fits, exceeds) in [
        (
            "at most 200 characters",
            "title",
            json!("a".repeat(200)),
            json!("a".repeat(201)),
        ),
        (
            "at most 20,000 characters",
            "problem_statement",
            json!("a".repeat(20_000)),
            json!("a".repeat(20_001)),
        ),
        (
            "at most 1,000 items",
            "scope",
            json!(vec!["a"; 1_000]),
            json!(vec!["a"; 1_001]),
        ),
        (
            "An empty list is a fault",
            "affected_paths",
            Value::Null,
            json!([]),
        ),
    ] {
        assert!(page.contains(said), "{said}");
        assert!(with(key, fits), "{said}");
        assert!(!with(key, exceeds), "{said}");
    }
    assert!(page.contains("1,048,576 bytes") && page.contains("64 levels"));
    let text = least().to_string();
    let filled = |size: usize| format!("{text}{}", " ".repeat(size - text.len()));
    assert!(read_json(filled(1_048_576).as_bytes()).is_ok());
    assert!(read_json(filled(1_048_577).as_bytes()).is_err());
}

#[test]
fn the_words_and_defaults_of_the_spec_page() {
    let page = manual_page("git-rapid-spec.5");
    let impact = section(&page, "DATA IMPACT");
    let same = impact
        .lines()
        .skip_while(|line| !line.contains("made: none"))
        .nth(1);
    let words = bold(same.expect("the list"));
    assert!(words.len() > 20, "{words:?}");
    for word in words {
        assert_eq!(DataImpact::from_text(&word), DataImpact::None, "{word}");
    }
    for word in ["reads", "writes", "migrates"] {
        assert_eq!(
            DataImpact::from_text(&format!("{word}: because")).as_text(),
            word
        );
        assert!(impact.contains(&format!("\\fB{word}\\fR")));
    }
    for mode in Mode::ALL {
        assert!(page.contains(&format!("\\fB{mode}\\fR")), "{mode}");
    }
    let matches = |pattern: &str, path: &str| {
        let pattern = pattern.parse().unwrap();
        Matcher::new([&pattern]).admits(&RepoPath::new(path).unwrap())
    };
    for (pattern, inside, outside) in [
        ("src", "src/a/b", "srcs"),
        ("src/**", "src/a/b", "src"),
        ("*.md", "a.md", "b/a.md"),
        ("**/*.md", "b/a.md", "a.txt"),
        ("[ab].txt", "a.txt", "c.txt"),
        (":!src/gen", "src/a", "src/gen/a"),
        (":(literal)a*b", "a*b", "axb"),
    ] {
        assert!(page.contains(&format!("\\fB{pattern}\\fR")), "{pattern}");
        assert!(matches(pattern, inside), "{pattern} {inside}");
        assert!(!matches(pattern, outside), "{pattern} {outside}");
    }
}

#[test]
fn the_example_of_the_spec_page_starts_a_run() {
    let text = example(&manual_page("git-rapid-spec.5"));
    let spec = read_json(text.as_bytes()).unwrap_or_else(|faults| panic!("{faults:#?}"));
    assert_eq!(spec.not_ready(), []);
    let sandbox = Sandbox::project();
    sandbox.write("tests/run.sh", "echo 'ok 1 - a'; echo 1..1\n");
    sandbox.commit_all("a test");
    sandbox.write("spec.json", &text);
    let next = sandbox
        .rapid(&["start", "--spec-file", "spec.json", "--json"])
        .ended(0)
        .json();
    assert_eq!(next["run_id"], "free-days-of-a-room-r1-run-001");
    assert_eq!(next["action"]["task_id"], "T001");
}

#[test]
fn the_policy_page_names_every_row_and_every_key() {
    let page = manual_page("git-rapid-policy.5");
    let signals: Vec<&str> = SIGNALS.iter().map(|row| row.id).collect();
    assert_eq!(tags(section(&page, "SIGNALS")), signals);
    for row in SIGNALS {
        let entry = section(&page, "SIGNALS").split(".TP\n").find(|entry| {
            entry
                .replace("\\-", "-")
                .starts_with(&format!("\\fB{}\\fR", row.id))
        });
        let entry = entry.expect("an entry").replace("\\-", "-");
        assert!(entry.contains(row.level.as_str()), "{}", row.id);
        assert!(
            entry.lines().nth(1).is_some_and(|line| line.len() > 3),
            "{} has no trigger",
            row.id
        );
        for word in row.tags.iter().chain(row.dirs) {
            assert!(entry.contains(word), "{}: {word}", row.id);
        }
    }
    let gates: Vec<&str> = CATALOGUE.iter().map(|row| row.id).collect();
    assert_eq!(tags(section(&page, "GATES")), gates);
    let document = serde_json::to_value(PolicyDocument::built_in()).unwrap();
    let keys: BTreeSet<String> = tags(section(&page, "KEYS")).into_iter().collect();
    assert_eq!(keys, fields(&document));
}

/// As the page says, word by word.
#[test]
fn a_policy_of_the_project_is_refused_and_the_effective_one_can_be_read() {
    let sandbox = Sandbox::project();
    let words = [
        "start",
        "-m",
        "a change",
        "--test-command",
        "true",
        "--json",
    ];
    for file in [".rapid/policy.json", ".rapid/architecture.json"] {
        sandbox.write(file, "{}");
        sandbox.commit_all("rules");
        let run = sandbox.rapid(&words);
        assert_eq!(run.error_code(), "RAPID1005");
        sandbox.remove(file);
        sandbox.commit_all("no rules");
    }
    let run = sandbox.rapid(&words).ended(0).json()["run_id"].clone();
    let run = run.as_str().expect("a run");
    let shown = sandbox.rapid_json(&["show", run]);
    let digest = shown["contract"]["policy"]["digest"]
        .as_str()
        .expect("a digest");
    let object = format!("refs/rapid/runs/{run}:artifacts/{}/{digest}", &digest[..2]);
    let text = sandbox.git(&["cat-file", "blob", &object]);
    assert_eq!(
        text.trim().as_bytes(),
        PolicyDocument::built_in().to_bytes()
    );
}

/// Each page that a page sends the reader to is there.
#[test]
fn no_page_refers_to_one_that_is_missing() {
    let pages = manual::pages();
    let names: BTreeSet<String> = pages
        .iter()
        .map(|page| format!("{} ({})", page.name, page.section))
        .collect();
    let mut count = 0;
    for page in &pages {
        for line in page.text.lines() {
            let Some(name) = line.strip_prefix(".BR git\\-rapid") else {
                continue;
            };
            let name = format!("git-rapid{}", name.replace("\\-", "-"));
            let (name, rest) = name.split_once(" (").unwrap_or_else(|| panic!("{line}"));
            let name = format!("{name} ({})", rest.split(')').next().expect("the section"));
            assert!(names.contains(&name), "{}: {name}", page.file_name());
            count += 1;
        }
    }
    assert!(count > 100, "the pages were not understood: {count}");
}
