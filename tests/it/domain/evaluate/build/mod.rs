//! A run told in a few words: contract, records, facts, and the judgement of it.

mod literals;
mod ran;
mod story;

pub use literals::*;
pub use ran::{Ran, ran};
pub use story::{Story, ids, open, run_id};
