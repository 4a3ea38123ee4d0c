//! The manual pages.
//!
//! Options and synopses come from the command line itself, so they cannot differ from it; the
//! words around them and the pages about formats are written by hand in `man/prose/`. The
//! made pages are committed in `man/`, and a test makes them again and compares. Pages about
//! formats are put together in `format`.

mod ending;
mod format;
mod policy;

use super::{
    arguments,
    render::{Page, Render},
};
use crate::diagnostic::{Code, Exit};
use clap::Command;
use clap_mangen::Man;
use serde::Serialize;
use std::fmt::Write as _;

/// One page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManualPage {
    /// Its name, e.g. `git-rapid-next`.
    pub name: String,
    /// Its section.
    pub section: u8,
    /// Its source, for man.
    pub text: String,
}

impl ManualPage {
    /// `<name>.<section>`.
    pub fn file_name(&self) -> String {
        format!("{}.{}", self.name, self.section)
    }
}

/// What `man --install` did.
#[derive(Clone, Debug, Serialize)]
pub struct Installed {
    /// The version of this schema.
    pub schema_version: u32,
    /// The root.
    pub folder: String,
    /// File names.
    pub pages: Vec<String>,
}

impl Render for Installed {
    fn render(&self, page: &mut Page) {
        page.line(format!("{} pages in {}", self.pages.len(), self.folder));
    }
}

/// All pages, by name.
pub fn pages() -> Vec<ManualPage> {
    let mut command = arguments::command();
    command.build();
    let mut pages = vec![overview(&command), codes()];
    pages.extend(command.get_subcommands().map(verb));
    pages.extend(format::pages());
    pages.sort_by(|one, other| one.name.cmp(&other.name));
    pages
}

fn heading(name: &str, section: u8, about: &str) -> String {
    format!(
        ".TH \"{}\" \"{section}\" \"\" \"git-rapid {}\" \"git-rapid manual\"\n.SH NAME\n{} \\- {}\n",
        name.to_uppercase(),
        env!("CARGO_PKG_VERSION"),
        escaped(name),
        escaped(about)
    )
}

/// The page of the program: its verbs by purpose, the global options, exit codes.
fn overview(command: &Command) -> ManualPage {
    let about = command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default();
    let mut text = heading("git-rapid", 1, &about);
    text.push_str(
        ".SH SYNOPSIS\n\\fBgit rapid\\fR [\\fIglobal options\\fR] \\fIverb\\fR [\\fIoptions\\fR]\n",
    );
    text.push_str(".SH DESCRIPTION\n");
    text.push_str(&paragraphs(&long_about(command)));
    text.push_str(".SH VERBS\n");
    for (title, verbs) in arguments::GROUPS {
        let mut first = title.chars();
        let title: String = first
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .chain(first)
            .collect();
        let _ = writeln!(text, ".SS {}", escaped(&title));
        for name in *verbs {
            let about = command
                .find_subcommand(name)
                .and_then(Command::get_about)
                .map(ToString::to_string)
                .unwrap_or_default();
            let _ = write!(
                text,
                ".TP\n\\fBgit\\-rapid\\-{}\\fR(1)\n{}\n",
                escaped(name),
                escaped(&about)
            );
        }
    }
    text.push_str(&options(command, true, "OPTIONS"));
    text.push_str(include_str!("../../../man/prose/overview.roff"));
    ManualPage {
        name: "git-rapid".to_owned(),
        section: 1,
        text,
    }
}

/// A verb's page: what it is, its options, and for a verb with verbs of its own theirs.
fn verb(command: &Command) -> ManualPage {
    let name = format!("git-rapid-{}", command.get_name());
    let about = command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default();
    let mut text = heading(&name, 1, &about);
    text.push_str(".SH SYNOPSIS\n");
    let below: Vec<&Command> = command.get_subcommands().collect();
    if below.is_empty() {
        text.push_str(&synopsis(command));
    }
    for (at, step) in below.iter().enumerate() {
        if at > 0 {
            text.push_str(".br\n");
        }
        text.push_str(&synopsis(step));
    }
    let (described, examples) = parted(&long_about(command), &about);
    text.push_str(".SH DESCRIPTION\n");
    text.push_str(&paragraphs(&described));
    text.push_str(&options(command, false, "OPTIONS"));
    for step in below {
        let title = format!("{} {}", command.get_name(), step.get_name()).to_uppercase();
        let _ = write!(
            text,
            ".SH {}\n{}",
            escaped(&title),
            paragraphs(&long_about(step))
        );
        text.push_str(&options(step, false, ""));
    }
    text.push_str(include_str!("../../../man/prose/verb-end.roff"));
    text.push_str(".SH EXAMPLES\n");
    text.push_str(&paragraphs(&examples));
    text.push_str(&ending::of(command.get_name()));
    ManualPage {
        name,
        section: 1,
        text,
    }
}

