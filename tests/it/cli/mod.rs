//! Tests of `src/cli`.

mod arguments;
mod bad_input;
mod concurrency;
mod environment;
mod failure;
mod format_pages;
mod interrupts;
mod json_page;
mod killed;
mod kit;
mod manual;
mod output;
mod readme;
mod render;
mod value;
