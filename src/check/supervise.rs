//! A small process between us and a command, so that nothing outlives us.
//!
//! No signal tells a command that we were killed outright. So we start our own
//! executable again under a hidden verb; it makes the command's session and process
//! group, starts the command when it is told to, waits for it and reports how it ended.
//! All of that is said over its standard input, a socket. When that socket closes, we are
//! gone, and it ends the whole group.
//!
//! Deviation from a bare `prctl(PR_SET_PDEATHSIG)`: that reaches one process, not a
//! group, exists on one system only, and cannot be set without unsafe code.

use super::{Exit, group::Group, watch::GRACE};
use rustix::process::{getpgrp, getpid, setsid};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use std::{
    ffi::OsString,
    io::{self, Read as _},
    os::unix::process::{CommandExt, ExitStatusExt},
    process::{Command, ExitCode, ExitStatus, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// The hidden verb. `<executable> __supervise <program> <argv>…` must lead to
/// [`supervise`] before anything else happens in the process.
pub const SUPERVISE: &str = "__supervise";

/// The word to begin.
pub(super) const GO: &[u8; 3] = b"go\n";

/// What follows [`SUPERVISE`]: the file to start, then its words from `argv[0]` on.
/// Meant for processes started by [`super::run`] only; refuses to work elsewhere.
pub fn supervise(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut words = words.into_iter();
    let (Some(program), Some(name)) = (words.next(), words.next()) else {
        return ExitCode::from(2);
    };
    // It may end its whole group, so the group must be its own. Made here and not by whoever
    // starts us: what is to happen between fork and exec makes starting a process slow.
    if setsid().is_err() {
        return ExitCode::from(2);
    }
    // What is sent to the group is for the command; handlers do not survive an exec,
    // so the command starts with the defaults.
    let ignored = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGQUIT] {
        if signal_hook::flag::register(signal, Arc::clone(&ignored)).is_err() {
            return ExitCode::from(2);
        }
    }
    if !is_told_to_go() {
        return ExitCode::from(2);
    }
    let started = Command::new(program)
        .arg0(name)
        .args(words)
        .stdin(Stdio::null())
        .spawn();
    let orphaned = Arc::new(AtomicBool::new(false));
    let told = match started {
        Err(error) => tell(&Told::NotStarted(error.raw_os_error().unwrap_or(0))),
        Ok(mut child) => {
            let flag = Arc::clone(&orphaned);
            std::thread::spawn(move || {
                await_hangup();
                flag.store(true, Ordering::SeqCst);
                end_group();
            });
            match child.wait() {
                Ok(status) => tell(&Told::Ended(exit_of(status))),
                Err(error) => Err(error),
            }
        }
    };
    if told.is_err() || orphaned.load(Ordering::SeqCst) {
        end_group();
    }
    ExitCode::SUCCESS
}

/// Waits for the word to begin; false when the other end is closed without it.
fn is_told_to_go() -> bool {
    let mut word = [0_u8; GO.len()];
    io::stdin().read_exact(&mut word).is_ok() && word == *GO
}

/// Returns when the other end of standard input is closed.
fn await_hangup() {
    loop {
        match rustix::io::read(io::stdin(), &mut [0_u8; 64]) {
            Ok(0) => return,
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

/// Ends every member of this group, this process last.
fn end_group() {
    let group = Group(getpgrp());
    group.terminate();
    let until = Instant::now() + GRACE;
    while Instant::now() < until && group.has_members(Some(getpid())) {
        std::thread::sleep(Duration::from_millis(10));
    }
    group.kill();
}

fn tell(told: &Told) -> io::Result<()> {
    let line = told.line();
    let mut rest = line.as_bytes();
    while !rest.is_empty() {
        match rustix::io::write(io::stdin(), rest) {
            Ok(written) => rest = &rest[written..],
            Err(rustix::io::Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
    Ok(())
}

/// What the supervisor says: one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// The command ended.
    Ended(Exit),
    /// The system refused to start it, with this error number.
    NotStarted(i32),
}

impl Told {
    fn line(self) -> String {
        match self {
            Self::Ended(Exit::Code(code)) => format!("code {code}\n"),
            Self::Ended(Exit::Signal(signal)) => format!("signal {signal}\n"),
            Self::NotStarted(errno) => format!("start {errno}\n"),
        }
    }

    /// Reads the line; `None` when the supervisor was ended before it had said it.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(bytes).ok()?.strip_suffix('\n')?;
        let (word, number) = line.split_once(' ')?;
        let number = number.parse().ok()?;
        match word {
            "code" => Some(Self::Ended(Exit::Code(number))),
            "signal" => Some(Self::Ended(Exit::Signal(number))),
            "start" => Some(Self::NotStarted(number)),
            _ => None,
        }
    }
}

/// By itself or by a signal.
pub(super) fn exit_of(status: ExitStatus) -> Exit {
    match status.code() {
        Some(code) => Exit::Code(code),
        // Without a code there is a signal: stopped processes are not waited for.
        None => Exit::Signal(status.signal().unwrap_or(0)),
    }
}
