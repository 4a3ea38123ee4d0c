//! Waiting for others: bounded in time and in attempts.
//!
//! Who moves a ref from where it was read needs no lock, but a slow writer among quick ones
//! might lose every race. So who lost one stands in line from then on: a file lock that the
//! system lets go of when its holder dies. The line is a courtesy, not a safeguard. Where it
//! cannot be had, waits drawn at random keep two that met once from meeting again.

use super::{Ledger, random::random};
use std::{
    fs::{self, File, TryLockError},
    thread,
    time::{Duration, Instant},
};

/// How long one append may be tried.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often.
const ATTEMPTS: u32 = 1_000;
/// The longest wait at first; it doubles up to [`LONGEST`].
const FIRST: Duration = Duration::from_millis(2);
/// The longest wait.
const LONGEST: Duration = Duration::from_millis(64);
/// The longest wait between two looks at the line.
const LOOK: Duration = Duration::from_millis(8);

/// The waits of one append.
#[derive(Debug)]
pub(super) struct Backoff {
    began: Instant,
    attempts: u32,
    /// Held from the first lost race to the end.
    place: Option<File>,
}

impl Backoff {
    /// Nothing was tried yet.
    pub(super) fn new() -> Self {
        Self {
            began: Instant::now(),
            attempts: 0,
            place: None,
        }
    }

    /// Waits after an attempt that failed; `false` when it is enough.
    pub(super) fn wait(&mut self, ledger: &Ledger<'_>) -> bool {
        self.attempts += 1;
        if self.place.is_none() {
            self.place = self.stand_in_line(ledger);
        } else {
            let doubled = FIRST.saturating_mul(1 << self.attempts.min(16));
            sleep_up_to(doubled.min(LONGEST));
        }
        self.attempts < ATTEMPTS && self.has_time()
    }

    /// How many attempts failed.
    pub(super) fn attempts(&self) -> u32 {
        self.attempts
    }

    fn has_time(&self) -> bool {
        self.began.elapsed() < PATIENCE
    }

    fn stand_in_line(&self, ledger: &Ledger<'_>) -> Option<File> {
        let path = ledger.repo.common_dir().join("rapid/cache/line");
        fs::create_dir_all(path.parent()?).ok()?;
        let file = File::options().create(true).append(true).open(path).ok()?;
        loop {
            match file.try_lock() {
                Ok(()) => return Some(file),
                Err(TryLockError::WouldBlock) if self.has_time() => sleep_up_to(LOOK),
                Err(TryLockError::WouldBlock) => return None,
                Err(TryLockError::Error(_)) => {
                    sleep_up_to(LONGEST);
                    return None;
                }
            }
        }
    }
}

fn sleep_up_to(longest: Duration) {
    let share = u32::from(random::<1>()[0]);
    thread::sleep(longest * share / u32::from(u8::MAX));
}
