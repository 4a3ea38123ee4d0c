//! Canonical JSON (RFC 8785) and its strict reader.
//!
//! A record's digest is taken over these bytes, so there is exactly one way to
//! write a value and the reader refuses every other: duplicate keys, numbers
//! that are not integers, another key order, white space. Documents that people
//! write (specs) are read by the same strict reader, in any order and spacing.
//! What the keys mean does not belong here.

use serde::{
    Serialize,
    de::{DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};
use std::{cell::RefCell, fmt};

/// How deep a document may nest: arrays and objects inside each other.
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

/// Reads a JSON document strictly: UTF-8 without a byte order mark, nothing behind
/// the document, no duplicate keys, integers only, bounded depth.
///
/// `1.0`, `1e3` and `-0` are not integers here: each has another spelling that is,
/// and a value has one spelling.
pub fn read_strict(bytes: &[u8]) -> Result<Value, BadJson> {
    const MARKS: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe"];
    if MARKS.iter().any(|mark| bytes.starts_with(mark)) {
        return Err(BadJson::Syntax(
            "starts with a byte order mark; plain UTF-8 without one is expected".into(),
        ));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        BadJson::Syntax(format!("byte {} is not valid UTF-8", error.valid_up_to()))
    })?;
    // The visitor stops the parser with a custom error; the cause is kept beside it,
    // because serde_json's error carries text only.
    let cause = RefCell::new(None);
    let mut parser = serde_json::Deserializer::from_str(text);
    let value = Strict {
        depth: 0,
        cause: &cause,
    }
    .deserialize(&mut parser)
    .and_then(|value| parser.end().map(|()| value));
    value.map_err(|error| {
        cause
            .take()
            .unwrap_or_else(|| BadJson::Syntax(error.to_string()))
    })
}

/// Reads bytes that must be canonical.
///
/// Of a document without fractions there is one canonical form: keys in order, and
/// everything else as serde_json writes it. So a value that was read with its keys in order
/// and is written back to the same bytes was canonical; this is many times faster than
/// making the canonical form anew, and a test holds the two against each other.
pub fn read_canonical(bytes: &[u8]) -> Result<Value, BadJson> {
    let value = read_strict(bytes)?;
    let written = serde_json::to_vec(&value).expect("a value has string keys only");
    if written != bytes || !has_keys_in_order(&value) {
        return Err(BadJson::NotCanonical);
    }
    Ok(value)
}

/// Reads bytes that must be canonical, into `T`.
pub fn from_canonical<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, BadJson> {
    serde_json::from_value(read_canonical(bytes)?)
        .map_err(|error| BadJson::Shape(error.to_string()))
}

/// Whether the keys of each object stand in the order of their UTF-16 units.
fn has_keys_in_order(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(has_keys_in_order),
        Value::Object(map) => {
            map.keys()
                .is_sorted_by(|one, next| one.encode_utf16().lt(next.encode_utf16()))
                && map.values().all(has_keys_in_order)
        }
        _ => true,
    }
}

/// Builds one value, `depth` arrays and objects inside the document.
#[derive(Clone, Copy)]
struct Strict<'a> {
    depth: usize,
    cause: &'a RefCell<Option<BadJson>>,
}

impl Strict<'_> {
    fn stop<T, E: serde::de::Error>(self, cause: BadJson) -> Result<T, E> {
        let error = E::custom(&cause);
        self.cause.replace(Some(cause));
        Err(error)
    }

    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth == MAX_DEPTH {
            return self.stop(BadJson::TooDeep);
        }
        Ok(Self {
            depth: self.depth + 1,
            ..self
        })
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Value, E> {
        if !(-MAX_INTEGER..=MAX_INTEGER).contains(&value) {
            return self.stop(BadJson::Number(value.to_string()));
        }
        Ok(value.into())
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Value, E> {
        if value > MAX_INTEGER.unsigned_abs() {
            return self.stop(BadJson::Number(value.to_string()));
        }
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        self.stop(BadJson::Number(format!("{value:?}")))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if map.contains_key(&key) {
                return self.stop(BadJson::DuplicateKey(key));
            }
            let value = entries.next_value_seed(inner)?;
            map.insert(key, value);
        }
        Ok(map.into())
    }
}
