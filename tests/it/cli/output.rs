//! Where the program speaks, and when it is silent.

use crate::support::Sandbox;
use std::process::Stdio;

#[test]
fn a_reader_that_went_away_is_no_failure_to_speak_of() {
    let sandbox = Sandbox::empty();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = sandbox.rapid_command(&["completions", "bash"]);
    let child = command
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(command);
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(141));
}

#[test]
fn colours_follow_the_option_and_the_environment() {
    let mut sandbox = Sandbox::empty();
    let coloured = |sandbox: &Sandbox, args: &[&str]| sandbox.rapid(args).stderr.contains('\u{1b}');
    assert!(!coloured(&sandbox, &["nope"]), "not at a terminal");
    assert!(coloured(&sandbox, &["--color=always", "nope"]));
    sandbox.set("CLICOLOR_FORCE", "1");
    assert!(coloured(&sandbox, &["nope"]));
    assert!(!coloured(&sandbox, &["--color=never", "nope"]));
    sandbox.unset("CLICOLOR_FORCE");
    sandbox.set("NO_COLOR", "1");
    assert!(!coloured(&sandbox, &["nope"]));
}

#[cfg(target_os = "linux")]
#[test]
fn colours_show_at_a_terminal() {
    let mut sandbox = Sandbox::empty();
    let screen = sandbox.terminal(&["nope"]).finish().ended(2).stdout;
    assert!(
        screen.contains('\u{1b}') && screen.contains("RAPID4001"),
        "{screen:?}"
    );
    sandbox.set("NO_COLOR", "1");
    let screen = sandbox.terminal(&["nope"]).finish().ended(2).stdout;
    assert!(!screen.contains('\u{1b}'), "{screen:?}");
}
