//! Commands as argv: what a reader can run as it stands.

use crate::domain::id::{RunId, TaskId};

/// `git rapid` and these words.
pub(super) fn rapid(words: &[&str]) -> Vec<String> {
    ["git", "rapid"]
        .iter()
        .chain(words)
        .map(|word| (*word).to_owned())
        .collect()
}

pub(super) fn task_start(task: &TaskId) -> Vec<String> {
    rapid(&["task", "start", task.as_str()])
}

pub(super) fn task_done(task: &TaskId) -> Vec<String> {
    rapid(&["task", "done", task.as_str()])
}

pub(super) fn attach(file: &str, task: &TaskId) -> Vec<String> {
    rapid(&["attach", file, "--task", task.as_str()])
}

pub(super) fn resume(run: &RunId) -> Vec<String> {
    rapid(&["resume", run.as_str()])
}

pub(super) fn isolate(run: &RunId) -> Vec<String> {
    rapid(&["resume", run.as_str(), "--worktree"])
}

/// A command that ends the run, with the stable word that says why: under an agent's marker
/// the verbs want a reason.
pub(super) fn ending(words: &[&str], why: &str) -> Vec<String> {
    rapid(&[words, &["--reason", why]].concat())
}

/// What a person runs to let a gate go; the reason is theirs to fill in.
pub(super) fn waive(gate: &str) -> Vec<String> {
    rapid(&["approve", gate, "--waive", "--reason", "<why>"])
}

/// The command as a person would type it.
pub(super) fn shown(words: &[String]) -> String {
    shell_words::join(words)
}
