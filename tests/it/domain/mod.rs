//! Tests of `src/domain`.

mod canonical;
mod commit_rule;
mod evaluate;
mod run_fold;
mod run_history;
mod run_precondition;
mod scope;
