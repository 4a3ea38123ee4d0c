//! Git config: read through gix, written through git.

use super::{Error, Repository};
use crate::domain::bytes::ByteText;

impl Repository {
    /// A value, e.g. `rapid.testCommand`; the last one wins.
    pub fn config(&self, key: &str) -> Option<ByteText> {
        let _ = key;
        todo!()
    }

    /// A boolean value, as git reads booleans.
    pub fn config_bool(&self, key: &str) -> Option<bool> {
        let _ = key;
        todo!()
    }

    /// Sets a value in this repository's own config (`git config --local`). Bounded
    /// retry when another process holds the lock.
    pub fn set_config(&self, key: &str, value: &str) -> Result<(), Error> {
        let _ = (key, value);
        todo!()
    }
}
