//! Text that may not be UTF-8: paths and command words.
//!
//! In JSON it is a string where it is UTF-8 and `{"bytes":"<hex>"}` where it is not.

use super::digest::{hex, unhex};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use std::fmt;

/// Bytes that are usually, but not always, UTF-8 text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ByteText(pub Vec<u8>);

impl ByteText {
    /// The text with what is not UTF-8 replaced: for display only.
    pub fn lossy(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }
}

impl From<&str> for ByteText {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl From<String> for ByteText {
    fn from(text: String) -> Self {
        Self(text.into_bytes())
    }
}

impl fmt::Debug for ByteText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.lossy(), f)
    }
}

impl fmt::Display for ByteText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lossy())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    Text(String),
    Raw(RawForm),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawForm {
    bytes: String,
}

impl Serialize for ByteText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => RawForm {
                bytes: hex(&self.0),
            }
            .serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for ByteText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Form::deserialize(deserializer)? {
            Form::Text(text) => Ok(text.into()),
            Form::Raw(raw) => {
                let bytes = unhex(&raw.bytes)
                    .ok_or_else(|| D::Error::custom("bytes is not lower-case hex"))?;
                // One value has one form, so that one record has one digest.
                if std::str::from_utf8(&bytes).is_ok() {
                    return Err(D::Error::custom(
                        "text that is UTF-8 is written as a string",
                    ));
                }
                Ok(Self(bytes))
            }
        }
    }
}
