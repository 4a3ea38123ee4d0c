//! What smaller verbs did, in a line or two, for people.

use super::{
    Page, Render, Row, Sign, clean, clean_bytes, command_line,
    text::{Tint, tinted},
    word,
};
use crate::{
    domain::{digest::Digest, id::RunId, vocabulary},
    porcelain::{approve, attach, commit, hooks::Installed, init, show, task},
};
use serde::Serialize;
use serde_json::{Value, json};

impl Render for task::Outcome {
    fn render(&self, page: &mut Page) {
        for check in &self.checks {
            check.render(page);
        }
        page.line(format!(
            "{}  {} {}",
            Sign::Ok.text(),
            self.task,
            word::task_status(page, self.status)
        ));
    }
}

/// The document of `task list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskList {
    /// The version of this schema.
    pub schema_version: u32,
    /// The run.
    pub run_id: RunId,
    /// Its tasks.
    pub tasks: Vec<task::Row>,
}

impl Render for TaskList {
    fn render(&self, page: &mut Page) {
        page.line(tinted(Tint::Strong, self.run_id.as_str()));
        let rows: Vec<Row> = self
            .tasks
            .iter()
            .map(|row| {
                let mut what = clean(&row.description);
                if let Some(reason) = &row.reason {
                    what.push_str(&format!(" ({})", clean(reason)));
                }
                vec![
                    row.id.to_string(),
                    word::task_status(page, row.status).to_owned(),
                    what,
                ]
            })
            .collect();
        page.columns("  ", &rows);
    }
}

impl Render for attach::Outcome {
    fn render(&self, page: &mut Page) {
        let names: Vec<String> = self
            .artifacts
            .iter()
            .map(|artifact| clean_bytes(&artifact.name))
            .collect();
        page.line(format!(
            "{}  {} {}  {} {}",
            Sign::Ok.text(),
            page.say("kept", "guardado:"),
            names.join(", "),
            self.alias,
            self.record.short(8)
        ));
    }
}

impl Render for commit::Outcome {
    fn render(&self, page: &mut Page) {
        for check in &self.checks {
            check.render(page);
        }
        let Some(commit) = &self.commit else {
            return;
        };
        let how = match self.verified.as_str() {
            "no" => page.say("not verified", "sin verificar").to_owned(),
            "reproduction" => page
                .say(
                    "verified by the reproduction",
                    "verificado por la reproducción",
                )
                .to_owned(),
            record => format!(
                "{} {}",
                page.say("verified by", "verificado por"),
                &record[..record.len().min(8)]
            ),
        };
        page.line(format!(
            "{}  {}  {} {}  {how}",
            Sign::Ok.text(),
            commit.short(),
            page.say("tree", "árbol"),
            self.tree.short()
        ));
    }
}

impl Render for approve::Outcome {
    fn render(&self, page: &mut Page) {
        let said = match self.outcome {
            vocabulary::Outcome::Approved => page.say("approved", "aprobado"),
            vocabulary::Outcome::Rejected => page.say("rejected", "rechazado"),
            vocabulary::Outcome::ChangesRequested => {
                page.say("changes requested", "cambios pedidos")
            }
            vocabulary::Outcome::Waived => page.say("waived", "dispensado"),
        };
        let gates: Vec<&str> = self.gates.iter().map(|gate| gate.as_str()).collect();
        page.line(format!("{}  {said}  {}", Sign::Ok.text(), gates.join(", ")).trim_end());
    }
}

/// The document of `init`.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct InitView {
    document: Value,
    #[serde(skip)]
    fresh: bool,
    #[serde(skip)]
    test: Option<(String, String)>,
    #[serde(skip)]
    installed: Option<Installed>,
    #[serde(skip)]
    guarded: bool,
}

impl InitView {
    /// The view of what was prepared.
    pub fn of(done: &init::Outcome) -> Self {
        let test = done.test_command.as_ref().map(|(argv, source)| {
            let words: Vec<String> = argv.iter().map(clean_bytes).collect();
            (command_line(&words), source.clone())
        });
        Self {
            document: json!({
                "schema_version": 1,
                "writer": done.writer,
                "fresh": done.fresh,
                "test_command": done.test_command.as_ref().map(|(argv, source)| json!({"argv": argv, "source": source})),
                "runs": done.runs,
                "hooks": done.hooks,
                "installed": done.installed,
            }),
            fresh: done.fresh,
            test,
            installed: done.installed.clone(),
            guarded: done.hooks.are_active(),
        }
    }
}

