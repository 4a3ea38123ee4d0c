//! `init`: gives this clone its writer id, and says what the loop will use. Nothing of the
//! loop needs it; safe to run again.

use super::{Context, Error};
use crate::{
    domain::{bytes::ByteText, id::WriterId},
    ledger::Ledger,
};

/// What `init` found and made.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// This clone's id.
    pub writer: WriterId,
    /// Whether it was made just now.
    pub fresh: bool,
    /// The project's test command and where it was found.
    pub test_command: Option<(Vec<ByteText>, String)>,
    /// Runs in this ledger.
    pub runs: usize,
}

/// Prepares the clone.
pub fn run(ctx: &Context<'_>) -> Result<Outcome, Error> {
    let ledger = Ledger::new(&ctx.repo);
    let fresh = ctx.repo.config("rapid.writer").is_none();
    let writer = ledger.writer()?;
    let test_command = if ctx.repo.work_dir().is_ok() {
        super::start::project_check(&ctx.repo)?
    } else {
        None
    };
    Ok(Outcome {
        writer,
        fresh,
        test_command,
        runs: ledger.runs()?.len(),
    })
}
