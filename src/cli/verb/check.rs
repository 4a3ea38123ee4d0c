//! `git rapid check`: the arguments and what becomes of them.

use crate::cli::{Status, failure::Failure, session::Session};
use crate::cli::{progress::Show, value};
use crate::domain::{
    id::{AcceptanceId, GateId, TaskId},
    vocabulary::Expectation,
};
use crate::porcelain::{
    self,
    check::{Outcome, Request},
};
use std::{ffi::OsString, path::PathBuf, time::Duration};

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Named checks to run, such as test
    #[arg(value_name = "NAME", conflicts_with = "due")]
    pub names: Vec<String>,
    /// Every named check that is due, as without a name
    #[arg(long)]
    pub due: bool,
    /// The task it speaks for, such as T001; without it, the one in progress
    #[arg(long, value_name = "T")]
    pub task: Option<TaskId>,
    /// A gate it speaks for, such as gate.tests; repeat it for more
    #[arg(long = "gate", value_name = "GATE")]
    pub gates: Vec<GateId>,
    /// An acceptance criterion it speaks for, such as A001; repeat it for more
    #[arg(long = "accept", value_name = "A")]
    pub acceptance: Vec<AcceptanceId>,
    /// What the command should do: pass, or fail to prove a bug
    #[arg(long, value_name = "HOW", default_value = "pass")]
    pub expect: Expectation,
    /// End it after so long: 90s, 15m, 2h, or seconds; without it rapid.timeout, else an hour
    #[arg(long, value_name = "DURATION", value_parser = value::duration)]
    pub timeout: Option<Duration>,
    /// Count the tests from this JUnit or TAP file, which the command writes; repeat it for more
    #[arg(long = "report", value_name = "FILE")]
    pub reports: Vec<PathBuf>,
    /// Run it even where a good result could be cited
    #[arg(long)]
    pub fresh: bool,
    /// What to show of the output: live (as at a terminal), tail (the last 60 lines, when red) or
    /// none
    #[arg(long, value_name = "WHAT", value_enum)]
    pub show: Option<Show>,
    /// Exit as the command did; 128 and its number for a signal
    #[arg(long)]
    pub exit_code: bool,
    /// The command to run, word by word
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = ["names", "due"])]
    pub command: Vec<OsString>,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(self.show);
        let ctx = session.context(&watch)?;
        let request = Request {
            names: self.names,
            tasks: self.task.into_iter().collect(),
            gates: self.gates,
            accept: self.acceptance,
            expect_fail: self.expect == Expectation::Fail,
            timeout: self.timeout,
            reports: self
                .reports
                .iter()
                .map(|path| value::byte_text(path.as_os_str()))
                .collect(),
            fresh: self.fresh,
            argv: value::byte_words(&self.command),
        };
        let done = porcelain::check::run(&ctx, &request)?;
        match done.checks.as_slice() {
            [one] => session.out.tell(one)?,
            _ => session.out.tell(&done)?,
        }
        if self.exit_code {
            return Ok(exit_code_of(&done));
        }
        Ok(Status::of(done.met))
    }
}

/// The first command's own exit code that is not 0; a signal is 128 and its number.
fn exit_code_of(done: &Outcome) -> Status {
    done.checks
        .iter()
        .map(|check| {
            check
                .exit_code
                .or(check.signal.map(|signal| 128 + signal))
                .unwrap_or(1)
        })
        .find(|code| *code != 0)
        .map_or(Status::of(done.met), |code| {
            Status(u8::try_from(code).unwrap_or(1))
        })
}
