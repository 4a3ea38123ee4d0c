//! Whether commits were verified, for people.

use super::{
    Page, Render, Sign, clean, report,
    text::{Tint, tinted},
    word,
};
use crate::porcelain::verify::{CommitAnswer, Outcome, State};

impl Render for Outcome {
    fn render(&self, page: &mut Page) {
        for answer in &self.commits {
            commit_line(page, answer);
        }
        let Some(report) = &self.report else {
            match self.verdict {
                Some(verdict) => {
                    page.line(format!("{}   {}", word::verdict(verdict), nothing(page)))
                }
                None => {
                    let text = nothing(page).to_owned();
                    page.line(text);
                }
            }
            return;
        };
        let run = self
            .run
            .as_ref()
            .or_else(|| {
                self.commits
                    .iter()
                    .rev()
                    .find_map(|answer| answer.run_id.as_ref())
            })
            .map_or("", |run| run.as_str());
        report::head(page, report, run, None);
        let rows = report::rows(page, report);
        page.columns("  ", &rows);
        report::commands(page, &self.commands);
        for fault in &self.faults {
            page.wrapped(
                "  ",
                &format!(
                    "{} {} {}",
                    Sign::Fail.text(),
                    fault.code,
                    clean(&fault.text)
                ),
            );
        }
        let proof = if self.faults.is_empty() {
            page.say(
                "Proof: the records are whole and the report replays to the same bytes.",
                "Prueba: los asientos están íntegros y el informe se repite byte a byte.",
            )
            .to_owned()
        } else {
            tinted(
                Tint::Bad,
                page.say(
                    "Proof: broken; the verdict does not count.",
                    "Prueba: rota; el veredicto no cuenta.",
                ),
            )
        };
        page.line(proof);
    }
}

fn nothing(page: &Page) -> &str {
    page.say(
        "no run in this ledger ended on this tree",
        "ninguna ejecución de este registro terminó en este árbol",
    )
}

fn commit_line(page: &mut Page, row: &CommitAnswer) {
    let (sign, state) = match row.state {
        State::Verified => (Sign::Ok, page.say("verified", "verificado")),
        State::Unproven => (Sign::Open, page.say("unproven", "sin probar")),
        State::Missing => (
            Sign::Open,
            page.say("nothing is known of it", "nada se sabe de él"),
        ),
        State::Exempt => (Sign::Neutral, page.say("exempt", "exento")),
    };
    let mut line = format!(
        "{}  {}  {} {}  {state}",
        sign.text(),
        row.commit.map(|commit| commit.short()).unwrap_or_default(),
        page.say("tree", "árbol"),
        row.tree.short()
    );
    if let Some(record) = &row.record {
        line.push_str(&format!(
            " ({}, {})",
            record.short(8),
            row.trust.map_or("", |trust| trust.as_str())
        ));
    }
    page.line(line);
}
