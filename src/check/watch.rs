//! Watching a running command: its output, its end, its deadline, and who stays behind.

use super::{Exit, Interrupt, log::Log, running::Running};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};
use std::{
    io::{self, PipeReader, Read},
    os::fd::AsFd,
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

/// A running command under watch.
pub(super) struct Watch {
    running: Running,
    /// None once every writer closed it.
    pub(super) output: Option<PipeReader>,
    pub(super) log: Log,
    /// When output last arrived.
    heard: Instant,
    /// How the command ended, and when.
    pub(super) end: Option<(Result<Exit, io::Error>, Instant)>,
    stage: Stage,
    pub(super) timed_out: bool,
    pub(super) interrupted: bool,
    pub(super) leftovers: bool,
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
    /// The watch over a command that began at `begun` and writes into `output`.
    pub(super) fn over(running: Running, output: PipeReader, log: Log, begun: Instant) -> Self {
        Self {
            running,
            output: Some(output),
            log,
            heard: begun,
            end: None,
            stage: Stage::Runs,
            timed_out: false,
            interrupted: false,
            leftovers: false,
        }
    }

    /// Watches until nothing runs any more.
    pub(super) fn until_over(
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
        self.running.terminate();
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
    pub(super) fn take_the_rest(&mut self, show: &mut dyn FnMut(&[u8])) {
        // More than a pipe holds; whoever still writes is not waited for.
        for _ in 0..64 {
            match self.wait(Duration::ZERO) {
                Ok(true) => self.read(show),
                _ => return,
            }
        }
    }
}
