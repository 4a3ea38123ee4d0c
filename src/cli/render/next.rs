//! What comes next, for people.

use super::{
    Page, Render, Row, Sign, clean, clean_bytes, command_line,
    text::{Tint, tinted},
};
use crate::{
    conductor::{Action, ActionKind, Context, NextAction, Who, Why},
    domain::bytes::ByteText,
    porcelain::status::Hooks,
};
use serde::Serialize;

/// The next action, and what a person wants to see beside it.
#[derive(Clone, Debug, Serialize)]
pub struct NextView {
    /// The document.
    #[serde(flatten)]
    pub next: NextAction,
    /// The project's test command and where it was found; only without a run.
    #[serde(skip)]
    pub test_command: Option<(Vec<ByteText>, String)>,
    /// Whether commits are guarded; only without a run.
    #[serde(skip)]
    pub hooks: Option<Hooks>,
}

impl Render for NextView {
    fn render(&self, page: &mut Page) {
        match &self.next.run_id {
            None if self.next.action.kind == ActionKind::AuthorSpec => {
                no_run(page, self.test_command.as_ref());
                if let Some(hooks) = self.hooks {
                    guard(page, hooks);
                }
            }
            None => action(page, &self.next),
            Some(run) => {
                let left = tinted(Tint::Strong, run.as_str());
                page.edges(&left, &progress(page, &self.next));
                action(page, &self.next);
            }
        }
    }
}

fn no_run(page: &mut Page, test_command: Option<&(Vec<ByteText>, String)>) {
    page.line(page.say(
        "No run here. Start one:",
        "Aquí no hay ninguna ejecución. Empieza una:",
    ));
    let rows: Vec<Row> = [
        (
            "git rapid start -m \"…\"",
            page.say(
                "small and clear: tests, no approval",
                "pequeño y claro: pruebas, sin aprobación",
            ),
        ),
        (
            "git rapid start bugfix -m \"…\"",
            page.say(
                "prove the bug first, then mend it",
                "primero demuestra el error, luego arréglalo",
            ),
        ),
        (
            "git rapid start feature --spec-file <f>",
            page.say(
                "also refactor, hardening, research",
                "también refactor, hardening, research",
            ),
        ),
    ]
    .into_iter()
    .map(|(line, what)| vec![tinted(Tint::Command, line), what.to_owned()])
    .collect();
    page.columns("  ", &rows);
    let line = match test_command {
        Some((argv, source)) => {
            let argv: Vec<String> = argv.iter().map(clean_bytes).collect();
            format!(
                "{}: {}  ({} {}; {}: git config rapid.testCommand)",
                page.say("Test command", "Comando de pruebas"),
                tinted(Tint::Command, &command_line(&argv)),
                page.say("from", "de"),
                clean(source),
                page.say("change", "cambiarlo"),
            )
        }
        None => page
            .say(
                "No test command was found; set one: git config rapid.testCommand \"…\"",
                "No se encontró comando de pruebas; fíjalo: git config rapid.testCommand \"…\"",
            )
            .to_owned(),
    };
    page.line(line);
}

/// Whether commits are guarded, where they are not.
pub(super) fn guard(page: &mut Page, hooks: Hooks) {
    let (tint, text) = match hooks {
        Hooks::Active => return,
        Hooks::Absent => (
            Tint::Faint,
            page.say(
                "Commits are not guarded yet: git rapid init adds hooks beside yours.",
                "Los commits aún no están vigilados: git rapid init añade hooks junto a los tuyos.",
            ),
        ),
        Hooks::Broken => (
            Tint::Bad,
            page.say(
                "Commits are not guarded: hooks are missing, replaced or not run. git rapid init mends them.",
                "Los commits no están vigilados: faltan hooks, o no se ejecutan. git rapid init los repara.",
            ),
        ),
    };
    let text = tinted(tint, text);
    page.wrapped("", &text);
}

fn progress(page: &Page, next: &NextAction) -> String {
    let mut text = String::new();
    if let Some(mode) = next.mode {
        text.push_str(mode.as_str());
        text.push_str(", ");
    }
    let progress = next.progress;
    text.push_str(&format!(
        "{} {} {} {}",
        progress.tasks_done,
        page.say("of", "de"),
        progress.tasks_total,
        page.say("tasks done", "tareas hechas"),
    ));
    text
}

