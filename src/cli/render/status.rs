//! How a run stands, for people.

use super::{
    Page, Render, Row,
    check::LatestCheck,
    clean, clean_bytes, next,
    start::names,
    text::{Tint, tinted},
    word,
};
use crate::{
    conductor::NextAction,
    domain::{
        bytes::ByteText,
        digest::Digest,
        id::{GateId, RunId, TaskId},
        oid::{CommitId, TreeId},
        path::RepoPath,
        scope::Pattern,
        vocabulary::{Classification, Mode, Risk, RunStatus, TaskStatus, Verdict},
    },
};
use serde::Serialize;

/// The document of `status`.
#[derive(Clone, Debug, Serialize)]
pub struct StatusView {
    /// The version of this schema.
    pub schema_version: u32,
    /// The bound run, or null.
    pub run: Option<RunRow>,
    /// The working tree, or null when it cannot be compared.
    pub tree: Option<TreeId>,
    /// Whether every due check is good on it.
    pub verified: bool,
    /// What may be written, and what was.
    pub scope: Option<ScopeRow>,
    /// The latest result of each check.
    pub checks: Vec<LatestCheck>,
    /// Whether commits are guarded here.
    pub hooks: Hooks,
    /// Commits of this run that nothing verified.
    pub unproven: Vec<Unproven>,
    /// What comes next.
    pub next: NextAction,
    /// The branch (for people).
    #[serde(skip)]
    pub branch: Option<ByteText>,
    /// The tasks (for people).
    #[serde(skip)]
    pub tasks: Vec<TaskRow>,
    /// What changed since the last check (for people).
    #[serde(skip)]
    pub changed_since: Vec<RepoPath>,
    /// Human gates, and whether each waits now (for people).
    #[serde(skip)]
    pub people: Vec<(GateId, bool)>,
}

/// A run in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunRow {
    /// Its name.
    pub run_id: RunId,
    /// Its identity.
    pub contract: Digest,
    /// Its mode.
    pub mode: Mode,
    /// Its state.
    pub status: RunStatus,
    /// How much ceremony.
    pub class: Classification,
    /// How much can go wrong.
    pub risk: Risk,
    /// The commit its stream ends on.
    pub tip: CommitId,
    /// The stored verdict.
    pub verdict: Option<Verdict>,
}

/// What may be written, and what was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScopeRow {
    /// The declared patterns; null when none were declared.
    pub patterns: Option<Vec<Pattern>>,
    /// What may not be written all the same.
    pub protected: Vec<Pattern>,
    /// Changed paths outside it.
    pub outside: Vec<RepoPath>,
    /// Untracked files that are not this run's.
    pub bystanders: Vec<RepoPath>,
}

/// Whether commits are guarded here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Hooks {
    /// By hooks that work.
    Active,
    /// There are none.
    Absent,
    /// Some are missing or are not called.
    Broken,
}

/// A commit that nothing verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unproven {
    /// Which.
    pub commit: CommitId,
    /// Its tree.
    pub tree: TreeId,
    /// Why, as a stable word.
    pub why: String,
}

/// A task in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRow {
    /// Its name.
    pub id: TaskId,
    /// What is to be done.
    pub description: String,
    /// Its state.
    pub status: TaskStatus,
}

impl Render for StatusView {
    fn render(&self, page: &mut Page) {
        if let Some(run) = &self.run {
            let mut kind = format!(
                "{}, {}, {}",
                run.mode,
                run.risk,
                word::run_status(page, run.status)
            );
            if let Some(branch) = &self.branch {
                kind.push_str(&format!(
                    ", {} {}",
                    page.say("branch", "rama"),
                    clean_bytes(branch)
                ));
            }
            page.line(format!(
                "{}   {kind}",
                tinted(Tint::Strong, run.run_id.as_str())
            ));
            let mut rows = vec![self.tasks_row(page), self.tree_row(page)];
            rows.extend(self.scope.as_ref().map(|scope| scope_row(page, scope)));
            rows.extend(self.check_rows(page));
            rows.extend(self.people_row(page));
            rows.extend(
                self.unproven
                    .iter()
                    .map(|commit| unproven_row(page, commit)),
            );
            page.columns("  ", &rows);
        } else {
            let text = page
                .say("No run is bound here.", "Aquí no hay ninguna ejecución.")
                .to_owned();
            page.line(text);
        }
        match self.hooks {
            Hooks::Active => {}
            Hooks::Absent => {
                let text = page
                    .say(
                        "Commits are not guarded here: no hooks are installed.",
                        "Aquí los commits no están vigilados: no hay hooks instalados.",
                    )
                    .to_owned();
                page.wrapped("", &tinted(Tint::Faint, &text));
            }
            Hooks::Broken => {
                let text = page
                    .say(
                        "Commits are not guarded here: the hooks are broken.",
                        "Aquí los commits no están vigilados: los hooks están rotos.",
                    )
                    .to_owned();
                page.wrapped("", &tinted(Tint::Bad, &text));
            }
        }
        next::one_line(page, &self.next);
    }
}

