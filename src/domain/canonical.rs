//! Canonical JSON (RFC 8785) and its strict reader.
//!
//! A record's digest is taken over these bytes, so there is exactly one way to
//! write a value and the reader refuses every other: duplicate keys, numbers
//! that are not integers, another key order, white space.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// How deep a document may nest.
pub const MAX_DEPTH: usize = 64;
/// Largest integer that every JSON reader keeps exactly.
pub const MAX_INTEGER: i64 = 9_007_199_254_740_991;

/// Why bytes are not an acceptable JSON document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadJson {
    /// Not JSON at all, with the parser's words (they carry line and column).
    #[error("{0}")]
    Syntax(String),
    /// A key stands twice in one object.
    #[error("the key {0:?} stands twice in one object")]
    DuplicateKey(String),
    /// A number that is not an integer, or too large to be exact.
    #[error("{0} is not an integer between -(2^53-1) and 2^53-1")]
    Number(String),
    /// Nested deeper than [`MAX_DEPTH`].
    #[error("nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
    /// Valid JSON, but not in canonical form.
    #[error("the bytes are not in canonical form (RFC 8785)")]
    NotCanonical,
    /// Valid JSON of another shape.
    #[error("{0}")]
    Shape(String),
}

/// The canonical bytes of a value.
///
/// # Panics
/// Never for this crate's own types: they hold string keys and integers only.
pub fn to_bytes<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json_canonicalizer::to_vec(value).expect("own types have string keys and integers only")
}

/// Reads a JSON document strictly: no duplicate keys, integers only, bounded depth.
pub fn read_strict(bytes: &[u8]) -> Result<Value, BadJson> {
    let _ = bytes;
    todo!("strict reader with a serde Visitor")
}

/// Reads bytes that must be canonical, into `T`.
pub fn from_canonical<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, BadJson> {
    let value = read_strict(bytes)?;
    if to_bytes(&value) != bytes {
        return Err(BadJson::NotCanonical);
    }
    serde_json::from_value(value).map_err(|error| BadJson::Shape(error.to_string()))
}
