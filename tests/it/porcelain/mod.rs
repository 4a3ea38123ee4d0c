//! Tests of `src/porcelain`.

mod documents;
mod every_mode;
mod forged;
mod honest_agent;
mod lazy_agent;
mod odd_repositories;
mod records;
mod refusals;
