//! A mode's texts: what its template supplies and what each step is told with.
//!
//! The words live in `templates/modes/<mode>.json`, in English and Spanish.

use super::ActionKind;
use crate::domain::{spec::SentenceTexts, vocabulary::Mode};
use serde_json::Value;

crate::domain::vocabulary::vocabulary_words!(
    /// The languages there are.
    Lang, "a language" {
        /// English.
        En = "en",
        /// Spanish.
        Es = "es",
    }
);

/// One mode's playbook.
#[derive(Debug)]
pub struct Playbook {}

impl Playbook {
    /// The playbook of `mode`, read from the embedded template.
    pub fn of(mode: Mode) -> &'static Self {
        let _ = mode;
        todo!()
    }

    /// When to use the mode, in one line.
    pub fn when(&self, lang: Lang) -> &str {
        let _ = lang;
        todo!()
    }

    /// Task and criterion texts for `start -m`.
    pub fn sentence_texts(&self, lang: Lang) -> SentenceTexts {
        let _ = lang;
        todo!()
    }

    /// The spec to fill in, as a JSON object.
    pub fn spec_template(&self, lang: Lang) -> Value {
        let _ = lang;
        todo!()
    }

    /// The words for a step.
    pub fn instructions(&self, kind: ActionKind, lang: Lang) -> &str {
        let _ = (kind, lang);
        todo!()
    }
}
