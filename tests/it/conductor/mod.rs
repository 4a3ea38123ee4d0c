//! Tests of `src/conductor`.
