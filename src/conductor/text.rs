//! Why a step comes next, in words: one table, each row a sentence in both languages.
//!
//! `{name}` is filled with a step's fact. Of a word's rows the first applies whose fact is
//! there; the last one needs none. What is told for each kind of step lives in the playbooks.

use super::{Lang, Why};
use std::collections::BTreeMap;

/// One sentence.
struct Row {
    why: Why,
    /// The fact this sentence needs.
    needs: Option<&'static str>,
    en: &'static str,
    es: &'static str,
}

const fn row(why: Why, needs: Option<&'static str>, en: &'static str, es: &'static str) -> Row {
    Row { why, needs, en, es }
}

#[rustfmt::skip]
const WHY: &[Row] = &[
    row(Why::NoRun, None, "no run is bound to this worktree and branch", "ninguna ejecución está unida a este árbol de trabajo y rama"),
    row(Why::Elsewhere, None, "{run} lives in {workspace}: {inner}", "{run} vive en {workspace}: {inner}"),
    row(Why::Ended, None, "the run is {status}", "la ejecución terminó: {status}"),
    row(Why::Paused, Some("reason"), "the run is paused: {reason}", "la ejecución está en pausa: {reason}"),
    row(Why::Paused, None, "the run is paused", "la ejecución está en pausa"),
    row(Why::Blocked, Some("reason"), "the run is blocked: {reason}", "la ejecución está bloqueada: {reason}"),
    row(Why::Blocked, None, "the run is blocked", "la ejecución está bloqueada"),
    row(Why::Rejected, Some("words"), "a person rejected it at {gates}: {words}", "una persona lo rechazó en {gates}: {words}"),
    row(Why::Rejected, None, "a person rejected it at {gates}", "una persona lo rechazó en {gates}"),
    row(Why::OpenQuestion, None, "a question waits for a person", "una pregunta espera a una persona"),
    row(Why::AmendmentWaiting, None, "an amendment waits for a person: {reason}", "una ampliación espera a una persona: {reason}"),
    row(Why::MergeConflict, None, "two clones contradict each other about {subjects}", "dos clones se contradicen sobre {subjects}"),
    row(Why::Uncounted, None, "the check {check} ends well but its tests cannot be counted, and nobody accepted that", "la comprobación {check} termina bien pero sus pruebas no se pueden contar, y nadie lo aceptó"),
    row(Why::NoProgress, Some("task"), "{task} has {times} bad results and may have no more; a person has to look", "{task} tiene {times} resultados malos y no puede tener más; una persona debe mirar"),
    row(Why::NoProgress, None, "{command} failed {times} times in a row on one tree; a person has to look", "{command} falló {times} veces seguidas sobre un mismo árbol; una persona debe mirar"),
    row(Why::IsolationUnmet, None, "this work needs a worktree of its own", "este trabajo necesita un árbol de trabajo propio"),
    row(Why::ApprovalPending, None, "a person has to decide: {gates}", "una persona debe decidir: {gates}"),
    row(Why::ApprovalStale, None, "the approval speaks of something older than what is here: {gates}", "la aprobación habla de algo anterior a lo que hay aquí: {gates}"),
    row(Why::BaselinePending, Some("moved"), "the checks were not measured before the work, and the files already differ from the start", "las comprobaciones no se midieron antes del trabajo, y los archivos ya difieren del comienzo"),
    row(Why::BaselinePending, None, "the checks were not measured before the work", "las comprobaciones no se midieron antes del trabajo"),
    row(Why::BaselineRed, Some("fixed"), "before the work the checks are already red, and at this risk nobody may let that go: mend the base first", "antes del trabajo las comprobaciones ya están en rojo, y con este riesgo nadie puede dispensarlo: corrige antes la base"),
    row(Why::BaselineRed, Some("failed"), "before the work {failed} of {total} tests already fail; a person may let that go", "antes del trabajo ya fallan {failed} de {total} pruebas; una persona puede dispensarlo"),
    row(Why::BaselineRed, None, "before the work the checks are already red; a person may let that go", "antes del trabajo las comprobaciones ya están en rojo; una persona puede dispensarlo"),
    row(Why::Ready, None, "everything before the work is settled", "todo lo previo al trabajo está resuelto"),
    row(Why::TaskOpen, Some("reproduce"), "the bug was not seen to fail yet", "todavía no se vio fallar el error"),
    row(Why::TaskOpen, Some("seen"), "what {task} needs is recorded", "lo que {task} necesita está registrado"),
    row(Why::TaskOpen, None, "{task} is open", "{task} está abierta"),
    row(Why::NoneStartable, Some("waiting"), "no task can start: {waiting} wait for one another", "ninguna tarea puede empezar: {waiting} se esperan entre sí"),
    row(Why::NoneStartable, Some("reason"), "no task can start before {task}, which is blocked: {reason}", "ninguna tarea puede empezar antes de {task}, que está bloqueada: {reason}"),
    row(Why::NoneStartable, None, "no task can start before {task}, which is blocked", "ninguna tarea puede empezar antes de {task}, que está bloqueada"),
    row(Why::NoSnapshot, Some("paths"), "the working tree cannot be compared ({reason}): {paths}", "el árbol de trabajo no se puede comparar ({reason}): {paths}"),
    row(Why::NoSnapshot, None, "the working tree cannot be compared ({reason})", "el árbol de trabajo no se puede comparar ({reason})"),
    row(Why::NothingChanged, None, "the tasks are closed and no file differs from the base", "las tareas están cerradas y ningún archivo difiere de la base"),
    row(Why::TestsLost, Some("baseline_passed"), "{passed} tests pass, {baseline_passed} did before the work; a refactor loses none", "pasan {passed} pruebas, antes del trabajo pasaban {baseline_passed}; una refactorización no pierde ninguna"),
    row(Why::TestsLost, None, "fewer tests pass than before the work; a refactor loses none", "pasan menos pruebas que antes del trabajo; una refactorización no pierde ninguna"),
    row(Why::Red, Some("failed"), "{failed} of {total} tests fail on the current tree: {failed_tests}", "fallan {failed} de {total} pruebas sobre el árbol actual: {failed_tests}"),
    row(Why::Red, Some("timed_out"), "{check} ran out of time on the current tree", "{check} agotó su tiempo sobre el árbol actual"),
    row(Why::Red, Some("exit"), "{check} ended with {exit} on the current tree", "{check} terminó con {exit} sobre el árbol actual"),
    row(Why::Red, Some("signal"), "{check} was ended by signal {signal} on the current tree", "{check} terminó por la señal {signal} sobre el árbol actual"),
    row(Why::Red, None, "a check is red on the current tree", "una comprobación está en rojo sobre el árbol actual"),
    row(Why::OutOfScope, None, "not planned, or protected: {paths}", "no previsto, o protegido: {paths}"),
    row(Why::ChangesRequested, Some("words"), "a reviewer wants changes: {words}", "quien revisa pide cambios: {words}"),
    row(Why::ChangesRequested, None, "a reviewer wants changes", "quien revisa pide cambios"),
    row(Why::Failed, None, "{id} does not hold: {reason}", "{id} no se cumple: {reason}"),
    row(Why::Unverified, Some("reason"), "{id} is not verified on the current tree: {reason}", "{id} no está verificado sobre el árbol actual: {reason}"),
    row(Why::Unverified, None, "{id} is not verified on the current tree", "{id} no está verificado sobre el árbol actual"),
    row(Why::Running, None, "a check is still running", "una comprobación sigue en marcha"),
    row(Why::NotCommitted, None, "tree {tree} is verified and not committed", "el árbol {tree} está verificado y no confirmado"),
    row(Why::Holds, None, "everything holds: {verdict}", "todo se cumple: {verdict}"),
];

