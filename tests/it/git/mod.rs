//! Tests of `src/git`.
