//! git-rapid-json(5) against what the verbs print: every key that appears is on the page with
//! its type, and every key on the page appears.

use super::manual::manual_page;
use crate::support::{
    Sandbox,
    doubler::{self, MORE_CASES},
    driver::type_phrase,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What the page says of one key.
#[derive(Clone, Debug)]
struct Key {
    kind: String,
    optional: bool,
}

/// The page: its sections, and in each the keys by their path.
struct Schema {
    sections: BTreeMap<String, BTreeMap<String, Key>>,
    seen: BTreeSet<(String, String)>,
}

impl Schema {
    /// Reads the page as it is printed.
    fn of_the_page() -> Self {
        let text = manual_page("git-rapid-json.5");
        let mut sections: BTreeMap<String, BTreeMap<String, Key>> = BTreeMap::new();
        let mut section = None;
        let mut tag = false;
        for line in text.lines() {
            if let Some(title) = line.strip_prefix(".SS ") {
                let title = title.replace("git rapid ", "");
                sections.insert(title.clone(), BTreeMap::new());
                section = Some(title);
            } else if line.starts_with(".SH ") {
                section = None;
            } else if let (true, Some(section)) = (tag, &section) {
                let (names, kind) = line.split_once(" \\fI").expect("a key has a type");
                let kind = kind.trim_end_matches("\\fR");
                for name in names.split(", ") {
                    let name = name.trim_start_matches("\\fB").trim_end_matches("\\fR");
                    let key = Key {
                        kind: kind.trim_end_matches(", optional").to_owned(),
                        optional: kind.ends_with(", optional"),
                    };
                    let keys = sections.get_mut(section).expect("it was made above");
                    let before = keys.insert(name.to_owned(), key);
                    assert!(before.is_none(), "{section}: {name} twice");
                }
            }
            tag = line == ".TP";
        }
        Self {
            sections,
            seen: BTreeSet::new(),
        }
    }

    /// Compares a document with its section.
    #[track_caller]
    fn document(&mut self, section: &str, value: &Value) {
        assert!(self.sections.contains_key(section), "no section {section}");
        self.object(section, "", value);
    }

    /// An object whose keys stand at `prefix` in a section.
    #[track_caller]
    fn object(&mut self, section: &str, prefix: &str, value: &Value) {
        let object = value
            .as_object()
            .unwrap_or_else(|| panic!("{section} {prefix}: no object: {value}"));
        let keys = self.sections[section].clone();
        for name in object.keys() {
            let path = format!("{prefix}{name}");
            let grouped = keys.keys().any(|key| key.starts_with(&format!("{path}.")));
            match keys.get(&path) {
                Some(key) => {
                    self.seen.insert((section.to_owned(), path.clone()));
                    self.value(section, &path, key, &object[name]);
                }
                // An object that is only spoken of through what is in it.
                None if grouped => self.object(section, &format!("{path}."), &object[name]),
                None => panic!("{section}: {path} is not on the page: {value:#}"),
            }
        }
        for (path, key) in &keys {
            let Some(name) = path.strip_prefix(prefix) else {
                continue;
            };
            let own = name.split(['.', '[']).next().expect("the first part");
            if (own == name && !key.optional)
                || own != name && !keys.contains_key(&format!("{prefix}{own}"))
            {
                assert!(object.contains_key(own), "{section}: no {path}: {value:#}");
            }
        }
    }

    #[track_caller]
    fn value(&mut self, section: &str, path: &str, key: &Key, value: &Value) {
        let place = format!("{section}: {path}");
        let kind = match key.kind.strip_suffix(" or null") {
            Some(_) if value.is_null() => return,
            Some(kind) => kind,
            None => &key.kind,
        };
        let Some(item) = kind.strip_prefix("list") else {
            return self.one(section, path, kind, value);
        };
        let list = value
            .as_array()
            .unwrap_or_else(|| panic!("{place}: no list: {value}"));
        for value in list {
            match item.strip_prefix(" of ") {
                Some(kind) => self.one(section, path, kind, value),
                None => self.object(section, &format!("{path}[]."), value),
            }
        }
    }

    #[track_caller]
    fn one(&mut self, section: &str, path: &str, kind: &str, value: &Value) {
        let text = value.as_str();
        let right = match kind {
            "text" => text.is_some(),
            "integer" => value.is_u64(),
            "boolean" => value.is_boolean(),
            "digest" => text.is_some_and(|text| is_hex(text, &[64])),
            "object id" => text.is_some_and(|text| {
                let bare = |start, digits| {
                    text.strip_prefix(start)
                        .is_some_and(|hex| is_hex(hex, &[digits]))
                };
                bare("sha1:", 40) || bare("sha256:", 64)
            }),
            "bytes" => text.is_some() || value["bytes"].is_string(),
            "object" => {
                // Described here, or elsewhere.
                let prefix = format!("{path}.");
                if self.sections[section]
                    .keys()
                    .any(|key| key.starts_with(&prefix))
                {
                    self.object(section, &prefix, value);
                }
                value.is_object()
            }
            shape => {
                assert!(self.sections.contains_key(shape), "no type {shape}");
                self.object(shape, "", value);
                true
            }
        };
        assert!(right, "{section}: {path} is no {kind}: {value}");
    }

    /// Everything on the page was met.
    #[track_caller]
    fn is_exhausted(&self) {
        let mut missing = Vec::new();
        for (section, keys) in &self.sections {
            for path in keys.keys() {
                if !self.seen.contains(&(section.clone(), path.clone())) {
                    missing.push(format!("{section}: {path}"));
                }
            }
        }
        assert!(
            missing.is_empty(),
            "on the page, but never printed: {missing:#?}"
        );
    }
}

fn is_hex(text: &str, lengths: &[usize]) -> bool {
    lengths.contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// A runner's last line with every count there is, that contradicts its good exit.
const FLAKY: &str = "     Summary [   1.000s] 3 tests run: 2 passed (1 flaky), 1 failed, 0 skipped";

#[test]
fn every_key_is_on_the_page_and_every_key_on_the_page_appears() {
    let mut page = Schema::of_the_page();
    work(&mut page);
    read(&mut page);
    page.is_exhausted();
}

/// A run from its start to its end.
fn work(page: &mut Schema) {
    let sandbox = doubler::sandbox();
    let said = |words: &[&str], code| {
        let mut all = vec!["--json"];
        all.extend_from_slice(words);
        sandbox.rapid(&all).ended(code).json()
    };
    sandbox.write_program(".git/hooks/pre-commit", "#!/bin/sh\n");
    page.document("init", &said(&["init"], 0));
    page.document("status", &said(&["status"], 0));
    doubler::start(&sandbox, &doubler::spec("feature", 2));
    const MOVE: &str = "task start, done, block, skip";
    page.document(MOVE, &said(&["task", "start", "T001"], 0));
    page.document(
        MOVE,
        &said(&["task", "block", "T001", "--reason", "waits"], 0),
    );
    page.document("task list", &said(&["task", "list"], 0));
    said(&["task", "start", "T001"], 0);
    sandbox.write("t/cases", MORE_CASES);
    page.document("CHECK", &said(&["check"], 0));
    page.document("CHECK", &said(&["check"], 0));
    page.document(
        "CHECK",
        &said(&["check", "--", "sh", "-c", "kill -9 $$"], 1),
    );
    page.document(
        "CHECK",
        &said(&["check", "--", "sh", "-c", "echo >>double.sh"], 1),
    );
    page.document("CHECK", &said(&["check", "--", "echo", FLAKY], 1));
    page.document("check, several", &said(&["check", "test", "test"], 0));
    page.document("review", &said(&["review"], 0));
    page.document(MOVE, &said(&["task", "done", "T001"], 0));
    sandbox.write("notes.md", "kept\n");
    page.document(
        "attach",
        &said(&["attach", "notes.md", "--task", "T001"], 0),
    );
    page.document(
        MOVE,
        &said(&["task", "skip", "T002", "--reason", "none"], 0),
    );
    sandbox.write("double.sh", doubler::WRONG);
    page.document("init \\-\\-uninstall", &said(&["init", "--uninstall"], 0));
    sandbox.git(&["commit", "--quiet", "--all", "--message", "not tested"]);
    sandbox.write("double.sh", doubler::OTHER);
    page.document("status", &said(&["status"], 0));
    page.document("commit", &said(&["commit", "-a", "-m", "three"], 0));
    page.document("review", &said(&["review", "--diff"], 0));
    page.document("review", &said(&["review", "--commit", "HEAD"], 0));
    page.document("eval run", &said(&["eval", "run"], 0));
    page.document("log, of a run", &said(&["log"], 0));
    let approved = type_phrase(&sandbox, &["--json", "approve"]).ended(0);
    let document = approved.stdout.lines().rfind(|line| line.starts_with('{'));
    let document = document.expect("a document after the screen");
    page.document("approve", &serde_json::from_str(document).unwrap());
    let refused = said(&["task", "start", "T002"], 1);
    page.document("The error document", &refused);
    let outside = Sandbox::empty().rapid_json(&["next"]);
    page.document("The error document", &outside);
}

/// What readers ask of a finished run.
fn read(page: &mut Schema) {
    let (sandbox, run) = doubler::finished_feature();
    let said = |words: &[&str], code| {
        let mut all = vec!["--json"];
        all.extend_from_slice(words);
        sandbox.rapid(&all).ended(code).json()
    };
    page.document("log, where no run is bound", &said(&["log"], 0));
    page.document("log, of a run", &said(&["log", &run], 0));
    page.document("show, of a run", &said(&["show", &run], 0));
    page.document("RECORD", &said(&["show", "E001", "--run", &run], 0));
    page.document(
        "RECORD",
        &said(&["evidence", "show", "E001", "--run", &run], 0),
    );
    page.document(
        "evidence list",
        &said(&["evidence", "list", "--run", &run], 0),
    );
    let specs = said(&["spec", "list"], 0);
    page.document("spec list", &specs);
    let spec = specs["specs"][0]["spec_id"].as_str().expect("a spec");
    page.document("show, of a spec", &said(&["spec", "show", spec], 0));
    page.document("show, of a spec", &said(&["show", spec], 0));
    page.document("verify", &said(&["verify", "HEAD"], 0));
    page.document("verify", &said(&["verify", &run], 0));
    page.document("verify", &said(&["show", "HEAD"], 0));
    page.document("eval run", &said(&["eval", "run", "--run", &run], 0));
    page.document("fsck", &said(&["fsck"], 0));
    page.document("man", &said(&["man", "--install", "manual"], 0));
    // The newest records, in a commit that does not name them.
    let name = format!("refs/rapid/runs/{run}");
    let tree = sandbox.git(&["rev-parse", &format!("{name}^{{tree}}")]);
    let before = sandbox.git(&["rev-parse", &format!("{name}^")]);
    let bad = sandbox.git(&["commit-tree", &tree, "-p", &before, "-m", "nothing"]);
    sandbox.git(&["update-ref", &name, &bad]);
    page.document("fsck", &said(&["fsck"], 1));
    page.document("verify", &said(&["verify", &run], 0));
}

#[test]
#[should_panic(expected = "is not on the page")]
fn a_key_that_the_page_lacks_would_be_seen() {
    let mut page = Schema::of_the_page();
    let more = serde_json::json!({"schema_version": 1, "run_id": "a", "tasks": [], "more": 1});
    page.document("task list", &more);
}

#[test]
#[should_panic(expected = "tasks[].status is no text")]
fn a_value_of_another_type_would_be_seen() {
    let mut page = Schema::of_the_page();
    let task = serde_json::json!({"id": "T001", "description": "a", "status": 1, "after": [], "reason": null});
    let other = serde_json::json!({"schema_version": 1, "run_id": "a", "tasks": [task]});
    page.document("task list", &other);
}
