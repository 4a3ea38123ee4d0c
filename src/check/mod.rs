//! Runs a command, keeps its output, counts its tests.
//!
//! Knows nothing of runs, records or git: it gets words, a folder and an environment,
//! and says how the command ended. May read the monotonic clock.

mod capture;
mod count;
mod report_file;
mod run;

pub use capture::CappedLog;
pub use count::{Counted, count_output};
pub use report_file::{ReportError, count_report};
pub use run::{Command, Ended, Exit, Interrupt, RunError, run};
