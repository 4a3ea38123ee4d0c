//! What an approval judges, for people: what to look at first comes first.

use super::{
    Page, Render, Row, clean, report,
    start::names,
    text::{Tint, tinted},
    word,
};
use crate::{
    domain::{id::GateId, vocabulary::Change},
    porcelain::review::{FileRow, Screen},
};

impl Render for Screen {
    fn render(&self, page: &mut Page) {
        let kind = format!("{}, {}, {}", self.mode, self.class, self.risk);
        page.edges(&tinted(Tint::Strong, self.run_id.as_str()), &kind);
        page.wrapped("  ", &clean(&self.title));
        let mut judged = format!("{} {}", page.say("tree", "árbol"), self.subject.short());
        if let Some(commit) = &self.commit {
            judged.push_str(&format!(
                " ({} {})",
                page.say("of commit", "del commit"),
                commit.short()
            ));
        }
        page.line(format!("  {} {judged}", page.say("judged:", "se juzga:")));
        for fact in &self.first {
            page.wrapped(&format!("  {} ", tinted(Tint::Warn, "!")), &clean(fact));
        }
        let tests = page
            .say(
                "Changed tests: look here first",
                "Pruebas cambiadas: mira aquí primero",
            )
            .to_owned();
        files(page, &tests, &self.tests);
        let others = page.say("Changed files", "Archivos cambiados").to_owned();
        files(page, &others, &self.files);
        checks_part(self, page);
        open_part(self, page);
        if !self.bystanders.is_empty() {
            let text = format!(
                "{} {}",
                page.say(
                    "Not this run's, and not judged:",
                    "Ajenos a esta ejecución, no se juzgan:"
                ),
                names(&self.bystanders)
            );
            page.gap();
            page.wrapped("", &text);
        }
        if let Some(diff) = &self.diff {
            page.gap();
            diff_part(page, diff);
        }
        page.gap();
        page.line(format!(
            "{} {}",
            page.say("With your approval:", "Con tu aprobación:"),
            word::verdict(self.verdict_so_far)
        ));
        if !self.waiting.is_empty() {
            let gates: Vec<&str> = self.waiting.iter().map(GateId::as_str).collect();
            page.line(format!(
                "{} {}",
                page.say("Waits for you:", "Te espera:"),
                gates.join(", ")
            ));
        }
    }
}

fn checks_part(screen: &Screen, page: &mut Page) {
    page.gap();
    page.line(tinted(
        Tint::Strong,
        page.say("Checks on this tree", "Comprobaciones sobre este árbol"),
    ));
    if screen.checks.is_empty() {
        page.line(format!("  {}", page.say("none", "ninguna")));
    }
    for check in &screen.checks {
        check.render(page);
    }
    let rows: Vec<Row> = screen
        .commands
        .iter()
        .map(|row| {
            vec![
                clean(&row.name),
                tinted(Tint::Command, &clean(&row.command)),
                format!(
                    "{} {}",
                    page.say("chosen by", "elegido por"),
                    clean(&row.source)
                ),
            ]
        })
        .collect();
    page.columns("  ", &rows);
}

fn open_part(screen: &Screen, page: &mut Page) {
    if screen.open.is_empty() {
        return;
    }
    page.gap();
    page.line(tinted(
        Tint::Strong,
        page.say("Does not hold yet", "Aún no se cumple"),
    ));
    let rows: Vec<Row> = screen
        .open
        .iter()
        .map(|row| {
            vec![
                report::sign(row.status).text(),
                report::label(page, &row.id),
                super::reason(page, &row.why),
            ]
        })
        .collect();
    page.columns("  ", &rows);
}

fn files(page: &mut Page, title: &str, files: &[FileRow]) {
    if files.is_empty() {
        return;
    }
    page.gap();
    page.line(tinted(Tint::Strong, title));
    let rows: Vec<Row> = files
        .iter()
        .map(|file| {
            let change = word::change(page, file.change);
            let change = match file.change {
                Change::Deleted => tinted(Tint::Bad, change),
                _ => change.to_owned(),
            };
            vec![change, file.path.quoted(), lines(file)]
        })
        .collect();
    page.columns("  ", &rows);
}

fn lines(file: &FileRow) -> String {
    match (file.added, file.deleted) {
        (Some(added), Some(deleted)) => format!("+{added} -{deleted}"),
        _ => String::new(),
    }
}

/// A diff, tinted by line; what could play tricks with a terminal is made visible.
fn diff_part(page: &mut Page, diff: &str) {
    for line in diff.lines() {
        let tabs = line.replace('\t', "    ");
        let shown = clean(&tabs);
        let shown = match line.as_bytes().first() {
            Some(b'+') => tinted(Tint::Good, &shown),
            Some(b'-') => tinted(Tint::Bad, &shown),
            Some(b'@') => tinted(Tint::Faint, &shown),
            _ => shown,
        };
        page.line(shown);
    }
}
