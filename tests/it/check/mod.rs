//! Tests of `src/check`.

mod ending;
mod kit;
mod run;
mod supervise;
