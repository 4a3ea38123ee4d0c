//! What the commit rule has against a commit, in a few lines.

use super::{
    Page, Render, clean, command_line,
    text::{Tint, tinted},
};
use crate::{diagnostic::Refusal, porcelain::door::Objection};

/// How many differing paths are named.
const NAMED: usize = 5;

/// An objection, for people; for programs it is the error document.
#[derive(Clone, Debug)]
pub struct ObjectionView {
    objection: Objection,
}

impl ObjectionView {
    /// The view of an objection.
    pub fn of(objection: Objection) -> Self {
        Self { objection }
    }

    /// Code, fact, facts by name and hints.
    pub fn refusal(&self) -> &Refusal {
        &self.objection.refusal
    }
}

impl Render for ObjectionView {
    fn render(&self, page: &mut Page) {
        let Objection {
            refusal,
            only_said,
            to_commit,
            tested,
            differs,
        } = &self.objection;
        let word = if *only_said {
            tinted(Tint::Warn, page.say("warning:", "aviso:"))
        } else {
            tinted(Tint::Bad, page.say("refused:", "rechazado:"))
        };
        let left = format!("{word} {}", clean(&refusal.message));
        page.edges(&left, &refusal.code.to_string());
        if let Some(tested) = tested {
            let mut row = vec![
                page.say("tested", "probado").to_owned(),
                tested.tree.short(),
            ];
            row.push(clean(&tested.counts));
            row.push(format!(
                "{}  {}",
                page.say("to commit", "por confirmar"),
                to_commit.short()
            ));
            page.columns("  ", &[row]);
        }
        let mut label = page.say("differs", "difiere").to_owned();
        let mut rows = Vec::new();
        for (path, lines) in differs.iter().take(NAMED) {
            let lines = lines.map_or_else(String::new, |(added, deleted)| {
                format!("+{added} -{deleted}")
            });
            rows.push(vec![
                std::mem::take(&mut label),
                clean(&path.quoted()),
                lines,
            ]);
        }
        if differs.len() > NAMED {
            let more = format!("{} {}", page.say("and", "y"), differs.len() - NAMED);
            rows.push(vec![String::new(), more, String::new()]);
        }
        page.columns("  ", &rows);
        for hint in &refusal.hints {
            let Some(command) = hint.command.as_deref() else {
                page.wrapped("  ", &clean(&hint.text));
                continue;
            };
            page.line(format!(
                "  {}:  {}",
                clean(&hint.text),
                tinted(Tint::Command, &command_line(command))
            ));
        }
    }
}
