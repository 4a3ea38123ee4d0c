//! Where git looks for hooks. Not here: what lies there, and what is put there.

use super::{Error, Repository, repository::normal};
use std::path::{Path, PathBuf};

impl Repository {
    /// The folder whose hooks git runs in this working tree, absolute: `core.hooksPath`, a
    /// relative one seen from the working tree's root as git sees it; else the one that all
    /// working trees share.
    pub fn hooks_dir(&self) -> Result<PathBuf, Error> {
        let config = self.inner.config_snapshot();
        let configured = config
            .trusted_path("core.hooksPath")
            .map_err(|error| Error::gix("read core.hooksPath", &error))?;
        let Some(configured) = configured else {
            return Ok(self.own_hooks_dir());
        };
        let from = self.inner.workdir().unwrap_or(self.git_dir());
        Ok(normal(&from.join(configured)))
    }

    /// The folder of this repository's hooks where nothing else is configured, absolute.
    pub fn own_hooks_dir(&self) -> PathBuf {
        normal(&self.common_dir().join("hooks"))
    }

    /// Whether `path` belongs to this repository: it lies in its git directory or in one of
    /// its working trees. Links on the way are followed as far as the path exists.
    pub fn holds(&self, path: &Path) -> Result<bool, Error> {
        let path = real_as_far_as_there(path);
        let others = self.worktrees()?;
        let mut roots = vec![self.common_dir()];
        roots.extend(self.inner.workdir());
        roots.extend(others.iter().map(|other| other.path.as_path()));
        Ok(roots
            .into_iter()
            .any(|root| path.starts_with(real_as_far_as_there(root))))
    }
}

fn real_as_far_as_there(path: &Path) -> PathBuf {
    let mut rest = Vec::new();
    let mut at = path;
    loop {
        if let Ok(real) = at.canonicalize() {
            return rest.iter().rev().fold(real, |real, name| real.join(name));
        }
        match (at.parent(), at.file_name()) {
            (Some(parent), Some(name)) => {
                rest.push(name);
                at = parent;
            }
            _ => return normal(path),
        }
    }
}
