//! The hooks, called by git itself: how they are installed, and what they say on every way
//! of making a commit. A test whose name begins with `case_` and a number is that row of the
//! table of things that broke for somebody.

mod commit;
mod install;
mod kit;
mod merge;
mod message;
mod paths;
mod shim;
mod ways;
