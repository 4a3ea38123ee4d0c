//! Results of checks, for people.

use super::{
    Page, Render, Sign, age, clean, duration,
    text::{Tint, tinted},
};
use crate::{
    domain::{
        evidence::Counts,
        id::{AcceptanceId, GateId, TaskId},
        path::RepoPath,
        vocabulary::{Expectation, Note},
    },
    porcelain::{
        check::{CheckDone, Outcome},
        status::LatestCheck,
    },
};

impl Render for Outcome {
    fn render(&self, page: &mut Page) {
        for check in &self.checks {
            check.render(page);
        }
        if self.checks.is_empty() {
            let text = page
                .say("Nothing is due.", "No toca comprobar nada.")
                .to_owned();
            page.line(text);
        }
    }
}

impl Render for CheckDone {
    fn render(&self, page: &mut Page) {
        let sign = match (self.note, self.met, self.stable) {
            (true, _, _) => Sign::Neutral,
            (_, _, false) => Sign::Open,
            (_, true, _) => Sign::Ok,
            (_, false, _) => Sign::Fail,
        };
        let name = self
            .check
            .as_ref()
            .map_or_else(|| clean(&self.command), |name| clean(name));
        let mut said = vec![counts(page, self.counts.as_ref())];
        said.push(how_it_ended(page, self));
        if self.cited {
            said.push(
                page.say("cited, not repeated", "citado, no repetido")
                    .to_owned(),
            );
        } else {
            said.push(duration(self.duration_ms));
        }
        said.retain(|part| !part.is_empty());
        let left = format!(
            "{}  {}  {}",
            sign.text(),
            tinted(Tint::Strong, &name),
            said.join(", ")
        );
        let right = format!(
            "{} {}  {} {}",
            page.say("tree", "árbol"),
            self.tree.short(),
            self.alias,
            self.record.short(8)
        );
        page.edges(&left, &right);
        details(page, self);
    }
}

fn details(page: &mut Page, check: &CheckDone) {
    if !check.failed_tests.is_empty() {
        let names: Vec<String> = check.failed_tests.iter().map(|name| clean(name)).collect();
        let text = format!("{} {}", page.say("failed:", "fallaron:"), names.join(", "));
        page.wrapped("    ", &text);
    }
    if !check.stable {
        let paths: Vec<String> = check.changed.iter().map(RepoPath::quoted).collect();
        let text = format!(
            "{} {}",
            page.say(
                "counts for nothing, as the tree changed while it ran:",
                "no cuenta, pues el árbol cambió mientras se ejecutaba:"
            ),
            paths.join(", ")
        );
        page.wrapped("    ", &text);
    }
    if check.note {
        let text = page
            .say(
                "an aside: not a command that decides anything here",
                "un aparte: no es un comando que aquí decida algo",
            )
            .to_owned();
        page.wrapped("    ", &text);
    }
    if check.kind == "test_result"
        && check.counts.is_some_and(|counts| counts.passed == 0)
        && check.met
        && check.expectation == Expectation::Pass
    {
        let text = page
            .say(
                "no test ran: this closes nothing",
                "no corrió ninguna prueba: esto no cierra nada",
            )
            .to_owned();
        page.wrapped("    ", &text);
    }
    for note in &check.notes {
        let text = note_text(page, *note).to_owned();
        page.wrapped("    ", &text);
    }
    let linked: Vec<&str> = check
        .linked
        .tasks
        .iter()
        .map(TaskId::as_str)
        .chain(check.linked.gates.iter().map(GateId::as_str))
        .chain(check.linked.acceptance.iter().map(AcceptanceId::as_str))
        .collect();
    if !linked.is_empty() {
        page.line(format!(
            "    {} {}",
            page.say("speaks for", "habla de"),
            linked.join(", ")
        ));
    }
}

