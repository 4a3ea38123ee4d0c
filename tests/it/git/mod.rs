//! Tests of `src/git`.

mod reference;
mod repository;
mod scratch;
