//! Tests of `src/git`.

mod oracle;
mod situations;
mod snapshot;
