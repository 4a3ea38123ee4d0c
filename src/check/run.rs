//! A command in a session of its own, with a deadline, without a shell.
//!
//! What it started and did not end is ended with it: at the deadline, on an interrupt,
//! and after it is done. A process that moved to another session (`setsid`) cannot be
//! reached; when it still holds the output, that is noted as a leftover and it is left.

use super::{
    CappedLog,
    log::Log,
    program::{self, NoProgram},
    running::Ready,
    watch::Watch,
};
use crate::domain::bytes::ByteText;
use rustix::io::Errno;
use std::{
    ffi::OsString,
    io::{self, PipeReader},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

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
    /// What is taken out of the output that is kept; none: nothing.
    pub redact: Option<super::Secrets>,
    /// An executable that leads to [`super::supervise`]; with it the command is ended
    /// even when this process is killed outright. Without: the command is started directly.
    pub supervisor: Option<PathBuf>,
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
    /// How long it ran, without what it left behind.
    pub duration: Duration,
    /// Its output, both streams in the order of arrival: to count in, not to keep.
    pub log: CappedLog,
    /// The same without secrets, where there were any; none: the log may be kept as it is.
    pub redacted: Option<CappedLog>,
    /// Whether it left processes behind: of its group (they were ended), or such as left
    /// the group and still held the output (they were not).
    pub leftovers: bool,
    /// The file that `argv[0]` named; none when there is no such file.
    pub program: Option<PathBuf>,
}

impl Ended {
    /// The output as it may be kept and shown later.
    pub fn kept(&self) -> &CappedLog {
        self.redacted.as_ref().unwrap_or(&self.log)
    }
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

/// A command that can begin at once, or why it never will.
///
/// Dropped without [`Prepared::run`], it leaves nothing behind.
#[derive(Debug)]
pub struct Prepared<'c> {
    command: &'c Command,
    cwd: PathBuf,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Ready {
        ready: Ready,
        output: PipeReader,
        program: PathBuf,
    },
    /// It cannot be started: the exit code, the reason, and the file if there is one.
    Hopeless(i32, String, Option<PathBuf>),
}

/// Runs `command`, see [`Prepared::run`].
pub fn run(
    command: &Command,
    interrupt: &Interrupt,
    show: &mut dyn FnMut(&[u8]),
) -> Result<Ended, RunError> {
    prepare(command)?.run(interrupt, show)
}

/// Does all that can be done before `command` runs, beside whatever the caller does then.
///
/// # Errors
/// Only what is not the command's doing; that it cannot be found or started is an exit
/// code ([`Exit`]).
pub fn prepare(command: &Command) -> Result<Prepared<'_>, RunError> {
    let cwd = folder(&command.cwd)?;
    let name = command.argv.first().cloned().unwrap_or_default();
    let stage = match program::find(command, &cwd) {
        Ok(program) => {
            let (output, input) = io::pipe().map_err(RunError::NoProcess)?;
            match Ready::new(command, &program, &cwd, input) {
                Ok(ready) => Stage::Ready {
                    ready,
                    output,
                    program,
                },
                Err(error) => {
                    Stage::Hopeless(NOT_EXECUTABLE, refusal(error, &name)?, Some(program))
                }
            }
        }
        Err(NoProgram::NotFound) => {
            let why = format!("cannot run {name}: not found\n");
            Stage::Hopeless(NOT_FOUND, why, None)
        }
        Err(NoProgram::NotExecutable(file, why)) => {
            let why = format!("cannot run {name}: {why}\n");
            Stage::Hopeless(NOT_EXECUTABLE, why, Some(file))
        }
    };
    Ok(Prepared {
        command,
        cwd,
        stage,
    })
}

impl Prepared<'_> {
    /// Runs the command. `show` gets the output as it arrives.
    ///
    /// The command reads nothing: its standard input is empty, and it has no terminal.
    ///
    /// # Errors
    /// As [`prepare`].
    pub fn run(
        self,
        interrupt: &Interrupt,
        show: &mut dyn FnMut(&[u8]),
    ) -> Result<Ended, RunError> {
        let begun = Instant::now();
        let (ready, output, program) = match self.stage {
            Stage::Ready {
                ready,
                output,
                program,
            } => (ready, output, program),
            Stage::Hopeless(code, why, file) => {
                return Ok(never_started(code, &why, file, begun, show));
            }
        };
        let command = self.command;
        let name = command.argv.first().cloned().unwrap_or_default();
        let refused = |error, program, show| {
            let why = refusal(error, &name)?;
            Ok(never_started(
                NOT_EXECUTABLE,
                &why,
                Some(program),
                begun,
                show,
            ))
        };
        let running = match ready.begin(command, &program, &self.cwd) {
            Ok(running) => running,
            Err(error) => return refused(error, program, show),
        };
        let mut watch = Watch::over(running, output, Log::new(command), begun);
        let deadline = command.timeout.and_then(|limit| begun.checked_add(limit));
        watch
            .until_over(deadline, interrupt, show)
            .map_err(RunError::NoProcess)?;
        watch.take_the_rest(show);
        let (end, at) = match watch.end.take() {
            Some((Err(error), _)) => return refused(error, program, show),
            Some((Ok(exit), at)) => (exit, at),
            // Killed, and not even then gone: it hangs in the system.
            None => (Exit::Signal(signal_hook::consts::SIGKILL), Instant::now()),
        };
        let leftovers = watch.leftovers || watch.output.is_some();
        let (log, redacted) = watch.log.finish();
        Ok(Ended {
            exit: end,
            timed_out: watch.timed_out,
            interrupted: watch.interrupted,
            duration: at - begun,
            leftovers,
            log,
            redacted,
            program: Some(program),
        })
    }
}

/// The exit code of a command that is not there.
const NOT_FOUND: i32 = 127;
/// The exit code of a command that cannot be executed.
const NOT_EXECUTABLE: i32 = 126;

fn folder(cwd: &Path) -> Result<PathBuf, RunError> {
    let no_folder = |source| RunError::NoFolder {
        cwd: cwd.to_owned(),
        source,
    };
    let found = std::fs::metadata(cwd).map_err(no_folder)?;
    if !found.is_dir() {
        return Err(no_folder(io::ErrorKind::NotADirectory.into()));
    }
    std::path::absolute(cwd).map_err(no_folder)
}

/// Why the system would not start a file that is there.
fn refusal(error: io::Error, name: &ByteText) -> Result<String, RunError> {
    let why = match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::AGAIN | Errno::NOMEM | Errno::MFILE | Errno::NFILE) => {
            return Err(RunError::NoProcess(error));
        }
        Some(Errno::NOEXEC) => program::NO_INTERPRETER.to_owned(),
        Some(Errno::NOENT) => "the interpreter it names is not there".to_owned(),
        _ => error.to_string(),
    };
    Ok(format!("cannot run {name}: {why}\n"))
}

fn never_started(
    code: i32,
    why: &str,
    program: Option<PathBuf>,
    begun: Instant,
    show: &mut dyn FnMut(&[u8]),
) -> Ended {
    show(why.as_bytes());
    Ended {
        exit: Exit::Code(code),
        timed_out: false,
        interrupted: false,
        duration: begun.elapsed(),
        log: CappedLog {
            bytes: why.as_bytes().to_vec(),
            dropped: 0,
        },
        redacted: None,
        leftovers: false,
        program,
    }
}
