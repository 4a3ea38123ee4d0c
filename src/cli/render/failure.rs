//! What went wrong, for people: the fact, what lies behind it, what to do.

use super::text::{Tint, clean, command_line, tinted};
use crate::diagnostic::Refusal;
use std::fmt::Write as _;

/// The lines for standard error.
pub fn lines(refusal: &Refusal, causes: &[String]) -> String {
    let mut text = format!(
        "{} {}\n",
        tinted(Tint::Bad, &format!("error[{}]:", refusal.code)),
        several_lines(&refusal.message, "  ")
    );
    for cause in causes {
        let _ = writeln!(
            text,
            "{} {}",
            tinted(Tint::Strong, "caused by:"),
            several_lines(cause, "  ")
        );
    }
    for hint in &refusal.hints {
        let _ = writeln!(
            text,
            "{} {}",
            tinted(Tint::Warn, "hint:"),
            clean(&hint.text)
        );
        if let Some(command) = &hint.command {
            let _ = writeln!(text, "  {}", tinted(Tint::Command, &command_line(command)));
        }
    }
    text
}

/// Cleans each line; those after the first are indented.
fn several_lines(text: &str, indent: &str) -> String {
    let lines: Vec<String> = text.trim_end().lines().map(clean).collect();
    lines.join(&format!("\n{indent}"))
}
