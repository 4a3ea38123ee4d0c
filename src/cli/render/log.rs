//! A run's story, and one record in full, for people.

use super::{
    Page, Render, Row, age, clean,
    text::{Tint, tinted},
};
use crate::domain::{digest::Digest, id::RunId, oid::CommitId};
use serde::Serialize;
use serde_json::Value;

/// A record as readers see it: the envelope plus what names it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordView {
    /// The envelope: `schema_version`, `type`, `stream` or `nonce`, `seq`, `prev`, `producer`, `body`.
    #[serde(flatten)]
    pub envelope: Value,
    /// Its digest.
    pub digest: Digest,
    /// `E003`, for evidence.
    pub alias: Option<String>,
    /// The commit that introduced it.
    pub commit: CommitId,
    /// Seconds since 1970 of that commit; it decides nothing.
    pub time: i64,
    /// What happened, as the commit's subject says it (for people).
    #[serde(skip)]
    pub subject: String,
}

/// The document of `log`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LogView {
    /// The version of this schema.
    pub schema_version: u32,
    /// The run.
    pub run_id: RunId,
    /// Its records, oldest first.
    pub records: Vec<RecordView>,
}

impl Render for LogView {
    fn render(&self, page: &mut Page) {
        page.line(tinted(Tint::Strong, self.run_id.as_str()));
        let mut rows: Vec<Row> = Vec::new();
        let mut told: Option<&CommitId> = None;
        for record in &self.records {
            // One commit is one moment: its first record tells it.
            let (when, what) = if told == Some(&record.commit) {
                (String::new(), String::new())
            } else {
                (
                    age(record.time, page.now, page.lang),
                    story(&record.subject),
                )
            };
            told = Some(&record.commit);
            rows.push(vec![
                when,
                tinted(Tint::Faint, &record.digest.short(8)),
                record.kind().to_owned(),
                record.alias.clone().unwrap_or_default(),
                what,
            ]);
        }
        page.columns("  ", &rows);
    }
}

impl RecordView {
    fn kind(&self) -> &str {
        self.envelope
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or("?")
    }
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
        let left = format!(
            "{} {} {alias}",
            tinted(Tint::Strong, self.kind()),
            self.digest.short(8)
        );
        page.edges(left.trim_end(), &age(self.time, page.now, page.lang));
        let known = ["type", "body"];
        let mut rows: Vec<Row> = vec![
            vec!["digest".to_owned(), self.digest.to_string()],
            vec!["commit".to_owned(), self.commit.to_string()],
        ];
        if let Value::Object(fields) = &self.envelope {
            for (name, value) in fields.iter().filter(|(name, value)| {
                !known.contains(&name.as_str()) && **value != Value::Array(Vec::new())
            }) {
                rows.push(vec![clean(name), one_line(value)]);
            }
        }
        page.columns("  ", &rows);
        if let Some(body) = self.envelope.get("body") {
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
