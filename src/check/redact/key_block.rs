//! Private keys as text: from `-----BEGIN … PRIVATE KEY-----` to the end line.
//!
//! The lines between carry no sign of their own, so the block goes as a whole. Where the
//! end line is missing (cut off, or a text that only speaks of keys), it goes as far as the
//! lines look like a key.

/// How every block begins, of a private key or not.
pub(super) const BEGIN: &[u8] = b"-----BEGIN ";

const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";
/// The longest name of a block, with what follows it.
const MOST_NAME: usize = 80;
/// How many bytes from the begin of a block are looked at, at most.
pub(super) const REACH: usize = 64 * 1024;
/// A line of a key has so many of its characters in a row.
const LEAST_RUN: usize = 16;
/// How a line before the key itself may begin.
const HEADERS: &[&[u8]] = &[b"Proc-Type:", b"DEK-Info:", b"Version:", b"Comment:"];

/// How long the private key block is that `text` begins with; none: it is no such block.
pub(super) fn end(text: &[u8]) -> Option<usize> {
    let text = &text[..text.len().min(REACH)];
    let name = text.get(BEGIN.len()..)?;
    let name = &name[..find(&name[..name.len().min(MOST_NAME)], DASHES)?];
    let kind = name.strip_suffix(b" BLOCK").unwrap_or(name);
    let is_name = name
        .iter()
        .all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b' '));
    if !is_name || !kind.ends_with(b"PRIVATE KEY") {
        return None;
    }
    let body = BEGIN.len() + name.len() + DASHES.len();
    // The next line of dashes is the end of this block, or the begin of another one.
    let Some(dashes) = find(&text[body..], DASHES).map(|at| body + at) else {
        return Some(body + key_lines(&text[body..]));
    };
    if !text[dashes..].starts_with(END) {
        return Some(body + key_lines(&text[body..dashes]));
    }
    let label = dashes + END.len();
    let rest = &text[label..text.len().min(label + MOST_NAME)];
    Some(match find(rest, DASHES) {
        Some(at) => label + at + DASHES.len(),
        None => {
            label
                + rest
                    .iter()
                    .position(|byte| *byte == b'\n')
                    .unwrap_or(rest.len())
        }
    })
}

/// How far `text` looks like the inside of a key.
fn key_lines(text: &[u8]) -> usize {
    let (mut end, mut at) = (0, 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let words = line.trim_ascii();
        if !words.is_empty() {
            let header = HEADERS.iter().any(|name| words.starts_with(name));
            if !header && !has_run(words) {
                break;
            }
            end = at + line.trim_ascii_end().len();
        }
        at += line.len();
    }
    end
}

fn has_run(line: &[u8]) -> bool {
    line.split(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'+' | b'/' | b'='))
        .any(|run| run.len() >= LEAST_RUN)
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}
