//! How a run stands, for people.

use super::{
    Page, Render, Row, check, clean, clean_bytes, next,
    start::names,
    text::{Tint, tinted},
    word,
};
use crate::{
    domain::vocabulary::TaskStatus,
    porcelain::status::{Outcome, ScopeRow, Unproven},
};

impl Render for Outcome {
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
            let mut rows = vec![tasks_row(self, page), tree_row(self, page)];
            rows.extend(self.scope.as_ref().map(|scope| scope_row(page, scope)));
            rows.extend(check_rows(self, page));
            rows.extend(people_row(self, page));
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
        next::guard(page, self.hooks);
        next::one_line(page, &self.next);
    }
}

fn tasks_row(status: &Outcome, page: &Page) -> Row {
    let done = status
        .tasks
        .iter()
        .filter(|task| task.status.is_terminal())
        .count();
    let mut text = format!(
        "{done} {} {} {}",
        page.say("of", "de"),
        status.tasks.len(),
        page.say("done", "hechas")
    );
    let open = status
        .tasks
        .iter()
        .find(|task| task.status == TaskStatus::InProgress)
        .or_else(|| status.tasks.iter().find(|task| !task.status.is_terminal()));
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

fn tree_row(status: &Outcome, page: &Page) -> Row {
    let text = match &status.tree {
        None => page
            .say("cannot be compared", "no se puede comparar")
            .to_owned(),
        Some(tree) if status.verified => {
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
            if !status.changed_since.is_empty() {
                text.push_str(&format!(
                    ": {} {}",
                    names(&status.changed_since),
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

fn check_rows(status: &Outcome, page: &Page) -> Vec<Row> {
    let mut label = page.say("checks", "pruebas").to_owned();
    status
        .checks
        .iter()
        .map(|check| vec![std::mem::take(&mut label), check::latest_line(page, check)])
        .collect()
}

fn people_row(status: &Outcome, page: &Page) -> Option<Row> {
    let waiting: Vec<String> = status
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
            super::reason(page, commit.why)
        ),
    ]
}
