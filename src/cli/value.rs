//! Words of the command line that are more than words: durations, commands, revisions.

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
    time::Duration,
};

/// Why a word is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadValue {
    /// Not a duration.
    #[error("a duration is a number with s, m or h, such as 90s or 15m; a bare number is seconds")]
    Duration,
    /// No time at all.
    #[error("a duration of nothing would end everything at once")]
    NoTime,
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

/// `90s`, `15m`, `2h`; a bare number is seconds.
pub fn duration(text: &str) -> Result<Duration, BadValue> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return Err(BadValue::Duration),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(BadValue::Duration);
    }
    let number: u64 = digits.parse().map_err(|_| BadValue::Duration)?;
    let seconds = number.checked_mul(unit).ok_or(BadValue::Duration)?;
    // Beyond this, milliseconds would not fit the numbers that records may hold.
    if seconds > 9_000_000_000_000 {
        return Err(BadValue::Duration);
    }
    if seconds == 0 {
        return Err(BadValue::NoTime);
    }
    Ok(Duration::from_secs(seconds))
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
