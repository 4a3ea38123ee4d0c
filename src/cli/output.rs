//! The only place that prints: data to standard output, talk to standard error.

use super::{
    environment::Environment,
    failure::Failure,
    render::{ObjectionView, Page, Render},
};
use crate::conductor::Lang;
use anstream::{AutoStream, ColorChoice, StripStream};
use serde::Serialize;
use std::{
    ffi::OsString,
    io::{self, Write},
};

/// How wide a page is when nobody knows.
const USUAL_WIDTH: usize = 80;
/// Lines longer than this are hard to read, however wide the terminal is.
const WIDEST: usize = 120;

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Colour {
    /// At a terminal that can show them.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How to speak, as far as it can be known before anything else is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// One JSON document instead of text.
    pub json: bool,
    /// Nothing on standard error but errors.
    pub quiet: bool,
    /// When to use colours.
    pub colour: Colour,
}

impl Style {
    /// What a command line asks for that may not even parse.
    pub fn before_parsing(arguments: &[OsString]) -> Self {
        let own = || arguments.iter().take_while(|word| *word != "--");
        let colour = |word: &OsString| match word.to_str()?.strip_prefix("--color=")? {
            "always" => Some(Colour::Always),
            "never" => Some(Colour::Never),
            _ => None,
        };
        Self {
            json: own().any(|word| word == "--json"),
            quiet: own().any(|word| word == "-q" || word == "--quiet"),
            colour: own().find_map(colour).unwrap_or_default(),
        }
    }

    /// Whether standard output shows colours.
    pub fn colours_here(self) -> bool {
        AutoStream::new(io::stdout(), self.choice()).current_choice() != ColorChoice::Never
    }

    pub(super) fn choice(self) -> ColorChoice {
        match self.colour {
            Colour::Auto => ColorChoice::Auto,
            Colour::Always => ColorChoice::AlwaysAnsi,
            Colour::Never => ColorChoice::Never,
        }
    }
}

/// Where a verb speaks.
#[derive(Debug)]
pub struct Output {
    style: Style,
    width: usize,
    now: i64,
    terminal: bool,
    /// The language to speak; a verb that knows `rapid.lang` sets it.
    pub lang: Lang,
}

impl Output {
    /// Speaks as `style` says, to the terminals of `environment`.
    pub fn new(style: Style, environment: &Environment) -> Self {
        let width = environment.columns.unwrap_or(USUAL_WIDTH);
        Self {
            style,
            width: width.clamp(40, WIDEST),
            now: environment.now,
            terminal: environment.stdout_is_terminal,
            lang: environment.language(None, None),
        }
    }

    /// How it speaks.
    pub fn style(&self) -> Style {
        self.style
    }

    /// Whether one JSON document is wanted.
    pub fn is_json(&self) -> bool {
        self.style.json
    }

    /// Whether a person watches, so that progress may be shown on standard error.
    pub fn is_watched(&self) -> bool {
        self.terminal && !self.style.json && !self.style.quiet
    }

    /// Tells a verb's outcome: the document with `--json`, else the page.
    pub fn tell(&mut self, view: &(impl Serialize + Render)) -> Result<(), Failure> {
        if self.style.json {
            self.document(view)
        } else {
            self.page(view)
        }
    }

    /// Prints a value as one line of JSON.
    pub fn document(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(value).expect("string keys only");
        line.push(b'\n');
        self.bytes(&line)
    }

    /// Prints what a person reads.
    pub fn page(&mut self, view: &impl Render) -> Result<(), Failure> {
        let mut page = self.blank_page();
        view.render(&mut page);
        self.help(page.text())
    }

    /// Says what the commit rule has against a commit: beside the data, or as the error document.
    pub fn object(&mut self, view: &ObjectionView) -> Result<(), Failure> {
        if self.style.json {
            report(&view.refusal().clone().into(), self.style);
        } else {
            let mut page = self.blank_page();
            view.render(&mut page);
            talk(page.text(), self.style);
        }
        Ok(())
    }

    /// A page of this output's width, moment and language.
    pub fn blank_page(&self) -> Page {
        Page::new(self.width, self.now, self.lang)
    }

    /// Prints a text with colours in it.
    pub fn help(&self, text: &str) -> Result<(), Failure> {
        let mut stream = AutoStream::new(io::stdout(), self.style.choice()).lock();
        stream
            .write_all(text.as_bytes())
            .and_then(|()| stream.flush())
            .map_err(|error| Failure::from_output(&error))
    }

    /// Prints bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let mut stream = io::stdout().lock();
        stream
            .write_all(bytes)
            .and_then(|()| stream.flush())
            .map_err(|error| Failure::from_output(&error))
    }

    /// Prints bytes that somebody else made: as they are into a pipe, without control
    /// sequences at a terminal.
    pub fn foreign_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if !self.terminal {
            return self.bytes(bytes);
        }
        let mut stream = StripStream::new(io::stdout().lock());
        stream
            .write_all(bytes)
            .and_then(|()| stream.flush())
            .map_err(|error| Failure::from_output(&error))
    }

    /// Says something beside the data; silent with `--quiet`.
    pub fn note(&mut self, text: &str) {
        if !self.style.quiet {
            talk(text, self.style);
        }
    }
}

/// Says what went wrong.
pub fn report(failure: &Failure, style: Style) {
    if style.json {
        let mut stream = io::stdout().lock();
        // When this cannot be written there is nowhere left to say so.
        let _ = writeln!(stream, "{}", failure.to_json());
    } else {
        talk(&failure.to_text(), style);
    }
}

fn talk(text: &str, style: Style) {
    let mut stream = AutoStream::new(io::stderr(), style.choice()).lock();
    let _ = stream.write_all(text.as_bytes());
    if !text.ends_with('\n') {
        let _ = stream.write_all(b"\n");
    }
}
