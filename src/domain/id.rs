//! The names people read: specs, runs, tasks, acceptance criteria, gates.
//!
//! A name can change when two clones pick the same one; nothing that counts
//! refers to a name. Forms: RULES "Names", documented in `git-rapid-ledger(5)`.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A name that does not have its form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not {what} ({form})")]
pub struct BadId {
    /// What the text should have been.
    pub what: &'static str,
    /// The text that was given.
    pub text: String,
    /// The form it should have.
    pub form: &'static str,
}

macro_rules! name {
    ($(#[$doc:meta])* $name:ident, $what:literal, $form:literal, $valid:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            fn from_str(text: &str) -> Result<Self, BadId> {
                let valid: fn(&str) -> bool = $valid;
                if valid(text) {
                    Ok(Self(text.to_owned()))
                } else {
                    Err(BadId { what: $what, text: text.to_owned(), form: $form })
                }
            }
        }

        impl TryFrom<String> for $name {
            type Error = BadId;

            fn try_from(text: String) -> Result<Self, BadId> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name!(
    /// A spec's name, made from its title.
    SpecId, "a spec id", "[a-z0-9][a-z0-9-]{0,62}", is_slug
);
name!(
    /// A run's name: `<spec>-r<revision>-run-<NNN>`.
    RunId, "a run id", "<spec>-r<revision>-run-<NNN>", is_run_id
);
name!(
    /// A task, numbered by its place in the spec.
    TaskId, "a task id", "T001", |text| is_ordinal(text, 'T')
);
name!(
    /// An acceptance criterion, numbered by its place in the spec.
    AcceptanceId, "an acceptance id", "A001", |text| is_ordinal(text, 'A')
);
name!(
    /// A gate of the catalogue.
    GateId, "a gate id", "gate.<name>", |text| text
        .strip_prefix("gate.")
        .is_some_and(is_slug)
);
name!(
    /// The random id of a clone: 16 hex digits, the name of its journal.
    WriterId, "a writer id", "16 hex digits", |text| text.len() == 16
        && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
);

impl TaskId {
    /// The task at `place`, counted from 1.
    pub fn at(place: usize) -> Self {
        Self(format!("T{place:03}"))
    }
}

impl AcceptanceId {
    /// The criterion at `place`, counted from 1.
    pub fn at(place: usize) -> Self {
        Self(format!("A{place:03}"))
    }
}

impl RunId {
    /// The name of the `ordinal`th run of a spec's revision, cut to fit.
    pub fn new(spec: &SpecId, revision: u32, ordinal: u32) -> Self {
        let tail = format!("-r{revision}-run-{ordinal:03}");
        let room = 63 - tail.len();
        let head = &spec.0[..spec.0.len().min(room)];
        Self(format!("{}{tail}", head.trim_end_matches('-')))
    }

    /// What stays the same from one run of a revision to the next, and the ordinal.
    pub fn split_ordinal(&self) -> (&str, u32) {
        let (head, ordinal) = self.0.rsplit_once('-').unwrap_or((&self.0, "0"));
        (head, ordinal.parse().unwrap_or(0))
    }
}

fn is_slug(text: &str) -> bool {
    text.len() <= 63
        && text
            .bytes()
            .next()
            .is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

fn is_ordinal(text: &str, letter: char) -> bool {
    text.strip_prefix(letter).is_some_and(|digits| {
        digits.len() >= 3
            && digits.bytes().all(|b| b.is_ascii_digit())
            && (digits.len() == 3 || !digits.starts_with('0'))
            && digits.bytes().any(|b| b != b'0')
    })
}

fn is_run_id(text: &str) -> bool {
    let Some((head, ordinal)) = text.rsplit_once("-run-") else {
        return false;
    };
    let Some((spec, revision)) = head.rsplit_once("-r") else {
        return false;
    };
    let number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_slug(text) && is_slug(spec) && number(revision) && ordinal.len() >= 3 && number(ordinal)
}
