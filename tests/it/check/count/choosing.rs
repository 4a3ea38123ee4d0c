//! Which runner is believed when several seem to speak.

use super::{super::kit::argv, counted, told};
use git_rapid::check::{Counted, Exit, contradicts, count_output};
use git_rapid::domain::evidence::Counts;

const PYTEST: &str = "= 5 passed in 0.02s =\n";
const CARGO: &str = "running 1 test\ntest a ... ok\n\n\
    test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";

fn called(words: &[&str], output: &str) -> String {
    told(count_output(
        &argv(words.iter().copied()),
        output.as_bytes(),
    ))
}

#[test]
fn the_later_closing_line_is_believed() {
    assert_eq!(counted(format!("{PYTEST}{CARGO}")), "cargo-test 1/0/0/0");
    assert_eq!(counted(format!("{CARGO}{PYTEST}")), "pytest 5/0/0/0");
}

#[test]
fn the_command_breaks_the_tie() {
    let both = format!("{CARGO}{PYTEST}");
    assert_eq!(called(&["cargo", "test"], &both), "cargo-test 1/0/0/0");
    assert_eq!(
        called(&["/usr/bin/cargo", "+nightly", "test", "--all"], &both),
        "cargo-test 1/0/0/0"
    );
    assert_eq!(
        called(&["sh", "-c", "cd x && cargo test -q"], &both),
        "cargo-test 1/0/0/0"
    );
    assert_eq!(
        called(&["python3", "-m", "pytest"], &both),
        "pytest 5/0/0/0"
    );
    assert_eq!(called(&["make", "check"], &both), "pytest 5/0/0/0");
    // It names a runner whose shape is not there: the output decides.
    assert_eq!(called(&["cargo", "test"], PYTEST), "pytest 5/0/0/0");
}

#[test]
fn a_finished_run_goes_before_an_unfinished_one() {
    let output = format!("{PYTEST}running 3 tests\n");
    assert_eq!(counted(&output), "pytest 5/0/0/0");
    assert_eq!(
        called(&["cargo", "test"], &output),
        "cargo-test 0/0/0/0 incomplete"
    );
}

#[test]
fn of_repeated_summaries_the_last_counts_or_all() {
    assert_eq!(
        counted("= 5 passed in 0.02s =\n= 1 failed in 0.01s =\n"),
        "pytest 0/1/0/0"
    );
    assert_eq!(counted(format!("{CARGO}{CARGO}")), "cargo-test 2/0/0/0");
}

#[test]
fn what_nobody_knows_is_not_counted() {
    for output in [
        "",
        "\n\n",
        "all good\n",
        "OK\n",
        "PASS\n",
        "FAIL\n",
        "Result: PASS\n",
        "total: 5\n",
        "BUILD SUCCESS\n",
        "make: Nothing to be done for 'all'.\n",
        "   Compiling a v0.1.0\nerror: could not compile `a` (lib test) due to 1 previous error\n",
    ] {
        assert_eq!(counted(output), "not counted", "{output}");
    }
}

#[test]
fn colours_progress_and_bytes_do_not_matter() {
    for output in [
        "\x1b[32m=== \x1b[32m\x1b[1m5 passed\x1b[0m\x1b[32m in 0.02s\x1b[0m\x1b[32m ===\x1b[0m\n",
        "collecting 1\rcollecting 2\r= 5 passed in 0.02s =\r\n",
        "\x1b]0;an endless title\n= 5 passed in 0.02s =\n",
        "\x1b[2K\r\x1b[1A= 5 passed in 0.02s =",
    ] {
        assert_eq!(counted(output), "pytest 5/0/0/0", "{output:?}");
    }
    let mut bytes = b"\xff\xfe\0\x80 noise\n\xc3(\n".to_vec();
    bytes.extend_from_slice(PYTEST.as_bytes());
    bytes.extend_from_slice(b"\xf0\x9f\n");
    assert_eq!(counted(bytes), "pytest 5/0/0/0");
    // Overwritten is not said.
    assert_eq!(
        counted("= 5 passed in 0.02s =\rsomething else\n"),
        "not counted"
    );
}

#[test]
fn numbers_beyond_any_test_are_no_counts() {
    assert_eq!(
        counted("99999999999999999999999 passed in 0.1s"),
        "not counted"
    );
    assert_eq!(
        counted("18446744073709551615 passed, 18446744073709551615 xpassed in 0.1s"),
        "pytest 18446744073709551615/0/0/0"
    );
    assert_eq!(
        counted("Ran 1 test in 0.1s\n\nFAILED (failures=9)"),
        "unittest 0/9/0/0"
    );
}

#[test]
fn names_are_few_and_short() {
    let mut output = String::from("=== short test summary info ===\n");
    for index in 0..200 {
        output += &format!("FAILED t.py::test_{index} - no\nFAILED t.py::test_{index} - no\n");
    }
    output += "= 200 failed in 0.1s =\n";
    let names = count_output(&[], output.as_bytes()).unwrap().failed_tests;
    assert_eq!(names.len(), 50);
    assert_eq!(names[49], "t.py::test_49");

    let long = format!(
        "== short test summary info ==\nFAILED {}\n= 1 failed in 0.1s =",
        "ä".repeat(9999)
    );
    let names = count_output(&[], long.as_bytes()).unwrap().failed_tests;
    assert_eq!(names, ["ä".repeat(150)]);
}

#[test]
fn failures_beside_success_contradict() {
    let with = |failed, errors| Counted {
        runner: "tap",
        counts: Counts {
            passed: 3,
            failed,
            errors,
            skipped: 1,
            flaky: Some(1),
        },
        failed_tests: Vec::new(),
        complete: true,
    };
    assert!(contradicts(&Exit::Code(0), &with(1, 0)));
    assert!(contradicts(&Exit::Code(0), &with(0, 1)));
    assert!(!contradicts(&Exit::Code(0), &with(0, 0)));
    assert!(!contradicts(&Exit::Code(1), &with(1, 0)));
    // A coverage threshold that was missed.
    assert!(!contradicts(&Exit::Code(2), &with(0, 0)));
    assert!(!contradicts(&Exit::Signal(9), &with(0, 0)));
}
