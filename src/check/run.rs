//! A command in a session of its own, with a deadline, without a shell.
//!
//! What it started and did not end is ended with it: at the deadline, on an interrupt,
//! and after it is done. A process that moved to another session (`setsid`) cannot be
//! reached; when it still holds the output, that is noted as a leftover and it is left.

use super::{
    CappedLog,
    capture::Capture,
    program::{self, NoProgram},
    running::Running,
};
use crate::domain::bytes::ByteText;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};
use std::{
    ffi::OsString,
    io::{self, PipeReader, Read},
    os::fd::AsFd,
    path::{Path, PathBuf},
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

/// How long a group may take to end after it was asked to.
pub(super) const GRACE: Duration = Duration::from_secs(2);
/// After the command ended its output is read until it is silent this long …
const SILENCE: Duration = Duration::from_millis(300);
/// … or this much time is over.
const DRAIN: Duration = Duration::from_secs(2);
/// How long other members of the group may take to follow the command.
const SETTLE: Duration = Duration::from_millis(200);
/// How long the killed may take to be gone.
const REAP: Duration = Duration::from_secs(1);
/// How often one looks without being woken.
const TICK: Duration = Duration::from_millis(20);

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
    /// Its output, both streams in the order of arrival.
    pub log: CappedLog,
    /// Whether it left processes behind: of its group (they were ended), or such as left
    /// the group and still held the output (they were not).
    pub leftovers: bool,
    /// The file that `argv[0]` named; none when there is no such file.
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
///
/// The command reads nothing: its standard input is empty, and it has no terminal.
///
/// # Errors
/// Only what is not the command's doing; that it cannot be found or started is an exit
/// code ([`Exit`]).
pub fn run(
    command: &Command,
    interrupt: &Interrupt,
    show: &mut dyn FnMut(&[u8]),
) -> Result<Ended, RunError> {
    let begun = Instant::now();
    let cwd = folder(&command.cwd)?;
    let name = command.argv.first().cloned().unwrap_or_default();
    let program = match program::find(command, &cwd) {
        Ok(program) => program,
        Err(NoProgram::NotFound) => {
            let why = format!("cannot run {name}: not found\n");
            return Ok(never_started(NOT_FOUND, &why, None, begun, show));
        }
        Err(NoProgram::NotExecutable(file, why)) => {
            let why = format!("cannot run {name}: {why}\n");
            return Ok(never_started(NOT_EXECUTABLE, &why, Some(file), begun, show));
        }
    };
    let (output, input) = io::pipe().map_err(RunError::NoProcess)?;
    let running = match Running::start(command, &program, &cwd, input) {
        Ok(running) => running,
        Err(error) => return refused(error, &name, program, begun, show),
    };
    let mut watch = Watch {
        running,
        output: Some(output),
        log: Capture::new(command.log_limit),
        heard: begun,
        end: None,
        stage: Stage::Runs,
        timed_out: false,
        interrupted: false,
        leftovers: false,
    };
    let deadline = command.timeout.and_then(|limit| begun.checked_add(limit));
    watch
        .until_over(deadline, interrupt, show)
        .map_err(RunError::NoProcess)?;
    watch.take_the_rest(show);
    let (end, at) = match watch.end.take() {
        Some((Err(error), _)) => return refused(error, &name, program, begun, show),
        Some((Ok(exit), at)) => (exit, at),
        // Killed, and not even then gone: it hangs in the system.
        None => (Exit::Signal(signal_hook::consts::SIGKILL), Instant::now()),
    };
    Ok(Ended {
        exit: end,
        timed_out: watch.timed_out,
        interrupted: watch.interrupted,
        duration: at - begun,
        leftovers: watch.leftovers || watch.output.is_some(),
        log: watch.log.finish(),
        program: Some(program),
    })
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

/// The system would not start a file that is there.
fn refused(
    error: io::Error,
    name: &ByteText,
    program: PathBuf,
    begun: Instant,
    show: &mut dyn FnMut(&[u8]),
) -> Result<Ended, RunError> {
    let why = match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::AGAIN | Errno::NOMEM | Errno::MFILE | Errno::NFILE) => {
            return Err(RunError::NoProcess(error));
        }
        Some(Errno::NOEXEC) => program::NO_INTERPRETER.to_owned(),
        Some(Errno::NOENT) => "the interpreter it names is not there".to_owned(),
        _ => error.to_string(),
    };
    let why = format!("cannot run {name}: {why}\n");
    Ok(never_started(
        NOT_EXECUTABLE,
        &why,
        Some(program),
        begun,
        show,
    ))
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
        leftovers: false,
        program,
    }
}

