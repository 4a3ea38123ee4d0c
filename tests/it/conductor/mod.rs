//! Tests of `src/conductor`.

mod decide;
mod playbook;
mod property;
mod world;
