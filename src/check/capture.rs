//! Output kept within a bound: the head and the tail, and how much was dropped between.
//!
//! Runners say at the beginning what they run and at the end how it went, so both ends
//! are kept. Memory is bounded by the limit however much arrives.

use std::collections::VecDeque;

/// Output of bounded size.
#[derive(Clone, Debug, Default)]
pub struct CappedLog {
    /// The kept bytes, with one line that says how much was dropped where something was.
    pub bytes: Vec<u8>,
    /// How many bytes were dropped.
    pub dropped: u64,
}

/// Takes output as it arrives.
#[derive(Debug)]
pub(super) struct Capture {
    head: Vec<u8>,
    head_limit: usize,
    tail: VecDeque<u8>,
    tail_limit: usize,
    dropped: u64,
}

/// How far from the cut an end of line is looked for, so that no half line is taken
/// for a whole one.
const LINE_REACH: usize = 4096;

impl Capture {
    /// Keeps at most `limit` bytes (and the line that tells of a cut).
    pub(super) fn new(limit: usize) -> Self {
        let head_limit = limit / 2;
        Self {
            head: Vec::new(),
            head_limit,
            tail: VecDeque::new(),
            tail_limit: limit - head_limit,
            dropped: 0,
        }
    }

    /// Takes the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let room = (self.head_limit - self.head.len()).min(bytes.len());
        let (head, rest) = bytes.split_at(room);
        self.head.extend_from_slice(head);
        // Of a piece longer than the tail only its end can stay.
        let skipped = rest.len().saturating_sub(self.tail_limit);
        let rest = &rest[skipped..];
        let surplus = (self.tail.len() + rest.len()).saturating_sub(self.tail_limit);
        self.tail.drain(..surplus);
        self.tail.extend(rest);
        self.dropped += (skipped + surplus) as u64;
    }

    /// The log as it is kept.
    pub(super) fn finish(self) -> CappedLog {
        let (mut bytes, mut dropped) = (self.head, self.dropped);
        let tail = Vec::from(self.tail);
        if dropped == 0 {
            bytes.extend_from_slice(&tail);
            return CappedLog { bytes, dropped };
        }
        let reach = bytes.len().saturating_sub(LINE_REACH);
        if let Some(end) = bytes[reach..].iter().rposition(|byte| *byte == b'\n') {
            dropped += (bytes.len() - (reach + end + 1)) as u64;
            bytes.truncate(reach + end + 1);
        } else if !bytes.is_empty() {
            bytes.push(b'\n');
        }
        let reach = tail.len().min(LINE_REACH);
        let start = tail[..reach]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        dropped += start as u64;
        bytes.extend_from_slice(format!("[{dropped} bytes left out]\n").as_bytes());
        bytes.extend_from_slice(&tail[start..]);
        CappedLog { bytes, dropped }
    }
}
