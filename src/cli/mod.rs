//! The edge to people and programs: arguments, rendering, exit codes.
//!
//! The only floor that reads the environment and the wall clock, and that prints. It
//! decides nothing about runs: it turns words into a request, asks one verb of
//! [`porcelain`](crate::porcelain), and tells the outcome.
//!
//! A call goes through these stages, one file each:
//!
//! 1. [`environment`] gathers what the process was given, once;
//! 2. [`arguments`] parses the command line; [`usage`] words what is wrong with it;
//! 3. [`session`] is what a verb gets: where it stands, who is calling, where to speak;
//! 4. [`verb`] has one file per verb;
//! 5. [`render`] has everything a person sees; [`output`] is the only place that prints;
//! 6. [`failure`] is what went wrong, as text or as the JSON error document.
//!
//! # A verb's file
//!
//! `verb/<verb>.rs` holds three things and no rule:
//!
//! * `pub struct Args`, a [`clap::Args`] whose doc comments are the help and the manual;
//! * the request it makes of them (a private function, where it is more than moving fields);
//! * `pub fn run(self, session: &mut Session) -> Result<Status, Failure>`:
//!
//! ```text
//! let context = session.context()?;
//! let outcome = porcelain::finish::run(&context, &self.request())?;
//! session.out.tell(&FinishView::of(&outcome))?;
//! Ok(if outcome.finished { Status::DONE } else { Status::REFUSED })
//! ```
//!
//! What is told is a view: one value that is serialised with `--json` and
//! [`Render`](render::Render)ed without it, so both say the same. A verb that fails with
//! a document of its own tells it and returns [`Status::REFUSED`]; every other failure is
//! a [`Failure`](failure::Failure), which `?` makes of the errors of the floors below.

pub mod arguments;
pub mod environment;
pub mod failure;
mod hint;
pub mod input;
mod interrupt;
pub mod manual;
pub mod output;
mod panic;
pub mod progress;
mod prompt;
pub mod render;
pub mod session;
mod status;
pub mod usage;
pub mod value;
pub mod verb;

pub use prompt::Prompt;
pub use status::Status;

use crate::check;
use arguments::Invocation;
use environment::Environment;
use failure::Failure;
use output::{Output, Style};
use session::Session;
use std::process::ExitCode;

/// Runs the program.
pub fn main() -> ExitCode {
    let environment = Environment::gather();
    // Before anything else: this process may only stand between a command and its end.
    if let Some((first, words)) = environment.arguments.split_first()
        && first == check::SUPERVISE
    {
        return check::supervise(words.iter().cloned());
    }
    let style = Style::before_parsing(&environment.arguments);
    panic::install_hook(style);
    let status = match std::panic::catch_unwind(|| run(environment, style)) {
        Ok(status) => status,
        // The hook has said it.
        Err(_) => Status::INTERNAL,
    };
    status.into()
}

fn run(environment: Environment, style: Style) -> Status {
    let parsed = match arguments::parse(&environment.arguments) {
        Invocation::Verb(parsed) => parsed,
        Invocation::Help(text) => {
            return settle(Output::new(style, &environment).help(&text), style);
        }
        Invocation::Wrong(failure) => return failure.report(style),
    };
    let style = parsed.globals.style();
    let verb = parsed.verb;
    let done =
        Session::new(environment, parsed.globals).and_then(|mut session| verb.run(&mut session));
    match done {
        Ok(status) => status,
        Err(failure) => failure.report(style),
    }
}

fn settle(done: Result<(), Failure>, style: Style) -> Status {
    match done {
        Ok(()) => Status::DONE,
        Err(failure) => failure.report(style),
    }
}