fn how_it_ended(page: &Page, check: &CheckDone) -> String {
    let failed = match (check.timed_out, check.signal, check.exit_code) {
        (true, _, _) => page.say("ran out of time", "se agotó el tiempo").to_owned(),
        (_, Some(signal), _) => format!(
            "{} {signal}",
            page.say("ended by signal", "terminado por la señal")
        ),
        (_, _, Some(0)) => String::new(),
        (_, _, Some(code)) => format!("exit {code}"),
        (_, _, None) => String::new(),
    };
    match check.expectation {
        Expectation::Pass => failed,
        Expectation::Fail if check.met => {
            format!("{failed} ({})", page.say("as expected", "como se esperaba"))
        }
        Expectation::Fail => format!(
            "{failed} ({})",
            page.say("a failure was expected", "se esperaba un fallo")
        ),
    }
    .trim_start()
    .to_owned()
}

/// `39 passed, 2 failed`.
pub fn counts(page: &Page, counts: Option<&Counts>) -> String {
    let Some(counts) = counts else {
        return page.say("not counted", "sin contar").to_owned();
    };
    let mut parts = vec![format!(
        "{} {}",
        counts.passed,
        page.say("passed", "pasaron")
    )];
    for (number, english, spanish) in [
        (counts.failed, "failed", "fallaron"),
        (counts.errors, "errors", "errores"),
        (counts.skipped, "skipped", "omitidas"),
        (counts.flaky.unwrap_or(0), "flaky", "inestables"),
    ] {
        if number > 0 {
            parts.push(format!("{number} {}", page.say(english, spanish)));
        }
    }
    parts.join(", ")
}

fn note_text(page: &Page, note: Note) -> &str {
    match note {
        Note::Cached => page.say(
            "copied from an earlier result",
            "copiado de un resultado anterior",
        ),
        Note::LeftoverProcesses => page.say(
            "left processes behind, which were ended",
            "dejó procesos, que se terminaron",
        ),
        Note::Truncated => page.say("the log was cut", "el registro se recortó"),
        Note::Redacted => page.say(
            "secrets were taken out of the log",
            "se quitaron secretos del registro",
        ),
        Note::Flaky => page.say(
            "now red, now green on one tree",
            "a veces rojo y a veces verde sobre un mismo árbol",
        ),
        Note::Contradictory => page.say(
            "the counts contradict the exit code: it counts as failed",
            "el recuento contradice el código de salida: cuenta como fallo",
        ),
        Note::Incomplete => page.say(
            "the test run did not come to its end: it does not count",
            "las pruebas no llegaron al final: no cuenta",
        ),
        Note::StaleReport => page.say(
            "the report file was not written by this command: it does not count",
            "este comando no escribió el informe: no cuenta",
        ),
    }
}

/// `test  red 4m ago: 1 failed of 4 (tax_once)`.
pub(super) fn latest_line(page: &Page, latest: &LatestCheck) -> String {
    let name = latest
        .done
        .check
        .as_ref()
        .map_or_else(|| clean(&latest.done.command), |name| clean(name));
    let colour = match (latest.done.met, latest.done.expectation) {
        (true, Expectation::Pass) => tinted(Tint::Good, page.say("green", "verde")),
        (true, Expectation::Fail) => tinted(
            Tint::Good,
            page.say("red as expected", "rojo, como se esperaba"),
        ),
        (false, Expectation::Fail) => tinted(
            Tint::Bad,
            page.say(
                "not the failure that was expected",
                "no es el fallo esperado",
            ),
        ),
        (false, Expectation::Pass) => tinted(Tint::Bad, page.say("red", "rojo")),
    };
    let mut line = format!(
        "{name}  {colour} {}: {}",
        age(latest.time, page.now, page.lang),
        counts(page, latest.done.counts.as_ref())
    );
    if let Some(first) = latest.done.failed_tests.first() {
        line.push_str(&format!(" ({})", clean(first)));
    }
    if !latest.current {
        line.push_str(page.say(", on another tree", ", sobre otro árbol"));
    }
    line
}
