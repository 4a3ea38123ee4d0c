//! Tests of `src/porcelain`.
