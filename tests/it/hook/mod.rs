//! Tests of `src/hook`.
