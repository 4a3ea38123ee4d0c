//! Files kept in a stream by their content: `artifacts/<2 hex>/<sha256>`.

use super::{Error, Ledger, StreamName, tree::artifact_path};
use crate::{
    domain::{
        digest::Digest,
        oid::{CommitId, TreeId},
    },
    git::EntryKind,
};

impl Ledger<'_> {
    /// An artifact's bytes; the digest is recomputed. A run whose ref is gone is read at
    /// the commit that a journal sealed.
    pub fn artifact(&self, stream: &StreamName, digest: Digest) -> Result<Vec<u8>, Error> {
        let tip = self.tip_or_seal(stream)?;
        let bytes = self
            .stored_artifact(self.repo.tree_of(tip)?, &digest)?
            .ok_or_else(|| Error::NoArtifact {
                stream: stream.ref_name(),
                digest,
            })?;
        if Digest::of(&bytes) != digest {
            return Err(Error::BadArtifact {
                stream: stream.ref_name(),
                digest,
            });
        }
        Ok(bytes)
    }

    /// The bytes that lie in a tree under the name of `digest`, whatever they are.
    pub(super) fn stored_artifact(
        &self,
        tree: TreeId,
        digest: &Digest,
    ) -> Result<Option<Vec<u8>>, Error> {
        match self.repo.entry_at(tree, artifact_path(digest).as_bytes())? {
            Some(entry) if entry.kind == EntryKind::File => {
                Ok(Some(self.repo.read_blob(entry.oid)?))
            }
            _ => Ok(None),
        }
    }

    fn tip_or_seal(&self, stream: &StreamName) -> Result<CommitId, Error> {
        if let Some(tip) = self.tip(stream)? {
            return Ok(tip);
        }
        let sealed = match stream {
            StreamName::Run(id) => self.sealed_as(id)?,
            _ => None,
        };
        sealed
            .map(|sealed| sealed.tip)
            .ok_or_else(|| Error::NoStream {
                stream: stream.ref_name(),
            })
    }
}
