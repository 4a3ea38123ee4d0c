//! A mode's texts: what its template supplies and what each step is told with.
//!
//! The words live in `templates/modes/<mode>.json`, in English and Spanish; here is only
//! their form. Which step comes next does not belong here.

use super::ActionKind;
use crate::domain::{
    spec::{SentenceTexts, from_sentence, template_json},
    vocabulary::Mode,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::{collections::BTreeMap, sync::OnceLock};

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
pub struct Playbook {
    mode: Mode,
    file: File,
}

/// The template as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    when: Both<String>,
    /// The fields of a spec that the mode asks for, still blank.
    spec: Map<String, Value>,
    sentence: Sentence,
    instructions: BTreeMap<ActionKind, Both<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sentence {
    tasks: Both<Vec<String>>,
    acceptance: Both<Vec<String>>,
}

/// The same in each language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Both<T> {
    en: T,
    es: T,
}

impl<T> Both<T> {
    fn get(&self, lang: Lang) -> &T {
        match lang {
            Lang::En => &self.en,
            Lang::Es => &self.es,
        }
    }
}

impl Playbook {
    /// The playbook of `mode`, read from the embedded template; the others are left alone.
    pub fn of(mode: Mode) -> &'static Self {
        static READ: [OnceLock<Playbook>; Mode::ALL.len()] =
            [const { OnceLock::new() }; Mode::ALL.len()];
        READ[mode as usize].get_or_init(|| Self::read(mode))
    }

    fn read(mode: Mode) -> Self {
        let text = match mode {
            Mode::Direct => include_str!("../../templates/modes/direct.json"),
            Mode::Feature => include_str!("../../templates/modes/feature.json"),
            Mode::Bugfix => include_str!("../../templates/modes/bugfix.json"),
            Mode::Refactor => include_str!("../../templates/modes/refactor.json"),
            Mode::Hardening => include_str!("../../templates/modes/hardening.json"),
            Mode::Research => include_str!("../../templates/modes/research.json"),
        };
        Self {
            mode,
            file: serde_json::from_str(text).expect("the embedded templates are read by a test"),
        }
    }

    /// When to use the mode, in one line.
    pub fn when(&self, lang: Lang) -> &str {
        self.file.when.get(lang)
    }

    /// Task and criterion texts for `start -m`.
    pub fn sentence_texts(&self, lang: Lang) -> SentenceTexts {
        SentenceTexts {
            tasks: self.file.sentence.tasks.get(lang).clone(),
            acceptance: self.file.sentence.acceptance.get(lang).clone(),
        }
    }

    /// The spec to fill in, as a JSON object: the fields that the mode asks for, with the
    /// tasks and criteria that a sentence would get. Only the title is missing for a start,
    /// and the declared paths where the mode writes any.
    pub fn spec_template(&self, lang: Lang) -> Value {
        let made = from_sentence("", self.mode, None, &self.sentence_texts(lang));
        let made = template_json(&made);
        let mut form = self.file.spec.clone();
        for key in ["acceptance_criteria", "implementation_tasks"] {
            form.insert(key.to_owned(), made[key].clone());
        }
        form.into()
    }

    /// The words for a step.
    pub fn instructions(&self, kind: ActionKind, lang: Lang) -> &str {
        self.file
            .instructions
            .get(&kind)
            .map(|texts| texts.get(lang))
            .expect("a test asks each template for every kind of step")
    }
}
