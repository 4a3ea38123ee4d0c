//! Who wrote a record.
//!
//! A producer is a claim: anyone who can write git objects can write it.
//! Signatures and re-runs narrow it.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The writer a record names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Producer {
    /// A verb of this program, e.g. `rapid:check`.
    Rapid(String),
    /// A person, through every layer of the person rule.
    User,
    /// A coding harness.
    Harness(String),
    /// A CI job.
    Ci(String),
    /// Some other tool.
    External(String),
    /// An imported ledger.
    Import(String),
}

/// The text is not a producer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a producer: user, or rapid:, harness:, ci:, external: or import: with a name"
)]
pub struct BadProducer(pub String);

impl Producer {
    /// The producer of a verb of this program.
    pub fn rapid(verb: &str) -> Self {
        Self::Rapid(verb.to_owned())
    }

    /// Whether the given verb of this program wrote it.
    pub fn is_rapid(&self, verb: &str) -> bool {
        matches!(self, Self::Rapid(own) if own == verb)
    }
}

impl fmt::Display for Producer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rapid(name) => write!(f, "rapid:{name}"),
            Self::User => f.write_str("user"),
            Self::Harness(name) => write!(f, "harness:{name}"),
            Self::Ci(name) => write!(f, "ci:{name}"),
            Self::External(name) => write!(f, "external:{name}"),
            Self::Import(name) => write!(f, "import:{name}"),
        }
    }
}

impl FromStr for Producer {
    type Err = BadProducer;

    fn from_str(text: &str) -> Result<Self, BadProducer> {
        let bad = || BadProducer(text.to_owned());
        if text == "user" {
            return Ok(Self::User);
        }
        let (kind, name) = text.split_once(':').ok_or_else(bad)?;
        let valid = !name.is_empty()
            && name.len() <= 64
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
        if !valid {
            return Err(bad());
        }
        let name = name.to_owned();
        match kind {
            "rapid" => Ok(Self::Rapid(name)),
            "harness" => Ok(Self::Harness(name)),
            "ci" => Ok(Self::Ci(name)),
            "external" => Ok(Self::External(name)),
            "import" => Ok(Self::Import(name)),
            _ => Err(bad()),
        }
    }
}

impl TryFrom<String> for Producer {
    type Error = BadProducer;

    fn try_from(text: String) -> Result<Self, BadProducer> {
        text.parse()
    }
}

impl From<Producer> for String {
    fn from(producer: Producer) -> Self {
        producer.to_string()
    }
}
