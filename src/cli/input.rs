//! Documents that come in as files or on standard input.

use super::{failure::Failure, session::Session};
use crate::diagnostic::Code;
use std::{
    io::{self, Read as _},
    path::Path,
};

/// The largest document that is read, in bytes.
const LIMIT: u64 = 1024 * 1024;

/// The bytes of a file; of standard input for `-`.
pub fn read(session: &Session, file: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let (name, read) = if file == Path::new("-") {
        (
            "standard input".to_owned(),
            io::stdin().take(LIMIT + 1).read_to_end(&mut bytes),
        )
    } else {
        let path = session.path(file);
        let read = std::fs::File::open(&path)
            .and_then(|file| file.take(LIMIT + 1).read_to_end(&mut bytes));
        (file.display().to_string(), read)
    };
    let unreadable = |error: io::Error| {
        Failure::new(Code::InputUnreadable, format!("cannot read {name}"))
            .cause(error.to_string())
            .detail("file", name.clone())
            .advice("name a file that can be read, or - for standard input")
    };
    read.map_err(unreadable)?;
    if bytes.len() as u64 > LIMIT {
        return Err(Failure::new(
            Code::InputInvalid,
            format!("{name} is larger than {LIMIT} bytes"),
        )
        .detail("file", name.clone())
        .detail("limit", LIMIT)
        .advice("keep what is large in files of its own"));
    }
    if bytes.is_empty() {
        return Err(Failure::new(Code::InputInvalid, format!("{name} is empty"))
            .detail("file", name.clone())
            .hint(
                "see the form of a spec",
                &["git", "rapid", "spec", "template"],
            ));
    }
    Ok(bytes)
}
