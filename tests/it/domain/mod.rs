//! Tests of `src/domain`.

mod canonical;
mod commit_rule;
mod detect;
mod evaluate;
mod id;
mod oid;
mod path;
mod person;
mod policy;
mod run_fold;
mod run_history;
mod run_precondition;
mod scope;
mod signal;
mod spec;
mod spec_any;