/// Sentences that stand beside the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phrase {
    Modes,
    Reproduce,
    Seen,
    Moved,
    EditFirst,
    RunThere,
    FromAnotherClone,
}

#[rustfmt::skip]
const PHRASES: &[(Phrase, &str, &str)] = &[
    (Phrase::Modes, "Modes, each with `git rapid next <mode>`:", "Modos, cada uno con `git rapid next <modo>`:"),
    (Phrase::Reproduce, "Write a test that shows the bug, then run the command: it has to fail.", "Escribe una prueba que muestre el error y ejecuta la orden: tiene que fallar."),
    (Phrase::Seen, "Nothing more is needed for it: close it.", "No hace falta nada más: ciérrala."),
    (Phrase::Moved, "Put the files back as they were at the start (git stash), measure, then bring them back.", "Deja los archivos como al comienzo (git stash), mide, y luego recupéralos."),
    (Phrase::EditFirst, "Running the same again on the same files says the same: change them first.", "Repetir lo mismo sobre los mismos archivos dice lo mismo: cámbialos antes."),
    (Phrase::RunThere, "A person runs this at a terminal of their own, in {cwd}: {command}", "Una persona ejecuta esto en su propia terminal, en {cwd}: {command}"),
    (Phrase::FromAnotherClone, "From another clone, after fetching the ledger: git rapid approve --run {run} --commit <rev>", "Desde otro clon, tras traer el registro: git rapid approve --run {run} --commit <rev>"),
];

/// The sentence for a reason.
pub(super) fn why(why: Why, facts: &BTreeMap<&'static str, String>, lang: Lang) -> String {
    let told = |row: &&Row| {
        row.why == why
            && row
                .needs
                .is_none_or(|name| facts.get(name).is_some_and(|value| !value.is_empty()))
    };
    match WHY.iter().find(told) {
        Some(row) => filled(if lang == Lang::Es { row.es } else { row.en }, facts),
        None => why.as_str().to_owned(),
    }
}

/// A sentence as it stands.
pub(super) fn phrase(phrase: Phrase, lang: Lang) -> &'static str {
    PHRASES
        .iter()
        .find(|(one, ..)| *one == phrase)
        .map_or("", |(_, en, es)| if lang == Lang::Es { es } else { en })
}

/// Puts facts in their places. What a fact says is never read as a place.
pub(super) fn filled(text: &str, facts: &BTreeMap<&'static str, String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, after)) = tail.split_once('}') else {
            out.push('{');
            rest = tail;
            continue;
        };
        out.push_str(facts.get(name).map_or("", String::as_str));
        rest = after;
    }
    out.push_str(rest);
    out
}
