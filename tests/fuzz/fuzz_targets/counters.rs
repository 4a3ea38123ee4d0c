//! No output and no report file makes a counter panic or name too much.
#![no_main]

use git_rapid::{
    check::{count_output, count_report},
    domain::bytes::ByteText,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // The first line is the command, as far as it matters.
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let counted = [
        count_output(&[], bytes),
        count_output(&[ByteText(first.to_vec())], bytes),
        count_report(bytes).ok(),
    ];
    for counted in counted.into_iter().flatten() {
        assert!(counted.failed_tests.len() <= 50);
        assert!(counted.failed_tests.iter().all(|name| name.len() <= 300));
    }
});
