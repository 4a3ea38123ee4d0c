//! What is read as a record is written as the same bytes.
#![no_main]

use git_rapid::domain::record::Record;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(record) = Record::read(bytes) {
        assert_eq!(record.canonical_bytes(), bytes);
    }
});
