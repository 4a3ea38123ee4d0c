//! Starting the `git` program: never through a shell, never waiting for a prompt,
//! optional locks off, no variable of a calling hook unless it is asked for.

use super::{Error, Repository};
use std::{
    ffi::{OsStr, OsString},
    path::PathBuf,
};

/// A git command in the making.
#[derive(Debug)]
pub struct GitProcess {
    /// Arguments after `git`.
    pub args: Vec<OsString>,
    /// Where it runs.
    pub dir: PathBuf,
    /// Variables it gets besides the inherited ones.
    pub set: Vec<(OsString, OsString)>,
    /// Whether the hook's `GIT_*` variables stay (`git commit` called for the user).
    pub keep_git_env: bool,
    /// What it reads from standard input.
    pub stdin: Vec<u8>,
}

/// What it printed.
#[derive(Debug)]
pub struct GitOutput {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
}

/// The variables that tie a process to one repository (`git rev-parse --local-env-vars`),
/// and those by which `git -c` hands down config: never given to a checked command.
pub fn local_env_vars() -> &'static [&'static str] {
    todo!()
}

impl GitProcess {
    /// A command that runs in the working tree (or the git directory of a bare one).
    pub fn new(repo: &Repository, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        let _ = (
            repo,
            args.into_iter()
                .map(|arg| arg.as_ref().to_owned())
                .collect::<Vec<_>>(),
        );
        todo!()
    }

    /// Runs it and keeps what it prints; an error when it ends badly.
    pub fn output(&self) -> Result<GitOutput, Error> {
        todo!()
    }

    /// Runs it and keeps what it prints, however it ends.
    pub fn any_output(&self) -> Result<GitOutput, Error> {
        todo!()
    }

    /// Runs it on the caller's own standard streams; gives the exit code.
    pub fn attached(&self) -> Result<i32, Error> {
        todo!()
    }
}
