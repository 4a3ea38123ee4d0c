//! Tests of `src/check`.

mod count;
mod ending;
mod kit;
mod redact;
mod run;
mod supervise;
