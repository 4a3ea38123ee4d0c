//! A stream commit's message: a subject and a pair of trailers for each record.
//!
//! The subject is for people and servers that check subjects; the trailers carry the whole
//! digest of each record, so that a commit vouches for its records without its tree. They
//! are read back here and believed nowhere: the proof compares them with the files.

use super::record_file::RecordName;
use crate::domain::{digest::Digest, record::Record};

const PREFIX: &str = "chore(rapid): ";
const RECORD: &str = "Rapid-Record: ";
const DIGEST: &str = "Rapid-Digest: sha256:";
/// How many characters a subject line may have.
const WIDTH: usize = 72;

/// What a pair of trailers says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trailer {
    /// The record's file name.
    pub name: RecordName,
    /// Its whole digest.
    pub digest: Digest,
}

/// The trailers are not pairs of the right form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line:?} is not half of a pair of Rapid-Record and Rapid-Digest trailers")]
pub struct BadTrailer {
    /// The line at fault.
    pub line: String,
}

impl Trailer {
    /// What the trailers of `record` say.
    pub fn of(record: &Record) -> Self {
        Self {
            name: RecordName::of(record),
            digest: record.digest,
        }
    }
}

/// The message of a commit that adds `records`.
pub fn format_message(subject: &str, records: &[Record]) -> String {
    let mut message = subject_line(subject);
    message.push('\n');
    for (place, record) in records.iter().enumerate() {
        let Trailer { name, digest } = Trailer::of(record);
        if place == 0 {
            message.push('\n');
        }
        message.push_str(&format!("{RECORD}{name}\n{DIGEST}{digest}\n"));
    }
    message
}

/// The trailers of a message, in its order. Only its last paragraph can hold them, as for
/// git, and never the subject; other trailers may stand between the pairs.
pub fn read_trailers(message: &[u8]) -> Result<Vec<Trailer>, BadTrailer> {
    let text = String::from_utf8_lossy(message);
    let mut trailers = Vec::new();
    let mut name: Option<(RecordName, &str)> = None;
    for line in last_paragraph(&text) {
        let bad = || BadTrailer {
            line: line.to_owned(),
        };
        if let Some(stem) = line.strip_prefix(RECORD) {
            if name.is_some() {
                return Err(bad());
            }
            name = Some((RecordName::parse_stem(stem).ok_or_else(bad)?, line));
        } else if let Some(hex) = line.strip_prefix(DIGEST) {
            let (name, _) = name.take().ok_or_else(bad)?;
            let digest = hex.parse().map_err(|_| bad())?;
            trailers.push(Trailer { name, digest });
        } else if line.starts_with("Rapid-") {
            return Err(bad());
        }
    }
    match name {
        None => Ok(trailers),
        Some((_, line)) => Err(BadTrailer {
            line: line.to_owned(),
        }),
    }
}

/// One line without control characters, cut to the width that people and servers accept.
fn subject_line(subject: &str) -> String {
    let plain: String = subject
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !c.is_control() && !is_invisible(*c))
        .collect();
    let words: Vec<&str> = plain.split(' ').filter(|word| !word.is_empty()).collect();
    let line = format!("{PREFIX}{}", words.join(" "));
    let cut: String = line.chars().take(WIDTH).collect();
    cut.trim_end().to_owned()
}

/// Characters that change how a line is shown without being seen: direction marks and the like.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

fn last_paragraph(text: &str) -> impl Iterator<Item = &str> {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let start = lines
        .iter()
        .rposition(|line| line.trim().is_empty())
        .map_or(lines.len(), |blank| blank + 1);
    lines.into_iter().skip(start)
}
