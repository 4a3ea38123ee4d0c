//! The trailers that say which run made a commit and what verifies it: tool-owned, replaced,
//! never doubled.

use crate::{
    domain::{
        commit_rule::VerifiedBy, event::EventSubject, evidence::Payload, record::Body, run::Run,
    },
    git::{GitProcess, Repository},
    porcelain::{
        Error,
        milestone::{RUN_TRAILER, TASK_TRAILER, VERIFIED_TRAILER},
    },
};
use std::{ffi::OsString, path::Path};

/// The word of `Rapid-Verified`.
pub(in crate::porcelain) fn verified_word(verified: &VerifiedBy) -> String {
    match verified {
        VerifiedBy::Record(record) => record.short(16),
        VerifiedBy::Reproduction(_) => "reproduction".to_owned(),
        VerifiedBy::No => "no".to_owned(),
    }
}

/// Names and values, in the order in which they stand.
fn of(run: &Run, verified: &str) -> Vec<(&'static str, String)> {
    let mut trailers = vec![(
        RUN_TRAILER,
        format!("{} {}", run.id, run.contract_digest.short(12)),
    )];
    let tasks = tasks_since_milestone(run);
    if !tasks.is_empty() {
        trailers.push((TASK_TRAILER, tasks.join(" ")));
    }
    trailers.push((VERIFIED_TRAILER, verified.to_owned()));
    trailers
}

/// `-c` words for git by which ours take the place of older ones: an amend carries those.
pub(in crate::porcelain) fn config_words() -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    for name in [RUN_TRAILER, TASK_TRAILER, VERIFIED_TRAILER] {
        let key = name.to_lowercase();
        for setting in [
            format!("key={name}"),
            "ifExists=replace".to_owned(),
            "ifMissing=add".to_owned(),
            "where=end".to_owned(),
        ] {
            words.extend(["-c".into(), format!("trailer.{key}.{setting}").into()]);
        }
    }
    words
}

/// `--trailer` words for git.
pub(in crate::porcelain) fn trailer_words(run: &Run, verified: &str) -> Vec<OsString> {
    of(run, verified)
        .into_iter()
        .flat_map(|(name, value)| ["--trailer".into(), format!("{name}: {value}").into()])
        .collect()
}

/// Writes them into the file that holds a commit's message. A message that says nothing, by
/// which the user gives the commit up, stays so.
///
/// `edited`: an editor was open on it, so that lines of comment are not part of it.
pub(in crate::porcelain) fn write(
    repo: &Repository,
    file: &Path,
    edited: bool,
    run: &Run,
    verified: &VerifiedBy,
) -> Result<(), Error> {
    let message = std::fs::read(file).map_err(|source| Error::File {
        doing: "cannot read",
        path: file.to_owned(),
        source,
    })?;
    let comment = comment_string(repo, &message, edited);
    if says_nothing(&message, edited.then_some(comment.as_bytes())) {
        return Ok(());
    }
    let mut words = config_words();
    words.extend(["-c".into(), format!("core.commentChar={comment}").into()]);
    words.extend(["interpret-trailers", "--in-place", "--no-divider"].map(OsString::from));
    words.extend(trailer_words(run, &verified_word(verified)));
    words.extend(["--".into(), file.into()]);
    GitProcess::new(repo, words).output()?;
    Ok(())
}

/// Marks the line below which `commit -v` shows the change.
const SCISSORS: &[u8] = b" ------------------------ >8 ------------------------";

/// How lines of comment begin. In a message that nobody edited there are none: then one that
/// no line begins with, so that `#12 mended` stays a line of text.
fn comment_string(repo: &Repository, message: &[u8], edited: bool) -> String {
    let mut lines = message.split(|byte| *byte == b'\n');
    if !edited {
        let begins: Vec<u8> = lines.filter_map(|line| line.first().copied()).collect();
        let free = ";@!$%&|:~^#".bytes().find(|char| !begins.contains(char));
        return char::from(free.unwrap_or(b'#')).to_string();
    }
    let configured = repo
        .config("core.commentString")
        .or_else(|| repo.config("core.commentChar"))
        .map(|value| value.lossy().into_owned())
        .filter(|value| !value.is_empty());
    match configured.as_deref() {
        // Git chose one that no line of the message began with, and wrote its advice with it.
        Some("auto") => lines
            .find_map(|line| line.strip_suffix(SCISSORS))
            .or_else(|| {
                let last = message
                    .trim_ascii_end()
                    .rsplit(|byte| *byte == b'\n')
                    .next()?;
                last.get(..1)
            })
            .map_or_else(
                || "#".to_owned(),
                |found| String::from_utf8_lossy(found).into_owned(),
            ),
        Some(value) => value.to_owned(),
        None => "#".to_owned(),
    }
}

fn says_nothing(message: &[u8], comment: Option<&[u8]>) -> bool {
    message
        .split(|byte| *byte == b'\n')
        .take_while(|line| {
            comment.is_none_or(|comment| line.strip_prefix(comment) != Some(SCISSORS))
        })
        .filter(|line| comment.is_none_or(|comment| !line.starts_with(comment)))
        .all(|line| line.trim_ascii().is_empty())
}

/// Tasks that were moved since the last milestone, in order.
fn tasks_since_milestone(run: &Run) -> Vec<String> {
    let mut tasks: Vec<String> = Vec::new();
    for record in run.records.iter().rev() {
        match &record.body {
            Body::Evidence(evidence) if matches!(evidence.payload, Payload::Milestone(_)) => break,
            Body::Event(event) => {
                if let EventSubject::Task(task) = &event.subject
                    && !tasks.contains(&task.to_string())
                {
                    tasks.push(task.to_string());
                }
            }
            _ => {}
        }
    }
    tasks.sort();
    tasks
}
