//! One file of the working tree as the blob that `git add` would store.
//!
//! Clean filters, end-of-line rules, `ident` and `working-tree-encoding` are gix's;
//! here is what makes a read trustworthy: a file that changes while it is read is read
//! again, and where gix cannot convert (an encoding it does not know, a filter that
//! fails) `git hash-object` is asked, which also knows when that is no failure.
//!
//! Deviation: a `.gitattributes` that is deleted on disk and still in the index has its
//! say here. In `git add -A` it has or has not, depending on which files git happens to
//! read before it takes the deletion into the index.

use super::{
    super::{Error, index::write_tree::NewObjects},
    view::View,
};
use gix::{
    bstr::BStr,
    filter::plumbing::{self, pipeline::CrlfRoundTripCheck, pipeline::convert::ToGitOutcome},
    index::{entry::Stat, fs::Metadata},
    objs::{Find, Kind},
    worktree::{Stack, stack::state::attributes::Source},
};
use std::{
    fs::File,
    io::{ErrorKind, Read},
    path::Path,
    sync::atomic::AtomicBool,
};

/// Blobs above this size are hashed in a stream and never held in memory. Later
/// questions about their lines are answered as for binary files, unless git stores them.
pub(super) const KEPT: u64 = 4 << 20;

/// What one thread may hold in memory of new blobs.
const KEPT_IN_ALL: usize = 128 << 20;

/// How often a file is read again before it counts as unsteady.
const TRIES: u32 = 5;

/// A blob.
pub(super) struct Blob {
    pub(super) id: gix::ObjectId,
    /// Its bytes, when they are few enough to keep.
    pub(super) data: Option<Vec<u8>>,
}

/// Why there is no blob.
pub(super) enum NoBlob {
    /// It is not there any more, or no longer of the same type: look again.
    Gone,
    /// It may not be read.
    Unreadable,
    /// It changed during every try.
    Unsteady,
    /// A filter that must succeed did not, or gix failed.
    Failed(Error),
}

/// Reads and converts. One per thread: filter processes are started when first needed
/// and end with it.
pub(super) struct Cleaner<'a> {
    repo: &'a gix::Repository,
    view: &'a View<'a>,
    pipeline: plumbing::Pipeline,
    attributes: Stack,
}

impl<'a> Cleaner<'a> {
    pub(super) fn new(repo: &'a gix::Repository, view: &'a View<'a>) -> Result<Self, Error> {
        let made = || -> gix::Result<Self> {
            let mut options = gix::filter::Pipeline::options(repo)?;
            // Whether a conversion could be undone is a question for `git add`, which
            // asks it; the id is the same.
            options.crlf_roundtrip_check = CrlfRoundTripCheck::Skip;
            let mut context = repo.command_context()?;
            context.worktree_dir = Some(view.root.to_owned());
            let attributes = repo.attributes_only(view.index, Source::WorktreeThenIdMapping)?;
            Ok(Self {
                repo,
                view,
                pipeline: plumbing::Pipeline::new(context, repo.object_hash(), options),
                attributes: attributes.detach(),
            })
        };
        made().map_err(|error| Error::gix("read filters and attributes", &error))
    }

    /// The blob of the regular file at `full`, which is `path` in the repository.
    pub(super) fn file(&mut self, path: &BStr, full: &Path) -> Result<Blob, NoBlob> {
        for _ in 0..TRIES {
            let file = File::open(full).map_err(no_blob)?;
            let before = Metadata::from_file(&file).map_err(no_blob)?;
            if !before.is_file() {
                return Err(NoBlob::Gone);
            }
            let blob = self.convert(path, file, before.len());
            let after = Metadata::from_path_no_follow(full).map_err(no_blob)?;
            // A short read is an error of the stream, and the file has changed too.
            if same(&before, &after) {
                return blob;
            }
        }
        Err(NoBlob::Unsteady)
    }

