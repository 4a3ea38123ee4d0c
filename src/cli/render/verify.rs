//! Whether commits were verified, for people.

use super::{
    Page, Render, Sign, clean, report,
    text::{Tint, tinted},
    word,
};
use crate::domain::{
    digest::Digest,
    evaluate::Report,
    id::RunId,
    oid::{CommitId, TreeId},
    vocabulary::Verdict,
};
use serde::Serialize;

/// The document of `verify`: exactly one of `commit` and `run` is there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VerifyView {
    /// The version of this schema.
    pub schema_version: u32,
    /// The commit that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<CommitId>,
    /// The run that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// The commits, oldest first.
    pub commits: Vec<CommitRow>,
    /// The verdict over all.
    pub verdict: Verdict,
    /// The stored report, replayed (for people).
    #[serde(skip)]
    pub report: Option<Report>,
    /// Whether it replayed to the same bytes (for people).
    #[serde(skip)]
    pub replays: bool,
}

/// A commit and what is known of its tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CommitRow {
    /// Which.
    pub commit: CommitId,
    /// Its tree.
    pub tree: TreeId,
    /// The run that verified it.
    pub run_id: Option<RunId>,
    /// The record that did.
    pub record: Option<Digest>,
    /// What is known.
    pub state: CommitState,
    /// The run's verdict.
    pub verdict: Option<Verdict>,
    /// How far it is trusted: `asserted`, `signed` or `reproduced`.
    pub trust: String,
}

/// What is known of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CommitState {
    /// Its tree was verified.
    Verified,
    /// Its tree was recorded and not verified.
    Unproven,
    /// Nothing is known of it.
    Missing,
    /// The policy does not ask.
    Exempt,
}

impl Render for VerifyView {
    fn render(&self, page: &mut Page) {
        for row in &self.commits {
            commit_line(page, row);
        }
        let Some(report) = &self.report else {
            page.line(format!(
                "{}   {}",
                word::verdict(self.verdict),
                self.nothing(page)
            ));
            return;
        };
        let run = self
            .run
            .as_ref()
            .or_else(|| {
                self.commits
                    .iter()
                    .rev()
                    .find_map(|row| row.run_id.as_ref())
            })
            .map_or("", |run| run.as_str());
        report::head(page, report, run, None);
        let rows = report::rows(page, report);
        page.columns("  ", &rows);
        let replay = if self.replays {
            page.say(
                "The stored report replays to the same bytes.",
                "El informe guardado se repite byte a byte.",
            )
            .to_owned()
        } else {
            tinted(
                Tint::Bad,
                page.say(
                    "The stored report does not replay to the same bytes.",
                    "El informe guardado no se repite byte a byte.",
                ),
            )
        };
        page.line(replay);
    }
}

impl VerifyView {
    fn nothing<'p>(&self, page: &'p Page) -> &'p str {
        page.say(
            "no run in this ledger ended on this tree",
            "ninguna ejecución de este registro terminó en este árbol",
        )
    }
}

fn commit_line(page: &mut Page, row: &CommitRow) {
    let (sign, state) = match row.state {
        CommitState::Verified => (Sign::Ok, page.say("verified", "verificado")),
        CommitState::Unproven => (Sign::Open, page.say("unproven", "sin probar")),
        CommitState::Missing => (
            Sign::Open,
            page.say("nothing is known of it", "nada se sabe de él"),
        ),
        CommitState::Exempt => (Sign::Neutral, page.say("exempt", "exento")),
    };
    let mut line = format!(
        "{}  {}  {} {}  {state}",
        sign.text(),
        row.commit.short(),
        page.say("tree", "árbol"),
        row.tree.short()
    );
    if let Some(record) = &row.record {
        line.push_str(&format!(" ({}, {})", record.short(8), clean(&row.trust)));
    }
    page.line(line);
}
