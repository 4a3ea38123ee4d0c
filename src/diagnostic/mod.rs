//! Every code a user can meet, in one table.
//!
//! A code is stable: never reused, never renumbered, documented in
//! `git-rapid-codes(7)`. It says what kind of thing is wrong and which exit code
//! follows; the message of the moment carries the facts.

mod code;
mod refusal;

pub use code::{Code, Exit};
pub use refusal::{Hint, Refusal};
