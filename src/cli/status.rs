//! The exit status, as the table in `git-rapid(1)` has it.

use std::process::ExitCode;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub u8);

impl Status {
    /// Done.
    pub const DONE: Self = Self(0);
    /// A rule says no, or what was asked does not hold.
    pub const REFUSED: Self = Self(1);
    /// The command line is not understood.
    pub const USAGE: Self = Self(2);
    /// This program is wrong.
    pub const INTERNAL: Self = Self(4);
    /// The user stopped it.
    pub const INTERRUPTED: Self = Self(130);
    /// The reader of the output went away: what a shell shows for a process that
    /// SIGPIPE ended, as it ends git.
    pub const BROKEN_PIPE: Self = Self(141);

    /// Done or refused.
    pub fn of(done: bool) -> Self {
        if done { Self::DONE } else { Self::REFUSED }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status.0)
    }
}
