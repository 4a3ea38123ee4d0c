//! The rules, as values and pure functions.
//!
//! No git, no files, no clock, no printing: everything here can be tested with
//! literals and gives the same answer in every clone. What git knows comes in as
//! facts; what is to be done goes out as values.

pub mod amendment;
pub mod bytes;
pub mod canonical;
pub mod commit_rule;
pub mod contract;
pub mod digest;
pub mod duration;
pub mod evaluate;
pub mod event;
pub mod evidence;
pub mod gate;
pub mod id;
pub mod journal;
pub mod oid;
pub mod path;
pub mod person;
pub mod policy;
pub mod producer;
pub mod record;
pub mod resolution;
pub mod run;
pub mod scope;
pub mod spec;
pub mod spec_record;
pub mod vocabulary;
