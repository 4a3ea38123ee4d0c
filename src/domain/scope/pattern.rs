//! One scope pattern: its text, its magic words, and what can be said of it
//! without looking at any path.

use super::Matcher;
use crate::domain::path::RepoPath;
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, fmt, str::FromStr};

/// One pattern, as it was written.
///
/// Understood are a plain pattern, the long magic `:(glob)`, `:(literal)`, `:(top)`,
/// `:(exclude)` in any sensible mix, and the short `:!`, `:^` (exclude) and `:/` (top).
/// A run's patterns are relative to the root anyway, so `top` changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern {
    text: String,
    /// What follows the magic, without `./` and doubled slashes; empty: the whole repository.
    body: String,
    exclude: bool,
    kind: Kind,
}

/// How a pattern's body is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// With wildcards.
    Glob,
    /// Byte by byte.
    Literal,
}

/// Why a text is not a scope pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pattern:?} is not a scope pattern: {why}")]
pub struct BadPattern {
    /// The text.
    pub pattern: String,
    /// What is wrong with it.
    pub why: &'static str,
}

impl Pattern {
    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it takes paths away.
    pub fn is_exclude(&self) -> bool {
        self.exclude
    }

    /// A pattern that means exactly this path (and what is below it), whatever its
    /// characters. `None` for a path that is not UTF-8: patterns are text.
    pub fn of_path(path: &RepoPath) -> Option<Self> {
        let text = std::str::from_utf8(path.as_bytes()).ok()?;
        let plain = !text.starts_with(':') && !text.bytes().any(is_special);
        let pattern = if plain {
            text.to_owned()
        } else {
            format!(":(literal){text}")
        };
        pattern.parse().ok()
    }

    pub(super) fn body(&self) -> &str {
        &self.body
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// The components that hold no wildcard, in order, with `\` escapes resolved.
    pub fn literal_components(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.body
            .split('/')
            .filter(|part| !part.is_empty())
            .filter_map(|part| self.as_literal(part))
    }

    /// Whether its first component is, without case, the folder `name`.
    pub fn begins_in(&self, name: &str) -> bool {
        self.body
            .split('/')
            .next()
            .and_then(|part| self.as_literal(part))
            .is_some_and(|part| part.eq_ignore_ascii_case(name))
    }

    /// Whether everything this pattern can match lies inside `scope`, as far as that can
    /// be said without looking at files.
    ///
    /// It holds for an excluding pattern (it only takes away), and for an including one
    /// that no excluding pattern of `scope` swallows whole and for which some including
    /// pattern of `scope` is the same, or names a folder that holds it (`dir` or
    /// `dir/**`), or, when this one has no wildcard, matches it.
    ///
    /// Said no too often rather than too rarely, but for two courtesies: a folder may have
    /// exclusions inside it, and a name without wildcards is taken for what the scope's
    /// pattern admits, file or folder. Neither opens anything: what is written is
    /// judged by the scope itself.
    pub fn is_within(&self, scope: &[Pattern]) -> bool {
        if self.exclude {
            return true;
        }
        let swallowed = scope
            .iter()
            .any(|pattern| pattern.exclude && pattern.holds(self));
        let mut including = scope.iter().filter(|pattern| !pattern.exclude).peekable();
        // Only exclusions: everything else belongs to it.
        let anywhere = including.peek().is_none() && !scope.is_empty();
        !swallowed && (anywhere || including.any(|pattern| pattern.holds(self)))
    }

    /// Whether this including or excluding body holds all of `other`'s.
    fn holds(&self, other: &Self) -> bool {
        if (self.kind == other.kind && self.body == other.body) || self.body.is_empty() {
            return true;
        }
        if let Some(folder) = self.folder() {
            let inside = other.literal_prefix();
            let prefix: Vec<_> = folder.split('/').filter(|part| !part.is_empty()).collect();
            return prefix.len() <= inside.len()
                && prefix.iter().zip(&inside).all(|(a, b)| *a == b.as_ref());
        }
        other.literal_path().is_some_and(|path| {
            Matcher::new([&Self {
                exclude: false,
                ..self.clone()
            }])
            .admits(&path)
        })
    }

    /// The folder it covers whole: `dir`, `dir/` and `dir/**` give `dir`, `**` gives ``.
    fn folder(&self) -> Option<&str> {
        let folder = match self.kind {
            Kind::Literal => return Some(&self.body),
            Kind::Glob if self.body == "**" => "",
            Kind::Glob => self.body.strip_suffix("/**").unwrap_or(&self.body),
        };
        (!folder.bytes().any(is_special)).then_some(folder)
    }

    /// The leading components without wildcards.
    fn literal_prefix(&self) -> Vec<Cow<'_, str>> {
        self.body
            .split('/')
            .filter(|part| !part.is_empty())
            .map_while(|part| self.as_literal(part))
            .collect()
    }

