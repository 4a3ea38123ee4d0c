//! The append-only proof, for people.

use super::{Page, Render, Sign, clean, count_of};
use crate::ledger::{Fault, FsckReport};
use serde::Serialize;

/// The document of `fsck`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FsckView {
    /// The version of this schema.
    pub schema_version: u32,
    /// Whether there is no fault.
    pub ok: bool,
    /// What was found.
    #[serde(flatten)]
    pub report: FsckReport,
}

impl FsckView {
    /// The view of a proof.
    pub fn of(report: FsckReport) -> Self {
        Self {
            schema_version: 1,
            ok: report.faults.is_empty(),
            report,
        }
    }
}

impl Render for FsckView {
    fn render(&self, page: &mut Page) {
        for fault in &self.report.faults {
            found(page, Sign::Fail, fault);
        }
        for warning in &self.report.warnings {
            found(page, Sign::Open, warning);
        }
        let number = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        let streams = count_of(
            number(self.report.streams),
            page.say("stream", "flujo"),
            page.say("streams", "flujos"),
        );
        let records = count_of(
            number(self.report.records),
            page.say("record", "asiento"),
            page.say("records", "asientos"),
        );
        let faults = match self.report.faults.len() {
            0 => page.say("nothing wrong", "nada mal").to_owned(),
            count => count_of(
                number(count),
                page.say("fault", "falta"),
                page.say("faults", "faltas"),
            ),
        };
        let sign = if self.ok { Sign::Ok } else { Sign::Fail };
        page.line(format!("{}  {streams}, {records}: {faults}", sign.text()));
    }
}

fn found(page: &mut Page, sign: Sign, fault: &Fault) {
    page.edges(
        &format!("{}  {}", sign.text(), clean(&fault.stream)),
        &fault.code.to_string(),
    );
    page.wrapped("      ", &clean(&fault.text));
    let mut place = String::new();
    if let Some(commit) = &fault.commit {
        place.push_str(&format!(
            "{} {}  ",
            page.say("commit", "commit"),
            commit.short()
        ));
    }
    if let Some(record) = &fault.record {
        place.push_str(&format!(
            "{} {}",
            page.say("record", "asiento"),
            record.short(8)
        ));
    }
    if !place.is_empty() {
        page.line(format!("      {place}"));
    }
}
