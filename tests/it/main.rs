//! One test binary; its folders mirror `src`. A new file must be named in the
//! `mod.rs` beside it: `architecture` fails on a file that is not wired in.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    unreachable_pub
)]

mod architecture;
mod check;
mod cli;
mod conductor;
mod domain;
mod git;
mod hook;
mod ledger;
mod porcelain;
mod support;
