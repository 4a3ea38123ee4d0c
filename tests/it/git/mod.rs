//! Tests of `src/git`.

mod config;
mod diff;
mod history;
mod identity;
mod index;
mod object;
mod oracle;
mod process;
mod random;
mod random_trees;
mod reference;
mod reflog;
mod repository;
mod scratch;
mod situations;
mod snapshot;
mod worktree;
