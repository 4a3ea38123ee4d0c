//! Tests of `src/git`.

mod diff;
mod index;
mod oracle;
mod random;
mod random_trees;
mod situations;
mod snapshot;
