//! Reads a spec document in JSON.
//!
//! A closed schema: what is not known is a fault, and every fault is told at once.

use super::{
    ChangeTraits, DataImpact, Fault, Spec, TestCommand,
    field::{Faults, Field},
    item, nearest,
};
use crate::domain::{
    bytes::ByteText,
    canonical::{BadJson, read_strict},
    path::RepoPath,
    vocabulary::Mode,
};
use serde_json::{Map, Value};

/// Bytes of a whole document.
const MAX_DOCUMENT: usize = 1 << 20;
/// Characters of a title.
const MAX_TITLE: usize = 200;
/// Where a fault of the whole document is.
const DOCUMENT: &str = "document";

const KEYS: &[&str] = &[
    "schema_version",
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
];
const CHANGE_KEYS: &[&str] = &["clear", "bounded", "reversible", "checkable"];
const COMMAND_KEYS: &[&str] = &["argv", "cwd"];
const MODES: &[&str] = &[
    "direct",
    "feature",
    "bugfix",
    "refactor",
    "hardening",
    "research",
    "quick",
    "new",
    "fix",
    "bug",
    "refactoring",
    "legacy",
];

/// The spec in `bytes`, or every fault of it.
pub fn read_json(bytes: &[u8]) -> Result<Spec, Vec<Fault>> {
    let mut faults = Faults::default();
    let document = match document(bytes) {
        Ok(document) => document,
        Err(fault) => return Err(vec![fault]),
    };
    let spec = spec(&mut faults, &document);
    match spec {
        Some(spec) if faults.0.is_empty() => Ok(spec),
        _ => Err(faults.0),
    }
}

/// The JSON in `bytes`.
fn document(bytes: &[u8]) -> Result<Value, Fault> {
    let fault = |at: String, what: String| Fault {
        at,
        what,
        meant: None,
    };
    if bytes.len() > MAX_DOCUMENT {
        let what = format!(
            "has {} bytes; at most {MAX_DOCUMENT} are allowed",
            bytes.len()
        );
        return Err(fault(DOCUMENT.into(), what));
    }
    let Some(first) = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) else {
        let what = "is empty; a spec is one JSON object".into();
        return Err(fault(DOCUMENT.into(), what));
    };
    read_strict(bytes).map_err(|bad| match bad {
        BadJson::Syntax(_) if first.is_ascii() && !b"{[\"".contains(first) => {
            let what = "JSON is expected, one object from '{' to '}'; no other form is read";
            fault(format!("line {}", blank_lines(bytes) + 1), what.into())
        }
        BadJson::Syntax(text) => {
            let (what, line) = match text.split_once(" at line ") {
                Some((what, place)) => (what, place.split(' ').next()),
                None => (text.as_str(), None),
            };
            let at = line.map_or(DOCUMENT.to_owned(), |line| format!("line {line}"));
            fault(at, format!("not valid JSON: {what}"))
        }
        other => fault(DOCUMENT.into(), other.to_string()),
    })
}

/// Lines before the first that is not blank.
fn blank_lines(bytes: &[u8]) -> usize {
    let blank = bytes.iter().take_while(|byte| byte.is_ascii_whitespace());
    blank.filter(|byte| **byte == b'\n').count()
}

fn spec(faults: &mut Faults, document: &Value) -> Option<Spec> {
    let root = Field {
        at: String::new(),
        value: document,
    };
    if !document.is_object() {
        faults.add(DOCUMENT, "a spec is one JSON object, from '{' to '}'");
        return None;
    }
    let object = faults.object(&root, KEYS, "a spec")?;
    let field = |key| Field::of("", object, key);
    if let Some(version) = field("schema_version").filter(|version| *version.value != 1) {
        faults.add(&version.at, "is a version that is not known here; known: 1");
    }
    let title = title(faults, object);
    let mode = mode(faults, object);
    let mut spec = Spec {
        title: title.unwrap_or_default(),
        ..Spec::empty(mode.unwrap_or(Mode::Feature))
    };
    for (key, text) in [
        ("business_objective", &mut spec.business_objective),
        ("problem_statement", &mut spec.problem_statement),
    ] {
        if let Some(field) = field(key) {
            *text = faults.text(&field).unwrap_or_default();
        }
    }
    for (key, list) in [
        ("scope", &mut spec.scope),
        ("out_of_scope", &mut spec.out_of_scope),
        ("actors_users", &mut spec.actors_users),
        ("main_flow", &mut spec.main_flow),
        ("edge_cases", &mut spec.edge_cases),
        ("business_rules", &mut spec.business_rules),
        ("technical_constraints", &mut spec.technical_constraints),
        ("testing_strategy", &mut spec.testing_strategy),
        ("open_questions", &mut spec.open_questions),
        ("tags", &mut spec.tags),
    ] {
        if let Some(field) = field(key) {
            *list = faults.texts(&field);
        }
    }
    spec.tags = spec.tags.iter().map(|tag| tag.to_lowercase()).collect();
    spec.tags.sort_unstable();
    spec.tags.dedup();
    if let Some(text) = field("data_impact").and_then(|field| faults.text(&field)) {
        spec.data_impact = DataImpact::from_text(&text);
    }
    let whole_scope = affected_paths(faults, &mut spec, object, mode);
    if let Some(field) = field("acceptance_criteria") {
        spec.acceptance_criteria = item::criteria(faults, &field);
    }
    if let Some(field) = field("implementation_tasks") {
        let tasks = item::tasks(faults, &field);
        let declared = match &spec.affected_paths {
            // Absent in research: declared as nothing.
            None if mode == Some(Mode::Research) => Some(&[][..]),
            declared => declared.as_deref(),
        };
        item::check_together(faults, &tasks, declared.filter(|_| whole_scope));
        spec.implementation_tasks = tasks.into_iter().map(|read| read.task).collect();
    }
    if let Some(field) = field("change") {
        spec.change = change(faults, &field, spec.change);
    }
    spec.test_command = field("test_command").and_then(|field| test_command(faults, &field));
    Some(spec)
}

