//! Tests of `src/porcelain`.

mod documents;
mod every_mode;
mod field_cases_checks;
mod forged;
mod honest_agent;
mod lazy_agent;
mod never_lowered;
mod odd_repositories;
mod records;
mod refusals;
