//! `git rapid approve`: the arguments and what becomes of them.

use crate::cli::{Status, failure::Failure, session::Session};
use crate::domain::id::GateId;
use crate::domain::vocabulary::Outcome;
use crate::porcelain::{self, approve::Request};

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Gates to speak to, such as gate.review; without one, all that wait
    #[arg(value_name = "GATE")]
    pub gates: Vec<GateId>,
    /// No: this change is not wanted
    #[arg(long, group = "answer")]
    pub reject: bool,
    /// Not yet: the work goes on, with the reason as the reviewer's words
    #[arg(long, group = "answer")]
    pub request_changes: bool,
    /// Do without the gate, with a reason: PASS_WITH_WAIVERS at best
    #[arg(long, group = "answer")]
    pub waive: bool,
    /// Accept a pinned test command whose output cannot be counted
    #[arg(long, group = "answer", conflicts_with = "gates")]
    pub test_command: bool,
    /// Your words
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Judge this commit's tree: for a reviewer in another clone
    #[arg(long, value_name = "REV")]
    pub commit: Option<String>,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let watch = session.progress(None);
        let ctx = session.context(&watch)?;
        let say = match (self.reject, self.request_changes, self.waive) {
            (true, ..) => Outcome::Rejected,
            (_, true, _) => Outcome::ChangesRequested,
            (.., true) => Outcome::Waived,
            _ => Outcome::Approved,
        };
        let request = Request {
            gates: self.gates,
            say,
            reason: self.reason,
            commit: self.commit,
            test_command: self.test_command,
        };
        let prepared = porcelain::approve::prepare(&ctx, &request)?;
        let typed = session.ask(&prepared.screen, &prepared.phrase)?;
        let done = porcelain::approve::record(&ctx, &request, &prepared, &typed)?;
        session.out.tell(&done)?;
        Ok(Status::DONE)
    }
}
