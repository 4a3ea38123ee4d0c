//! A verdict, assertion by assertion.

use super::{
    Page, Render, Row, Sign, clean, reason,
    text::{Tint, tinted},
    word,
};
use crate::domain::{
    evaluate::{Assertion, AssertionFacts, Report, trust},
    gate::CATALOGUE,
    vocabulary::AssertionStatus,
};
use crate::porcelain::{eval::Outcome, review::CommandRow};
use serde::Serialize;
use serde_json::Value;

/// The assertions as lines: sign, what is asked, why. What holds and nobody asks for first
/// (lifecycle, integrity, capabilities) is left out unless it does not hold.
pub fn rows(page: &Page, report: &Report) -> Vec<Row> {
    report
        .assertions
        .iter()
        .filter(|assertion| !is_quiet(assertion))
        .map(|assertion| row(page, assertion))
        .collect()
}

/// Whether an assertion only matters when it does not hold.
fn is_quiet(assertion: &Assertion) -> bool {
    let holds = matches!(
        assertion.status,
        AssertionStatus::Pass | AssertionStatus::NotApplicable
    );
    let formal = ["run.", "events.", "spec.", "capability.", "risk."]
        .iter()
        .any(|start| assertion.id.starts_with(start));
    (holds && formal) || assertion.status == AssertionStatus::NotApplicable
}

fn row(page: &Page, assertion: &Assertion) -> Row {
    let mut why = reason(page, &assertion.why);
    let facts = facts_text(page, &assertion.facts);
    if !facts.is_empty() {
        why = format!("{facts}; {why}");
    }
    if !assertion.required {
        why.push_str(page.say(" (not required)", " (no exigido)"));
    }
    vec![
        sign(assertion.status).text(),
        label(page, &assertion.id),
        why,
    ]
}

/// The sign of a judgement.
pub fn sign(status: AssertionStatus) -> Sign {
    match status {
        AssertionStatus::Pass => Sign::Ok,
        AssertionStatus::Fail => Sign::Fail,
        AssertionStatus::Unverified => Sign::Open,
        AssertionStatus::Waived => Sign::Waived,
        AssertionStatus::NotApplicable => Sign::Neutral,
    }
}

/// An assertion's short name for people; the id itself where there is none.
pub fn label(page: &Page, id: &str) -> String {
    let evidence = id.strip_suffix(".evidence").unwrap_or(id);
    if let Some(gate) = evidence.strip_prefix("gate.") {
        return match CATALOGUE.iter().find(|row| row.id == gate) {
            Some(row) => word::gate(page, row.kind).to_owned(),
            None => clean(gate),
        };
    }
    if let Some(task) = evidence.strip_prefix("task.") {
        return format!("{} {}", page.say("task", "tarea"), clean(task));
    }
    if id.starts_with("reproduction.") {
        return page.say("bug reproduced", "error reproducido").to_owned();
    }
    if let Some(criterion) = id.strip_prefix("acceptance.") {
        return format!(
            "{} {}",
            page.say("acceptance", "aceptación"),
            clean(criterion)
        );
    }
    match id {
        "scope.paths" => page.say("scope", "alcance"),
        "tests.not-fewer" => page.say("no test lost", "ninguna prueba perdida"),
        "risk.observed" => page.say("risk", "riesgo"),
        "direct.bounds" => page.say("size", "tamaño"),
        "commits.verified" => page.say("commits", "commits"),
        "run.lifecycle" => page.say("finished", "terminada"),
        "events.legal" => page.say("events", "eventos"),
        "spec.integrity" => page.say("spec", "especificación"),
        other => return clean(other),
    }
    .to_owned()
}

/// How many names of a list are shown.
const SHOWN: usize = 5;

/// The facts that say something to a person, in a fixed order.
fn facts_text(page: &Page, facts: &AssertionFacts) -> String {
    let counted: &[(&str, &str, &str)] = &[
        ("passed", "passed", "pasaron"),
        ("failed", "failed", "fallaron"),
        ("errors", "errors", "errores"),
        ("baseline_passed", "at baseline", "en la línea base"),
        ("files", "files", "archivos"),
        ("lines", "lines", "líneas"),
    ];
    let mut parts = Vec::new();
    for (key, english, spanish) in counted {
        if let Some(number) = facts.get(*key).and_then(Value::as_u64)
            && (number > 0 || *key == "passed")
        {
            parts.push(format!("{number} {}", page.say(english, spanish)));
        }
    }
    for key in [
        "paths",
        "protected",
        "failed_tests",
        "signals",
        "missing",
        "reviewer",
    ] {
        match facts.get(key) {
            Some(Value::String(text)) => parts.push(clean(text)),
            Some(Value::Array(items)) if !items.is_empty() => parts.push(list(items)),
            _ => {}
        }
    }
    parts.join(", ")
}

fn list(items: &[Value]) -> String {
    let name = |item: &Value| match item {
        Value::String(text) => clean(text),
        Value::Object(fields) => match fields.get("path").or_else(|| fields.get("id")) {
            Some(Value::String(text)) => clean(text),
            _ => clean(&item.to_string()),
        },
        other => clean(&other.to_string()),
    };
    let mut text: Vec<String> = items.iter().take(SHOWN).map(name).collect();
    if items.len() > SHOWN {
        text.push(format!("… {}", items.len() - SHOWN));
    }
    text.join(", ")
}

/// A report on its own, as `eval run` tells it: the stored document, for `--json` with the
/// trust of each assertion added.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct ReportView<'a> {
    /// The document, with trust.
    document: Value,
    /// What it was made of.
    #[serde(skip)]
    report: &'a Report,
    /// The run's name.
    #[serde(skip)]
    run: &'a str,
}

impl<'a> ReportView<'a> {
    /// The view of a judgement.
    pub fn of(done: &'a Outcome) -> Self {
        let mut document = serde_json::to_value(&done.report).expect("string keys only");
        let views = document.get_mut("assertions").and_then(Value::as_array_mut);
        for (view, assertion) in views.into_iter().flatten().zip(&done.report.assertions) {
            let trust = trust(assertion, &done.report.facts.signatures, &[]);
            if let Some(fields) = view.as_object_mut() {
                fields.insert("trust".to_owned(), trust.as_str().into());
            }
        }
        Self {
            document,
            report: &done.report,
            run: done.run_id.as_str(),
        }
    }
}

impl Render for ReportView<'_> {
    fn render(&self, page: &mut Page) {
        head(page, self.report, self.run, None);
        let rows = rows(page, self.report);
        page.columns("  ", &rows);
    }
}

/// What was run, and who chose it: a verdict is worth as much as its commands.
pub fn commands(page: &mut Page, commands: &[CommandRow]) {
    for row in commands {
        page.line(format!(
            "  {} {}: {}  ({} {})",
            page.say("check", "comprobación"),
            clean(&row.name),
            tinted(Tint::Command, &clean(&row.command)),
            page.say("chosen by", "elegido por"),
            clean(&row.source)
        ));
    }
}

/// The first line: verdict, run, tree.
pub fn head(page: &mut Page, report: &Report, run: &str, same_as: Option<&str>) {
    let mut subject = format!(
        "{} {}",
        page.say("subject", "sujeto"),
        report.subject.short()
    );
    if let Some(name) = same_as {
        subject.push_str(&format!(" = {name}"));
    }
    let left = format!(
        "{}   {}",
        word::verdict(report.verdict),
        tinted(Tint::Strong, run)
    );
    page.edges(&left, &subject);
}
