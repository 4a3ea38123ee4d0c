//! The version of the `git` program, remembered between processes.

use super::{Error, GitProcess, Repository, error::WRITING};
use std::{
    fs, io,
    io::Write as _,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

impl Repository {
    /// The version of the `git` program, e.g. `2.47.3`. Starts git once; cached in
    /// `<common>/rapid/cache/git-version`, keyed by the program's path, size and time.
    pub fn git_version(&self) -> Result<String, Error> {
        let cache = self.common_dir().join("rapid/cache/git-version");
        let key = self.git_program().and_then(|path| key_of(&path));
        if let Some(key) = &key
            && let Some(version) = remembered(&cache, key)
        {
            return Ok(version);
        }
        let git = GitProcess::new(self, ["--version"]);
        let output = git.output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let version = text
            .trim()
            .strip_prefix("git version ")
            .and_then(|rest| rest.split_whitespace().next())
            .ok_or_else(|| git.failed(&output))?
            .to_owned();
        if let Some(key) = key {
            // Where nothing may be written, git is asked again next time.
            let _ = remember(&cache, &format!("{key}\t{version}\n"));
        }
        Ok(version)
    }

    /// The first `git` in the caller's `PATH`.
    fn git_program(&self) -> Option<PathBuf> {
        let path = self.environment.get("PATH")?;
        std::env::split_paths(path)
            .map(|dir| dir.join("git"))
            .find(|file| file.is_file())
    }
}

fn key_of(program: &Path) -> Option<String> {
    let metadata = fs::metadata(program).ok()?;
    Some(format!(
        "{}\t{}\t{}.{:09}",
        program.to_str()?,
        metadata.size(),
        metadata.mtime(),
        metadata.mtime_nsec()
    ))
}

fn remembered(cache: &Path, key: &str) -> Option<String> {
    let text = fs::read_to_string(cache).ok()?;
    let version = text
        .strip_prefix(key)?
        .strip_prefix('\t')?
        .strip_suffix('\n')?;
    (!version.is_empty()).then(|| version.to_owned())
}

fn remember(cache: &Path, line: &str) -> Result<(), Error> {
    let dir = cache.parent().unwrap_or(cache);
    let write = || -> io::Result<()> {
        fs::create_dir_all(dir)?;
        let mut file = tempfile::NamedTempFile::new_in(dir)?;
        file.write_all(line.as_bytes())?;
        file.persist(cache)?;
        Ok(())
    };
    write().map_err(|source| Error::io(WRITING, cache, source))
}
