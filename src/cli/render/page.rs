//! A page: lines of text of a known width, with columns that line up.

use super::text::{self, Tint};
use crate::conductor::Lang;

/// Text in the making.
#[derive(Clone, Debug)]
pub struct Page {
    text: String,
    /// Columns there are.
    pub width: usize,
    /// Seconds since 1970: what "4m ago" is counted from.
    pub now: i64,
    /// The reader's language.
    pub lang: Lang,
}

/// One row of a block of columns. The last cell is wrapped, the others are as wide as the
/// widest of their column.
pub type Row = Vec<String>;

impl Page {
    /// An empty page.
    pub fn new(width: usize, now: i64, lang: Lang) -> Self {
        Self {
            text: String::new(),
            width,
            now,
            lang,
        }
    }

    /// All that was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The words of the page's language.
    pub fn say<'a>(&self, english: &'a str, spanish: &'a str) -> &'a str {
        match self.lang {
            Lang::En => english,
            Lang::Es => spanish,
        }
    }

    /// A line as it is.
    pub fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref().trim_end());
        self.text.push('\n');
    }

    /// An empty line, unless the page is empty or ends with one.
    pub fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// A line with a first and a last part, the last one at the right edge when there is room.
    pub fn edges(&mut self, left: &str, right: &str) {
        let used = text::width_of(left) + text::width_of(right);
        let room = self.width.saturating_sub(used);
        if room < 2 {
            self.line(left);
            self.wrapped("  ", right);
        } else {
            self.line(format!("{left}{}{right}", " ".repeat(room)));
        }
    }

    /// Text broken at blanks, each line after `indent`.
    pub fn wrapped(&mut self, indent: &str, words: &str) {
        let room = self.width.saturating_sub(text::width_of(indent)).max(20);
        for line in text::wrap(words, room) {
            self.line(format!("{indent}{line}"));
        }
    }

    /// Rows in columns two blanks apart, each after `indent`.
    pub fn columns(&mut self, indent: &str, rows: &[Row]) {
        let cells = rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..cells)
            .map(|at| {
                rows.iter()
                    // A row's last cell may be as long as it likes.
                    .filter(|row| at + 1 < row.len())
                    .map(|row| text::width_of(&row[at]))
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        for row in rows {
            self.row(indent, row, &widths);
        }
    }

    fn row(&mut self, indent: &str, row: &Row, widths: &[usize]) {
        let mut start = indent.to_owned();
        let Some((last, cells)) = row.split_last() else {
            return;
        };
        for (cell, width) in cells.iter().zip(widths) {
            let fill = width.saturating_sub(text::width_of(cell)) + 2;
            start.push_str(cell);
            start.push_str(&" ".repeat(fill));
        }
        let used = text::width_of(&start);
        let room = self.width.saturating_sub(used);
        // Squeezed into too little room, text is harder to read than when it runs on.
        if room < 20 {
            self.line(format!("{start}{last}"));
            return;
        }
        for (at, part) in text::wrap(last, room).into_iter().enumerate() {
            if at == 0 {
                self.line(format!("{start}{part}"));
            } else {
                self.line(format!("{}{part}", " ".repeat(used)));
            }
        }
    }

    /// A command on a line of its own, ready to be copied: never wrapped.
    pub fn command(&mut self, indent: &str, words: &[impl AsRef<str>]) {
        let line = text::command_line(words);
        self.line(format!("{indent}{}", text::tinted(Tint::Command, &line)));
    }

    /// Labels with a command each, the commands first.
    pub fn commands(&mut self, indent: &str, rows: &[(&[&str], &str)]) {
        let rows: Vec<Row> = rows
            .iter()
            .map(|(words, what)| {
                let line = text::command_line(words);
                vec![text::tinted(Tint::Command, &line), (*what).to_owned()]
            })
            .collect();
        self.columns(indent, &rows);
    }
}
