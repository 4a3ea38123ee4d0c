//! Single closing lines in all their forms.

use super::counted;

fn check(table: &[(&str, &str)]) {
    let wrong: Vec<_> = table
        .iter()
        .map(|(output, expected)| (output, counted(output), expected))
        .filter(|(_, found, expected)| found != *expected)
        .map(|(output, found, expected)| format!("{output}\n  is  {found}\n  not {expected}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn python() {
    check(&[
        (
            "======================= 1 passed, 6 deselected in 0.02s ========================",
            "pytest 1/0/0/0",
        ),
        (
            "= 1 failed, 2 passed, 1 skipped, 1 xfailed, 1 xpassed, 1 warning, 1 error in 0.09s =",
            "pytest 3/1/1/2",
        ),
        ("1 failed, 2 passed, 1 skipped in 0.08s", "pytest 2/1/0/1"),
        (
            "============================ 7 deselected in 0.02s =============================",
            "pytest 0/0/0/0",
        ),
        (
            "============================ no tests ran in 0.01s =============================",
            "pytest 0/0/0/0",
        ),
        (
            "=============================== 1 error in 0.28s ===============================",
            "pytest 0/0/1/0",
        ),
        (
            "========= 12 passed, 3 warnings, 2 rerun in 83.20s (0:01:23) =========",
            "pytest 12/0/0/0",
        ),
        ("==== 3 passed in 0.09 seconds ====", "pytest 3/0/0/0"),
        ("1/7 tests collected (6 deselected) in 0.01s", "not counted"),
        ("3 warnings in 0.01s", "not counted"),
        ("5 passed", "not counted"),
        ("the 5 passed in 0.1s", "not counted"),
        (
            "Ran 6 tests in 0.006s\n\nFAILED (failures=1, errors=1, skipped=1, expected failures=1, unexpected successes=1)",
            "unittest 1/2/1/2",
        ),
        ("Ran 1 test in 0.006s\n\nOK", "unittest 1/0/0/0"),
        (
            "Ran 2 tests in 0.006s\n\nOK (skipped=1)",
            "unittest 1/0/0/1",
        ),
        ("Ran 0 tests in 0.000s\n\nNO TESTS RAN", "unittest 0/0/0/0"),
        ("Ran 6 tests in 0.006s\n\n", "unittest 0/0/0/0 incomplete"),
        (
            "Found 2 test(s).\n..\nRan 2 tests in 0.1s\n\nOK\nDestroying test database",
            "unittest 2/0/0/0",
        ),
    ]);
}

#[test]
fn rust() {
    check(&[
        (
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.14s",
            "cargo-test 3/0/0/1",
        ),
        (
            "test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out",
            "cargo-test 2/1/0/1",
        ),
        (
            "running 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 4 filtered out; finished in 0.00s\n\
          running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "cargo-test 1/0/0/0",
        ),
        // Two halves of a pipe: only the results are left.
        (
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\
          test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            "cargo-test 5/0/0/0",
        ),
        // A test of the same size is quoted in the only test, which fails.
        (
            "running 1 test\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\
          test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
            "cargo-test 0/1/0/0",
        ),
        (
            "running 3 tests\ntest a ... ok\ntest b ... FAILED",
            "cargo-test 0/0/0/0 incomplete [b]",
        ),
        ("running 3 tests of our own", "not counted"),
        ("test result: ok", "not counted"),
        (
            "     Summary [   0.206s] 4 tests run: 4 passed, 1 skipped",
            "nextest 4/0/0/1",
        ),
        (
            "     Summary [   0.480s] 3/4 tests run: 2 passed, 1 failed, 1 skipped",
            "nextest 2/1/0/1",
        ),
        (
            "     Summary [   0.480s] 3/4 tests run: 3 passed, 1 skipped",
            "nextest 3/0/0/1 incomplete",
        ),
        (
            "     Summary [   0.000s] 0 tests run: 0 passed, 5 skipped",
            "nextest 0/0/0/5",
        ),
        (
            "     Summary [   1.000s] 1 test run: 1 passed (1 slow), 0 skipped",
            "nextest 1/0/0/0",
        ),
        (
            "     Summary [   1.000s] 7 tests run: 4 passed (1 slow, 2 flaky), 1 failed, 1 timed out, 1 exec failed, 0 skipped",
            "nextest 4/2/1/0 flaky 2",
        ),
        (
            "    Starting 5 tests across 2 binaries\n        PASS [   0.011s] krate a",
            "nextest 0/0/0/0 incomplete",
        ),
    ]);
}

#[test]
fn go() {
    check(&[
        ("ok  \tex/a\t0.007s", "not counted"),
        ("ok  \tex/a\t0.002s [no tests to run]", "go-test 0/0/0/0"),
        ("?   \tex/b\t[no test files]", "go-test 0/0/0/0"),
        (
            "\tex/b\t\tcoverage: 0.0% of statements\nok  \tex/a\t0.1s\tcoverage: 80.0% of statements",
            "not counted",
        ),
        (
            "--- FAIL: TestX (0.00s)\nFAIL\nFAIL\tx\t0.1s\n",
            "go-test 0/1/0/0 [x.TestX]",
        ),
        ("--- FAIL: TestX (0.00s)\n", "not counted"),
        ("DONE 4 tests, 1 skipped in 0.258s", "gotestsum 3/0/0/1"),
        ("DONE 0 tests, 1 failure in 0.217s", "gotestsum 0/1/0/0"),
        ("DONE 0 tests, 1 error in 0.217s", "gotestsum 0/0/1/0"),
        ("DONE 0 tests in 0.171s", "gotestsum 0/0/0/0"),
        (
            "DONE 2 runs, 6 tests, 1 failure in 1.2s",
            "gotestsum 5/1/0/0",
        ),
        ("DONE 1 tests in 0.811s", "gotestsum 1/0/0/0"),
        ("DONE in 3s", "not counted"),
    ]);
}

#[test]
fn javascript() {
    check(&[
        (
            "Test Suites: 1 passed, 1 total\nTests:       1 skipped, 1 todo, 2 passed, 4 total",
            "jest 2/0/0/2",
        ),
        (
            "Test Suites: 1 failed, 1 passed, 2 total\nTests:       2 passed, 2 total",
            "jest 2/0/1/0",
        ),
        ("PASS src/a.test.ts\n", "jest 0/0/0/0 incomplete"),
        ("No tests found, exiting with code 0", "jest 0/0/0/0"),
        ("PASS everything", "not counted"),
        (
            " Test Files  1 passed (1)\n      Tests  2 passed | 1 skipped | 1 todo (4)\n     Errors  1 error",
            "vitest 2/0/1/2",
        ),
        (
            " Test Files  1 failed (1)\n      Tests  no tests",
            "vitest 0/0/1/0",
        ),
        (" RUN  v4.1.0 /home/dev\n", "vitest 0/0/0/0 incomplete"),
        ("No test files found, exiting with code 0", "vitest 0/0/0/0"),
        (
            "  2 passing (8ms)\n  2 pending\n  1 failing\n",
            "mocha 2/1/0/2",
        ),
        ("  1 passing (2s)\n", "mocha 1/0/0/0"),
        ("2 passing grades", "not counted"),
        (
            "# tests 4\n# suites 0\n# pass 2\n# fail 0\n# cancelled 1\n# skipped 1\n# todo 0\n# duration_ms 369.03",
            "node-test 2/1/0/1",
        ),
        (
            "ℹ tests 4\nℹ suites 0\nℹ pass 2\nℹ fail 0\nℹ cancelled 0\nℹ skipped 1\nℹ todo 1\nℹ duration_ms 356.47",
            "node-test 2/0/0/2",
        ),
        ("ℹ tests 4\nℹ suites 0\nℹ pass 2", "not counted"),
        (
            "ok | 2 passed | 0 failed | 1 ignored (78ms)",
            "deno 2/0/0/1",
        ),
        ("ok | 2 passed (3 steps) | 0 failed (78ms)", "deno 2/0/0/0"),
        (
            "ok | 0 passed | 0 failed | 3 filtered out (4ms)",
            "deno 0/0/0/0",
        ),
        (
            " 2 pass\n 0 fail\n 1 expect() calls\nRan 2 tests across 1 file. [10.00ms]",
            "bun 2/0/0/0",
        ),
        ("No tests found!", "bun 0/0/0/0"),
        (
            "error: regex \"x\" matched 0 tests. Searched 1 file (skipping 4 tests)",
            "bun 0/0/0/0",
        ),
        (
            "Running 1 test using 1 worker\n\n  1 flaky\n    a.spec.ts:3:5 › x\n",
            "playwright 1/0/0/0 flaky 1",
        ),
        (
            "Running 2 tests using 1 worker\n\n  2 passed (3.4s)\n",
            "playwright 2/0/0/0",
        ),
        ("Error: No tests found", "playwright 0/0/0/0"),
    ]);
}

#[test]
fn protocols() {
    check(&[
        ("TAP version 14\n1..1\nok 1 - a\n", "tap 1/0/0/0"),
        ("ok\nnot ok\n1..2\n", "tap 1/1/0/0"),
        (
            "1..2\nok 1 # TODO early\nok 2 hash # in the text\n",
            "tap 1/0/0/1",
        ),
        ("1..1\nok 1\nok 2\n", "tap 2/0/0/0 incomplete"),
        ("TAP version 13\n", "tap 0/0/0/0 incomplete"),
        ("ok 1\nok 2\n", "not counted"),
        ("okay then\n1..10 is a range\n", "not counted"),
        ("1..0\n", "tap 0/0/0/0"),
        ("ok 1 a\nok 2 b\nok 3 sk # skip r\n1..3\n", "tap 2/0/0/1"),
        ("3 tests, 0 failures", "bats 3/0/0/0"),
        ("3 tests", "not counted"),
        ("100% tests passed out of 2", "ctest 2/0/0/0"),
        (
            "100% tests passed, 0 tests failed out of 2",
            "ctest 2/0/0/0",
        ),
        ("40% tests passed, 3 tests failed out of 5", "ctest 2/3/0/0"),
        ("No tests were found!!!", "ctest 0/0/0/0"),
    ]);
}

#[test]
fn other_languages() {
    check(&[
        ("4 examples, 0 failures, 2 pending", "rspec 2/0/0/2"),
        ("1 example, 1 failure", "rspec 0/1/0/0"),
        (
            "0 examples, 0 failures, 1 error occurred outside of examples",
            "rspec 0/0/1/0",
        ),
        (
            "0 examples, 0 failures, 2 errors occurred outside of examples",
            "rspec 0/0/2/0",
        ),
        (
            "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips",
            "minitest 0/0/0/0",
        ),
        (
            "6 tests, 5 assertions, 0 failures, 0 errors, 0 pendings, 1 omissions",
            "minitest 5/0/0/1",
        ),
        (
            "2 runs, 2 assertions, 0 failures, 0 errors, 0 skips\n3 runs, 2 assertions, 1 failures, 0 errors, 0 skips",
            "minitest 4/1/0/0",
        ),
        ("OK (6 tests, 6 assertions)", "phpunit 6/0/0/0"),
        ("OK (1 test, 1 assertion)", "phpunit 1/0/0/0"),
        (
            "OK, but incomplete, skipped, or risky tests!\nTests: 6, Assertions: 3, Skipped: 1, Incomplete: 1, Risky: 1.",
            "phpunit 4/0/0/2",
        ),
        ("No tests executed!", "phpunit 0/0/0/0"),
        (
            "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1",
            "surefire 2/0/0/1",
        ),
        (
            "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.03 s - in org.x.ATest",
            "not counted",
        ),
        ("No tests to run.\n[INFO] BUILD SUCCESS", "surefire 0/0/0/0"),
        ("1 test completed, 1 failed", "gradle 0/1/0/0"),
        (
            "BUILD SUCCESSFUL in 1s\n5 actionable tasks: 1 executed, 4 up-to-date",
            "not counted",
        ),
        (
            "Total tests: 39. Passed: 33. Failed: 4. Skipped: 2.\nTest Run Failed.",
            "dotnet 33/4/0/2",
        ),
        (
            "Test Run Successful.\nTotal tests: 5\n     Passed: 5\n Total time: 1.2 Seconds",
            "dotnet 5/0/0/0",
        ),
        (
            "Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5, Duration: 6 s - X.dll (net5.0)\n\
          Failed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, Duration: 6 s - Y.dll (net5.0)",
            "dotnet 7/1/0/1",
        ),
        (
            "Test summary: total: 5, failed: 1, succeeded: 4, skipped: 0, duration: 1.2s",
            "dotnet 4/1/0/0",
        ),
        (
            "Test run summary: Passed!\n  total: 5\n  failed: 0\n  succeeded: 4\n  skipped: 1\n  duration: 1s",
            "dotnet 4/0/0/1",
        ),
        (
            "No test is available in X.dll. Make sure that test discoverer",
            "dotnet 0/0/0/0",
        ),
        (
            "\t Executed 1 test, with 0 failures (0 unexpected) in 0.1 (0.1) seconds",
            "swift 1/0/0/0",
        ),
        (
            "✘ Test run with 7 tests failed after 0.1 seconds with 2 issues.",
            "swift 5/2/0/0",
        ),
        (
            "✔ Test run with 7 tests in 2 suites passed after 0.001 seconds.",
            "swift 7/0/0/0",
        ),
    ]);
}
