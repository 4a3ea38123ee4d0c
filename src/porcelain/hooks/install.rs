//! Puts our hooks beside what is there, and takes them back byte for byte.
//!
//! Each step is one rename or one new file that takes its place whole, the former hook
//! first: killed at any moment, what was there is there, and running it again goes on.

use super::{BEFORE, HOOKS, shim};
use crate::{
    diagnostic::Code,
    git::Repository,
    porcelain::{Error, error::refuse},
};
use serde::Serialize;
use std::{
    fs, io,
    io::Write as _,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

/// What was done with the hooks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Installed {
    /// The folder.
    pub folder: String,
    /// Hooks that were here before, and what they are called now.
    pub kept: Vec<Moved>,
    /// Whether the folder belongs to the working tree, so that others may get to see it.
    pub in_work_tree: bool,
}

/// A file that got another name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Moved {
    /// The hook.
    pub hook: String,
    /// Its name now; after taking ours back the hook's own.
    pub now: String,
}

/// Installs every hook. Safe to run again.
pub(in crate::porcelain) fn install(
    repo: &Repository,
    program: Option<&Path>,
) -> Result<Installed, Error> {
    let dir = folder(repo)?;
    fs::create_dir_all(&dir).map_err(fail("cannot create", &dir))?;
    let mut kept = Vec::new();
    for hook in HOOKS {
        let path = dir.join(hook);
        let before = dir.join(format!("{hook}.{BEFORE}"));
        if exists(&path) && !shim::is_ours(&path) {
            make_room(&path, &before)?;
        }
        write(&path, &shim::text(hook, program))?;
        if exists(&before) {
            kept.push(Moved {
                hook: (*hook).to_owned(),
                now: format!("{hook}.{BEFORE}"),
            });
        }
    }
    Ok(told(repo, &dir, kept))
}

/// Takes our hooks away; what was there before gets its name back.
pub(in crate::porcelain) fn uninstall(repo: &Repository) -> Result<Installed, Error> {
    let dir = repo.hooks_dir()?;
    if !repo.holds(&dir)? {
        // We never wrote there.
        return Ok(told(repo, &dir, Vec::new()));
    }
    let mut back = Vec::new();
    for hook in HOOKS {
        let path = dir.join(hook);
        let before = dir.join(format!("{hook}.{BEFORE}"));
        let ours = shim::is_ours(&path);
        // Somebody put a hook of their own where ours was: that one stays.
        if exists(&path) && !ours {
            continue;
        }
        if exists(&before) {
            fs::rename(&before, &path).map_err(fail("cannot move back", &before))?;
            back.push(Moved {
                hook: (*hook).to_owned(),
                now: (*hook).to_owned(),
            });
        } else if ours {
            fs::remove_file(&path).map_err(fail("cannot remove", &path))?;
        }
    }
    remove_copies(&dir)?;
    if dir != repo.own_hooks_dir() {
        // Made by us when it is empty now; anything else keeps it.
        let _ = fs::remove_dir(&dir);
    }
    Ok(told(repo, &dir, back))
}

/// Other installers keep what they find under names of their own, and call it: ours would go
/// on working there.
fn remove_copies(dir: &Path) -> Result<(), Error> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(fail("cannot read", dir)(error)),
    };
    for entry in entries {
        let path = entry.map_err(fail("cannot read", dir))?.path();
        if shim::is_ours(&path) {
            fs::remove_file(&path).map_err(fail("cannot remove", &path))?;
        }
    }
    Ok(())
}

/// The folder git looks into, if it is this repository's own.
fn folder(repo: &Repository) -> Result<PathBuf, Error> {
    let dir = repo.hooks_dir()?;
    if repo.holds(&dir)? {
        return Ok(dir);
    }
    let own = shim::shown(&repo.own_hooks_dir());
    Err(refuse(
        Code::Precondition,
        format!(
            "git takes hooks from {} (core.hooksPath), which is not this repository's: nothing was written there",
            dir.display()
        ),
    )
    .detail("folder", shim::shown(&dir))
    .hint(
        "use this repository's own hooks instead of those, then run init again",
        &["git", "config", "--local", "core.hooksPath", &own],
    )
    .hint("go without hooks: commits are not guarded", &["git", "rapid", "init", "--no-hooks"])
    .into())
}

/// Gives the hook that is here its second name. One that has that name already, because a
/// tool wrote over ours, keeps its content under a third.
fn make_room(path: &Path, before: &Path) -> Result<(), Error> {
    if exists(before) {
        let same =
            matches!((fs::read(path), fs::read(before)), (Ok(one), Ok(other)) if one == other);
        if !same {
            let free = (1..)
                .map(|number| PathBuf::from(format!("{}.{number}", before.display())))
                .find(|free| !exists(free))
                .expect("numbers do not end");
            fs::rename(before, &free).map_err(fail("cannot move", before))?;
        }
    }
    fs::rename(path, before).map_err(fail("cannot move", path))
}

fn write(path: &Path, text: &[u8]) -> Result<(), Error> {
    let dir = path.parent().expect("a hook lies in a folder");
    let mut file = tempfile::Builder::new()
        .permissions(fs::Permissions::from_mode(0o755))
        .tempfile_in(dir)
        .map_err(fail("cannot write", path))?;
    file.write_all(text).map_err(fail("cannot write", path))?;
    file.persist(path)
        .map_err(|error| fail("cannot write", path)(error.error))?;
    Ok(())
}

/// Whether anything has that name, a dangling link too.
fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Whether git would run it.
pub(super) fn is_executable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

fn told(repo: &Repository, dir: &Path, kept: Vec<Moved>) -> Installed {
    let common = repo.common_dir();
    let inside = |root: &Path| {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        real(dir).starts_with(real(root))
    };
    Installed {
        folder: shim::shown(dir),
        kept,
        in_work_tree: !inside(common) && repo.work_dir().is_ok_and(inside),
    }
}

fn fail(doing: &'static str, path: &Path) -> impl Fn(io::Error) -> Error {
    let path = path.to_owned();
    move |source| Error::File {
        doing,
        path: path.clone(),
        source,
    }
}
