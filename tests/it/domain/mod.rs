//! Tests of `src/domain`.

mod canonical;
mod evaluate;
mod scope;
