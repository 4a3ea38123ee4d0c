//! Evidence, for people.

use super::{
    Page, Render, Row, clean,
    log::when,
    text::{Tint, tinted},
};
use crate::porcelain::{RecordView, evidence::List};
use serde_json::Value;

impl Render for List {
    fn render(&self, page: &mut Page) {
        page.line(tinted(Tint::Strong, self.run_id.as_str()));
        let rows: Vec<Row> = self
            .records
            .iter()
            .map(|record| row(page, record))
            .collect();
        page.columns("  ", &rows);
    }
}

fn row(page: &Page, record: &RecordView) -> Row {
    let envelope = record.envelope();
    let body = envelope.get("body");
    let field = |name: &str| body.and_then(|body| body.get(name));
    let words = |name: &str| -> Vec<String> {
        let list = field(name).and_then(Value::as_array);
        list.into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(clean)
            .collect()
    };
    let mut linked = words("tasks");
    linked.extend(words("gates"));
    linked.extend(words("acceptance"));
    let summary = field("summary").and_then(Value::as_str).unwrap_or_default();
    let producer = envelope.get("producer").and_then(Value::as_str);
    vec![
        record.alias.clone().unwrap_or_default(),
        tinted(Tint::Faint, &record.record.digest.short(8)),
        field("kind")
            .and_then(Value::as_str)
            .map(clean)
            .unwrap_or_default(),
        producer.map(clean).unwrap_or_default(),
        when(page, record),
        linked.join(" "),
        clean(summary),
    ]
}
