//! A record's file name: `records/<seq/100>/<seq>-<first 16 hex>.<type>.json`.
//!
//! The name is worked out from the record and never believed: there is exactly one right
//! form, and a reader refuses every other, so that one record cannot lie in two places.
//! What the file holds is the domain's business.

use crate::domain::{
    digest::{Digest, unhex},
    record::{Record, RecordType},
};
use std::fmt;

/// The folder of a stream's records.
pub(super) const RECORDS: &str = "records";
/// How many digits of the digest stand in the name.
const DIGITS: usize = 16;
/// How many records share a folder: git rewrites only the folder that grows.
const PER_FOLDER: u64 = 100;

/// What a record's file name says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordName {
    /// The record's place in the reading order.
    pub seq: u64,
    /// The first 16 hex digits of its digest.
    pub digest: String,
    /// Its type.
    pub kind: RecordType,
}

impl RecordName {
    /// The name `record` must have.
    pub fn of(record: &Record) -> Self {
        Self {
            seq: record.seq(),
            digest: Self::short(&record.digest),
            kind: record.record_type(),
        }
    }

    /// The name in a path below the stream's root; `None` for any form but the right one.
    pub fn parse(path: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(path).ok()?;
        let (folder, file) = text
            .strip_prefix(RECORDS)?
            .strip_prefix('/')?
            .split_once('/')?;
        let name = Self::parse_stem(file.strip_suffix(".json")?)?;
        (folder == name.folder() && file == name.file()).then_some(name)
    }

    /// The name in `000007-5c2d10ffa3b19c44.evidence`, as trailers write it.
    pub fn parse_stem(stem: &str) -> Option<Self> {
        let (seq, rest) = stem.split_once('-')?;
        let (digest, kind) = rest.split_once('.')?;
        let name = Self {
            seq: digits(seq)?,
            digest: digest.to_owned(),
            kind: kind.parse().ok()?,
        };
        let right = digest.len() == DIGITS && unhex(digest).is_some() && name.seq >= 1;
        (right && name.stem() == stem).then_some(name)
    }

    /// `000007-5c2d10ffa3b19c44.evidence`
    pub fn stem(&self) -> String {
        format!("{:06}-{}.{}", self.seq, self.digest, self.kind)
    }

    /// The path below the stream's root.
    pub fn path(&self) -> String {
        format!("{RECORDS}/{}/{}", self.folder(), self.file())
    }

    /// Whether the digits in the name are those of `digest`.
    pub fn is_of(&self, digest: &Digest) -> bool {
        Self::short(digest) == self.digest
    }

    /// The digits of `digest` that stand in a name.
    pub fn short(digest: &Digest) -> String {
        digest.short(DIGITS)
    }

    fn folder(&self) -> String {
        format!("{:04}", self.seq / PER_FOLDER)
    }

    fn file(&self) -> String {
        format!("{}.json", self.stem())
    }
}

impl fmt::Display for RecordName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.stem())
    }
}

/// A number in plain digits: `parse` alone would take a sign too.
fn digits(text: &str) -> Option<u64> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())?
}
