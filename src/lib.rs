//! `git rapid`: claims about a change that anyone can check, offline, from git objects.
//!
//! A change starts from a written spec and runs as a small state machine. Every claim
//! about it is an immutable record under `refs/rapid`, tied to the exact tree it speaks
//! of. A pure evaluator turns records into a verdict.
//!
//! The floors, from the top; each may use those below it and none above:
//!
//! | floor | what it is for |
//! |---|---|
//! | [`cli`] | arguments, rendering, exit codes; the only reader of environment and wall clock |
//! | [`hook`] | what git calls: parse what it sends, ask the rule or a verb |
//! | [`porcelain`] | one file per verb: load, decide, apply, tell. I/O, no printing |
//! | [`conductor`] | contract, state, evidence, playbook → the next action. Pure |
//! | [`check`] | runs a command, keeps its output, counts its tests |
//! | [`ledger`] | streams of records in git: append, read, prove |
//! | [`git`] | the border: the only folder that names gix or starts git |
//! | [`domain`] | the rules as values and pure functions |
//! | [`diagnostic`] | every code a user can meet |
//!
//! `conductor`, `ledger` and `check` are neighbours that do not know each other;
//! `tests/it/architecture.rs` reads the imports and fails on an upward one.
//!
//! On disk: records, artifacts and logs in refs below `refs/rapid/`; in the git
//! directory of each worktree `rapid/session.json` (which run is bound here, owned by
//! [`porcelain`]); in the common directory `rapid/cache/` (folds, owned by [`ledger`])
//! and `rapid/objects/` (snapshots, owned by [`git`]); both may be thrown away.

pub mod check;
pub mod cli;
pub mod conductor;
pub mod diagnostic;
pub mod domain;
pub mod git;
pub mod hook;
pub mod ledger;
pub mod porcelain;