/// A running command under watch.
struct Watch {
    running: Running,
    /// None once every writer closed it.
    output: Option<PipeReader>,
    log: Capture,
    /// When output last arrived.
    heard: Instant,
    /// How the command ended, and when.
    end: Option<(Result<Exit, io::Error>, Instant)>,
    stage: Stage,
    timed_out: bool,
    interrupted: bool,
    leftovers: bool,
}

/// How far it is.
#[derive(Clone, Copy)]
enum Stage {
    /// The command runs, or its last output is awaited.
    Runs,
    /// The command is done; others of its group may follow by themselves until then.
    Settles(Instant),
    /// The group was asked to end, and is killed then.
    Asked(Instant),
    /// The group was killed, and is given up then.
    Killed(Instant),
    /// Nothing runs any more.
    Over,
}

impl Watch {
    fn until_over(
        &mut self,
        deadline: Option<Instant>,
        interrupt: &Interrupt,
        show: &mut dyn FnMut(&[u8]),
    ) -> io::Result<()> {
        let mut pause = Duration::from_millis(1);
        loop {
            if self.wait(pause)? {
                self.read(show);
            }
            if self.end.is_none() {
                let end = self.running.try_end()?;
                self.end = end.map(|end| (end, Instant::now()));
            }
            let now = Instant::now();
            let asked_before = matches!(self.stage, Stage::Asked(_) | Stage::Killed(_));
            if !asked_before && interrupt.0.load(Ordering::SeqCst) {
                self.interrupted = true;
                self.ask(now);
            } else if !asked_before && self.end.is_none() && deadline.is_some_and(|at| now >= at) {
                self.timed_out = true;
                self.ask(now);
            }
            self.step(now, deadline);
            if matches!(self.stage, Stage::Over) {
                return Ok(());
            }
            // Right after the output was closed the end is near; later there is time.
            pause = if self.output.is_some() {
                TICK
            } else {
                (pause * 2).min(TICK)
            };
        }
    }

    fn ask(&mut self, now: Instant) {
        self.running.group.terminate();
        self.stage = Stage::Asked(now + GRACE);
    }

    fn step(&mut self, now: Instant, deadline: Option<Instant>) {
        let group = self.running.group;
        self.stage = match (self.stage, &self.end) {
            (Stage::Runs, Some((_, ended))) => {
                let silent = now >= self.heard.max(*ended) + SILENCE;
                let late = now >= *ended + DRAIN || deadline.is_some_and(|at| now >= at);
                match self.output.is_none() || silent || late {
                    false => Stage::Runs,
                    true if group.has_members(None) => Stage::Settles(now + SETTLE),
                    true => Stage::Over,
                }
            }
            (Stage::Settles(_), _) if !group.has_members(None) => Stage::Over,
            (Stage::Settles(until), _) if now >= until => {
                self.leftovers = true;
                self.ask(now);
                return;
            }
            (Stage::Asked(_) | Stage::Killed(_), Some(_)) if !group.has_members(None) => {
                Stage::Over
            }
            (Stage::Asked(until), _) if now >= until => {
                group.kill();
                Stage::Killed(now + REAP)
            }
            (Stage::Killed(until), _) if now >= until => Stage::Over,
            (stage, _) => stage,
        };
    }

    /// Waits for output, for the end or for `pause`; whether there is output.
    fn wait(&self, pause: Duration) -> io::Result<bool> {
        let mut watched = Vec::with_capacity(2);
        watched.extend(
            self.output
                .as_ref()
                .map(|output| PollFd::from_borrowed_fd(output.as_fd(), PollFlags::IN)),
        );
        watched.extend(
            self.running
                .control()
                .map(|control| PollFd::from_borrowed_fd(control, PollFlags::IN)),
        );
        let pause = Timespec::try_from(pause).expect("a short pause fits");
        match poll(&mut watched, Some(&pause)) {
            // A signal: the caller's handler may have set the interrupt.
            Err(Errno::INTR) => Ok(false),
            Err(errno) => Err(errno.into()),
            Ok(_) => Ok(self.output.is_some() && !watched[0].revents().is_empty()),
        }
    }

    /// Reads once what is known to be there.
    fn read(&mut self, show: &mut dyn FnMut(&[u8])) {
        let Some(output) = &mut self.output else {
            return;
        };
        let mut bytes = [0_u8; 64 * 1024];
        match output.read(&mut bytes) {
            Ok(0) => self.output = None,
            Ok(count) => {
                self.heard = Instant::now();
                self.log.push(&bytes[..count]);
                show(&bytes[..count]);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.output = None,
        }
    }

    /// Reads what lies in the pipe when all is over, not waiting for more.
    fn take_the_rest(&mut self, show: &mut dyn FnMut(&[u8])) {
        // More than a pipe holds; whoever still writes is not waited for.
        for _ in 0..64 {
            match self.wait(Duration::ZERO) {
                Ok(true) => self.read(show),
                _ => return,
            }
        }
    }
}
