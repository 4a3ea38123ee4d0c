//! The command line: global options, the verbs in their groups, and parsing in one step.

use super::{
    failure::Failure,
    output::{Colour, Style},
    usage,
    verb::Verb,
};
use crate::{conductor::Lang, domain::id::RunId};
use clap::{ArgAction, CommandFactory, FromArgMatches, Parser};
use std::{ffi::OsString, fmt::Write as _, path::PathBuf};

/// Claims about a change that anyone can check, kept in git objects.
///
/// A change starts from a sentence or a written spec, runs as a small state machine, and
/// every claim about it (the tests passed, a person approved this, these files changed)
/// becomes an immutable record under refs/rapid, tied to the exact git tree it speaks of. A
/// pure evaluator turns the records into a verdict that anyone can repeat, offline.
///
/// `git rapid next` always says what comes next.
#[derive(Debug, Parser)]
#[command(
    name = "git-rapid",
    version,
    disable_help_subcommand = true,
    verbatim_doc_comment
)]
pub struct CommandLine {
    /// What goes for every verb.
    #[command(flatten)]
    pub globals: Globals,
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// Options that every verb takes.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Global options")]
pub struct Globals {
    /// Work as if started in this folder
    ///
    /// Given more than once, each is relative to the one before, as with git.
    #[arg(short = 'C', value_name = "DIR", action = ArgAction::Append, global = true, hide_short_help = true)]
    pub folders: Vec<PathBuf>,
    /// The run to speak of, instead of the one bound to this worktree and branch
    #[arg(long, value_name = "ID", global = true, hide_short_help = true)]
    pub run: Option<RunId>,
    /// Print exactly one JSON document on standard output
    #[arg(long, global = true, hide_short_help = true)]
    pub json: bool,
    /// Say nothing on standard error but errors
    #[arg(short, long, global = true, hide_short_help = true)]
    pub quiet: bool,
    /// When to use colours; NO_COLOR and CLICOLOR_FORCE are honoured
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        global = true,
        hide_short_help = true
    )]
    pub color: Colour,
    /// The language to speak: en or es
    ///
    /// Without it: rapid.lang, LC_ALL, LC_MESSAGES, LANG, English. Keys, codes and ids are
    /// never translated.
    #[arg(long, value_name = "LANG", global = true, hide_short_help = true)]
    pub lang: Option<Lang>,
}

impl Globals {
    /// How to speak.
    pub fn style(&self) -> Style {
        Style {
            json: self.json,
            quiet: self.quiet,
            colour: self.color,
        }
    }
}

/// Verbs by what they are for, in the order of the short help. A test holds that each
/// verb stands in exactly one group.
pub const GROUPS: &[(&str, &[&str])] = &[
    (
        "work on a change",
        &[
            "init", "next", "start", "check", "task", "attach", "commit", "finish",
        ],
    ),
    ("a person's word", &["review", "approve", "resolve"]),
    (
        "steer a run",
        &["status", "pause", "resume", "abort", "supersede"],
    ),
    (
        "read and verify",
        &["log", "show", "verify", "fsck", "tour"],
    ),
    (
        "plumbing",
        &["spec", "evidence", "eval", "hook", "man", "completions"],
    ),
];

/// What a command line turned out to be.
#[derive(Debug)]
pub enum Invocation {
    /// A verb to run.
    Verb(Box<CommandLine>),
    /// A text to print: help or version.
    Help(String),
    /// Not understood.
    Wrong(Failure),
}

/// Parses the words after the program's name.
pub fn parse(arguments: &[OsString]) -> Invocation {
    let program = OsString::from("git-rapid");
    let words = std::iter::once(&program).chain(arguments);
    // The process ends soon: taking the definition apart would cost more than keeping it.
    let command = Box::leak(Box::new(command()));
    let parsed = command
        .try_get_matches_from_mut(words)
        .and_then(|mut matches| CommandLine::from_arg_matches_mut(&mut matches));
    match parsed {
        Ok(parsed) => Invocation::Verb(Box::new(parsed)),
        Err(error) => match error.kind() {
            clap::error::ErrorKind::DisplayHelp | clap::error::ErrorKind::DisplayVersion => {
                Invocation::Help(error.render().ansi().to_string())
            }
            _ => Invocation::Wrong(usage::failure(&error, arguments)),
        },
    }
}

/// The whole command line, with the grouped overview as its short help.
pub fn command() -> clap::Command {
    let command = for_completion().bin_name("git rapid");
    let overview = overview(&command);
    command.override_help(overview)
}

/// The same under the program's own name: shells complete the arguments of one word.
pub fn for_completion() -> clap::Command {
    CommandLine::command()
}

/// The short help: every verb with one line, by purpose.
fn overview(command: &clap::Command) -> String {
    let mut text =
        String::from("usage: git rapid [-C <dir>] [--run <id>] [--json] [-q] <verb> [<options>]\n");
    let about = |name: &str| {
        command
            .find_subcommand(name)
            .and_then(|verb| verb.get_about())
            .map(ToString::to_string)
            .unwrap_or_default()
    };
    for (title, verbs) in GROUPS {
        let _ = write!(text, "\n{title}\n");
        for verb in *verbs {
            let _ = writeln!(text, "   {verb:<12} {}", about(verb));
        }
    }
    text.push_str(
        "\n'git rapid next' says what comes next; 'git rapid <verb> -h' and 'git rapid <verb> --help'\n\
         explain a verb; 'git rapid tour' shows the whole loop in a scratch repository.\n",
    );
    text
}
