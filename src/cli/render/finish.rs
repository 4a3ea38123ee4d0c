//! The end of a run, or what is missing for it, for people.

use super::{
    Page, Render, next, report,
    text::{Tint, tinted},
};
use crate::{
    conductor::NextAction,
    domain::{digest::Digest, evaluate::Report},
    porcelain::{finish::Merge, review::CommandRow},
};
use serde::Serialize;

/// What `finish` found.
#[derive(Clone, Debug, Serialize)]
pub struct FinishView {
    /// The next action: done, or what is missing.
    #[serde(flatten)]
    pub next: NextAction,
    /// The judgement; of a hypothetical end when the run did not finish.
    #[serde(skip)]
    pub report: Report,
    /// The stored report's record, when the run finished.
    #[serde(skip)]
    pub record: Option<Digest>,
    /// The run's name.
    #[serde(skip)]
    pub run: String,
    /// Whether HEAD's tree was judged, not the working tree.
    #[serde(skip)]
    pub judged_head: bool,
    /// What was run, and who chose it.
    #[serde(skip)]
    pub commands: Vec<CommandRow>,
    /// Where its branch can be merged from, when it lives in a worktree of its own.
    #[serde(skip)]
    pub merge: Option<Merge>,
}

impl Render for FinishView {
    fn render(&self, page: &mut Page) {
        let same_as = self.judged_head.then_some("HEAD");
        if self.record.is_none() {
            let text = page.say(
                "Not finished: this does not hold yet.",
                "Sin terminar: esto aún no se cumple.",
            );
            page.line(tinted(Tint::Strong, text));
        }
        report::head(page, &self.report, &self.run, same_as);
        let rows = report::rows(page, &self.report);
        page.columns("  ", &rows);
        report::commands(page, &self.commands);
        page.gap();
        let Some(record) = self.record else {
            next::action(page, &self.next);
            return;
        };
        if let Some(merge) = &self.merge {
            page.line(page.say("Bring it home:", "Para integrarlo:"));
            page.command("  ", &["git", "merge", &merge.branch]);
            page.command("  ", &["git", "worktree", "remove", &merge.worktree]);
        }
        page.line(format!(
            "{} {}    {} {}",
            page.say("Check again:", "Comprobarlo otra vez:"),
            tinted(Tint::Command, "git rapid verify HEAD"),
            page.say("Report:", "Informe:"),
            tinted(
                Tint::Command,
                &format!("git rapid show {}", record.short(8))
            )
        ));
    }
}
