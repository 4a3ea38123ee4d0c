//! No bytes make a counter panic, and none make it slow.

use super::super::kit::argv;
use git_rapid::check::{count_output, count_report};
use proptest::prelude::*;

/// Pieces that counters look for, to be put together in any order.
const PIECES: &[&str] = &[
    "running 1 test",
    "running 2 tests",
    "test result: ok. ",
    "test result: FAILED. ",
    "1 passed; ",
    "1 failed; ",
    "0 ignored; ",
    "0 measured; ",
    "failures:",
    "    name",
    "test a ... FAILED",
    "     Summary [ 0.1s] ",
    "3/4 tests run: ",
    "2 passed",
    "(1 flaky, ",
    ")",
    ", ",
    "= ",
    " in 0.1s",
    "Ran 1 test in 0.1s",
    "OK (",
    "FAILED (",
    "failures=1",
    "=== RUN ",
    "--- FAIL: ",
    "ok  \t",
    "FAIL\t",
    "{\"Action\":\"fail\",\"Test\":\"",
    "\"}",
    "DONE ",
    "1 tests",
    "Tests:  ",
    "4 total",
    " | ",
    "  1 passing (1ms)",
    "  1) ",
    "# tests 1",
    "# pass ",
    "1..4",
    "not ok 1 - ",
    " # SKIP",
    "Bail out!",
    "<testsuite>",
    "<testcase name=\"",
    "\">",
    "</testcase>",
    "<failure/>",
    "</testsuite>",
    "&a;",
    "]]>",
    "Result: FAIL",
    "Files=1, Tests=",
    "% tests passed, ",
    " out of ",
    "1 examples, ",
    "Tests: 1, Assertions: 1.",
    "Tests run: 1, Failures: 0, Errors: 0",
    " <<< FAILURE!",
    "Time elapsed: ",
    "Executed 1 test, with ",
    " skipped and ",
    "Test run with ",
    " failed after ",
    "Passed!  - Failed: 0, ",
    "Total tests: ",
    "\n",
    "\n",
    "\n",
    "\r",
    "\t",
    " ",
    "ä",
    "●",
    "✖ ",
    "ℹ tests 1",
    "18446744073709551615",
    "\x1b[31m",
    "\x1b]",
    "0",
];

proptest! {
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        count_output(&[], &bytes);
        let _ = count_report(&bytes);
    }

    #[test]
    fn any_order_of_known_pieces(picks in proptest::collection::vec(0..PIECES.len(), 0..80)) {
        let text: String = picks.iter().map(|pick| PIECES[*pick]).collect();
        if let Some(counted) = count_output(&argv(["cargo", "test"]), text.as_bytes()) {
            prop_assert!(counted.failed_tests.len() <= 50);
        }
        let _ = count_report(text.as_bytes());
    }

    /// What a cut keeps of a character must not matter either.
    #[test]
    fn any_cut(from in 0_usize..300, to in 0_usize..300) {
        let text = "test result: ok. ä● 1 passed; 0 failed; 0 ignored; 0 measured; ✖ ℹ 'ü".repeat(3);
        let (from, to) = (from.min(text.len()), to.min(text.len()));
        count_output(&[], &text.as_bytes()[from.min(to)..from.max(to)]);
    }
}

/// Each line repeated many times: a counter that looks back further for every line
/// would not end.
#[test]
fn time_grows_with_the_output_only() {
    for line in PIECES.iter().chain(&[
        "running 1 test\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured",
        "running 7 tests\nfailures:\n    a",
        "# tests 1\n# suites 1",
        "    not ok 1 - a",
        "  1) suite:\n",
        "{\"Action\":\"run\",\"Package\":\"a\",\"Test\":\"b\"}",
    ]) {
        let mut bytes = Vec::new();
        while bytes.len() < 60_000 {
            bytes.extend_from_slice(line.as_bytes());
            bytes.push(b'\n');
        }
        count_output(&[], &bytes);
        let _ = count_report(&bytes);
    }
    let one_line = "1 passed, ".repeat(30_000);
    count_output(&[], one_line.as_bytes());
    count_output(&[], "\r\x1b[".repeat(50_000).as_bytes());
}
