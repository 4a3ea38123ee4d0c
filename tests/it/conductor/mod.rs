//! Tests of `src/conductor`.

mod decide;
mod property;
mod world;