    /// The path it names when it holds no wildcard.
    fn literal_path(&self) -> Option<RepoPath> {
        let parts = self.body.split('/').filter(|part| !part.is_empty());
        let parts: Option<Vec<_>> = parts.map(|part| self.as_literal(part)).collect();
        RepoPath::new(parts?.join("/")).ok()
    }

    fn as_literal<'p>(&self, part: &'p str) -> Option<Cow<'p, str>> {
        if self.kind == Kind::Literal || !part.bytes().any(is_special) {
            return Some(Cow::Borrowed(part));
        }
        let mut text = String::with_capacity(part.len());
        let mut chars = part.chars();
        while let Some(next) = chars.next() {
            match next {
                '\\' => text.push(chars.next()?),
                '*' | '?' | '[' => return None,
                other => text.push(other),
            }
        }
        Some(Cow::Owned(text))
    }
}

/// The characters that end a pattern's literal head.
pub(super) fn is_special(byte: u8) -> bool {
    matches!(byte, b'*' | b'?' | b'[' | b'\\')
}

impl FromStr for Pattern {
    type Err = BadPattern;

    fn from_str(text: &str) -> Result<Self, BadPattern> {
        let bad = |why| BadPattern {
            pattern: text.to_owned(),
            why,
        };
        if text.is_empty() {
            return Err(bad("it is empty"));
        }
        if text.contains('\0') {
            return Err(bad("it contains a NUL character"));
        }
        let (magic, rest) = match text.strip_prefix(":(") {
            Some(long) => long_magic(long).map_err(bad)?,
            None => match text.strip_prefix(':') {
                Some(short) => short_magic(short).map_err(bad)?,
                None => (Magic::default(), text),
            },
        };
        if magic.glob && magic.literal {
            return Err(bad("'glob' and 'literal' exclude each other"));
        }
        let body = normalized(rest).map_err(bad)?;
        if body.is_empty() && magic.exclude {
            return Err(bad("it would exclude everything"));
        }
        Ok(Self {
            text: text.to_owned(),
            body,
            exclude: magic.exclude,
            kind: if magic.literal {
                Kind::Literal
            } else {
                Kind::Glob
            },
        })
    }
}

#[derive(Default)]
struct Magic {
    exclude: bool,
    glob: bool,
    literal: bool,
}

fn long_magic(text: &str) -> Result<(Magic, &str), &'static str> {
    let (words, rest) = text
        .split_once(')')
        .ok_or("the ')' after its magic is missing")?;
    let mut magic = Magic::default();
    for word in words.split(',') {
        match word {
            "" | "top" => {}
            "exclude" => magic.exclude = true,
            "glob" => magic.glob = true,
            "literal" => magic.literal = true,
            "icase" => return Err("'icase' is not supported: paths are always case-sensitive"),
            word if word.starts_with("attr") => {
                return Err("'attr' is not supported: attributes can change after the start");
            }
            _ => return Err("its magic is not known; known: exclude, glob, literal, top"),
        }
    }
    Ok((magic, rest))
}

fn short_magic(text: &str) -> Result<(Magic, &str), &'static str> {
    let mut magic = Magic::default();
    for (at, next) in text.char_indices() {
        match next {
            '/' => {}
            '!' | '^' => magic.exclude = true,
            ':' => return Ok((magic, &text[at + 1..])),
            '"' | '#' | '%' | '&' | '\'' | ',' | '-' | ';' | '<' | '=' | '>' | '@' | '_' | '`'
            | '~' => {
                return Err("its magic is not known; known: ':!' and ':^' exclude, ':/' top");
            }
            _ => return Ok((magic, &text[at..])),
        }
    }
    if text.is_empty() {
        return Err("a lone ':' names nothing");
    }
    Ok((magic, ""))
}

/// The body without `.` components and doubled slashes; a trailing slash stays.
fn normalized(body: &str) -> Result<String, &'static str> {
    if body.starts_with('/') {
        return Err("it is absolute; patterns are relative to the repository root");
    }
    let drive = body.as_bytes();
    if drive.len() > 2 && drive[0].is_ascii_alphabetic() && drive[1] == b':' && drive[2] == b'\\' {
        return Err("it names a drive; patterns are relative to the repository root");
    }
    let mut parts = Vec::new();
    for part in body.split('/') {
        match part {
            "" | "." => {}
            ".." => return Err("it has a '..' component"),
            part => parts.push(part),
        }
    }
    let mut text = parts.join("/");
    if !text.is_empty() && (body.ends_with('/') || body.ends_with("/.")) {
        text.push('/');
    }
    Ok(text)
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl TryFrom<String> for Pattern {
    type Error = BadPattern;

    fn try_from(text: String) -> Result<Self, BadPattern> {
        text.parse()
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.text
    }
}
