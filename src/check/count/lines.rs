//! Output as a person would see it: lines without colours and overwritten progress.

use anstream::adapter::strip_bytes;

/// The lines of an output, cleaned.
pub(in crate::check) struct Lines(Vec<String>);

impl Lines {
    /// Cleans `output`. Invalid UTF-8 is replaced.
    pub(in crate::check) fn of(output: &[u8]) -> Self {
        // Line by line, so that a sequence that is never closed hides one line only.
        Self(output.split(|byte| *byte == b'\n').map(clean).collect())
    }

    /// The lines as the counters take them.
    pub(in crate::check) fn as_strs(&self) -> Vec<&str> {
        self.0.iter().map(String::as_str).collect()
    }
}

fn clean(line: &[u8]) -> String {
    let plain = strip_bytes(line).into_vec();
    // A carriage return goes back to the start, and what comes then is what stays.
    let last = plain
        .rsplit(|byte| *byte == b'\r')
        .find(|part| !part.is_empty())
        .unwrap_or_default();
    String::from_utf8_lossy(last).into_owned()
}
