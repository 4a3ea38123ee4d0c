//! What lies in a stream's tree: `records`, `artifacts`, `subject`, and nothing else.

use super::{Error, Ledger, record_file::RECORDS, record_file::RecordName};
use crate::{
    domain::{
        canonical::BadJson,
        digest::Digest,
        oid::{Oid, TreeId},
        record::Record,
    },
    git::{EntryKind, TreeEntry},
};

/// The folder of files kept by their content.
pub(super) const ARTIFACTS: &str = "artifacts";
/// The folder of judged trees.
pub(super) const SUBJECT: &str = "subject";

/// A record's file, not yet read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RecordFile {
    /// What its name says.
    pub(super) name: RecordName,
    /// Its blob.
    pub(super) blob: Oid,
}

/// Where an artifact lies: `artifacts/<2 hex>/<64 hex>`.
pub(super) fn artifact_path(digest: &Digest) -> String {
    let hex = digest.hex();
    format!("{ARTIFACTS}/{}/{hex}", &hex[..2])
}

/// Where a judged tree lies: `subject/<bare hex>`.
pub(super) fn subject_path(tree: &TreeId) -> String {
    format!("{SUBJECT}/{}", tree.hex())
}

/// The bytes of a record's file.
pub(super) fn file_bytes(record: &Record) -> Vec<u8> {
    let mut bytes = record.canonical_bytes();
    bytes.push(b'\n');
    bytes
}

/// Reads the bytes of a record's file: canonical JSON and one newline.
pub(super) fn read_file_bytes(bytes: &[u8]) -> Result<Record, BadJson> {
    let line = bytes
        .strip_suffix(b"\n")
        .ok_or_else(|| BadJson::Shape("the file does not end in a newline".into()))?;
    Record::read(line)
}

impl Ledger<'_> {
    /// The record files of a stream's tree, by (`seq`, digest). Refuses what does not
    /// belong: other names, other modes, other folders.
    pub(super) fn record_files(
        &self,
        stream: &str,
        tree: TreeId,
    ) -> Result<Vec<RecordFile>, Error> {
        let foreign = |file: String| Error::ForeignFile {
            stream: stream.to_owned(),
            file,
        };
        let mut files = Vec::new();
        for root in self.repo.read_tree(tree)? {
            let known = [RECORDS, ARTIFACTS, SUBJECT]
                .iter()
                .any(|name| root.name == name.as_bytes());
            if !known || root.kind != EntryKind::Tree {
                return Err(foreign(lossy(&[&root.name])));
            }
            if root.name != RECORDS.as_bytes() {
                continue;
            }
            for folder in self.repo.read_tree(TreeId(root.oid))? {
                if folder.kind != EntryKind::Tree {
                    return Err(foreign(lossy(&[&root.name, &folder.name])));
                }
                for file in self.repo.read_tree(TreeId(folder.oid))? {
                    files.push(
                        record_file(&folder, &file).ok_or_else(|| {
                            foreign(lossy(&[&root.name, &folder.name, &file.name]))
                        })?,
                    );
                }
            }
        }
        files.sort();
        Ok(files)
    }

    /// Reads one record's file and holds it against its name.
    pub(super) fn read_record(&self, stream: &str, file: &RecordFile) -> Result<Record, Error> {
        let bad = |source: BadJson| Error::BadRecord {
            stream: stream.to_owned(),
            file: file.name.path(),
            source,
        };
        let record = read_file_bytes(&self.repo.read_blob(file.blob)?).map_err(bad)?;
        if RecordName::of(&record) != file.name {
            return Err(bad(BadJson::Shape(
                "its name does not agree with its seq, digest or type".into(),
            )));
        }
        Ok(record)
    }
}

fn record_file(folder: &TreeEntry, file: &TreeEntry) -> Option<RecordFile> {
    let path = [RECORDS.as_bytes(), &folder.name, &file.name].join(&b'/');
    let name = RecordName::parse(&path)?;
    (file.kind == EntryKind::File).then_some(RecordFile {
        name,
        blob: file.oid,
    })
}

fn lossy(parts: &[&[u8]]) -> String {
    String::from_utf8_lossy(&parts.join(&b'/')).into_owned()
}
