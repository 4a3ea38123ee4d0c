//! Why an assertion is judged as it is: words for the stable codes that reports hold.

use super::Page;

/// Code, English, Spanish. A code that is not here is shown as it is, with blanks.
pub const REASONS: &[(&str, &str, &str)] = &[
    ("finished", "the run is finished", "la ejecución terminó"),
    ("failed", "the run failed", "la ejecución falló"),
    (
        "cancelled",
        "the run was given up",
        "la ejecución se abandonó",
    ),
    (
        "superseded",
        "another run took its place",
        "otra ejecución ocupa su lugar",
    ),
    ("not_finished", "the run goes on", "la ejecución sigue"),
    (
        "no_conflict",
        "no events contradict each other",
        "ningún evento contradice a otro",
    ),
    (
        "conflict",
        "events contradict each other",
        "hay eventos que se contradicen",
    ),
    (
        "bytes_match",
        "the spec is the one that was agreed",
        "la especificación es la acordada",
    ),
    (
        "bytes_differ",
        "the spec is not the one that was agreed",
        "la especificación no es la acordada",
    ),
    (
        "bytes_missing",
        "the spec's bytes are missing",
        "faltan los bytes de la especificación",
    ),
    (
        "object_missing",
        "an object is not in this clone",
        "falta un objeto en este clon",
    ),
    ("in_scope", "all planned", "todo previsto"),
    (
        "scope_not_declared",
        "scope not declared",
        "alcance sin declarar",
    ),
    (
        "out_of_scope",
        "outside the declared scope",
        "fuera del alcance declarado",
    ),
    (
        "protected",
        "a protected path changed",
        "cambió una ruta protegida",
    ),
    (
        "no_new_signal",
        "no more than was planned for",
        "no más que lo previsto",
    ),
    (
        "new_signal",
        "riskier than planned for",
        "más riesgo que el previsto",
    ),
    (
        "within_bounds",
        "small enough for direct",
        "cabe en el modo directo",
    ),
    (
        "beyond_bounds",
        "too large for direct",
        "demasiado grande para el modo directo",
    ),
    (
        "test_lines_removed",
        "lines were removed from tests",
        "se quitaron líneas de las pruebas",
    ),
    ("green", "green", "en verde"),
    ("red", "red", "en rojo"),
    ("timed_out", "ran out of time", "se agotó el tiempo"),
    (
        "contradictory",
        "counts and exit code contradict",
        "recuento y código de salida se contradicen",
    ),
    (
        "known_failures",
        "only what failed before fails",
        "solo falla lo que ya fallaba",
    ),
    (
        "accepted_uncounted",
        "not countable, and a person accepted that",
        "no se puede contar, y una persona lo aceptó",
    ),
    ("no_result", "nothing ran yet", "aún no se ejecutó nada"),
    (
        "other_tree",
        "it speaks of another tree",
        "habla de otro árbol",
    ),
    ("aside", "only an aside ran", "solo se ejecutó un aparte"),
    (
        "not_as_pinned",
        "not the pinned command",
        "no es el comando fijado",
    ),
    (
        "other_producer",
        "written by someone whose word does not count here",
        "escrito por quien aquí no decide",
    ),
    ("unsigned", "not signed", "sin firma"),
    (
        "unstable",
        "the tree changed while it ran",
        "el árbol cambió mientras se ejecutaba",
    ),
    (
        "incomplete",
        "the test run did not come to its end",
        "las pruebas no llegaron al final",
    ),
    (
        "stale_report",
        "the report file is an old one",
        "el informe es antiguo",
    ),
    (
        "not_clean",
        "only a clean checkout counts",
        "solo cuenta una copia limpia",
    ),
    (
        "uncounted",
        "the tests could not be counted",
        "no se pudieron contar las pruebas",
    ),
    ("zero_tests", "no test passed", "no pasó ninguna prueba"),
    ("skipped", "left out", "omitida"),
    ("not_done", "not done", "sin hacer"),
    ("attached", "files attached", "archivos adjuntos"),
    ("nothing_attached", "nothing attached", "nada adjunto"),
    (
        "reproduced",
        "failed before, passes now",
        "fallaba antes, pasa ahora",
    ),
    ("passes_on_both", "it never failed", "nunca falló"),
    (
        "no_reproduction",
        "the bug was not shown",
        "no se mostró el error",
    ),
    (
        "not_green_yet",
        "what failed does not pass yet",
        "lo que fallaba aún no pasa",
    ),
    (
        "test_gone",
        "the test that failed may be gone",
        "la prueba que fallaba puede haber desaparecido",
    ),
    (
        "none_due",
        "no check is due",
        "no toca ninguna comprobación",
    ),
    (
        "nothing_pinned",
        "no check is pinned",
        "no hay comprobación fijada",
    ),
    ("pending", "waits", "espera"),
    ("waived", "waived by a person", "dispensado por una persona"),
    (
        "isolated",
        "in a worktree of its own",
        "en su propio árbol de trabajo",
    ),
    ("not_isolated", "not isolated", "sin aislar"),
    (
        "approved",
        "by a person, on this tree",
        "por una persona, sobre este árbol",
    ),
    ("rejected", "a person said no", "una persona dijo que no"),
    (
        "changes_requested",
        "a person wants changes",
        "una persona pide cambios",
    ),
    ("no_review", "no person looked yet", "aún no lo miró nadie"),
    (
        "waiver_void",
        "this cannot be waived here",
        "aquí no se puede dispensar",
    ),
    (
        "amended_since",
        "the run was widened after the review",
        "la ejecución se amplió tras la revisión",
    ),
    (
        "attached_since",
        "files came in after the review",
        "llegaron archivos tras la revisión",
    ),
    (
        "too_few_approvals",
        "too few people approved",
        "faltan aprobaciones",
    ),
    (
        "authors_own",
        "only its author approved",
        "solo lo aprobó su autor",
    ),
    ("not_fewer", "no fewer tests pass", "no pasan menos pruebas"),
    (
        "fewer",
        "fewer tests pass than before",
        "pasan menos pruebas que antes",
    ),
    (
        "no_baseline",
        "nothing was measured before",
        "no se midió antes",
    ),
    ("linked", "evidence is linked", "con evidencia"),
    ("not_linked", "nothing is linked", "sin evidencia"),
    (
        "all_verified",
        "each tree verified",
        "todos los árboles verificados",
    ),
    (
        "not_verified",
        "a commit's tree was never verified",
        "hay un árbol sin verificar",
    ),
    ("no_commit", "no commit", "ningún commit"),
    ("seen", "seen", "visto"),
    ("not_seen", "not seen", "no visto"),
    ("not_observable", "leaves no trace", "no deja rastro"),
    ("nothing_changed", "nothing changed", "nada cambió"),
];

/// The words for a code.
pub fn reason(page: &Page, code: &str) -> String {
    match REASONS.iter().find(|(known, _, _)| *known == code) {
        Some((_, english, spanish)) => page.say(english, spanish).to_owned(),
        None => super::clean(code).replace('_', " "),
    }
}
