//! Fields of a document: each reader says what it found wrong and gives what it can, so
//! that all faults are told at once.

use super::{Fault, command::shell_operator};
use crate::domain::{bytes::ByteText, scope::Pattern};
use serde_json::{Map, Value};

/// Items in one list.
const MAX_ITEMS: usize = 1_000;
/// Characters in one text.
const MAX_TEXT: usize = 20_000;

/// What was found wrong so far.
#[derive(Default)]
pub(super) struct Faults(pub(super) Vec<Fault>);

/// A value with its JSON pointer.
#[derive(Clone)]
pub(super) struct Field<'v> {
    pub(super) at: String,
    pub(super) value: &'v Value,
}

impl<'v> Field<'v> {
    /// The field `key` of an object at `at`; `None` when it is absent or null.
    pub(super) fn of(at: &str, object: &'v Map<String, Value>, key: &str) -> Option<Self> {
        let value = object.get(key).filter(|value| !value.is_null())?;
        Some(Self {
            at: below(at, key),
            value,
        })
    }

    /// Its text, when it is text.
    fn as_text(&self) -> Option<&'v str> {
        self.value.as_str()
    }
}

/// The pointer of `key` below `at`, escaped as RFC 6901 says.
pub(super) fn below(at: &str, key: &str) -> String {
    format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"))
}

impl Faults {
    pub(super) fn add(&mut self, at: &str, what: impl Into<String>) {
        self.0.push(Fault {
            at: at.to_owned(),
            what: what.into(),
            meant: None,
        });
    }

    pub(super) fn add_meant(
        &mut self,
        at: &str,
        what: impl Into<String>,
        meant: impl Into<Option<String>>,
    ) {
        self.0.push(Fault {
            at: at.to_owned(),
            what: what.into(),
            meant: meant.into(),
        });
    }

    pub(super) fn wrong_type(&mut self, field: &Field<'_>, wanted: &str, meant: Option<String>) {
        let what = format!("is {}; {wanted} is expected", kind_of(field.value));
        self.add_meant(&field.at, what, meant);
    }

    /// An object all of whose keys are known; `what` it is, for the faults.
    pub(super) fn object<'v>(
        &mut self,
        field: &Field<'v>,
        known: &[&str],
        what: &str,
    ) -> Option<&'v Map<String, Value>> {
        let Some(object) = field.value.as_object() else {
            self.wrong_type(field, "an object", None);
            return None;
        };
        for key in object.keys().filter(|key| !known.contains(&key.as_str())) {
            let meant = super::nearest::nearest(key, known).map(str::to_owned);
            self.add_meant(
                &below(&field.at, key),
                format!("is not a key of {what}"),
                meant,
            );
        }
        Some(object)
    }

    /// Text of bounded length.
    pub(super) fn text(&mut self, field: &Field<'_>) -> Option<String> {
        let Some(text) = field.as_text() else {
            self.wrong_type(field, "text", None);
            return None;
        };
        let length = text.chars().count();
        if length > MAX_TEXT {
            self.add(
                &field.at,
                format!("has {length} characters; at most {MAX_TEXT} are allowed"),
            );
            return None;
        }
        Some(text.to_owned())
    }

    /// The items of a list of bounded length.
    pub(super) fn items<'v>(&mut self, field: &Field<'v>, wanted: &str) -> Vec<Field<'v>> {
        let Some(list) = field.value.as_array() else {
            let meant = field.as_text().map(|text| json_text(&[text]));
            self.wrong_type(field, wanted, meant);
            return Vec::new();
        };
        if list.len() > MAX_ITEMS {
            self.add(
                &field.at,
                format!("has {} items; at most {MAX_ITEMS} are allowed", list.len()),
            );
            return Vec::new();
        }
        let item = |(place, value)| Field {
            at: format!("{}/{place}", field.at),
            value,
        };
        list.iter().enumerate().map(item).collect()
    }

    /// A list of text, order kept, blanks dropped.
    pub(super) fn texts(&mut self, field: &Field<'_>) -> Vec<String> {
        let items = self.items(field, "a list of text");
        let texts = items.iter().filter_map(|item| self.text(item));
        texts
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty())
            .collect()
    }

    /// A list of scope patterns, blanks dropped.
    pub(super) fn patterns(&mut self, field: &Field<'_>) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        for item in self.items(field, "a list of paths or patterns") {
            let Some(text) = self.text(&item) else {
                continue;
            };
            if text.trim().is_empty() {
                continue;
            }
            match text.parse::<Pattern>() {
                Ok(pattern) => patterns.push(pattern),
                Err(bad) => self.add(&item.at, bad.to_string()),
            }
        }
        patterns
    }

    pub(super) fn boolean(&mut self, field: &Field<'_>) -> Option<bool> {
        if field.value.as_bool().is_none() {
            let meant = match field.as_text().map(str::to_lowercase).as_deref() {
                Some("true" | "yes" | "sí" | "si") => Some("true".to_owned()),
                Some("false" | "no") => Some("false".to_owned()),
                _ => None,
            };
            self.wrong_type(field, "true or false", meant);
        }
        field.value.as_bool()
    }

    /// A whole number from 1 up.
    pub(super) fn positive(&mut self, field: &Field<'_>) -> Option<u32> {
        let number = field.value.as_i64();
        let found = number
            .and_then(|number| u32::try_from(number).ok())
            .filter(|number| *number > 0);
        if found.is_none() {
            match number {
                Some(number) => self.add(
                    &field.at,
                    format!(
                        "is {number}; a whole number from 1 to {} is expected",
                        u32::MAX
                    ),
                ),
                None => self.wrong_type(field, "a whole number from 1 up", None),
            }
        }
        found
    }

    /// A command, word by word.
    pub(super) fn argv(&mut self, field: &Field<'_>) -> Option<Vec<ByteText>> {
        let before = self.0.len();
        if let Some(line) = field.as_text() {
            let meant = shell_words::split(line).ok().map(|words| json_text(&words));
            self.wrong_type(field, "a command as a list of words", meant);
            return None;
        }
        let mut argv = Vec::new();
        for item in self.items(field, "a command as a list of words") {
            match serde_json::from_value::<ByteText>(item.value.clone()) {
                Ok(word) if word.0.contains(&0) => self.add(&item.at, "contains a NUL character"),
                Ok(word) => argv.push(word),
                Err(_) => self.wrong_type(&item, "text", None),
            }
        }
        if self.0.len() > before {
            return None;
        }
        if argv
            .first()
            .is_none_or(|word| word.lossy().trim().is_empty())
        {
            self.add(&field.at, "names no program");
            return None;
        }
        if let Some(sign) = shell_operator(&argv) {
            self.add_meant(
                &field.at,
                format!(
                    "has the word {sign:?}, which only a shell understands, and no shell reads it"
                ),
                in_a_shell(&argv),
            );
            return None;
        }
        Some(argv)
    }
}

/// The same command for a shell to read: operators bare, the other words quoted.
fn in_a_shell(argv: &[ByteText]) -> Option<String> {
    let words: Option<Vec<_>> = argv
        .iter()
        .map(|word| {
            let text = std::str::from_utf8(&word.0).ok()?;
            let bare = shell_operator(std::slice::from_ref(word)).is_some();
            Some(if bare {
                text.into()
            } else {
                shell_words::quote(text)
            })
        })
        .collect();
    Some(json_text(&["sh", "-c", &words?.join(" ")]))
}

fn json_text<T: serde::Serialize>(words: &[T]) -> String {
    serde_json::to_string(words).expect("a list of text is JSON")
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
