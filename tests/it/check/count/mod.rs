//! What runners print, and what is counted in it.

mod choosing;
mod files;
mod lines;
mod live;
mod report;
mod robust;

use git_rapid::check::{Counted, count_output};

/// The counts in one line: runner, passed/failed/errors/skipped, and what else there is.
pub fn told(counted: Option<Counted>) -> String {
    let Some(counted) = counted else {
        return "not counted".to_owned();
    };
    let counts = counted.counts;
    let mut line = format!(
        "{} {}/{}/{}/{}",
        counted.runner, counts.passed, counts.failed, counts.errors, counts.skipped
    );
    if let Some(flaky) = counts.flaky {
        line += &format!(" flaky {flaky}");
    }
    if !counted.complete {
        line += " incomplete";
    }
    if !counted.failed_tests.is_empty() {
        line += &format!(" [{}]", counted.failed_tests.join(" | "));
    }
    line
}

/// Counted without a word about the command.
pub fn counted(output: impl AsRef<[u8]>) -> String {
    told(count_output(&[], output.as_ref()))
}
