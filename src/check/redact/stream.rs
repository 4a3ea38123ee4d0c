//! The stream: bytes come in pieces of any size, and the result does not depend on them.
//!
//! A byte is decided once as much of what follows it is known as can matter
//! ([`Secrets::reach`]). Decisions are made in blocks, so the time is linear in the text.

use super::{
    Kind, MARK, Secrets, key_block,
    shape::{self, Charset},
};

/// How much is collected beyond what must be, before it is looked at.
const BLOCK: usize = 128 * 1024;

/// Takes text in, gives it out without secrets.
#[derive(Debug)]
pub struct Redactor {
    secrets: Secrets,
    /// Some decided bytes to look back at, then the undecided ones.
    buffer: Vec<u8>,
    /// Where in the buffer the undecided ones begin.
    from: usize,
    /// How far into the buffer secrets are known to go; the byte before `from` belonged
    /// to one exactly when this is not less than `from`.
    marked: Option<usize>,
    /// Where the last token or key block ends; nothing inside it is looked at by itself.
    token: usize,
    /// A token that goes on from there as long as its characters do.
    open: Option<Charset>,
    found: bool,
}

impl Redactor {
    /// Nothing has been seen yet.
    pub fn new(secrets: Secrets) -> Self {
        Self {
            secrets,
            buffer: Vec::new(),
            from: 0,
            marked: None,
            token: 0,
            open: None,
            found: false,
        }
    }

    /// Takes the next bytes; `sink` gets those that are decided.
    pub fn push(&mut self, mut bytes: &[u8], sink: &mut dyn FnMut(&[u8])) {
        let full = self.secrets.reach + BLOCK;
        while !bytes.is_empty() {
            let room = (self.from + full).saturating_sub(self.buffer.len());
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.buffer.extend_from_slice(now);
            bytes = later;
            if self.buffer.len() - self.from >= full {
                self.decide(self.buffer.len() - self.secrets.reach, sink);
            }
        }
    }

    /// There is no more. `sink` gets the rest; whether anything was taken out.
    pub fn finish(mut self, sink: &mut dyn FnMut(&[u8])) -> bool {
        self.decide(self.buffer.len(), sink);
        self.found
    }

    /// Decides what begins before `limit`, and gives out the bytes before it.
    fn decide(&mut self, limit: usize, sink: &mut dyn FnMut(&[u8])) {
        let mut marks: Vec<(usize, usize)> = Vec::new();
        if self.open.is_some() {
            let begin = self.token;
            self.extend(limit);
            marks.push((begin, self.token));
        }
        let mut begins = Vec::new();
        let undecided = &self.buffer[self.from..];
        for hit in self.secrets.automaton.find_overlapping_iter(undecided) {
            let start = self.from + hit.start();
            if start >= limit {
                continue;
            }
            match self.secrets.kinds[hit.pattern().as_usize()] {
                Kind::Value => marks.push((start, self.from + hit.end())),
                kind => begins.push((start, kind)),
            }
        }
        // The sort is stable and hits come by their end: of two that begin at one place the
        // shorter is first.
        begins.sort_by_key(|(start, _)| *start);
        for (start, kind) in begins {
            if start < self.token {
                continue;
            }
            let end = match kind {
                Kind::Value => None,
                Kind::KeyBlock => key_block::end(&self.buffer[start..]),
                Kind::Shape(shape) => {
                    let end = shape::end(shape, &self.buffer, start);
                    self.open = end.and(shape.goes_on());
                    end.map(|end| end - start)
                }
            };
            if let Some(length) = end {
                self.token = start + length;
                self.extend(limit);
                marks.push((start, self.token));
            }
        }
        marks.sort_unstable();
        self.give_out(&marks, limit, sink);
        self.forget(limit);
    }

    /// Moves the end of an open token on, up to `limit`.
    fn extend(&mut self, limit: usize) {
        let Some(charset) = self.open else {
            return;
        };
        while self.token < limit && charset.has(self.buffer[self.token]) {
            self.token += 1;
        }
        if self.token < limit {
            self.open = None;
        }
    }

    fn give_out(&mut self, marks: &[(usize, usize)], limit: usize, sink: &mut dyn FnMut(&[u8])) {
        let mut at = self.from.max(self.marked.unwrap_or_default()).min(limit);
        for &(start, end) in marks {
            if start >= end {
                continue;
            }
            if self.marked.is_none_or(|marked| start > marked) {
                sink(&self.buffer[at..start]);
                sink(MARK);
                self.found = true;
            }
            let marked = self.marked.map_or(end, |marked| marked.max(end));
            self.marked = Some(marked);
            at = marked.min(limit);
        }
        sink(&self.buffer[at..limit]);
    }

    /// Drops what was decided, but for what is looked back at.
    fn forget(&mut self, limit: usize) {
        let gone = limit.saturating_sub(shape::LOOK_BEHIND);
        self.buffer.drain(..gone);
        self.from = limit - gone;
        self.token = self.token.saturating_sub(gone);
        // Only an end that reaches the undecided bytes still matters.
        self.marked = self
            .marked
            .filter(|marked| *marked >= limit)
            .map(|marked| marked - gone);
    }
}
