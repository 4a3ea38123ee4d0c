//! What is wrong with a command line, in our own voice, with the command that was meant.

use super::{arguments, failure::Failure, value::BadValue};
use crate::diagnostic::Code;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::OsString;

/// Words that people and agents use for our verbs, by intent. Looked up before likeness: what
/// looks alike is often not what was meant.
const INTENTS: &[(&str, &[&str])] = &[
    ("begin", &["start"]),
    ("new", &["start"]),
    ("run", &["check"]),
    ("test", &["check"]),
    ("tests", &["check"]),
    ("exec", &["check"]),
    ("validate", &["fsck"]),
    ("done", &["task", "done"]),
    ("complete", &["task", "done"]),
    ("block", &["task", "block"]),
    ("skip", &["task", "skip"]),
    ("tasks", &["task", "list"]),
    ("continue", &["next"]),
    ("what", &["next"]),
    ("step", &["next"]),
    ("cancel", &["abort"]),
    ("stop", &["abort"]),
    ("quit", &["abort"]),
    ("replace", &["supersede"]),
    ("restart", &["supersede"]),
    ("unpause", &["resume"]),
    ("unblock", &["resume"]),
    ("ci", &["commit"]),
    ("save", &["commit"]),
    ("accept", &["approve"]),
    ("reject", &["approve", "--reject"]),
    ("waive", &["approve", "--waive"]),
    ("end", &["finish"]),
    ("close", &["finish"]),
    ("merge", &["finish"]),
    ("state", &["status"]),
    ("st", &["status"]),
    ("history", &["log"]),
    ("cat", &["evidence", "cat"]),
    ("specs", &["spec", "list"]),
    ("template", &["spec", "template"]),
    ("prove", &["verify"]),
    ("judge", &["eval", "run"]),
    ("demo", &["tour"]),
    ("setup", &["init"]),
    ("install", &["init"]),
];

/// The failure for what clap could not parse. Never for help or version.
pub fn failure(error: &clap::Error, arguments: &[OsString]) -> Failure {
    let words: Vec<String> = arguments
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let verb = verb_of(&words);
    let context = |kind| error.get(kind).map(text_of);
    let argument = context(ContextKind::InvalidArg).unwrap_or_default();
    let value = context(ContextKind::InvalidValue).unwrap_or_default();
    let known = context(ContextKind::ValidValue);
    let message = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = context(ContextKind::InvalidSubcommand).unwrap_or_default();
            return unknown_verb(&words, &word, verb);
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            return missing_verb(verb);
        }
        ErrorKind::UnknownArgument => {
            return unknown_argument(&words, &argument, verb, context(ContextKind::SuggestedArg));
        }
        ErrorKind::InvalidValue if value.is_empty() => format!("{argument} needs a value"),
        ErrorKind::InvalidValue => format!("{value:?} is not a value of {argument}"),
        ErrorKind::ValueValidation => {
            let source = std::error::Error::source(error);
            if let Some(operator @ BadValue::Operator { command, .. }) =
                source.and_then(|source| source.downcast_ref())
            {
                let shell = shell_words::join(["sh", "-c", command.as_str()]);
                return Failure::new(Code::Usage, format!("{argument}: {operator}"))
                    .detail("argument", argument)
                    .hint(
                        "let a shell read it",
                        &corrected(&words, command, &[&shell]),
                    );
            }
            let why = source.map(ToString::to_string).unwrap_or_default();
            if why.starts_with(&format!("{value:?} ")) {
                format!("{argument}: {why}")
            } else {
                format!("{value:?} is not a value of {argument}: {why}")
            }
        }
        ErrorKind::MissingRequiredArgument => format!("missing: {argument}"),
        ErrorKind::ArgumentConflict => match context(ContextKind::PriorArg) {
            Some(prior) if prior == argument => format!("{argument} may be given once only"),
            Some(prior) => format!("{argument} cannot be used with {prior}"),
            None => format!("{argument} cannot be used with the other arguments"),
        },
        ErrorKind::NoEquals => format!("{argument} takes its value after ="),
        ErrorKind::TooManyValues => format!("{value:?} is one value too many for {argument}"),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            format!("{argument} has the wrong number of values")
        }
        ErrorKind::InvalidUtf8 => "a word is not UTF-8; only words after -- may be".to_owned(),
        other => other.to_string(),
    };
    let mut failure = Failure::new(Code::Usage, message).detail("verb", verb.unwrap_or_default());
    if !argument.is_empty() {
        failure = failure.detail("argument", argument);
    }
    if let Some(known) = known.filter(|known| !known.is_empty()) {
        failure = failure.advice(format!("known values: {known}"));
    }
    failure.hint("its options", &help_of(verb))
}

