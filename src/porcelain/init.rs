//! `init`: gives this clone its writer id and its hooks, and says what the loop will use.
//! Nothing of the loop needs it; safe to run again.

use super::{
    Context, Error,
    hooks::{self, Installed},
    status::Hooks,
};
use crate::{
    domain::{bytes::ByteText, id::WriterId},
    ledger::Ledger,
};

/// What the user asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Leave the hooks as they are.
    pub no_hooks: bool,
}

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
    /// The hooks that were installed; `None` when they were not asked for, or there is no
    /// working tree in which anything could be committed.
    pub installed: Option<Installed>,
    /// Whether commits are guarded now.
    pub hooks: Hooks,
}

/// Prepares the clone.
pub fn run(ctx: &Context<'_>, request: Request) -> Result<Outcome, Error> {
    let ledger = Ledger::new(&ctx.repo);
    let here = ctx.repo.work_dir().is_ok();
    // First what may be refused, so that a refusal leaves nothing half done.
    let installed = if request.no_hooks || !here {
        None
    } else {
        Some(hooks::install(&ctx.repo, ctx.executable.as_deref())?)
    };
    let fresh = ctx.repo.config("rapid.writer").is_none();
    let writer = ledger.writer()?;
    let test_command = if here {
        super::start::project_check(&ctx.repo)?
    } else {
        None
    };
    Ok(Outcome {
        writer,
        fresh,
        test_command,
        runs: ledger.runs()?.len(),
        installed,
        hooks: hooks::state(&ctx.repo)?,
    })
}

/// Takes the hooks back. The ledger and this clone's id stay.
pub fn uninstall(ctx: &Context<'_>) -> Result<Installed, Error> {
    hooks::uninstall(&ctx.repo)
}
