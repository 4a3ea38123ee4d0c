//! Specs that are made rather than written: from one sentence, and the empty form.

use super::{Mode, Pattern, Spec};
use serde_json::Value;

/// The task and criterion texts a mode's template supplies, in the user's language.
#[derive(Clone, Debug)]
pub struct SentenceTexts {
    /// Task descriptions.
    pub tasks: Vec<String>,
    /// Acceptance texts.
    pub acceptance: Vec<String>,
}

/// A spec from a sentence and the template of its mode.
pub fn from_sentence(
    title: &str,
    mode: Mode,
    paths: Option<Vec<Pattern>>,
    texts: &SentenceTexts,
) -> Spec {
    let _ = (title, mode, paths, texts);
    todo!()
}

/// The document a person or agent fills in, as a JSON object in the order of the spec's fields.
pub fn template_json(spec: &Spec) -> Value {
    let _ = spec;
    todo!()
}
