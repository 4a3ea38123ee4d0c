//! What git is in the middle of.

use super::{Error, Repository};
use crate::domain::oid::{CommitId, Oid};

impl Repository {
    /// The commits that an unfinished merge brings in: the lines of `MERGE_HEAD`.
    pub fn merge_heads(&self) -> Result<Vec<CommitId>, Error> {
        let path = self.git_dir().join("MERGE_HEAD");
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok(text
                .lines()
                .filter_map(Oid::from_hex)
                .map(CommitId)
                .collect()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(source) => Err(Error::Io {
                doing: "cannot read",
                path,
                source,
            }),
        }
    }
}
