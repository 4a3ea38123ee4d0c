//! A run that began, for people.

use super::{
    Page, Render, Row, clean, clean_bytes, command_line, next,
    text::{Tint, tinted},
};
use crate::{conductor::NextAction, domain::path::RepoPath, porcelain::start::Started};
use serde::Serialize;

/// What `start` did.
#[derive(Clone, Debug, Serialize)]
pub struct StartView {
    /// The next action; its `run_id` is null when the spec is only a draft.
    #[serde(flatten)]
    pub next: NextAction,
    /// The run.
    #[serde(skip)]
    pub started: Option<Started>,
    /// Why the spec is only a draft.
    #[serde(skip)]
    pub draft: Vec<String>,
}

impl Render for StartView {
    fn render(&self, page: &mut Page) {
        if let Some(started) = &self.started {
            head(page, started, &self.next);
            page.gap();
        }
        for question in &self.draft {
            page.wrapped("? ", &clean(question));
        }
        next::action(page, &self.next);
    }
}

fn head(page: &mut Page, started: &Started, next: &NextAction) {
    let decision = &started.decision;
    let mode = next.mode.map_or("", |mode| mode.as_str());
    let kind = format!("{mode}, {}, {}", decision.class, decision.risk);
    page.edges(&tinted(Tint::Strong, started.run.as_str()), &kind);
    let mut rows: Vec<Row> = Vec::new();
    if let Some(row) = started.mode_row {
        rows.push(vec![
            page.say("mode", "modo").to_owned(),
            format!("{mode} ({row})"),
        ]);
    }
    if !decision.signals.is_empty() {
        let signals: Vec<String> = decision
            .signals
            .iter()
            .map(|signal| format!("{} ({})", clean(&signal.id), clean_bytes(&signal.source)))
            .collect();
        rows.push(vec![
            page.say("risk", "riesgo").to_owned(),
            signals.join(", "),
        ]);
    }
    let gates: Vec<&str> = decision.gates.iter().map(|gate| gate.id.as_str()).collect();
    rows.push(vec![
        page.say("gates", "puertas").to_owned(),
        gates.join(", "),
    ]);
    for check in &started.checks {
        let argv: Vec<String> = check.argv.iter().map(clean_bytes).collect();
        rows.push(vec![
            page.say("check", "comprobación").to_owned(),
            format!(
                "{}: {}  ({} {})",
                clean(&check.name),
                tinted(Tint::Command, &command_line(&argv)),
                page.say("from", "de"),
                clean(&check.source)
            ),
        ]);
    }
    if let Some(worktree) = &started.worktree {
        rows.push(vec![
            page.say("worktree", "árbol de trabajo").to_owned(),
            clean(&worktree.to_string_lossy()),
        ]);
    }
    for (label, paths) in [
        (page.say("already changed", "ya cambiado"), &started.dirty),
        (
            page.say("stays behind", "queda atrás"),
            &started.left_behind,
        ),
        (page.say("bystanders", "ajenos"), &started.bystanders),
    ] {
        if !paths.is_empty() {
            rows.push(vec![label.to_owned(), names(paths)]);
        }
    }
    page.columns("  ", &rows);
}

/// How many paths are shown.
const SHOWN: usize = 10;

/// The first paths of a list, and how many more there are.
pub(super) fn names(paths: &[RepoPath]) -> String {
    let mut text: Vec<String> = paths.iter().take(SHOWN).map(RepoPath::quoted).collect();
    if paths.len() > SHOWN {
        text.push(format!("… {}", paths.len() - SHOWN));
    }
    text.join(", ")
}
