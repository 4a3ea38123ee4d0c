//! The known word that an unknown one was probably meant to be.

/// What people write for a key that is called something else.
const SYNONYMS: &[(&str, &str)] = &[
    ("acceptance", "acceptance_criteria"),
    ("actors", "actors_users"),
    ("argument", "argv"),
    ("business_goal", "business_objective"),
    ("command", "argv"),
    ("command", "test_command"),
    ("constraints", "technical_constraints"),
    ("criteria", "acceptance_criteria"),
    ("criterion", "text"),
    ("data", "data_impact"),
    ("depends_on", "after"),
    ("depends", "after"),
    ("dir", "cwd"),
    ("directory", "cwd"),
    ("files", "affected_paths"),
    ("files", "paths"),
    ("flow", "main_flow"),
    ("goal", "business_objective"),
    ("kind", "mode"),
    ("name", "title"),
    ("objective", "business_objective"),
    ("paths", "affected_paths"),
    ("problem", "problem_statement"),
    ("questions", "open_questions"),
    ("rules", "business_rules"),
    ("task", "implementation_tasks"),
    ("tasks", "implementation_tasks"),
    ("test", "test_command"),
    ("tests", "testing_strategy"),
    ("text", "description"),
    ("title", "description"),
    ("type", "mode"),
    ("users", "actors_users"),
    ("working_directory", "cwd"),
];

/// The word of `known` nearest to `word`; `None` when nothing is near.
pub(super) fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let word = word.trim().to_lowercase().replace(['-', ' '], "_");
    let synonym = known
        .iter()
        .find(|key| **key == word || SYNONYMS.contains(&(word.as_str(), **key)));
    if let Some(key) = synonym {
        return Some(key);
    }
    known
        .iter()
        .map(|key| (strsim::jaro_winkler(&word, key), *key))
        .filter(|(likeness, _)| *likeness >= 0.8)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, key)| key)
}
