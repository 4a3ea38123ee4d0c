//! Tests of `src/cli`.

mod arguments;
mod kit;
