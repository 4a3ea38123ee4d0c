//! Which file a command's first word names, found as a shell finds it.
//!
//! Looked up in the environment and folder of the child, not in ours.

use super::Command;
use rustix::fs::{Access, access};
use std::{
    ffi::{OsStr, OsString},
    io::Read,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

/// Where programs are looked for when the environment names no `PATH`.
const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// What a text file lacks that is to be run without a shell.
pub(super) const NO_INTERPRETER: &str =
    "it is neither a program nor a script that names its interpreter (#!)";

/// Why there is no program to start.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoProgram {
    /// Nothing of that name.
    NotFound,
    /// Something of that name that may not be run: the file, and why.
    NotExecutable(PathBuf, &'static str),
}

/// The file that the first word names. `cwd` is absolute.
pub(super) fn find(command: &Command, cwd: &Path) -> Result<PathBuf, NoProgram> {
    let word = match command.argv.first() {
        Some(word) if !word.0.is_empty() => OsStr::from_bytes(&word.0),
        _ => return Err(NoProgram::NotFound),
    };
    if word.as_bytes().contains(&b'/') {
        return usable(cwd.join(word));
    }
    let path = command
        .environment
        .iter()
        .rev()
        .find(|(name, _)| name == "PATH")
        .map_or_else(|| OsString::from(DEFAULT_PATH), |(_, value)| value.clone());
    let mut refused = NoProgram::NotFound;
    for folder in path.into_vec().split(|byte| *byte == b':') {
        // An empty entry is the current folder, as in a shell.
        let candidate = cwd.join(OsStr::from_bytes(folder)).join(word);
        match usable(candidate) {
            Ok(program) => return Ok(program),
            Err(NoProgram::NotFound) => {}
            Err(other) if refused == NoProgram::NotFound => refused = other,
            Err(_) => {}
        }
    }
    Err(refused)
}

fn usable(candidate: PathBuf) -> Result<PathBuf, NoProgram> {
    match std::fs::metadata(&candidate) {
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            Err(NoProgram::NotExecutable(candidate, "permission denied"))
        }
        Err(_) => Err(NoProgram::NotFound),
        Ok(found) if found.is_dir() => {
            Err(NoProgram::NotExecutable(candidate, "it is a directory"))
        }
        Ok(_) if access(&candidate, Access::EXEC_OK).is_err() => {
            Err(NoProgram::NotExecutable(candidate, "permission denied"))
        }
        // Some C libraries would quietly give it to `sh`, others would not.
        Ok(found) if found.is_file() && is_plain_text(&candidate) => {
            Err(NoProgram::NotExecutable(candidate, NO_INTERPRETER))
        }
        Ok(_) => Ok(candidate),
    }
}

/// Whether it is neither a script with `#!` nor binary. What cannot be read is left to
/// the system.
fn is_plain_text(file: &Path) -> bool {
    let mut start = Vec::new();
    std::fs::File::open(file)
        .and_then(|opened| opened.take(128).read_to_end(&mut start))
        .is_ok_and(|_| !start.starts_with(b"#!") && !start.contains(&0))
}