    /// The blob of the symlink at `full`: the text it holds.
    pub(super) fn link(&mut self, full: &Path) -> Result<Blob, NoBlob> {
        let target = match std::fs::read_link(full) {
            Ok(target) => target,
            Err(error) if error.kind() == ErrorKind::InvalidInput => return Err(NoBlob::Gone),
            Err(error) => return Err(no_blob(error)),
        };
        let data = gix::path::into_bstr(target.as_path())
            .map_err(|error| NoBlob::Failed(Error::gix("read a symlink", &error)))?;
        blob(self.repo, data.to_vec())
    }

    fn convert(&mut self, path: &BStr, file: File, len: u64) -> Result<Blob, NoBlob> {
        match self.convert_here(path, file, len) {
            Err(NoBlob::Failed(_)) => self.view.ask_git(path).map_err(NoBlob::Failed),
            other => other,
        }
    }

    fn convert_here(&mut self, path: &BStr, file: File, len: u64) -> Result<Blob, NoBlob> {
        let failed =
            |error: &gix::Error| NoBlob::Failed(Error::gix("convert a file for git", error));
        let rela = gix::path::from_bstr(path).map_err(|error| failed(&error))?;
        let platform = self
            .attributes
            .at_entry(path, None, &self.repo.objects)
            .map_err(no_blob)?;
        let (index, objects) = (self.view.index, &self.repo.objects);
        let outcome = self
            .pipeline
            .convert_to_git(
                file,
                &rela,
                &mut |_, attributes| {
                    platform.matching_attributes(attributes);
                },
                &mut |buf| {
                    let Some(entry) = index.entry_by_path(path) else {
                        return Ok(None);
                    };
                    // Not in this clone (a partial one): git takes that for "no CRLF".
                    let found = objects.try_find(&entry.id, buf)?;
                    Ok(found.filter(|object| object.kind == Kind::Blob).map(|_| ()))
                },
            )
            .map_err(|error| failed(&error))?;
        let mut data = Vec::new();
        match outcome {
            ToGitOutcome::Unchanged(mut file) if len > KEPT => {
                let id = gix::objs::compute_stream_hash(
                    self.repo.object_hash(),
                    Kind::Blob,
                    &mut file,
                    len,
                    &mut gix::progress::Discard,
                    &AtomicBool::new(false),
                )
                .map_err(|error| failed(&error))?;
                return Ok(Blob { id, data: None });
            }
            ToGitOutcome::Unchanged(mut file) => {
                data.reserve(usize::try_from(len).unwrap_or(0));
                file.read_to_end(&mut data).map_err(no_blob)?;
            }
            ToGitOutcome::Process(mut output) => {
                output.read_to_end(&mut data).map_err(|source| {
                    NoBlob::Failed(Error::io(
                        "cannot read what a filter makes of",
                        &*rela,
                        source,
                    ))
                })?;
            }
            ToGitOutcome::Buffer(buffer) => data.extend_from_slice(buffer),
        }
        blob(self.repo, data)
    }
}

fn blob(repo: &gix::Repository, data: Vec<u8>) -> Result<Blob, NoBlob> {
    let id = gix::objs::compute_hash(repo.object_hash(), Kind::Blob, &data)
        .map_err(|error| NoBlob::Failed(Error::gix("hash a file", &error)))?;
    let data = (data.len() as u64 <= KEPT).then_some(data);
    Ok(Blob { id, data })
}

fn same(before: &Metadata, after: &Metadata) -> bool {
    match (Stat::from_fs(before), Stat::from_fs(after)) {
        (Ok(before), Ok(after)) => before == after,
        _ => false,
    }
}

fn no_blob(error: std::io::Error) -> NoBlob {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => NoBlob::Gone,
        _ => NoBlob::Unreadable,
    }
}

impl NewObjects {
    /// Keeps a blob, or its id alone when it is large or there is much already.
    pub(super) fn keep(&mut self, blob: Blob) {
        self.bytes += blob.data.as_ref().map_or(0, Vec::len);
        let data = blob.data.filter(|_| self.bytes <= KEPT_IN_ALL);
        self.objects.push((Kind::Blob, blob.id, data));
    }
}
