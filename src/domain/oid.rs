//! Ids of git objects, with the algorithm that made them.
//!
//! Two ids of different algorithms are never equal and never comparable: what
//! cannot be compared does not count.

use super::digest::{hex, unhex};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The id of a git object, written `sha1:<40 hex>` or `sha256:<64 hex>`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Oid {
    /// An id of a SHA-1 repository.
    Sha1([u8; 20]),
    /// An id of a SHA-256 repository.
    Sha256([u8; 32]),
}

/// The text is not an object id with its algorithm.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an object id of the form sha1:<40 hex> or sha256:<64 hex>")]
pub struct BadOid(pub String);

impl Oid {
    /// An id from raw bytes; `None` unless 20 or 32 of them.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes.len() {
            20 => Some(Self::Sha1(bytes.try_into().ok()?)),
            32 => Some(Self::Sha256(bytes.try_into().ok()?)),
            _ => None,
        }
    }

    /// An id from bare hex as git prints it; the length tells the algorithm.
    pub fn from_hex(text: &str) -> Option<Self> {
        Self::from_bytes(&unhex(text)?)
    }

    /// The raw bytes.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Sha1(bytes) => bytes,
            Self::Sha256(bytes) => bytes,
        }
    }

    /// `sha1` or `sha256`.
    pub fn algorithm(&self) -> &'static str {
        match self {
            Self::Sha1(_) => "sha1",
            Self::Sha256(_) => "sha256",
        }
    }

    /// Bare hex, as git prints it.
    pub fn hex(&self) -> String {
        hex(self.as_bytes())
    }

    /// The first seven hex digits, for people.
    pub fn short(&self) -> String {
        let mut text = self.hex();
        text.truncate(7);
        text
    }

    /// Whether this is git's all-zero "no object" id.
    pub fn is_null(&self) -> bool {
        self.as_bytes().iter().all(|byte| *byte == 0)
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.algorithm(), self.hex())
    }
}

impl fmt::Debug for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.algorithm(), self.short())
    }
}

impl FromStr for Oid {
    type Err = BadOid;

    fn from_str(text: &str) -> Result<Self, BadOid> {
        let bad = || BadOid(text.to_owned());
        let (algorithm, digits) = text.split_once(':').ok_or_else(bad)?;
        Self::from_hex(digits)
            .filter(|oid| oid.algorithm() == algorithm)
            .ok_or_else(bad)
    }
}

impl TryFrom<String> for Oid {
    type Error = BadOid;

    fn try_from(text: String) -> Result<Self, BadOid> {
        text.parse()
    }
}

impl From<Oid> for String {
    fn from(oid: Oid) -> Self {
        oid.to_string()
    }
}

macro_rules! typed_oid {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Oid);

        impl $name {
            /// Bare hex, as git prints it.
            pub fn hex(&self) -> String {
                self.0.hex()
            }

            /// The first seven hex digits, for people.
            pub fn short(&self) -> String {
                self.0.short()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

typed_oid!(
    /// The id of a tree: what checks, approvals, commits and verdicts speak of.
    TreeId
);
typed_oid!(
    /// The id of a commit.
    CommitId
);
