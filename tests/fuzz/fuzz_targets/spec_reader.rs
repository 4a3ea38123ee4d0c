//! Any bytes are a spec or a list of faults, which is never empty.
#![no_main]

use git_rapid::domain::spec::read_json;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(faults) = read_json(bytes) {
        assert!(!faults.is_empty());
    }
});
