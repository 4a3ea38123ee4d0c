//! What the tests of this folder share.

use git_rapid::{
    check::{Command, Ended, Interrupt, run},
    domain::bytes::ByteText,
};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Words as a command wants them.
pub fn argv<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<ByteText> {
    words.into_iter().map(ByteText::from).collect()
}

/// A command with the `PATH` of this test and nothing else, not supervised.
pub fn command<'a>(cwd: &Path, words: impl IntoIterator<Item = &'a str>) -> Command {
    Command {
        argv: argv(words),
        cwd: cwd.to_owned(),
        environment: vec![(
            OsString::from("PATH"),
            std::env::var_os("PATH").unwrap_or_default(),
        )],
        timeout: Some(Duration::from_secs(120)),
        log_limit: 1 << 20,
        redact: None,
        supervisor: None,
    }
}

/// The same under our own executable.
pub fn supervised(mut command: Command) -> Command {
    command.supervisor = Some(PathBuf::from(env!("CARGO_BIN_EXE_git-rapid")));
    command
}

/// `sh -c <script>`.
pub fn shell(cwd: &Path, script: &str) -> Command {
    command(cwd, ["sh", "-c", script])
}

/// Runs it and lets nobody see.
pub fn quietly(command: &Command) -> Ended {
    run(command, &Interrupt::default(), &mut |_| {}).unwrap()
}

/// The kept output as text.
pub fn text(ended: &Ended) -> String {
    String::from_utf8_lossy(&ended.log.bytes).into_owned()
}

/// The process ids a script wrote, one a line.
pub fn pids(file: &Path) -> Vec<i32> {
    std::fs::read_to_string(file)
        .unwrap()
        .lines()
        .map(|line| line.trim().parse().unwrap())
        .collect()
}

/// Whether the process runs (a dead one that nobody asked for does not).
pub fn alive(pid: i32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        let state = stat.rsplit_once(')').unwrap().1.trim_start();
        !state.starts_with(['Z', 'X'])
    })
}

/// Waits, with a generous end, until `holds` does.
pub fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < until, "never: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
