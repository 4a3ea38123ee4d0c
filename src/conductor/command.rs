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

/// The command as a person would type it.
pub(super) fn shown(words: &[String]) -> String {
    shell_words::join(words)
}
