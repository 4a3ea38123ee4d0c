//! The verbs: load, decide, apply, tell. One file each.
//!
//! A verb takes a [`Context`] and a request and gives an outcome, a value that the
//! command line renders for people or as JSON. It reads and writes; it does not print,
//! and it does not read the environment or the wall clock.
//!
//! What several verbs share: [`target`] finds the run and its worktree, [`observe`] asks
//! git about it, [`judge`] asks evaluator and conductor, [`append`] writes, [`measure`]
//! runs a command, [`session`] is the pointer of a worktree.

pub mod abort;
mod append;
pub mod approve;
pub mod attach;
mod baseline;
pub mod check;
pub mod commit;
mod context;
pub mod door;
mod end;
mod error;
pub mod eval;
pub mod evidence;
pub mod finish;
pub mod fsck;
pub mod hooks;
pub mod init;
mod judge;
pub mod log;
mod measure;
pub mod milestone;
pub mod next;
mod observe;
pub mod pause;
pub mod resolve;
pub mod resume;
pub mod review;
mod session;
pub mod show;
pub mod spec;
mod spec_store;
pub mod start;
pub mod status;
pub mod supersede;
mod target;
pub mod task;
pub mod verify;
mod view;

pub use context::{Context, LazyCaller, Watch};
pub use error::Error;
pub use spec_store::StoredSpec;
pub use view::RecordView;
