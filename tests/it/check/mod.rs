//! Tests of `src/check`.
