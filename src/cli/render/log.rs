//! A run's story, and one record in full, for people.

use super::{
    Page, Render, Row, age, clean,
    text::{Tint, tinted},
};
use crate::{
    domain::{id::RunId, oid::CommitId},
    porcelain::{
        RecordView,
        log::{Outcome, RunRow},
    },
};
use serde_json::Value;

impl Render for Outcome {
    fn render(&self, page: &mut Page) {
        match self {
            Self::Run {
                run_id, records, ..
            } => story_of(page, run_id, records),
            Self::Runs { runs, .. } => runs_of(page, runs),
        }
    }
}

pub(super) fn story_of(page: &mut Page, run: &RunId, records: &[RecordView]) {
    page.line(tinted(Tint::Strong, run.as_str()));
    let mut rows: Vec<Row> = Vec::new();
    let mut told: Option<CommitId> = None;
    for record in records {
        // One commit is one moment: its first record tells it.
        let (when, what) = if told.is_some() && told == record.commit {
            (String::new(), String::new())
        } else {
            (when(page, record), story(&record.subject))
        };
        told = record.commit;
        rows.push(vec![
            when,
            tinted(Tint::Faint, &record.record.digest.short(8)),
            record.record.record_type().to_string(),
            record.alias.clone().unwrap_or_default(),
            what,
        ]);
    }
    page.columns("  ", &rows);
}

fn runs_of(page: &mut Page, runs: &[RunRow]) {
    if runs.is_empty() {
        let text = page
            .say(
                "No runs in this ledger.",
                "No hay ejecuciones en este registro.",
            )
            .to_owned();
        page.line(text);
    }
    let rows: Vec<Row> = runs
        .iter()
        .map(|run| {
            vec![
                tinted(Tint::Strong, run.run_id.as_str()),
                run.mode.to_string(),
                run.risk.to_string(),
                run.status.to_string(),
                run.verdict.map(super::word::verdict).unwrap_or_default(),
            ]
        })
        .collect();
    page.columns("", &rows);
}

/// How long ago a record was committed.
pub(super) fn when(page: &Page, record: &RecordView) -> String {
    record
        .seconds
        .map(|seconds| age(seconds, page.now, page.lang))
        .unwrap_or_default()
}

/// The subject without the words that make servers accept it.
fn story(subject: &str) -> String {
    let subject = clean(subject);
    match subject.split_once("(rapid): ") {
        Some((_, story)) => story.to_owned(),
        None => subject,
    }
}

impl Render for RecordView {
    fn render(&self, page: &mut Page) {
        let alias = self.alias.as_deref().unwrap_or_default();
        let kind = self.record.record_type().to_string();
        let left = format!(
            "{} {} {alias}",
            tinted(Tint::Strong, &kind),
            self.record.digest.short(8)
        );
        page.edges(left.trim_end(), &when(page, self));
        let known = ["type", "body"];
        let empty = Value::Array(Vec::new());
        let mut rows: Vec<Row> = vec![vec!["digest".to_owned(), self.record.digest.to_string()]];
        if let Some(commit) = &self.commit {
            rows.push(vec!["commit".to_owned(), commit.to_string()]);
        }
        let envelope = self.envelope();
        if let Value::Object(fields) = &envelope {
            for (name, value) in fields
                .iter()
                .filter(|(name, value)| !known.contains(&name.as_str()) && **value != empty)
            {
                rows.push(vec![clean(name), one_line(value)]);
            }
        }
        page.columns("  ", &rows);
        if let Some(body) = envelope.get("body") {
            page.gap();
            tree(page, body, "  ");
        }
    }
}

fn one_line(value: &Value) -> String {
    match value {
        Value::String(text) => clean(text),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            let items: Vec<String> = items.iter().map(one_line).collect();
            items.join(" ")
        }
        other => clean(&other.to_string()),
    }
}

/// A document as indented lines, empty parts left out.
pub(super) fn tree(page: &mut Page, value: &Value, indent: &str) {
    let Value::Object(fields) = value else {
        page.wrapped(indent, &one_line(value));
        return;
    };
    for (name, value) in fields {
        let name = clean(name);
        match value {
            Value::Null => {}
            Value::Array(items) if items.is_empty() => {}
            Value::Object(_) => {
                page.line(format!("{indent}{}", tinted(Tint::Faint, &name)));
                tree(page, value, &format!("{indent}  "));
            }
            Value::Array(items) if items.iter().any(Value::is_object) => {
                page.line(format!("{indent}{}", tinted(Tint::Faint, &name)));
                for item in items {
                    page.line(format!("{indent}  -"));
                    tree(page, item, &format!("{indent}    "));
                }
            }
            Value::String(text) if text.contains('\n') => {
                page.line(format!("{indent}{}", tinted(Tint::Faint, &name)));
                for line in text.lines() {
                    page.line(format!("{indent}  {}", clean(line)));
                }
            }
            _ => page.columns(indent, &[vec![tinted(Tint::Faint, &name), one_line(value)]]),
        }
    }
}
