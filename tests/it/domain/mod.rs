//! Tests of `src/domain`.

mod run_fold;
mod run_history;
mod run_precondition;
mod canonical;
mod scope;
