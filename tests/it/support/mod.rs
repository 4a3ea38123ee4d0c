//! What tests share: a deterministic environment and scratch repositories.

pub mod story;
