//! What every verb is handed: the repository, who calls, and where output goes.

use crate::{check::Interrupt, conductor::Lang, domain::person::Caller, git::Repository};
use std::{cell::LazyCell, ffi::OsString, path::PathBuf};

/// Who calls, found out when a verb asks.
pub type LazyCaller = LazyCell<Caller, Box<dyn FnOnce() -> Caller>>;

/// Built once by the command line; nothing below reads the environment or the clock.
pub struct Context<'a> {
    /// The repository, opened where the caller stands.
    pub repo: Repository,
    /// Where the caller stands, absolute.
    pub cwd: PathBuf,
    /// The environment as it came in.
    pub environment: Vec<(OsString, OsString)>,
    /// The facts by which a person is told from a program, gathered for verbs that ask.
    pub caller: LazyCaller,
    /// The coding agent whose marker is set.
    pub agent: Option<String>,
    /// The CI system whose marker is set.
    pub ci: Option<String>,
    /// The reader's language.
    pub lang: Lang,
    /// The run named with `--run`.
    pub run: Option<String>,
    /// This program's own file.
    pub executable: Option<PathBuf>,
    /// Set when the user wants to stop.
    pub interrupt: Interrupt,
    /// Who watches what takes long.
    pub watch: &'a dyn Watch,
}

/// Someone who watches a verb at work.
pub trait Watch {
    /// A command is about to run.
    fn started(&self, command: &str, why: &str);
    /// It printed something.
    fn output(&self, bytes: &[u8]);
    /// It ended; `log` is the kept output, `red` whether it did not do what it should.
    fn ended(&self, log: &[u8], red: bool);
    /// Something worth saying that is no failure.
    fn note(&self, text: &str);
}
