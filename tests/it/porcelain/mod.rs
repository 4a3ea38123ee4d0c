//! Tests of `src/porcelain`.

mod every_mode;
mod odd_repositories;
