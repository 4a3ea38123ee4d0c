//! Tests of `src/domain/evaluate`: every cell of the evaluator table, with literals.

mod acceptance;
mod baseline;
mod build;
mod capability;
mod commits;
mod counts;
mod direct;
mod events;
mod gate;
mod honest;
mod human_gate;
mod lazy;
mod lifecycle;
mod not_fewer;
mod properties;
mod replay;
mod reproduction;
mod risk;
mod scope;
mod spec_integrity;
mod task;
mod trust;
mod verdict;
mod verified;
