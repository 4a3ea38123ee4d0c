//! Takes secrets out of a command's output before it is kept.
//!
//! A log may be shared, and what was shared cannot be called back. Three kinds of secrets
//! are known: values of the child's own environment ([`value`]), tokens that show by their
//! shape ([`shape`]), and private key blocks ([`key_block`]). Each is replaced by [`MARK`],
//! as a whole; secrets that touch or overlap become one mark. All other bytes stay.
//!
//! What is counted and what a terminal shows live is not redacted: numbers must not change,
//! and the terminal belongs to whoever owns the secrets. This is a safety net, not a
//! promise: a secret that is encoded, split or of an unknown form is not seen.

mod key_block;
mod shape;
mod stream;
mod value;

use self::shape::{SHAPES, Shape};
use aho_corasick::{AhoCorasick, MatchKind};
use std::{ffi::OsString, fmt};

pub use stream::Redactor;

/// What stands in the place of a secret.
pub const MARK: &[u8] = b"[redacted]";

/// What to look for.
#[derive(Clone)]
pub struct Secrets {
    automaton: AhoCorasick,
    /// What each pattern of the automaton begins.
    kinds: Vec<Kind>,
    /// How many bytes from the begin of a secret decide about it, at most.
    reach: usize,
}

/// What a found pattern means.
#[derive(Clone, Copy)]
enum Kind {
    /// A secret as it is.
    Value,
    /// The begin of a token, when the rest fits.
    Shape(&'static Shape),
    /// The begin of a private key block, when the rest fits.
    KeyBlock,
}

impl Secrets {
    /// The known forms, and the secret values of this environment.
    pub fn of(environment: &[(OsString, OsString)]) -> Self {
        let values = value::secret_values(environment);
        let longest = values.iter().map(Vec::len).max().unwrap_or_default();
        let mut kinds = vec![Kind::Value; values.len()];
        let mut patterns = values;
        for shape in SHAPES {
            patterns.push(shape.prefix.as_bytes().to_vec());
            kinds.push(Kind::Shape(shape));
        }
        patterns.push(key_block::BEGIN.to_vec());
        kinds.push(Kind::KeyBlock);
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .build(&patterns)
            .expect("few and short patterns fit into an automaton");
        Self {
            automaton,
            kinds,
            reach: longest.max(shape::REACH).max(key_block::REACH),
        }
    }

    /// `text` without secrets, and whether there were any.
    pub fn take_out(&self, text: &[u8]) -> (Vec<u8>, bool) {
        let mut kept = Vec::with_capacity(text.len());
        let mut redactor = Redactor::new(self.clone());
        redactor.push(text, &mut |bytes| kept.extend_from_slice(bytes));
        let found = redactor.finish(&mut |bytes| kept.extend_from_slice(bytes));
        (kept, found)
    }
}

impl fmt::Debug for Secrets {
    /// Says how many patterns there are, never which.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets")
            .field("patterns", &self.kinds.len())
            .finish_non_exhaustive()
    }
}
