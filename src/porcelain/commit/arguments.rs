//! What may be handed on to `git commit`: nothing that changes which content is committed,
//! and none of the trailers that are ours to write.

use crate::{
    diagnostic::Code,
    porcelain::{Error, error::refuse, milestone},
};
use std::{ffi::OsString, os::unix::ffi::OsStrExt as _};

/// Options that choose what is committed: git would take other content than what was tested.
const CHOOSING: &[&str] = &[
    "--all",
    "--include",
    "--interactive",
    "--only",
    "--patch",
    "--pathspec-file-nul",
    "--pathspec-from-file",
];

/// The same as letters, also within a cluster such as `-sa`.
const CHOOSING_LETTERS: &[u8] = b"aiop";

/// Options whose value is the next word.
const VALUED: &[&str] = &[
    "-C",
    "-F",
    "-c",
    "-m",
    "-t",
    "--author",
    "--cleanup",
    "--date",
    "--file",
    "--fixup",
    "--message",
    "--reedit-message",
    "--reuse-message",
    "--squash",
    "--template",
    "--trailer",
];

/// Letters that take the rest of their word, or the next one, as a value.
const VALUED_LETTERS: &[u8] = b"CFcmtSu";

/// Refuses words that would commit something else than what is tested.
pub(in crate::porcelain) fn refuse_choosing(words: &[OsString]) -> Result<(), Error> {
    let mut value = false;
    for word in words {
        let text = word.to_string_lossy();
        if std::mem::take(&mut value) {
            refuse_own_trailer(&text)?;
            continue;
        }
        if let Some(trailer) = text.strip_prefix("--trailer=") {
            refuse_own_trailer(trailer)?;
        }
        let name = text.split('=').next().unwrap_or_default();
        if !text.starts_with('-') || text == "--" || CHOOSING.contains(&name) || clusters(word) {
            return Err(refuse(
                Code::Usage,
                format!("{text} would make git commit other content than what is tested"),
            )
            .detail("word", text.as_ref())
            .hint(
                "stage what belongs to the commit, put the rest aside, then",
                &["git", "rapid", "commit"],
            )
            .into());
        }
        value = VALUED.contains(&text.as_ref());
    }
    Ok(())
}

/// Whether a cluster of letters holds one that chooses content.
fn clusters(word: &OsString) -> bool {
    let Some(letters) = word.as_bytes().strip_prefix(b"-") else {
        return false;
    };
    letters
        .iter()
        .take_while(|letter| !VALUED_LETTERS.contains(letter) && **letter != b'-')
        .any(|letter| CHOOSING_LETTERS.contains(letter))
}

fn refuse_own_trailer(trailer: &str) -> Result<(), Error> {
    let name = trailer.split([':', '=']).next().unwrap_or_default().trim();
    let ours = [
        milestone::RUN_TRAILER,
        milestone::TASK_TRAILER,
        milestone::VERIFIED_TRAILER,
    ];
    if !ours.iter().any(|own| own.eq_ignore_ascii_case(name)) {
        return Ok(());
    }
    Err(refuse(
        Code::Usage,
        format!("the trailer {name} is written by git rapid alone"),
    )
    .detail("trailer", name)
    .advice("leave it out")
    .into())
}
