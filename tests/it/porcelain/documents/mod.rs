//! The documents of `--json`: exactly their keys, optional ones left out and never null, one
//! line each; and that `next` changes nothing at all.

mod next;
mod told;

use crate::support::Sandbox;
use serde_json::{Value, json};
use std::{collections::BTreeSet, path::Path};

/// The keys that must be there and those that may.
type Keys = (&'static [&'static str], &'static [&'static str]);

const NEXT: Keys = (
    &[
        "schema_version",
        "run_id",
        "mode",
        "action",
        "awaiting_human",
        "missing",
        "progress",
        "outcome",
    ],
    &["context"],
);
const ACTION: Keys = (
    &["kind", "instructions", "command", "after"],
    &[
        "task_id",
        "gate_ids",
        "spec_template",
        "spec_path",
        "report_path",
        "workspace_path",
    ],
);
const CONTEXT: Keys = (
    &["who", "cwd"],
    &[
        "why",
        "task",
        "scope",
        "last_check",
        "missing",
        "tell_human",
        "never",
    ],
);
const WHY: Keys = (&["code", "text", "records"], &[]);
const TASK: Keys = (
    &["id", "description", "paths", "acceptance", "failed_checks"],
    &["attempts"],
);
const SCOPE: Keys = (&["patterns", "protected"], &[]);
const LAST_CHECK: Keys = (&["record", "check", "counts", "failed_tests"], &["tail"]);
const COUNTS: Keys = (&["passed", "failed", "errors", "skipped"], &["flaky"]);
const MISSING: Keys = (&["id", "status", "why"], &["fix"]);
const OUTCOME: Keys = (&["status", "verdict", "report"], &[]);
const CHECK: Keys = (
    &[
        "schema_version",
        "record",
        "alias",
        "kind",
        "check",
        "exit_code",
        "timed_out",
        "counts",
        "failed_tests",
        "tree",
        "stable",
        "met",
        "cited",
        "note",
        "linked",
    ],
    &["signal", "changed", "notes"],
);
const VIEW: Keys = (
    &[
        "schema_version",
        "type",
        "seq",
        "prev",
        "producer",
        "body",
        "digest",
        "alias",
        "commit",
        "time",
    ],
    &["stream", "nonce"],
);
const RUN: Keys = (
    &[
        "run_id", "contract", "mode", "status", "class", "risk", "tip", "verdict",
    ],
    &[],
);

#[track_caller]
fn keys(value: &Value, (must, may): Keys) {
    let object = value
        .as_object()
        .unwrap_or_else(|| panic!("no object: {value:#}"));
    let found: BTreeSet<&str> = object.keys().map(String::as_str).collect();
    for key in must {
        assert!(found.contains(key), "no {key}: {value:#}");
    }
    for key in &found {
        let known = must.contains(key) || may.contains(key);
        assert!(known, "{key} is not in the schema: {value:#}");
        assert!(
            !may.contains(key) || !value[*key].is_null(),
            "{key} is null: {value:#}"
        );
    }
}

#[track_caller]
fn words(value: &Value) {
    let words = value
        .as_array()
        .unwrap_or_else(|| panic!("no words: {value}"));
    assert!(
        !words.is_empty() && words.iter().all(Value::is_string),
        "{value}"
    );
}

fn words_or_null(value: &Value) {
    if !value.is_null() {
        words(value);
    }
}

/// The document of `next`, `start` and `finish`, key by key.
#[track_caller]
fn next_document(next: &Value) {
    keys(next, NEXT);
    assert_eq!(next["schema_version"], 1);
    assert_eq!(next["run_id"].is_null(), next["mode"].is_null(), "{next:#}");
    let action = &next["action"];
    keys(action, ACTION);
    let kind = action["kind"].as_str().expect("a kind");
    words_or_null(&action["command"]);
    words_or_null(&action["after"]);
    assert!(
        action["instructions"]
            .as_str()
            .is_some_and(|text| text.len() <= 2000)
    );
    assert_eq!(action.get("spec_template").is_some(), kind == "author_spec");
    assert_eq!(action.get("spec_path").is_some(), kind == "author_spec");
    if kind == "author_spec" {
        assert!(action["spec_template"].is_object(), "{action:#}");
    }
    keys(&next["progress"], (&["tasks_done", "tasks_total"], &[]));
    match &next["outcome"] {
        Value::Null => assert_ne!(kind, "done", "{next:#}"),
        outcome => {
            keys(outcome, OUTCOME);
            assert_eq!(kind, "done", "{next:#}");
        }
    }
    for list in ["awaiting_human", "missing"] {
        assert!(next[list].is_array(), "{next:#}");
    }
    let Some(context) = next.get("context") else {
        return;
    };
    keys(context, CONTEXT);
    let who = context["who"].as_str().expect("who");
    assert_eq!(
        context.get("tell_human").is_some(),
        who == "human",
        "{next:#}"
    );
    assert!(Path::new(context["cwd"].as_str().expect("cwd")).is_absolute());
    for (key, of) in [
        ("why", WHY),
        ("task", TASK),
        ("scope", SCOPE),
        ("last_check", LAST_CHECK),
    ] {
        if let Some(value) = context.get(key) {
            keys(value, of);
        }
    }
    if let Some(counts) = context.get("last_check").map(|check| &check["counts"])
        && !counts.is_null()
    {
        keys(counts, COUNTS);
    }
    for missing in context
        .get("missing")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        keys(missing, MISSING);
        if let Some(fix) = missing.get("fix") {
            words(fix);
        }
    }
    assert!(
        context
            .get("missing")
            .is_none_or(|missing| missing != &json!([])),
        "{next:#}"
    );
}

/// Every file below the repository's folder with its content, `.git` and all.
fn everything(dir: &Path) -> Vec<(String, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.display().to_string();
        if path.is_dir() && !path.is_symlink() {
            found.push((name, None));
            found.extend(everything(&path));
        } else {
            found.push((name, std::fs::read(&path).ok()));
        }
    }
    found.sort();
    found
}

/// What `next` says here: it is in form, in one line, the same twice, and nothing moved.
#[track_caller]
fn ask_next(sandbox: &Sandbox, words: &[&str]) -> Value {
    let before = everything(&sandbox.root());
    let mut all = vec!["next", "--json"];
    all.extend_from_slice(words);
    let first = sandbox.rapid(&all).ended(0);
    let after = everything(&sandbox.root());
    let changed: Vec<&String> = after
        .iter()
        .filter(|file| !before.contains(file))
        .map(|(name, _)| name)
        .collect();
    assert!(before == after, "next {words:?} changed {changed:?}");
    assert_eq!(first.stdout, sandbox.rapid(&all).ended(0).stdout);
    let mut brief = all.clone();
    brief.push("--brief");
    let document = first.json();
    let mut shorter = document.clone();
    shorter.as_object_mut().unwrap().remove("context");
    assert_eq!(sandbox.rapid(&brief).ended(0).json(), shorter);
    next_document(&document);
    document
}

#[track_caller]
fn why(next: &Value, kind: &str, code: &str) {
    assert_eq!(next["action"]["kind"], kind, "{next:#}");
    assert_eq!(next["context"]["why"]["code"], code, "{next:#}");
}
