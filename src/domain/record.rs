//! The record: one claim, in an envelope that chains it to what it had seen.
//!
//! The format cannot change after release. `git-rapid-ledger(5)` documents it.

use super::{
    amendment::Amendment, canonical, canonical::BadJson, contract::Contract, digest::Digest,
    evaluate::Report, event::Event, evidence::Evidence, journal, producer::Producer,
    resolution::Resolution, spec_record,
};
use serde::{Deserialize, Serialize, Serializer, de::IgnoredAny};
use std::{fmt, str::FromStr};

/// The version of the envelope and of every body.
pub const SCHEMA_VERSION: u32 = 1;

macro_rules! bodies {
    ($($variant:ident($body:ty) = $word:literal,)+) => {
        /// What a record is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum RecordType { $(#[doc = $word] $variant,)+ }

        impl RecordType {
            /// Every type there is.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The type as records and file names write it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        /// A record's content, by its type. Each is a closed schema.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Body { $(#[doc = $word] $variant(Box<$body>),)+ }

        impl Body {
            /// The type that goes into the envelope.
            pub fn record_type(&self) -> RecordType {
                match self { $(Self::$variant(_) => RecordType::$variant),+ }
            }

            /// The body of the envelope in `bytes`.
            fn read(kind: RecordType, bytes: &[u8]) -> Result<Self, serde_json::Error> {
                Ok(match kind {
                    $(RecordType::$variant => {
                        Self::$variant(serde_json::from_slice::<OnlyBody<_>>(bytes)?.body)
                    })+
                })
            }
        }

        impl Serialize for Body {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self { $(Self::$variant(body) => body.serialize(serializer)),+ }
            }
        }

        $(impl From<$body> for Body {
            fn from(body: $body) -> Self { Self::$variant(Box::new(body)) }
        })+
    };
}

bodies! {
    SpecRevision(spec_record::SpecRevision) = "spec.revision",
    SpecStatus(spec_record::SpecStatus) = "spec.status",
    Contract(Contract) = "contract",
    Event(Event) = "event",
    Amendment(Amendment) = "amendment",
    Evidence(Evidence) = "evidence",
    Report(Report) = "report",
    Resolution(Resolution) = "resolution",
    JournalOpened(journal::Opened) = "journal.opened",
    JournalSealed(journal::Sealed) = "journal.sealed",
    JournalFolded(journal::Folded) = "journal.folded",
}

impl fmt::Display for RecordType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for RecordType {
    type Err = BadJson;

    fn from_str(text: &str) -> Result<Self, BadJson> {
        Self::ALL
            .iter()
            .copied()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| BadJson::Shape(format!("unknown record type {text:?}")))
    }
}

/// Where a record stands: in a known stream, or as the first of a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The first record: 32 hex digits that make two like streams differ.
    First {
        /// The random digits.
        nonce: String,
    },
    /// A later record.
    Next {
        /// The digest of the stream's first record.
        stream: Digest,
        /// The highest `seq` among `prev`, plus one.
        seq: u64,
        /// The heads it had seen, sorted.
        prev: Vec<Digest>,
    },
}

/// A record as it is stored, with the digest that names it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// SHA-256 of the canonical bytes.
    pub digest: Digest,
    /// Where it stands.
    pub place: Place,
    /// Who wrote it.
    pub producer: Producer,
    /// What it says.
    pub body: Body,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope<B> {
    schema_version: u32,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stream: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nonce: Option<String>,
    seq: u64,
    prev: Vec<Digest>,
    producer: Producer,
    body: B,
}

/// An envelope of which the rest is skipped.
#[derive(Deserialize)]
struct OnlyBody<B> {
    body: B,
}

impl Record {
    /// Builds a record and computes its digest.
    pub fn new(place: Place, producer: Producer, body: impl Into<Body>) -> Self {
        let mut record = Self {
            digest: Digest::of(b""),
            place,
            producer,
            body: body.into(),
        };
        record.digest = Digest::of(&record.canonical_bytes());
        record
    }