impl Render for InitView {
    fn render(&self, page: &mut Page) {
        let ready = if self.fresh {
            page.say("this clone is ready", "este clon está listo")
        } else {
            page.say("this clone was ready already", "este clon ya estaba listo")
        };
        page.line(format!("{}  {ready}", Sign::Ok.text()));
        if let Some(installed) = &self.installed {
            page.line(format!(
                "    {} {}",
                page.say(
                    "commits are guarded by the hooks in",
                    "los commits están vigilados por los hooks de"
                ),
                clean(&installed.folder)
            ));
            for moved in &installed.kept {
                page.line(format!(
                    "    {}: {} → {}",
                    page.say("yours runs first", "el tuyo se ejecuta antes"),
                    clean(&moved.hook),
                    clean(&moved.now)
                ));
            }
            if installed.in_work_tree {
                page.line(format!(
                    "    {}",
                    page.say(
                        "that folder is part of the working tree: ignore these files, they name a program of this machine",
                        "esa carpeta es parte del árbol de trabajo: ignora estos ficheros, nombran un programa de esta máquina",
                    )
                ));
            }
        } else if !self.guarded {
            page.line(format!(
                "    {}",
                page.say("commits are not guarded", "los commits no están vigilados")
            ));
        }
        match &self.test {
            Some((command, source)) => page.line(format!(
                "    {}: {}  ({} {})",
                page.say("test command", "comando de pruebas"),
                tinted(Tint::Command, command),
                page.say("from", "de"),
                clean(source)
            )),
            None => page.line(format!(
                "    {}",
                page.say(
                    "no test command was found: git config rapid.testCommand \"…\"",
                    "no se encontró comando de pruebas: git config rapid.testCommand \"…\"",
                )
            )),
        }
        page.command("    ", &["git", "rapid", "next"]);
    }
}

/// The document of `init --uninstall`.
#[derive(Clone, Debug, Serialize)]
pub struct UninstallView {
    schema_version: u32,
    folder: String,
    restored: Vec<String>,
}

impl UninstallView {
    /// The view of what was taken back.
    pub fn of(done: Installed) -> Self {
        Self {
            schema_version: 1,
            folder: done.folder,
            restored: done.kept.into_iter().map(|moved| moved.hook).collect(),
        }
    }
}

impl Render for UninstallView {
    fn render(&self, page: &mut Page) {
        page.line(format!(
            "{}  {} {}",
            Sign::Ok.text(),
            page.say(
                "no hook of ours is left in",
                "ya no queda ningún hook nuestro en"
            ),
            clean(&self.folder)
        ));
        for hook in &self.restored {
            page.line(format!(
                "    {}: {}",
                page.say("back in its place", "de nuevo en su sitio"),
                clean(hook)
            ));
        }
    }
}

/// Events that contradict each other, before a person settles them.
#[derive(Clone, Debug)]
pub struct ConflictsView {
    /// The events, and what each wanted to move.
    pub conflicts: Vec<(Digest, String)>,
}

impl Render for ConflictsView {
    fn render(&self, page: &mut Page) {
        let rows: Vec<Row> = self
            .conflicts
            .iter()
            .map(|(event, subject)| vec![event.short(8), clean(subject)])
            .collect();
        page.line(page.say(
            "These events change nothing:",
            "Estos eventos no cambian nada:",
        ));
        page.columns("  ", &rows);
    }
}

impl Render for show::Outcome {
    fn render(&self, page: &mut Page) {
        match self {
            Self::Run(run) => {
                super::log::story_of(page, &run.run.run_id, &run.records);
                page.gap();
                let contract = serde_json::to_value(&run.contract).expect("string keys only");
                super::log::tree(page, &contract, "  ");
            }
            Self::Record(record) => record.render(page),
            Self::Spec(spec) => spec.render(page),
            Self::Commit(commit) => commit.render(page),
        }
    }
}

impl Render for crate::conductor::NextAction {
    fn render(&self, page: &mut Page) {
        super::next::action(page, self);
    }
}
