//! The script that git calls: made from `hooks/shim.sh`, recognised by its second line.

use std::{
    ffi::OsStr,
    io::Read as _,
    os::unix::ffi::{OsStrExt as _, OsStringExt as _},
    path::{Path, PathBuf},
};

/// The script with two marks in it.
const TEMPLATE: &str = include_str!("../../../hooks/shim.sh");

/// How each of ours begins, of any version.
const BEGINNING: &[u8] = b"#!/bin/sh\n# git-rapid hook:";

/// How the line begins that says which program it starts.
const PROGRAM: &[u8] = b"\nprogram=";

/// The script for a hook that starts `program`, or the one in `PATH` when there is none.
pub(super) fn text(hook: &str, program: Option<&Path>) -> Vec<u8> {
    let program = program.map_or(&b""[..], |path| path.as_os_str().as_bytes());
    let with_hook = TEMPLATE.replace("@HOOK@", hook);
    let (before, after) = with_hook
        .split_once("@PROGRAM@")
        .expect("the template has the mark");
    [before.as_bytes(), &quoted(program), after.as_bytes()].concat()
}

/// Whether the file is one of ours.
pub(super) fn is_ours(path: &Path) -> bool {
    let Ok(file) = std::fs::File::open(path) else {
        return false;
    };
    let mut start = Vec::new();
    let length = BEGINNING.len() as u64;
    file.take(length).read_to_end(&mut start).is_ok() && start == BEGINNING
}

/// Whether the program that one of ours names can be started. One that names none relies on
/// `PATH`, of which nothing can be said here.
pub(super) fn program_is_there(path: &Path) -> bool {
    let Ok(bytes) = std::fs::read(path) else {
        return false;
    };
    let Some(at) = bytes
        .windows(PROGRAM.len())
        .position(|part| part == PROGRAM)
    else {
        return false;
    };
    let rest = &bytes[at + PROGRAM.len()..];
    let Some(program) = unquoted(rest) else {
        return false;
    };
    program.as_os_str().is_empty() || super::install::is_executable(&program)
}

/// `it's` → `'it'\''s'`.
fn quoted(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![b'\''];
    for byte in bytes {
        match byte {
            b'\'' => out.extend_from_slice(br"'\''"),
            byte => out.push(*byte),
        }
    }
    out.push(b'\'');
    out
}

fn unquoted(text: &[u8]) -> Option<PathBuf> {
    let mut out = Vec::new();
    let mut rest = text.strip_prefix(b"'")?;
    loop {
        let end = rest.iter().position(|byte| *byte == b'\'')?;
        out.extend_from_slice(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix(br"\''") {
            Some(more) => {
                out.push(b'\'');
                rest = more;
            }
            None => return Some(PathBuf::from(std::ffi::OsString::from_vec(out))),
        }
    }
}

/// A path of hooks as a person types it.
pub(super) fn shown(path: &Path) -> String {
    OsStr::to_string_lossy(path.as_os_str()).into_owned()
}
