//! Waiting for others: bounded in time and in attempts, each wait drawn at random so that
//! two writers that met once do not meet again.

use super::random::random;
use std::{
    thread,
    time::{Duration, Instant},
};

/// How long one append may be tried.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often.
const ATTEMPTS: u32 = 2_000;
/// The longest first wait; it doubles up to [`LONGEST`].
const FIRST: Duration = Duration::from_millis(2);
/// The longest wait.
const LONGEST: Duration = Duration::from_millis(64);

/// The waits of one append.
#[derive(Debug)]
pub(super) struct Backoff {
    began: Instant,
    attempts: u32,
}

impl Backoff {
    /// Nothing was tried yet.
    pub(super) fn new() -> Self {
        Self {
            began: Instant::now(),
            attempts: 0,
        }
    }

    /// Waits after an attempt that failed; `false` when it is enough.
    pub(super) fn wait(&mut self) -> bool {
        self.attempts += 1;
        if self.attempts >= ATTEMPTS || self.began.elapsed() >= PATIENCE {
            return false;
        }
        let longest = FIRST
            .saturating_mul(1 << self.attempts.min(16))
            .min(LONGEST);
        let share = u32::from(random::<1>()[0]);
        thread::sleep(longest * share / u32::from(u8::MAX));
        true
    }

    /// How many attempts failed.
    pub(super) fn attempts(&self) -> u32 {
        self.attempts
    }
}
