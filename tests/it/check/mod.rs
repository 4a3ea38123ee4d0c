//! Tests of `src/check`.

mod count;
mod ending;
mod kit;
mod run;
mod supervise;
