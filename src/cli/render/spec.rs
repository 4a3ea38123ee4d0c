//! Specs, for people.

use super::{
    Page, Render, Row, clean,
    log::tree,
    text::{Tint, tinted},
};
use crate::domain::{
    digest::Digest,
    id::SpecId,
    vocabulary::{Mode, SpecState},
};
use serde::Serialize;
use serde_json::Value;

/// A spec in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SpecRow {
    /// Its name.
    pub id: SpecId,
    /// Its newest revision.
    pub revision: u32,
    /// That revision's state.
    pub status: SpecState,
    /// Its mode.
    pub mode: Mode,
    /// Its title.
    pub title: String,
}

/// The document of `spec list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SpecList {
    /// The version of this schema.
    pub schema_version: u32,
    /// The specs, by name.
    pub specs: Vec<SpecRow>,
}

impl Render for SpecList {
    fn render(&self, page: &mut Page) {
        let rows: Vec<Row> = self
            .specs
            .iter()
            .map(|spec| {
                vec![
                    tinted(Tint::Strong, spec.id.as_str()),
                    format!("r{}", spec.revision),
                    spec.status.to_string(),
                    spec.mode.to_string(),
                    clean(&spec.title),
                ]
            })
            .collect();
        page.columns("", &rows);
    }
}

/// The document of `spec show`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpecView {
    /// The version of this schema.
    pub schema_version: u32,
    /// Its name, revision, state, mode and title.
    #[serde(flatten)]
    pub row: SpecRow,
    /// SHA-256 of the bytes that came in.
    pub acceptance_digest: Digest,
    /// The document itself.
    pub spec: Value,
}

impl Render for SpecView {
    fn render(&self, page: &mut Page) {
        let row = &self.row;
        let left = format!(
            "{} r{}",
            tinted(Tint::Strong, row.id.as_str()),
            row.revision
        );
        page.edges(&left, &format!("{}, {}", row.mode, row.status));
        page.line(format!("  sha256 {}", self.acceptance_digest));
        page.gap();
        tree(page, &self.spec, "  ");
    }
}

/// The form to fill in: JSON for everyone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct SpecTemplate(pub Value);

impl Render for SpecTemplate {
    fn render(&self, page: &mut Page) {
        let text = serde_json::to_string_pretty(&self.0).expect("string keys only");
        for line in text.lines() {
            page.line(line);
        }
    }
}
