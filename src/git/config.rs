//! Git config: read through gix, written through git.

use super::{Error, GitProcess, Repository};
use crate::domain::bytes::ByteText;
use std::{thread, time::Duration};

/// How often a held `config.lock` is waited for, and how long each time.
const LOCK_TRIES: u32 = 8;
const LOCK_WAIT: Duration = Duration::from_millis(50);

/// `git config` exits with this when it cannot lock the file.
const CANNOT_LOCK: i32 = 255;

/// A whole number as git config writes them: decimal, with `k`, `m` or `g` behind it.
pub fn parse_number(text: &[u8]) -> Option<i64> {
    gix::config::Integer::try_from(gix::bstr::BString::from(text))
        .ok()?
        .to_decimal()
}

impl Repository {
    /// A value, e.g. `rapid.testCommand`; the last one wins. What this handle has set is
    /// seen, what others set after it was opened is not. A key without `=` has no value.
    pub fn config(&self, key: &str) -> Option<ByteText> {
        self.set_here(key).or_else(|| {
            let found = self.inner.config_snapshot().string(key)?;
            Some(ByteText(found.to_vec()))
        })
    }

    /// A boolean value, as git reads booleans; `None` when absent or not a boolean.
    pub fn config_bool(&self, key: &str) -> Option<bool> {
        match self.set_here(key) {
            Some(value) => gix::config::Boolean::try_from(gix::bstr::BString::from(value.0))
                .ok()
                .map(|value| value.0),
            None => self.inner.config_snapshot().try_boolean(key).ok().flatten(),
        }
    }

    /// Sets a value in this repository's own config (`git config --local`). Bounded
    /// retry when another process holds the lock.
    pub fn set_config(&self, key: &str, value: &str) -> Result<(), Error> {
        let git = GitProcess::new(self, ["config", "--local", "--replace-all", key, value]);
        let mut tries = LOCK_TRIES;
        loop {
            let output = git.any_output()?;
            match output.code {
                Some(0) => break,
                Some(CANNOT_LOCK) => {
                    let path = self.common_dir().join("config.lock");
                    // Whoever held it may have let go since: that is no reason to give up.
                    if tries > 0 {
                        tries -= 1;
                        thread::sleep(LOCK_WAIT);
                    } else {
                        return Err(super::lock::held(&path).unwrap_or_else(|| git.failed(&output)));
                    }
                }
                _ => return Err(git.failed(&output)),
            }
        }
        self.written
            .borrow_mut()
            .push((key.to_owned(), value.to_owned()));
        Ok(())
    }

    fn set_here(&self, key: &str) -> Option<ByteText> {
        self.written
            .borrow()
            .iter()
            .rev()
            .find(|(written, _)| written.eq_ignore_ascii_case(key))
            .map(|(_, value)| value.as_str().into())
    }
}
