//! Tests of `src/conductor`.

mod playbook;