    /// The canonical bytes, without the newline that follows them in a file.
    pub fn canonical_bytes(&self) -> Vec<u8> {
        canonical::to_bytes(&self.envelope())
    }

    fn envelope(&self) -> Envelope<&Body> {
        let (stream, nonce) = match &self.place {
            Place::First { nonce } => (None, Some(nonce.clone())),
            Place::Next { stream, .. } => (Some(*stream), None),
        };
        Envelope {
            schema_version: SCHEMA_VERSION,
            kind: self.record_type().to_string(),
            stream,
            nonce,
            seq: self.seq(),
            prev: self.prev().to_vec(),
            producer: self.producer.clone(),
            body: &self.body,
        }
    }

    /// Reads canonical bytes (without the newline) and recomputes the digest.
    pub fn read(bytes: &[u8]) -> Result<Self, BadJson> {
        let value = canonical::read_canonical(bytes)?;
        let record = Self::read_again(bytes)?;
        // A body that says the same thing in two ways would have two digests. The bytes are
        // canonical, so comparing values compares bytes.
        let again = serde_json::to_value(record.envelope());
        if again.expect("own types have string keys only") != value {
            return Err(BadJson::NotCanonical);
        }
        Ok(record)
    }

    /// Reads bytes that [`Record::read`] accepted before and that were kept since. The digest
    /// is recomputed; what follows from it, their form above all, is not looked at again.
    pub fn read_again(bytes: &[u8]) -> Result<Self, BadJson> {
        let shape = |text: &str| BadJson::Shape(text.to_owned());
        let envelope: Envelope<IgnoredAny> =
            serde_json::from_slice(bytes).map_err(|error| BadJson::Shape(error.to_string()))?;
        if envelope.schema_version != SCHEMA_VERSION {
            return Err(BadJson::Shape(format!(
                "schema_version {} is not one this version reads ({SCHEMA_VERSION})",
                envelope.schema_version
            )));
        }
        let place = match (envelope.nonce, envelope.stream) {
            (Some(nonce), None) => {
                if nonce.len() != 32 || super::digest::unhex(&nonce).is_none() {
                    return Err(shape("nonce is not 32 hex digits"));
                }
                if envelope.seq != 1 || !envelope.prev.is_empty() {
                    return Err(shape("a first record has seq 1 and an empty prev"));
                }
                Place::First { nonce }
            }
            (None, Some(stream)) => {
                if envelope.seq < 2 || envelope.prev.is_empty() {
                    return Err(shape(
                        "a later record has seq 2 or more and names what it follows",
                    ));
                }
                if !envelope.prev.is_sorted_by(|a, b| a < b) {
                    return Err(shape("prev is not sorted and unique"));
                }
                Place::Next {
                    stream,
                    seq: envelope.seq,
                    prev: envelope.prev,
                }
            }
            _ => return Err(shape("a record has either a nonce or a stream")),
        };
        let kind: RecordType = envelope.kind.parse()?;
        let body = Body::read(kind, bytes)
            .map_err(|error| BadJson::Shape(format!("body of {kind}: {error}")))?;
        Ok(Self {
            digest: Digest::of(bytes),
            place,
            producer: envelope.producer,
            body,
        })
    }

    /// The type of its body.
    pub fn record_type(&self) -> RecordType {
        self.body.record_type()
    }

    /// Its place in the reading order; 1 for the first.
    pub fn seq(&self) -> u64 {
        match &self.place {
            Place::First { .. } => 1,
            Place::Next { seq, .. } => *seq,
        }
    }

    /// The heads it had seen.
    pub fn prev(&self) -> &[Digest] {
        match &self.place {
            Place::First { .. } => &[],
            Place::Next { prev, .. } => prev,
        }
    }

    /// The digest of its stream's first record: its own, if it is the first.
    pub fn stream(&self) -> Digest {
        match &self.place {
            Place::First { .. } => self.digest,
            Place::Next { stream, .. } => *stream,
        }
    }
}
