//! Pieces of text: tinted, cleaned, measured, wrapped.

use crate::domain::{bytes::ByteText, digest::Digest};
use anstyle::{AnsiColor, Style};

/// What a colour stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    /// It holds.
    Good,
    /// It does not.
    Bad,
    /// Look here.
    Warn,
    /// A name or a heading.
    Strong,
    /// Less important.
    Faint,
    /// Something to type.
    Command,
}

impl Tint {
    fn style(self) -> Style {
        match self {
            Self::Good => AnsiColor::Green.on_default(),
            Self::Bad => AnsiColor::Red.on_default().bold(),
            Self::Warn => AnsiColor::Yellow.on_default(),
            Self::Strong => Style::new().bold(),
            Self::Faint => Style::new().dimmed(),
            Self::Command => AnsiColor::Cyan.on_default(),
        }
    }
}

/// `text` in a colour.
pub fn tinted(tint: Tint, text: &str) -> String {
    let style = tint.style();
    format!("{style}{text}{style:#}")
}

/// A sign in front of a line; a word always follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `ok`
    Ok,
    /// `FAIL`
    Fail,
    /// `?`: nobody can say.
    Open,
    /// `~`: a person let it go.
    Waived,
    /// `-`: it does not arise, or it only informs.
    Neutral,
}

impl Sign {
    /// The sign with its colour.
    pub fn text(self) -> String {
        match self {
            Self::Ok => tinted(Tint::Good, "ok"),
            Self::Fail => tinted(Tint::Bad, "FAIL"),
            Self::Open => tinted(Tint::Warn, "?"),
            Self::Waived => tinted(Tint::Warn, "~"),
            Self::Neutral => tinted(Tint::Faint, "-"),
        }
    }
}

/// Text from a record, a file or a program, safe to show in one line at a terminal: control
/// characters and characters that reorder what follows become a visible mark.
pub fn clean(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\t' => ' ',
            c if c.is_control() => '\u{fffd}',
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                '\u{fffd}'
            }
            c => c,
        })
        .collect()
}

/// The same of bytes that are usually text.
pub fn clean_bytes(text: &ByteText) -> String {
    clean(&text.lossy())
}

/// A digest's first 8 digits, as people name records.
pub fn short_digest(digest: &Digest) -> String {
    digest.short(8)
}

/// A command as it can be pasted into a shell.
pub fn command_line(words: &[impl AsRef<str>]) -> String {
    let words: Vec<String> = words
        .iter()
        .map(|word| clean(word.as_ref()))
        .map(|word| match word.as_str() {
            // Placeholders are for reading.
            "…" | "..." => word,
            _ => shell_words::quote(&word).into_owned(),
        })
        .collect();
    words.join(" ")
}

/// `1 file`, `2 files`.
pub fn count_of(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Columns a text takes at a terminal, without its colours.
///
/// Deviation: characters of double width count twice by their blocks, combining marks not at
/// all; rarer cases are not looked up.
pub fn width_of(text: &str) -> usize {
    anstream::adapter::strip_str(text)
        .flat_map(str::chars)
        .map(|c| match u32::from(c) {
            0x0300..=0x036f | 0x200b..=0x200d | 0xfe00..=0xfe0f => 0,
            0x1100..=0x115f
            | 0x2e80..=0xa4cf
            | 0xac00..=0xd7a3
            | 0xf900..=0xfaff
            | 0xfe30..=0xfe4f
            | 0xff00..=0xff60
            | 0xffe0..=0xffe6
            | 0x1f300..=0x1f64f
            | 0x1f900..=0x1f9ff
            | 0x20000..=0x3fffd => 2,
            _ => 1,
        })
        .sum()
}

/// Breaks at blanks into lines of at most `room` columns; a longer word stays whole. Blanks
/// inside a line are kept.
pub fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            let wide = width_of(&line) + 1 + width_of(word) > room;
            if wide && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            } else if !line.is_empty() {
                line.push(' ');
            }
            if !(line.is_empty() && word.is_empty()) {
                line.push_str(word);
            }
        }
        lines.push(line);
    }
    lines
}
