//! Tests of `src/domain`.

mod canonical;
mod scope;
