//! Tests of `src/cli`.

mod arguments;
mod bad_input;
mod concurrency;
mod environment;
mod failure;
mod interrupts;
mod killed;
mod kit;
mod manual;
mod output;
mod readme;
// mod render;
mod value;
