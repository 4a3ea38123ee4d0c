//! What a person sees while something long runs.
//!
//! At a terminal the command's output is shown as it comes; elsewhere, and with `--json`,
//! nothing until the end, and then only the last lines of what went wrong. All of it is
//! talk, on standard error: standard output belongs to the outcome.

use super::{
    output::Style,
    render::{Tint, tinted},
};
use crate::porcelain::Watch;
use anstream::{AutoStream, StripStream};
use std::{
    cell::Cell,
    io::{self, Write},
};

/// How many lines of a red command are shown.
const TAIL: usize = 60;

/// How much of a command's output is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Show {
    /// All of it, as it comes.
    Live,
    /// The last lines, when the check is not met.
    Tail,
    /// Nothing.
    None,
}

/// Watches a verb at work and tells.
#[derive(Debug)]
pub struct Progress {
    style: Style,
    show: Show,
    colours: bool,
    /// Whether the last byte that was shown ended a line.
    at_line_start: Cell<bool>,
}

impl Progress {
    /// Shows what was asked for; without a wish, live to a person who watches and the tail
    /// to everyone else.
    pub fn new(style: Style, terminal: bool, asked: Option<Show>) -> Self {
        let usual = if terminal && !style.json {
            Show::Live
        } else {
            Show::Tail
        };
        Self {
            style,
            show: if style.quiet && asked.is_none() {
                Show::None
            } else {
                asked.unwrap_or(usual)
            },
            colours: terminal,
            at_line_start: Cell::new(true),
        }
    }

    /// A command's own bytes: its colours at a terminal, none elsewhere.
    fn show_bytes(&self, bytes: &[u8]) {
        let Some(last) = bytes.last() else {
            return;
        };
        self.at_line_start.set(*last == b'\n');
        let stream = io::stderr().lock();
        // Whether anybody reads it changes nothing for the command.
        let _ = if self.colours {
            { stream }.write_all(bytes)
        } else {
            StripStream::new(stream).write_all(bytes)
        };
    }

    fn say(&self, text: &str) {
        let mut stream = AutoStream::new(io::stderr(), self.style.choice()).lock();
        let _ = stream.write_all(text.as_bytes());
    }
}

impl Watch for Progress {
    fn started(&self, command: &str, why: &str) {
        if self.style.quiet {
            return;
        }
        let why = super::render::clean(why);
        let why = if why.is_empty() {
            why
        } else {
            tinted(Tint::Faint, &format!("  ({why})"))
        };
        let command = tinted(Tint::Command, &super::render::clean(command));
        self.say(&format!("$ {command}{why}\n"));
    }

    fn output(&self, bytes: &[u8]) {
        if self.show == Show::Live {
            self.show_bytes(bytes);
        }
    }

    fn ended(&self, log: &[u8], red: bool) {
        if self.show == Show::Tail && red {
            self.show_bytes(tail(log, TAIL));
        }
        if !self.at_line_start.replace(true) {
            self.say("\n");
        }
    }

    fn note(&self, text: &str) {
        if !self.style.quiet {
            self.say(&format!("{}\n", super::render::clean(text)));
        }
    }
}

/// The last `count` lines.
fn tail(bytes: &[u8], count: usize) -> &[u8] {
    let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let start = body
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, byte)| **byte == b'\n')
        .nth(count - 1);
    start.map_or(bytes, |(at, _)| &bytes[at + 1..])
}
