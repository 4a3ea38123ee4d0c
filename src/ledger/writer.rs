//! This clone's id: the name of its journal.
//!
//! It lives in git config (`rapid.writer`), where a person can see it. Two processes that
//! both find none settle it with a file in the common directory that only one of them can
//! make; both then take what that file says.

use super::{Error, Ledger, random::random};
use crate::{
    domain::{digest::hex, id::WriterId},
    git,
};
use std::{fs, io, io::Write, path::PathBuf};

const KEY: &str = "rapid.writer";

impl Ledger<'_> {
    /// This clone's id (`rapid.writer`), made and stored on first use.
    pub fn writer(&self) -> Result<WriterId, Error> {
        if let Some(known) = self.configured_writer()? {
            return Ok(known);
        }
        let made = match self.settled_writer()? {
            Some(settled) => settled,
            None => self.settle_writer()?,
        };
        self.repo
            .set_config(KEY, made.as_str())
            .map_err(Error::writing)?;
        Ok(made)
    }

    /// This clone's id, if it has one; makes none.
    pub(super) fn known_writer(&self) -> Result<Option<WriterId>, Error> {
        match self.configured_writer()? {
            Some(known) => Ok(Some(known)),
            None => self.settled_writer(),
        }
    }

    fn configured_writer(&self) -> Result<Option<WriterId>, Error> {
        self.repo
            .config(KEY)
            .map(|text| {
                text.lossy().parse().map_err(|_| Error::BadWriter {
                    text: text.lossy().into_owned(),
                })
            })
            .transpose()
    }

    /// What the file says; a file that says nothing (its writer was killed on a file system
    /// that lost the content) counts as none.
    fn settled_writer(&self) -> Result<Option<WriterId>, Error> {
        match fs::read_to_string(self.writer_file()) {
            Ok(text) => Ok(text.trim().parse().ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(self.io("cannot read", source)),
        }
    }

    fn settle_writer(&self) -> Result<WriterId, Error> {
        let path = self.writer_file();
        let dir = self.repo.common_dir().join("rapid");
        let made = hex(&random::<8>());
        let attempt = || -> io::Result<()> {
            fs::create_dir_all(&dir)?;
            let mut file = tempfile::NamedTempFile::new_in(&dir)?;
            writeln!(file, "{made}")?;
            match file.persist_noclobber(&path) {
                Ok(_) => Ok(()),
                Err(lost) if lost.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
                Err(failed) => Err(failed.error),
            }
        };
        attempt().map_err(|source| Error::writing(self.io_git("cannot write", source)))?;
        match self.settled_writer()? {
            Some(settled) => Ok(settled),
            None => {
                // What lies there is no id: nobody can have taken it for one.
                fs::write(&path, format!("{made}\n"))
                    .map_err(|source| Error::writing(self.io_git("cannot write", source)))?;
                self.settled_writer()?.ok_or_else(|| Error::BadWriter {
                    text: String::new(),
                })
            }
        }
    }

    fn writer_file(&self) -> PathBuf {
        self.repo.common_dir().join("rapid/writer")
    }

    fn io(&self, doing: &'static str, source: io::Error) -> Error {
        self.io_git(doing, source).into()
    }

    fn io_git(&self, doing: &'static str, source: io::Error) -> git::Error {
        git::Error::Io {
            doing,
            path: self.writer_file(),
            source,
        }
    }
}
