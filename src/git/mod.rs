//! The border to git: the only folder that names gix or starts git.
//!
//! Everything that comes out of here is in the domain's own types. gix does what
//! it does well and fast (objects, index, refs of the files backend); the `git`
//! program does what gix cannot: reftable, transactions over several refs,
//! worktrees, the commit itself.

mod commit;
mod config;
mod diff;
mod environment;
mod error;
mod history;
mod hooks_dir;
mod identity;
mod index;
mod lock;
mod lock_owner;
mod object;
mod pending;
mod process;
mod reference;
mod reference_edit;
mod reference_list;
mod reflog;
mod repository;
mod scratch;
mod snapshot;
mod sync;
mod tree_write;
mod version;
mod worktree;

pub use commit::{CommitData, NewCommit};
pub use config::parse_number;
pub use diff::{DiffText, LineCounts};
pub use error::Error;
pub use identity::Identity;
pub use object::{EntryKind, TreeEntry, TreeUpsert};
pub use process::{GitOutput, GitProcess, is_local_env_var, local_env_vars, without_exec_path};
pub use reference::{Expected, Head, RefEdit, RefTarget};
pub use repository::{OpenOptions, Repository};
pub use scratch::Scratch;
pub use snapshot::{Refused, RefusedWhy, Snapshot, SnapshotRequest, Stamps};
pub use worktree::WorktreeInfo;
