//! A command in a process group of its own, with a deadline, without a shell.

use super::CappedLog;
use crate::domain::bytes::ByteText;
use std::{ffi::OsString, path::PathBuf, time::Duration};

/// What to run.
#[derive(Clone, Debug)]
pub struct Command {
    /// The words; the first is looked up in the child's `PATH`.
    pub argv: Vec<ByteText>,
    /// Where.
    pub cwd: PathBuf,
    /// The whole environment of the child (the caller took out what is not for it).
    pub environment: Vec<(OsString, OsString)>,
    /// When it is ended.
    pub timeout: Option<Duration>,
    /// How many bytes of output are kept, head and tail.
    pub log_limit: usize,
}

/// How a command ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// By itself or by a signal.
    pub exit: Exit,
    /// Whether its time ran out.
    pub timed_out: bool,
    /// Whether the caller was interrupted and ended it.
    pub interrupted: bool,
    /// How long it ran.
    pub duration: Duration,
    /// Its output, both streams in the order of arrival.
    pub log: CappedLog,
    /// Whether processes of its group were left behind (and ended).
    pub leftovers: bool,
    /// The file that `argv[0]` named.
    pub program: Option<PathBuf>,
}

/// By itself or by a signal. A command that cannot be started ends with 127 (not found)
/// or 126 (not executable), as in a shell, with the reason as its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The exit code.
    Code(i32),
    /// The signal.
    Signal(i32),
}

/// Set by the caller's signal handler.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(pub std::sync::Arc<std::sync::atomic::AtomicBool>);

/// The command could not be run for a reason that is not its own.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The folder is not there.
    #[error("cannot run in {cwd}")]
    NoFolder {
        /// Which.
        cwd: PathBuf,
        /// The system's word.
        #[source]
        source: std::io::Error,
    },
    /// The system has no room for another process or pipe.
    #[error("cannot start a process")]
    NoProcess(#[source] std::io::Error),
}

/// Runs `command`. `show` gets the output as it arrives.
pub fn run(
    command: &Command,
    interrupt: &Interrupt,
    show: &mut dyn FnMut(&[u8]),
) -> Result<Ended, RunError> {
    let _ = (command, interrupt, show);
    todo!()
}
