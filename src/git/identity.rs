//! Who commits, as git knows them.

use super::{Error, Repository};
use crate::domain::bytes::ByteText;

/// A name, an address and a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The name.
    pub name: ByteText,
    /// The address.
    pub email: ByteText,
    /// Seconds since 1970.
    pub seconds: i64,
    /// Offset from UTC in seconds.
    pub offset: i32,
}

impl Repository {
    /// The committer as git would write it: `GIT_COMMITTER_*`, then config; the moment
    /// from `GIT_COMMITTER_DATE` or the clock. Without a name, git's own advice.
    pub fn committer(&self) -> Result<Identity, Error> {
        todo!()
    }
}

impl Identity {
    /// `Name <address>`.
    pub fn signature(&self) -> ByteText {
        let mut text = self.name.0.clone();
        text.extend_from_slice(b" <");
        text.extend_from_slice(&self.email.0);
        text.push(b'>');
        ByteText(text)
    }
}