impl StatusView {
    fn tasks_row(&self, page: &Page) -> Row {
        let done = self
            .tasks
            .iter()
            .filter(|task| task.status.is_terminal())
            .count();
        let mut text = format!(
            "{done} {} {} {}",
            page.say("of", "de"),
            self.tasks.len(),
            page.say("done", "hechas")
        );
        let open = self
            .tasks
            .iter()
            .find(|task| task.status == TaskStatus::InProgress)
            .or_else(|| self.tasks.iter().find(|task| !task.status.is_terminal()));
        if let Some(task) = open {
            text.push_str(&format!(
                "      {} \"{}\" {}",
                task.id,
                clean(&task.description),
                word::task_status(page, task.status)
            ));
        }
        vec![page.say("tasks", "tareas").to_owned(), text]
    }

    fn tree_row(&self, page: &Page) -> Row {
        let text = match &self.tree {
            None => page
                .say("cannot be compared", "no se puede comparar")
                .to_owned(),
            Some(tree) if self.verified => {
                format!(
                    "{}      {}",
                    tree.short(),
                    tinted(Tint::Good, page.say("verified", "verificado"))
                )
            }
            Some(tree) => {
                let mut text = format!(
                    "{}      {}",
                    tree.short(),
                    tinted(Tint::Warn, page.say("not verified", "sin verificar"))
                );
                if !self.changed_since.is_empty() {
                    text.push_str(&format!(
                        ": {} {}",
                        names(&self.changed_since),
                        page.say(
                            "changed after the last check",
                            "cambió tras la última comprobación"
                        )
                    ));
                }
                text
            }
        };
        vec![page.say("tree", "árbol").to_owned(), text]
    }

    fn check_rows(&self, page: &Page) -> Vec<Row> {
        let mut label = page.say("checks", "pruebas").to_owned();
        self.checks
            .iter()
            .map(|check| vec![std::mem::take(&mut label), check.line(page)])
            .collect()
    }

    fn people_row(&self, page: &Page) -> Option<Row> {
        let waiting: Vec<String> = self
            .people
            .iter()
            .map(|(gate, now)| {
                let when = if *now {
                    page.say("waits now", "espera ya")
                } else {
                    page.say("waits after the tasks", "espera tras las tareas")
                };
                format!("{gate} {when}")
            })
            .collect();
        (!waiting.is_empty()).then(|| {
            vec![
                page.say("people", "personas").to_owned(),
                waiting.join(", "),
            ]
        })
    }
}

fn scope_row(page: &Page, scope: &ScopeRow) -> Row {
    let mut text = match &scope.patterns {
        None => page
            .say(
                "not declared: the whole repository",
                "sin declarar: todo el repositorio",
            )
            .to_owned(),
        Some(patterns) if patterns.is_empty() => page
            .say("nothing may be written", "no se puede escribir nada")
            .to_owned(),
        Some(patterns) => {
            let patterns: Vec<String> = patterns
                .iter()
                .map(|pattern| clean(pattern.as_str()))
                .collect();
            patterns.join(", ")
        }
    };
    if scope.outside.is_empty() {
        text.push_str("     ");
        text.push_str(page.say("inside", "dentro"));
    } else {
        let outside = format!(
            "{}: {}",
            page.say("outside", "fuera"),
            names(&scope.outside)
        );
        text.push_str("     ");
        text.push_str(&tinted(Tint::Bad, &outside));
    }
    if !scope.bystanders.is_empty() {
        text.push_str(&format!(
            "; {} {}: {}",
            scope.bystanders.len(),
            if scope.bystanders.len() == 1 {
                page.say("bystander", "ajeno")
            } else {
                page.say("bystanders", "ajenos")
            },
            names(&scope.bystanders)
        ));
    }
    vec![page.say("scope", "alcance").to_owned(), text]
}

fn unproven_row(page: &Page, commit: &Unproven) -> Row {
    vec![
        page.say("unproven", "sin probar").to_owned(),
        format!(
            "{}  {} {}  {}",
            commit.commit.short(),
            page.say("tree", "árbol"),
            commit.tree.short(),
            super::reason(page, &commit.why)
        ),
    ]
}