fn long_about(command: &Command) -> String {
    let text = command.get_long_about().or_else(|| command.get_about());
    text.map(ToString::to_string).unwrap_or_default()
}

/// What a verb's long help says beyond its first line, which stands under NAME already, and
/// its examples.
fn parted(long: &str, about: &str) -> (String, String) {
    let (said, examples) = ["\n\nExample:\n\n", "\n\nExamples:\n\n"]
        .iter()
        .find_map(|title| long.split_once(title))
        .unwrap_or((long, ""));
    let rest = said.strip_prefix(about).unwrap_or(said).trim_start();
    let described = if rest.is_empty() {
        format!("{about}.")
    } else {
        rest.to_owned()
    };
    (described, examples.to_owned())
}

/// The command with its arguments, as its short help has it, without global options.
fn synopsis(command: &Command) -> String {
    let own = without_globals(command);
    let usage = own.clone().render_usage().to_string();
    let usage = usage.trim().trim_start_matches("Usage:").trim();
    format!("{}\n", escaped(usage))
}

/// The options section, made by clap_mangen.
fn options(command: &Command, global: bool, title: &str) -> String {
    // What the short help leaves out has its words here.
    let shown = if global {
        command
            .clone()
            .mut_args(|argument| argument.hide_short_help(false))
    } else {
        without_globals(command)
    };
    if !global
        && shown
            .get_arguments()
            .all(|argument| is_help(argument.get_id().as_str()))
    {
        return String::new();
    }
    let mut made = Vec::new();
    Man::new(shown)
        .render_options_section(&mut made)
        .expect("writing into memory does not fail");
    let made = String::from_utf8(made).expect("clap's texts are UTF-8");
    // Within a page that has its own headings, clap's are left out.
    made.lines()
        .filter_map(|line| match line {
            ".SH OPTIONS" if title.is_empty() => None,
            ".SH \"GLOBAL OPTIONS\"" => None,
            line => Some(format!("{line}\n")),
        })
        .collect()
}

fn is_help(id: &str) -> bool {
    id == "help" || id == "version"
}

/// A verb's own arguments: the global ones have their place in git-rapid(1).
fn without_globals(command: &Command) -> Command {
    command
        .clone()
        .mut_args(|argument| {
            let hidden = argument.is_global_set() || is_help(argument.get_id().as_str());
            argument.hide(hidden)
        })
        .disable_help_flag(false)
}

/// The page of codes, made from their table.
fn codes() -> ManualPage {
    let name = "git-rapid-codes";
    let mut text = heading(name, 7, "every code that git rapid can answer with");
    text.push_str(include_str!("../../../man/prose/codes.roff"));
    for (exit, title) in [
        (Exit::Refused, "A RULE SAYS NO (EXIT 1)"),
        (Exit::Usage, "USAGE, OR NOTHING TO DO IT ON (EXIT 2)"),
        (Exit::Input, "INVALID INPUT (EXIT 3)"),
        (Exit::Environment, "THE ENVIRONMENT FAILED (EXIT 4)"),
    ] {
        let _ = writeln!(text, ".SH {title}");
        for code in Code::ALL.iter().filter(|code| code.exit() == exit) {
            let _ = write!(text, ".TP\n\\fB{code}\\fR\n{}\n", escaped(code.meaning()));
        }
    }
    text.push_str(".SH SEE ALSO\n.BR git\\-rapid (1),\n.BR git\\-rapid\\-json (5)\n");
    ManualPage {
        name: name.to_owned(),
        section: 7,
        text,
    }
}

/// Prose with examples: blank lines part paragraphs, lines indented by four are verbatim.
fn paragraphs(text: &str) -> String {
    let mut out = String::new();
    let mut verbatim = false;
    for line in text.lines() {
        let example = line.strip_prefix("    ");
        if example.is_some() != verbatim && !line.is_empty() {
            out.push_str(if verbatim {
                ".fi\n.RE\n"
            } else {
                ".RS 4\n.nf\n"
            });
            verbatim = !verbatim;
        }
        match example {
            Some(example) => out.push_str(&escaped(example)),
            None if line.is_empty() && verbatim => continue,
            None if line.is_empty() => out.push_str(".PP"),
            None => out.push_str(&escaped(line)),
        }
        out.push('\n');
    }
    if verbatim {
        out.push_str(".fi\n.RE\n");
    }
    out
}

/// Text as roff takes it.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    match text.chars().next() {
        // At the start of a line these are commands.
        Some('.' | '\'') => format!("\\&{text}"),
        _ => text,
    }
}
