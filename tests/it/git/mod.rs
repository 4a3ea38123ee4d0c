//! Tests of `src/git`.

mod config;
mod history;
mod identity;
mod object;
mod process;
mod reference;
mod repository;
mod scratch;
mod worktree;
