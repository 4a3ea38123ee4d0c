//! Tests of `src/domain`.
