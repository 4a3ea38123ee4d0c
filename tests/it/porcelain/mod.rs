//! Tests of `src/porcelain`.

mod every_mode;
