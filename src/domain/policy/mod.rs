//! From a spec to class, risk, workspace, gates and capabilities.
//!
//! The built-in policy is a value like any other; a team's file can only tighten it.

mod classify;
mod detect;
mod effective;
mod resolve;
mod signal;

pub use classify::{Decision, NotEligible, Request, decide};
pub use detect::{Detected, detect_test_command};
pub use effective::{
    AmendRule, Approvals, CommitBinding, DirectBounds, Enforce, Exempt, Guard, PolicyCheck,
    PolicyDocument, Requirement, ServerRule, Witness, WorkspaceSetup,
};
pub use resolve::{ModeAnswer, ModeQuestion, resolve_mode};
pub use signal::{SIGNALS, SignalRow, signals_of_paths, signals_of_spec};
