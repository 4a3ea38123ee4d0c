//! A started command: how it is started, and how one learns that it ended.
//!
//! It gets a session of its own. Its process group can then be ended as one, and it has
//! no terminal: a test that asks for a password on `/dev/tty` fails at once, where in a
//! background group of our session it would be stopped and never wake.

use super::{
    Command, Exit,
    group::Group,
    supervise::{SUPERVISE, Told, exit_of},
};
use process_wrap::std::{ChildWrapper, CommandWrap, ProcessSession};
use std::{
    ffi::OsStr,
    io::{self, PipeWriter, Read},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::{ffi::OsStrExt, net::UnixStream, process::CommandExt},
    },
    path::Path,
    process::Stdio,
};

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

impl Running {
    /// Starts `command`, found at `program`, in `cwd`, both outputs into `output`.
    pub(super) fn start(
        command: &Command,
        program: &Path,
        cwd: &Path,
        output: PipeWriter,
    ) -> io::Result<Self> {
        let words = || command.argv.iter().map(|word| OsStr::from_bytes(&word.0));
        if let Some(supervisor) = &command.supervisor {
            let (ours, theirs) = UnixStream::pair()?;
            ours.set_nonblocking(true)?;
            let mut process = std::process::Command::new(supervisor);
            process.arg(SUPERVISE).arg(program).args(words());
            process.stdin(OwnedFd::from(theirs));
            match Self::spawn(process, command, cwd, output.try_clone()?, Some(ours)) {
                // Our own file may have been replaced while we run; the command
                // matters more than its supervision.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                other => return other,
            }
        }
        let mut process = std::process::Command::new(program);
        let mut words = words();
        process.arg0(words.next().unwrap_or_default()).args(words);
        process.stdin(Stdio::null());
        Self::spawn(process, command, cwd, output, None)
    }

    fn spawn(
        mut process: std::process::Command,
        command: &Command,
        cwd: &Path,
        output: PipeWriter,
        control: Option<UnixStream>,
    ) -> io::Result<Self> {
        process.current_dir(cwd);
        process.env_clear().envs(
            command
                .environment
                .iter()
                .map(|(name, value)| (name, value)),
        );
        process.stdout(output.try_clone()?).stderr(output);
        // The library's own waiting waits for the whole group; only the leader's end
        // says how the command ended.
        let child = CommandWrap::from(process)
            .wrap(ProcessSession)
            .spawn()?
            .into_inner();
        let group = Group::led_by(child.id()).expect("a started process has a positive id");
        Ok(Self {
            child,
            group,
            control,
            said: Vec::new(),
            ended: false,
        })
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

/// Leaves nothing behind when the caller's `show` panics.
impl Drop for Running {
    fn drop(&mut self) {
        if !self.ended {
            self.group.kill();
            let _ = self.child.wait();
        }
    }
}
