//! Paths inside a repository: bytes, relative to its root, separated by `/`.

use super::bytes::ByteText;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A path relative to the repository root. The root itself is `.`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "ByteText", into = "ByteText")]
pub struct RepoPath(Vec<u8>);

/// Why a path cannot name something in a repository.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPath {
    /// The path is empty or has an empty component.
    #[error("{0} has an empty component")]
    Empty(ByteText),
    /// The path starts at the file system's root or names a drive.
    #[error("{0} is absolute; paths are relative to the repository root")]
    Absolute(ByteText),
    /// The path has a `.` or `..` component.
    #[error("{0} has a '.' or '..' component")]
    Dots(ByteText),
    /// The path contains a NUL byte.
    #[error("{0} contains a NUL byte")]
    Nul(ByteText),
}

impl RepoPath {
    /// Checks that `bytes` can name something below the root.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Result<Self, BadPath> {
        let bytes = bytes.into();
        let bad = |of: fn(ByteText) -> BadPath| Err(of(ByteText(bytes.clone())));
        if bytes == b"." {
            return Ok(Self(bytes));
        }
        if bytes.contains(&0) {
            return bad(BadPath::Nul);
        }
        if bytes.starts_with(b"/") {
            return bad(BadPath::Absolute);
        }
        for part in bytes.split(|byte| *byte == b'/') {
            match part {
                b"" => return bad(BadPath::Empty),
                b"." | b".." => return bad(BadPath::Dots),
                _ => {}
            }
        }
        Ok(Self(bytes))
    }

    /// The repository's root.
    pub fn root() -> Self {
        Self(b".".to_vec())
    }

    /// The bytes, without a trailing slash.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The components between the slashes.
    pub fn components(&self) -> impl Iterator<Item = &[u8]> {
        self.0.split(|byte| *byte == b'/')
    }

    /// The last component.
    pub fn file_name(&self) -> &[u8] {
        self.components().last().unwrap_or(&self.0)
    }

    /// Whether this is `ancestor` or lies below it.
    pub fn is_under(&self, ancestor: &RepoPath) -> bool {
        ancestor.0 == b"."
            || self.0 == ancestor.0
            || (self.0.starts_with(&ancestor.0) && self.0.get(ancestor.0.len()) == Some(&b'/'))
    }

    /// The way git shows a path: as it is, or C-quoted when it holds control
    /// characters, quotes, backslashes or bytes that are not UTF-8.
    pub fn quoted(&self) -> String {
        let text = std::str::from_utf8(&self.0).ok();
        if let Some(text) = text
            && !text
                .chars()
                .any(|c| c.is_control() || c == '"' || c == '\\')
        {
            return text.to_owned();
        }
        let mut out = String::from("\"");
        let mut rest = self.0.as_slice();
        while let Some((&byte, tail)) = rest.split_first() {
            match byte {
                b'\n' => out.push_str("\\n"),
                b'\t' => out.push_str("\\t"),
                b'\r' => out.push_str("\\r"),
                b'"' => out.push_str("\\\""),
                b'\\' => out.push_str("\\\\"),
                0x20..=0x7e => out.push(char::from(byte)),
                _ => out.push_str(&format!("\\{byte:03o}")),
            }
            rest = tail;
        }
        out.push('"');
        out
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.quoted())
    }
}

impl fmt::Debug for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.quoted())
    }
}

impl TryFrom<ByteText> for RepoPath {
    type Error = BadPath;

    fn try_from(text: ByteText) -> Result<Self, BadPath> {
        Self::new(text.0)
    }
}

impl From<RepoPath> for ByteText {
    fn from(path: RepoPath) -> Self {
        Self(path.0)
    }
}
