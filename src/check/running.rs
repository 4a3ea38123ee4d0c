//! A started command: how it is started, and how one learns that it ended.
//!
//! A supervisor takes as long to start as a small command runs, so it is started ahead of
//! its command and told when to begin.
//!
//! It gets a session of its own. Its process group can then be ended as one, and it has
//! no terminal: a test that asks for a password on `/dev/tty` fails at once, where in a
//! background group of our session it would be stopped and never wake.

use super::{
    Command, Exit,
    group::Group,
    supervise::{GO, SUPERVISE, Told, exit_of},
};
use process_wrap::std::{ChildWrapper, CommandWrap, ProcessSession};
use std::{
    ffi::OsStr,
    io::{self, PipeWriter, Read, Write as _},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::{ffi::OsStrExt, net::UnixStream, process::CommandExt},
    },
    path::Path,
    process::Stdio,
};

/// A command that can begin at once.
#[derive(Debug)]
pub(super) enum Ready {
    /// Its supervisor is there and waits for the word.
    Supervised(Running),
    /// It will be started directly.
    Direct(PipeWriter),
}

/// A command that runs, directly or under a supervisor.
#[derive(Debug)]
pub(super) struct Running {
    child: Box<dyn ChildWrapper>,
    /// The command's group.
    pub(super) group: Group,
    /// The supervisor's socket; none without one.
    control: Option<UnixStream>,
    said: Vec<u8>,
    ended: bool,
}

impl Ready {
    /// Prepares `command`, found at `program`, in `cwd`, both outputs into `output`.
    pub(super) fn new(
        command: &Command,
        program: &Path,
        cwd: &Path,
        output: PipeWriter,
    ) -> io::Result<Self> {
        let Some(supervisor) = &command.supervisor else {
            return Ok(Self::Direct(output));
        };
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let mut process = std::process::Command::new(supervisor);
        process.arg(SUPERVISE).arg(program).args(words(command));
        process.stdin(OwnedFd::from(theirs));
        in_place(&mut process, command, cwd, output.try_clone()?)?;
        match process.spawn() {
            Ok(child) => Ok(Self::Supervised(Running::of(Box::new(child), Some(ours)))),
            // Our own file may have been replaced while we run; the command matters more
            // than its supervision.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::Direct(output)),
            Err(error) => Err(error),
        }
    }

    /// Lets it begin.
    pub(super) fn begin(
        self,
        command: &Command,
        program: &Path,
        cwd: &Path,
    ) -> io::Result<Running> {
        match self {
            Self::Supervised(running) => {
                if let Some(mut control) = running.control.as_ref() {
                    // When the supervisor is not there any more, reading tells.
                    let _ = control.write_all(GO);
                }
                Ok(running)
            }
            Self::Direct(output) => {
                let mut process = std::process::Command::new(program);
                let mut words = words(command);
                process.arg0(words.next().unwrap_or_default()).args(words);
                process.stdin(Stdio::null());
                in_place(&mut process, command, cwd, output)?;
                // The library's own waiting waits for the whole group; only the leader's
                // end says how the command ended.
                let child = CommandWrap::from(process).wrap(ProcessSession).spawn()?;
                Ok(Running::of(child.into_inner(), None))
            }
        }
    }
}

fn words(command: &Command) -> impl Iterator<Item = &OsStr> {
    command.argv.iter().map(|word| OsStr::from_bytes(&word.0))
}

/// Folder, environment and outputs of `command`.
fn in_place(
    process: &mut std::process::Command,
    command: &Command,
    cwd: &Path,
    output: PipeWriter,
) -> io::Result<()> {
    let environment = command.environment.iter();
    process
        .current_dir(cwd)
        .env_clear()
        .envs(environment.map(|(name, value)| (name, value)))
        .stdout(output.try_clone()?)
        .stderr(output);
    Ok(())
}

impl Running {
    fn of(child: Box<dyn ChildWrapper>, control: Option<UnixStream>) -> Self {
        let group = Group::led_by(child.id()).expect("a started process has a positive id");
        Self {
            child,
            group,
            control,
            said: Vec::new(),
            ended: false,
        }
    }

    /// Asks all of it to end.
    pub(super) fn terminate(&mut self) {
        // A supervisor that has not made its group yet has started nothing.
        if !self.group.terminate() && !self.ended {
            let _ = self.child.start_kill();
        }
    }

    /// What becomes readable when a supervised command ends.
    pub(super) fn control(&self) -> Option<BorrowedFd<'_>> {
        self.control
            .as_ref()
            .filter(|_| !self.ended)
            .map(AsFd::as_fd)
    }

    /// How it ended, once it did. An inner error: it could not be started.
    pub(super) fn try_end(&mut self) -> io::Result<Option<Result<Exit, io::Error>>> {
        let Some(control) = &mut self.control else {
            let status = self.child.try_wait()?;
            self.ended = status.is_some();
            return Ok(status.map(|status| Ok(exit_of(status))));
        };
        let mut bytes = [0_u8; 64];
        loop {
            match control.read(&mut bytes) {
                Ok(0) => break,
                Ok(count) => self.said.extend_from_slice(&bytes[..count]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        // The socket closes when the supervisor exits, so this does not wait long.
        let status = self.child.wait()?;
        self.ended = true;
        Ok(Some(match Told::read(&self.said) {
            Some(Told::Ended(exit)) => Ok(exit),
            Some(Told::NotStarted(errno)) => Err(io::Error::from_raw_os_error(errno)),
            // Someone ended the whole group, the supervisor with it.
            None => Ok(exit_of(status)),
        }))
    }
}

/// Leaves nothing behind when the command is not run after all, or the caller's `show` panics.
impl Drop for Running {
    fn drop(&mut self) {
        if !self.ended {
            // A supervisor that was not told to begin ends by itself when this is closed.
            self.control = None;
            self.group.kill();
            let _ = self.child.wait();
        }
    }
}