/// The action: what, which command, what after, why.
pub fn action(page: &mut Page, next: &NextAction) {
    let Action {
        kind, instructions, ..
    } = &next.action;
    let title = format!("{}:", title(page, *kind));
    page.line(tinted(Tint::Strong, &title));
    page.wrapped("  ", &clean_lines(instructions));
    if let Some(folder) = &next.action.workspace_path {
        page.line(format!("  {} {}", page.say("in", "en"), clean(folder)));
    }
    if let Some(command) = &next.action.command {
        page.command("    ", command);
    }
    if let Some(after) = &next.action.after {
        if next.action.command.is_some() || !instructions.is_empty() {
            page.line(format!("  {}", page.say("then", "después")));
        }
        page.command("    ", after);
    }
    for (label, path) in [
        (
            page.say("spec to fill in", "especificación por rellenar"),
            &next.action.spec_path,
        ),
        (
            page.say("write the report to", "escribe el informe en"),
            &next.action.report_path,
        ),
    ]
    .map(|(label, path)| (label.to_owned(), path))
    {
        if let Some(path) = path {
            page.line(format!("  {label}: {}", clean(path)));
        }
    }
    if let Some(context) = &next.context {
        about(page, context);
    }
    if !next.awaiting_human.is_empty() {
        let gates: Vec<&str> = next
            .awaiting_human
            .iter()
            .map(|gate| gate.as_str())
            .collect();
        page.line(format!(
            "{} {}",
            page.say("Waits for a person:", "Espera a una persona:"),
            gates.join(", ")
        ));
    }
}

fn about(page: &mut Page, context: &Context) {
    if let Some(why) = &context.why
        && why.code != Why::NoRun
    {
        let text = format!("{} {}", page.say("Why:", "Motivo:"), clean_lines(&why.text));
        page.wrapped("", &text);
    }
    if let Some(check) = &context.last_check {
        let names: Vec<String> = check.failed_tests.iter().map(|name| clean(name)).collect();
        if !names.is_empty() {
            let text = format!("{} {}", page.say("Failed:", "Fallaron:"), names.join(", "));
            page.wrapped("", &text);
        }
    }
    if let Some(missing) = &context.missing {
        let rows: Vec<Row> = missing
            .iter()
            .map(|row| {
                vec![
                    super::report::sign(row.status).text(),
                    super::report::label(page, &row.id),
                    super::reason(page, &row.why),
                ]
            })
            .collect();
        page.columns("  ", &rows);
    }
    if context.who == Who::Human
        && let Some(text) = &context.tell_human
    {
        page.wrapped(&format!("{}  ", Sign::Open.text()), &clean_lines(text));
    }
}

fn title(page: &Page, kind: ActionKind) -> &str {
    match kind {
        ActionKind::AuthorSpec => page.say("Write a spec", "Escribe una especificación"),
        ActionKind::RunBaseline => page.say("Measure the tests first", "Mide primero las pruebas"),
        ActionKind::Activate => page.say("Begin", "Empieza"),
        ActionKind::ImplementTask => page.say("Work", "Trabaja"),
        ActionKind::Verify => page.say("Verify", "Verifica"),
        ActionKind::Commit => page.say("Commit", "Haz commit"),
        ActionKind::AwaitHumanApproval => page.say("A person's turn", "Le toca a una persona"),
        ActionKind::Finish => page.say("Finish", "Termina"),
        ActionKind::Done => page.say("Done", "Hecho"),
        ActionKind::Blocked => page.say("Blocked", "Bloqueada"),
    }
}

/// Text of several lines that may hold anything.
fn clean_lines(text: &str) -> String {
    let lines: Vec<String> = text.trim_end().lines().map(clean).collect();
    lines.join("\n")
}

/// One line at the end of another page: the command, and why.
pub fn one_line(page: &mut Page, next: &NextAction) {
    let command = next.action.command.as_ref().or(next.action.after.as_ref());
    let what = match command {
        Some(command) => tinted(Tint::Command, &command_line(&from_here(command, next))),
        None => title(page, next.action.kind).to_owned(),
    };
    let why = next
        .context
        .as_ref()
        .and_then(|context| context.why.as_ref());
    let mut line = format!("{} {what}", page.say("Next:", "Siguiente:"));
    if let Some(why) = why {
        line.push_str(&format!(
            "   {} {}",
            page.say("Why:", "Motivo:"),
            clean(&why.text)
        ));
    }
    page.wrapped("", &line);
}

/// A command as it runs from here: in the run's worktree, when that is another one.
fn from_here(command: &[String], next: &NextAction) -> Vec<String> {
    match (&next.action.workspace_path, command.split_first()) {
        (Some(folder), Some((git, rest))) => [git.clone(), "-C".to_owned(), folder.clone()]
            .into_iter()
            .chain(rest.iter().cloned())
            .collect(),
        _ => command.to_vec(),
    }
}
