//! Tests of `src/ledger`.
