//! Runs a command, keeps its output, counts its tests.
//!
//! Knows nothing of runs, records or git: it gets words, a folder and an environment,
//! and says how the command ended. May read the monotonic clock.

mod capture;
mod count;
mod group;
mod log;
mod program;
mod redact;
mod report_file;
mod run;
mod running;
mod supervise;
mod watch;

pub use capture::CappedLog;
pub use count::{Counted, contradicts, count_output};
pub use redact::{MARK, Redactor, Secrets};
pub use report_file::{ReportError, count_report};
pub use run::{Command, Ended, Exit, Interrupt, Prepared, RunError, prepare, run};
pub use supervise::{SUPERVISE, supervise};
