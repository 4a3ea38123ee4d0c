//! Our hooks in a repository: which, where, and whether git calls them.
//!
//! [`install`] puts them beside what is there and takes them back. What they do when git
//! calls them is the business of the floor above.

mod install;
mod shim;

pub use install::{Installed, Moved};

use super::{Error, status::Hooks};
use crate::git::Repository;
use std::path::Path;

pub(super) use install::{install, uninstall};

/// The hooks we install, by git's names.
pub const HOOKS: &[&str] = &[
    "pre-commit",
    "pre-merge-commit",
    "commit-msg",
    "post-commit",
    "post-rewrite",
];

/// What the name of a hook gets that was here before ours.
const BEFORE: &str = "before-rapid";

/// Whether the hooks that git would call now are ours and can work.
pub(super) fn state(repo: &Repository) -> Result<Hooks, Error> {
    let dir = repo.hooks_dir()?;
    let ours = HOOKS.iter().filter(|name| works(&dir, name)).count();
    if ours == HOOKS.len() {
        return Ok(Hooks::Active);
    }
    // Installed once, and now some are gone, replaced, not executable, or not looked at.
    let traces = |dir: &Path| {
        HOOKS.iter().any(|name| {
            shim::is_ours(&dir.join(name)) || dir.join(format!("{name}.{BEFORE}")).exists()
        })
    };
    let broken = traces(&dir) || traces(&repo.own_hooks_dir());
    Ok(if broken { Hooks::Broken } else { Hooks::Absent })
}

/// Whether a hook that was here before ours has the first turn at a commit.
pub(super) fn runs_after_another(repo: &Repository) -> Result<bool, Error> {
    let before = repo.hooks_dir()?.join(format!("pre-commit.{BEFORE}"));
    Ok(install::is_executable(&before))
}

fn works(dir: &Path, name: &str) -> bool {
    let path = dir.join(name);
    shim::is_ours(&path) && install::is_executable(&path) && shim::program_is_there(&path)
}
