//! What a spec says of data, in a word or in words.

use super::DataImpact;

/// The ways in which people say "none", without case, accents and full stops.
const NONE: &[&str] = &[
    "",
    "-",
    "--",
    "n/a",
    "na",
    "nil",
    "no",
    "no data",
    "no data change",
    "no data changes",
    "no data impact",
    "no impact",
    "no impact on data",
    "no change",
    "no changes",
    "none",
    "not applicable",
    "nothing",
    "null",
    "there is none",
    "without data impact",
    "without impact",
    "cero",
    "ningun cambio",
    "ningun dato",
    "ningun impacto",
    "ninguna",
    "ninguno",
    "nada",
    "no afecta",
    "no afecta a los datos",
    "no afecta datos",
    "no aplica",
    "no hay",
    "no hay impacto",
    "no hay impacto en datos",
    "no hay impacto en los datos",
    "no impacta",
    "no procede",
    "no tiene",
    "no tiene impacto",
    "sin cambios",
    "sin cambios en datos",
    "sin cambios en los datos",
    "sin datos",
    "sin efecto",
    "sin impacto",
    "sin impacto en datos",
    "sin impacto en los datos",
    "sin impacto sobre los datos",
];

impl DataImpact {
    /// The texts that mean none, as [`from_text`](Self::from_text) compares them.
    pub const WORDS_FOR_NONE: &'static [&'static str] = NONE;

    /// What `text` means: one of the words, alone or with an explanation after a colon; one
    /// of the many ways to say none; else the text itself, which counts as writing.
    pub fn from_text(text: &str) -> Self {
        let whole = plain(text);
        let word = text.split_once(':').map(|(word, _)| plain(word));
        if NONE.contains(&whole.as_str()) {
            return Self::None;
        }
        match word.as_deref().unwrap_or(&whole) {
            "none" => Self::None,
            "reads" => Self::Reads,
            "writes" => Self::Writes,
            // Other forms of the word raise too: a migration must not hide behind grammar.
            "migrates" | "migrate" | "migration" | "migrations" | "migra" | "migracion"
            | "migraciones" => Self::Migrates,
            _ => Self::Other(text.trim().to_owned()),
        }
    }

    /// The text that reads back as this.
    pub fn as_text(&self) -> &str {
        match self {
            Self::None => "none",
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Migrates => "migrates",
            Self::Other(text) => text,
        }
    }
}

fn plain(text: &str) -> String {
    let ascii = deunicode::deunicode(text).to_ascii_lowercase();
    let words: Vec<_> = ascii.split_whitespace().collect();
    words.join(" ").trim_end_matches(['.', ' ']).to_owned()
}