fn title(faults: &mut Faults, object: &Map<String, Value>) -> Option<String> {
    let Some(field) = Field::of("", object, "title") else {
        faults.add("/title", "is required");
        return None;
    };
    let text = faults.text(&field)?;
    let title = text.trim();
    let length = title.chars().count();
    let fault = if title.is_empty() {
        "is blank; it is required".to_owned()
    } else if title.chars().any(char::is_control) {
        "has a line break or another control character; it is one line".to_owned()
    } else if length > MAX_TITLE {
        format!("has {length} characters; at most {MAX_TITLE} are allowed")
    } else {
        return Some(title.to_owned());
    };
    faults.add(&field.at, fault);
    None
}

fn mode(faults: &mut Faults, object: &Map<String, Value>) -> Option<Mode> {
    let Some(field) = Field::of("", object, "mode") else {
        let known: Vec<_> = Mode::ALL.iter().map(|mode| mode.as_str()).collect();
        faults.add("/mode", format!("is required; known: {}", known.join(", ")));
        return None;
    };
    let text = faults.text(&field)?;
    match Mode::from_alias(&text) {
        Ok(mode) => Some(mode),
        Err(unknown) => {
            let meant = nearest::nearest(&text, MODES).map(str::to_owned);
            faults.add_meant(&field.at, unknown.to_string(), meant);
            None
        }
    }
}

/// Reads the declared scope; whether all of it could be read.
fn affected_paths(
    faults: &mut Faults,
    spec: &mut Spec,
    object: &Map<String, Value>,
    mode: Option<Mode>,
) -> bool {
    let Some(field) = Field::of("", object, "affected_paths") else {
        return true;
    };
    let before = faults.0.len();
    let paths = faults.patterns(&field);
    let whole = faults.0.len() == before;
    if whole && paths.is_empty() && mode.is_some_and(|mode| mode != Mode::Research) {
        faults.add_meant(
            &field.at,
            "is empty, so nothing at all could be written",
            "name paths or patterns, or leave the key out for the whole repository".to_owned(),
        );
        return false;
    }
    spec.affected_paths = Some(paths);
    whole
}

fn change(faults: &mut Faults, field: &Field<'_>, mut traits: ChangeTraits) -> ChangeTraits {
    let Some(object) = faults.object(field, CHANGE_KEYS, "change") else {
        return traits;
    };
    for (key, holds) in [
        ("clear", &mut traits.clear),
        ("bounded", &mut traits.bounded),
        ("reversible", &mut traits.reversible),
        ("checkable", &mut traits.checkable),
    ] {
        if let Some(field) = Field::of(&field.at, object, key) {
            *holds = faults.boolean(&field).unwrap_or(*holds);
        }
    }
    traits
}

fn test_command(faults: &mut Faults, field: &Field<'_>) -> Option<TestCommand> {
    if let Some(line) = field.value.as_str() {
        let meant = shell_words::split(line)
            .ok()
            .map(|argv| serde_json::json!({"argv": argv}).to_string());
        faults.wrong_type(field, "an object with argv", meant);
        return None;
    }
    let object = faults.object(field, COMMAND_KEYS, "test_command")?;
    let cwd = Field::of(&field.at, object, "cwd").and_then(|field| cwd(faults, &field));
    let Some(argv) = Field::of(&field.at, object, "argv") else {
        faults.add(&format!("{}/argv", field.at), "is required");
        return None;
    };
    let argv = faults.argv(&argv)?;
    Some(TestCommand { argv, cwd })
}

/// A folder below the root, however its name is written; the root itself is `None`.
fn cwd(faults: &mut Faults, field: &Field<'_>) -> Option<RepoPath> {
    let Ok(text) = serde_json::from_value::<ByteText>(field.value.clone()) else {
        faults.wrong_type(field, "a folder below the root", None);
        return None;
    };
    let bytes = text.0.strip_prefix(b"./").unwrap_or(&text.0);
    let bytes = bytes.strip_suffix(b"/").unwrap_or(bytes);
    if bytes.is_empty() || bytes == b"." {
        // "/" alone ends here as well, and is no folder below the root.
        if text.0.starts_with(b"/") {
            faults.add(
                &field.at,
                "is absolute; a folder below the root is expected",
            );
        }
        return None;
    }
    match RepoPath::new(bytes) {
        Ok(path) => Some(path),
        Err(bad) => {
            faults.add(&field.at, bad.to_string());
            None
        }
    }
}
