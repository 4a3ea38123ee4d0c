//! Specs, for people.

use super::{
    Page, Render, clean,
    log::tree,
    text::{Tint, tinted},
};
use crate::porcelain::{show::SpecShown, spec::Row};
use serde::Serialize;
use serde_json::Value;

/// The document of `spec list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SpecList {
    /// The version of this schema.
    pub schema_version: u32,
    /// The specs, by name.
    pub specs: Vec<Row>,
}

impl Render for SpecList {
    fn render(&self, page: &mut Page) {
        let rows: Vec<super::Row> = self
            .specs
            .iter()
            .map(|spec| {
                vec![
                    tinted(Tint::Strong, spec.spec_id.as_str()),
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

impl Render for SpecShown {
    fn render(&self, page: &mut Page) {
        let left = format!(
            "{} r{}",
            tinted(Tint::Strong, self.spec_id.as_str()),
            self.revision
        );
        page.edges(&left, &self.status.to_string());
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
