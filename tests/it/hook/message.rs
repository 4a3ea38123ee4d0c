//! The trailers in every kind of message.

use super::kit::*;
use crate::support::Sandbox;
use std::fs;

/// A tested change that waits to be committed.
fn ready() -> Sandbox {
    let sandbox = new();
    add(&sandbox, "src/a", "2");
    sandbox.git(&["add", "-A"]);
    check(&sandbox);
    sandbox
}

/// An editor that puts a line on top and leaves what git wrote.
fn editor(sandbox: &mut Sandbox, line: &str) {
    let script = format!(
        "#!/bin/sh\n{{ printf '%s\\n' '{line}'; cat \"$1\"; }} >\"$1.new\" && mv \"$1.new\" \"$1\"\n"
    );
    let path = sandbox.write_program("../editor", &script);
    sandbox.set("GIT_EDITOR", path);
}

#[track_caller]
fn is_whole(sandbox: &Sandbox, subject: &str) {
    assert_eq!(sandbox.git(&["log", "-1", "--format=%s"]), subject);
    for name in ["Rapid-Run", "Rapid-Verified"] {
        assert_eq!(
            trailers(sandbox, name).len(),
            1,
            "{name}: {}",
            sandbox.git(&["log", "-1", "--format=%B"])
        );
    }
    let body = sandbox.git(&["log", "-1", "--format=%B"]);
    assert!(
        !body.contains("diff --git") && !body.contains(">8"),
        "{body}"
    );
    head_is_proven(sandbox);
}

#[test]
fn an_editor_and_the_change_below_scissors() {
    let mut sandbox = ready();
    editor(&mut sandbox, "with an editor");
    accepts(&sandbox, &["commit", "-q", "-v"]);
    is_whole(&sandbox, "with an editor");
}

#[test]
fn another_comment_character() {
    let mut sandbox = ready();
    sandbox.git(&["config", "core.commentChar", ";"]);
    editor(&mut sandbox, "#12 is no comment");
    accepts(&sandbox, &["commit", "-q", "-v"]);
    is_whole(&sandbox, "#12 is no comment");
}

#[test]
fn a_comment_character_that_git_chooses() {
    let mut sandbox = ready();
    sandbox.git(&["config", "core.commentChar", "auto"]);
    editor(&mut sandbox, "chosen");
    accepts(&sandbox, &["commit", "-q", "-v"]);
    is_whole(&sandbox, "chosen");
}

#[test]
fn a_subject_that_looks_like_a_comment() {
    let sandbox = ready();
    accepts(&sandbox, &["commit", "-q", "-m", "#12 mended"]);
    is_whole(&sandbox, "#12 mended");
}

#[test]
fn trailers_of_others_stay() {
    let sandbox = ready();
    accepts(
        &sandbox,
        &[
            "commit",
            "-q",
            "-s",
            "-m",
            "signed",
            "-m",
            "Rapid-Verified: lie",
        ],
    );
    is_whole(&sandbox, "signed");
    assert_eq!(trailers(&sandbox, "Signed-off-by").len(), 1);
    assert_ne!(trailers(&sandbox, "Rapid-Verified"), ["lie"]);
}

#[test]
fn a_line_of_dashes_is_text() {
    let sandbox = ready();
    accepts(
        &sandbox,
        &["commit", "-q", "-m", "dashes", "-m", "---\nbelow"],
    );
    is_whole(&sandbox, "dashes");
    assert!(
        sandbox
            .git(&["log", "-1", "--format=%B"])
            .contains("---\nbelow")
    );
}

#[test]
fn case_121_another_encoding() {
    let sandbox = ready();
    sandbox.git(&["config", "i18n.commitEncoding", "ISO-8859-1"]);
    let file = sandbox.write("../message", b"gr\xfc\xdfe\n");
    accepts(&sandbox, &["commit", "-q", "-F", file.to_str().unwrap()]);
    assert_eq!(
        sandbox.git(&[
            "-c",
            "i18n.logOutputEncoding=UTF-8",
            "log",
            "-1",
            "--format=%s"
        ]),
        "grüße"
    );
    head_is_proven(&sandbox);
}

#[test]
fn a_message_without_words_still_gives_the_commit_up() {
    let mut sandbox = ready();
    sandbox.set("GIT_EDITOR", "true");
    let before = state(&sandbox);
    let run = sandbox.try_git(&["commit"]);
    assert!(
        run.code != 0 && run.stderr.contains("empty commit message"),
        "{run:?}"
    );
    let run = sandbox.try_git(&["commit", "-v"]);
    assert!(
        run.code != 0 && run.stderr.contains("empty commit message"),
        "{run:?}"
    );
    assert_eq!(before, state(&sandbox));
}

#[test]
fn a_file_whose_name_begins_with_a_dash_is_a_file() {
    let sandbox = ready();
    fs::write(sandbox.path("-m"), "words\n").unwrap();
    sandbox.rapid(&["hook", "commit-msg", "-m"]).ended(0);
    assert!(sandbox.read("-m").contains("Rapid-Run: "));
}

#[test]
fn the_tasks_worked_on_are_named_once() {
    let sandbox = new();
    sandbox.rapid_ok(&["task", "start", "T001"]);
    add(&sandbox, "src/a", "2");
    sandbox.git(&["add", "-A"]);
    check(&sandbox);
    accepts(&sandbox, &["commit", "-q", "-m", "task"]);
    assert_eq!(trailers(&sandbox, "Rapid-Task"), ["T001"]);
    accepts(&sandbox, &["commit", "-q", "--amend", "-m", "same task"]);
}
