//! Lock files of others: looked at, waited for, never removed. What a killed process of ours
//! left is the business of `lock_owner`.

use super::Error;
use std::path::Path;

/// The error that says how long the lock at `path` has been held; `None` when it is free.
pub(super) fn held(path: &Path) -> Option<Error> {
    let metadata = std::fs::symlink_metadata(path).ok()?;
    let seconds = metadata
        .modified()
        .ok()
        .and_then(|time| time.elapsed().ok())
        .map_or(0, |age| age.as_secs());
    Some(Error::Locked {
        path: path.to_owned(),
        seconds,
    })
}
