//! What tests share: a deterministic environment and scratch repositories.
