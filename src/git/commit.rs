//! Commits: read as leniently as git reads them, written as git writes them.
//!
//! Real histories hold commits with dates that nobody can read and headers that nobody
//! knows. Only a commit without a tree is none.

use super::{Error, Identity, Repository, object::to_gix};
use crate::domain::{
    bytes::ByteText,
    oid::{CommitId, Oid, TreeId},
};
use gix::{
    bstr::ByteSlice,
    objs::{self, Kind, WriteTo as _},
};

/// A commit, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitData {
    /// Its tree.
    pub tree: TreeId,
    /// Its parents.
    pub parents: Vec<CommitId>,
    /// `Name <address>` of the author.
    pub author: ByteText,
    /// Seconds since 1970 of the committer.
    pub seconds: i64,
    /// The message.
    pub message: ByteText,
    /// Whether it carries a signature.
    pub signed: bool,
}

/// A commit to write. It moves no ref.
#[derive(Clone, Debug)]
pub struct NewCommit<'a> {
    /// Its tree.
    pub tree: TreeId,
    /// Its parents.
    pub parents: &'a [CommitId],
    /// Author and committer.
    pub identity: &'a Identity,
    /// The message.
    pub message: &'a str,
}

impl Repository {
    /// A commit.
    pub fn read_commit(&self, commit: CommitId) -> Result<CommitData, Error> {
        let bytes = self.read(commit.0, Kind::Commit, "commit")?;
        parse(&bytes, self.object_format()).ok_or(Error::BadObject {
            oid: commit.0,
            wanted: "commit",
        })
    }

    /// Writes a commit.
    pub fn write_commit(&self, commit: &NewCommit<'_>) -> Result<CommitId, Error> {
        let who = commit.identity.actor();
        let object = objs::Commit {
            tree: to_gix(commit.tree.0),
            parents: commit.parents.iter().map(|id| to_gix(id.0)).collect(),
            author: who.clone(),
            committer: who,
            encoding: None,
            message: commit.message.into(),
            extra_headers: Vec::new(),
        };
        let mut bytes = Vec::new();
        object
            .write_to(&mut bytes)
            .map_err(|source| Error::io("cannot write", "a commit", source))?;
        self.write_object(Kind::Commit, &bytes).map(CommitId)
    }
}

/// `None` when the tree, a parent or the blank line before the message is not readable.
pub(super) fn parse(bytes: &[u8], algorithm: &str) -> Option<CommitData> {
    let (headers, message) = match bytes.split_once_str("\n\n") {
        Some((headers, message)) => (headers, message),
        // A commit without a message may end with its headers.
        None => (bytes.strip_suffix(b"\n")?, &b""[..]),
    };
    let id = |hex: &[u8]| {
        Oid::from_hex(std::str::from_utf8(hex).ok()?).filter(|oid| oid.algorithm() == algorithm)
    };
    let mut lines = headers.split(|byte| *byte == b'\n');
    let tree = TreeId(id(lines.next()?.strip_prefix(b"tree ")?)?);
    let mut data = CommitData {
        tree,
        parents: Vec::new(),
        author: ByteText::default(),
        seconds: 0,
        message: ByteText(message.to_vec()),
        signed: false,
    };
    for line in lines {
        // A line that starts with a space goes on with the header before it.
        let (name, value) = line.split_once_str(" ").unwrap_or((line, b""));
        match name {
            b"parent" => data.parents.push(CommitId(id(value)?)),
            b"author" if data.author.0.is_empty() => {
                let end = value.rfind_byte(b'>').map_or(value.len(), |end| end + 1);
                data.author = ByteText(value.get(..end)?.to_vec());
            }
            b"committer" => data.seconds = seconds(value),
            b"gpgsig" | b"gpgsig-sha256" => data.signed = true,
            _ => {}
        }
    }
    Some(data)
}

/// The date behind `Name <address>`; 0 when nobody can read it, as in git. No decision
/// leans on a clock, so this is no damage.
fn seconds(line: &[u8]) -> i64 {
    let date = line
        .rfind_byte(b'>')
        .and_then(|end| line.get(end + 1..))
        .unwrap_or_default();
    std::str::from_utf8(date)
        .ok()
        .and_then(|date| date.split_whitespace().next())
        .and_then(|seconds| seconds.parse().ok())
        .unwrap_or(0)
}
