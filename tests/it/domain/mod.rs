//! Tests of `src/domain`.

mod canonical;
mod detect;
mod id;
mod oid;
mod path;
mod person;
mod policy;
mod scope;
mod signal;
mod spec;