/// The first word that is no option and no option's value.
fn verb_of(words: &[String]) -> Option<&str> {
    verb_place(words).map(|at| words[at].as_str())
}

/// Where it stands.
fn verb_place(words: &[String]) -> Option<usize> {
    let mut places = words.iter().enumerate();
    while let Some((at, word)) = places.next() {
        match word.as_str() {
            "-C" | "--run" | "--color" | "--lang" => drop(places.next()),
            "--" => return None,
            word if word.starts_with('-') => {}
            _ => return Some(at),
        }
    }
    None
}

fn unknown_verb(words: &[String], word: &str, verb: Option<&str>) -> Failure {
    let command = arguments::command();
    // Below a verb with verbs of its own, the unknown word is one of those.
    let parent = verb.filter(|verb| *verb != word);
    let names: Vec<&str> = match parent.and_then(|verb| command.find_subcommand(verb)) {
        Some(parent) => parent
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect(),
        None => command
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect(),
    };
    let intent = INTENTS
        .iter()
        .find(|(alias, _)| parent.is_none() && *alias == word)
        .map(|(_, meant)| meant.to_vec());
    let meant = intent.or_else(|| nearest(word, &names).map(|name| vec![name]));
    let message = match parent {
        Some(parent) => format!("git rapid {parent} has no verb {word:?}"),
        None => format!("there is no verb {word:?}"),
    };
    let failure = Failure::new(Code::Usage, message).detail("word", word);
    match meant {
        Some(meant) => failure.hint("probably meant", &corrected(words, word, &meant)),
        None => failure.hint("all verbs", &help_of(parent)),
    }
}

/// The command line as it was, with `word` replaced.
fn corrected(words: &[String], word: &str, meant: &[&str]) -> Vec<String> {
    let mut all = vec!["git".to_owned(), "rapid".to_owned()];
    // An option's value before the verb may look like it.
    let verb = verb_place(words).unwrap_or(0);
    let at = words
        .iter()
        .skip(verb)
        .position(|known| known == word)
        .map(|after| verb + after)
        .or_else(|| words.iter().position(|known| known == word));
    for (place, known) in words.iter().enumerate() {
        if Some(place) == at {
            all.extend(meant.iter().map(|word| (*word).to_owned()));
        } else {
            all.push(known.clone());
        }
    }
    all
}

/// The most similar of `names`, if it is similar at all.
fn nearest<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let by_likeness = names
        .iter()
        .map(|name| (strsim::jaro_winkler(word, name), *name))
        .max_by(|one, other| one.0.total_cmp(&other.0))?;
    (by_likeness.0 > 0.8).then_some(by_likeness.1)
}

fn missing_verb(verb: Option<&str>) -> Failure {
    let message = match verb {
        Some(verb) => format!("git rapid {verb} needs one of its own verbs"),
        None => "no verb was given".to_owned(),
    };
    let failure = Failure::new(Code::Usage, message);
    match verb {
        Some(_) => failure.hint("its verbs", &help_of(verb)),
        None => failure
            .hint("what comes next", &words(&["next"]))
            .hint("all verbs", &help_of(None)),
    }
}

fn unknown_argument(
    given: &[String],
    argument: &str,
    verb: Option<&str>,
    suggested: Option<String>,
) -> Failure {
    let place = verb.map_or_else(
        || "git rapid".to_owned(),
        |verb| format!("git rapid {verb}"),
    );
    let failure = Failure::new(Code::Usage, format!("{place} does not take {argument:?}"))
        .detail("argument", argument);
    match suggested {
        Some(suggested) => {
            let option = suggested
                .split_whitespace()
                .next()
                .unwrap_or(&suggested)
                .to_owned();
            failure.hint("probably meant", &corrected(given, argument, &[&option]))
        }
        // A command without the two dashes is the usual mistake.
        None if verb == Some("check") && !argument.starts_with('-') => failure
            .advice("a command to run stands after --")
            .hint("its options", &help_of(verb)),
        None => failure.hint("its options", &help_of(verb)),
    }
}

fn help_of(verb: Option<&str>) -> Vec<String> {
    match verb {
        Some(verb) if is_verb(verb) => words(&[verb, "-h"]),
        _ => words(&["-h"]),
    }
}

fn is_verb(word: &str) -> bool {
    arguments::GROUPS
        .iter()
        .any(|(_, verbs)| verbs.contains(&word))
}

fn words(words: &[&str]) -> Vec<String> {
    ["git", "rapid"]
        .iter()
        .chain(words)
        .map(|word| (*word).to_owned())
        .collect()
}

fn text_of(value: &ContextValue) -> String {
    match value {
        ContextValue::String(text) => text.clone(),
        ContextValue::Strings(all) => all.join(", "),
        other => other.to_string(),
    }
}
