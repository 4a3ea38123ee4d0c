//! Tests of `src/cli`.

mod arguments;
mod environment;
mod failure;
mod json_page;
mod kit;
mod manual;
mod output;
mod readme;
mod render;
mod value;
