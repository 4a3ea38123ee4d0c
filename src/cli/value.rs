//! Words of the command line that are more than words: durations, commands, revisions.

pub use crate::domain::duration::parse as duration;
use crate::domain::{
    bytes::ByteText,
    id::SpecId,
    spec::{BadCommand, command_words},
    vocabulary::Mode,
};
use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    str::FromStr,
};

/// Why a word is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadValue {
    /// A shell's operator in a command that no shell reads.
    #[error("{operator} needs a shell, and none reads this")]
    Operator {
        /// What only a shell understands.
        operator: String,
        /// The whole command.
        command: String,
    },
    /// A quote that is not closed.
    #[error("a quote is not closed")]
    Quote,
    /// No word at all.
    #[error("a command has at least one word")]
    NoWord,
    /// Not a spec's name.
    #[error("a spec is named <id> or <id>@<revision>: {0}")]
    Spec(String),
}

/// A command as POSIX words, as `--test-command` and `rapid.testCommand` hold it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandWords(pub Vec<ByteText>);

impl FromStr for CommandWords {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        command_words(text).map(Self).map_err(|why| match why {
            BadCommand::Operator(operator) => BadValue::Operator {
                operator: operator.to_owned(),
                command: text.to_owned(),
            },
            BadCommand::Quote => BadValue::Quote,
            BadCommand::NoWord => BadValue::NoWord,
        })
    }
}

/// The words after `--`, byte for byte.
pub fn byte_words(words: &[OsString]) -> Vec<ByteText> {
    words.iter().map(|word| byte_text(word)).collect()
}

/// One word, byte for byte.
pub fn byte_text(word: &OsStr) -> ByteText {
    ByteText(word.as_bytes().to_vec())
}

/// The way back, for a child's command line.
pub fn os_word(text: &ByteText) -> OsString {
    OsString::from_vec(text.0.clone())
}

/// A mode by its name or an alias.
pub fn mode(text: &str) -> Result<Mode, crate::domain::vocabulary::UnknownWord> {
    Mode::from_alias(text)
}

/// `<id>` or `<id>@<revision>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecName {
    /// The spec.
    pub id: SpecId,
    /// Its revision; `None`: the newest.
    pub revision: Option<u32>,
}

impl FromStr for SpecName {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let (id, revision) = match text.split_once('@') {
            None => (text, None),
            Some((id, digits)) => {
                let number = digits.trim_start_matches('r').parse().ok();
                match number {
                    Some(number @ 1..) => (id, Some(number)),
                    _ => return Err(BadValue::Spec(format!("{digits:?} is not a revision"))),
                }
            }
        };
        let id = id
            .parse()
            .map_err(|error: crate::domain::id::BadId| BadValue::Spec(error.to_string()))?;
        Ok(Self { id, revision })
    }
}
