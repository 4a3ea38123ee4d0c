//! Whole outputs, kept as files: most are real ones of the runner named by the folder.

use super::counted;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// File, and what is counted: passed/failed/errors/skipped.
const FILES: &[(&str, &str)] = &[
    ("cargo-test/green.txt", "cargo-test 6/0/0/1"),
    ("cargo-test/quiet.txt", "cargo-test 6/0/0/1"),
    // The failing test printed another run's block, and a summary of pytest.
    ("cargo-test/red.txt", "cargo-test 5/1/0/1 [tests::bad]"),
    ("cargo-test/aborted.txt", "cargo-test 0/0/0/0 incomplete"),
    (
        "cargo-test/aborted-then-others.txt",
        "cargo-test 2/0/0/0 incomplete",
    ),
    ("cargo-test/filtered-to-none.txt", "cargo-test 0/0/0/0"),
    ("cargo-test/does-not-compile.txt", "not counted"),
    ("nextest/green.txt", "nextest 5/0/0/1"),
    ("nextest/coloured.txt", "nextest 5/0/0/1"),
    ("nextest/red.txt", "nextest 4/1/0/1 [krate tests::bad]"),
    ("nextest/retried.txt", "nextest 4/1/0/1 [krate tests::bad]"),
    ("nextest/flaky.txt", "nextest 2/0/0/0 flaky 1"),
    (
        "nextest/timed-out.txt",
        "nextest 1/1/0/0 flaky 1 [krate slow]",
    ),
    ("nextest/none.txt", "nextest 0/0/0/6"),
    ("pytest/green.txt", "pytest 6/0/0/2"),
    (
        "pytest/red.txt",
        "pytest 3/2/1/2 [test_a.py::test_bad[a - b] | test_a.py::test_bad[2] | test_a.py::test_err]",
    ),
    (
        "pytest/quiet-red.txt",
        "pytest 3/2/1/2 [test_a.py::test_bad[a - b] | test_a.py::test_bad[2] | test_a.py::test_err]",
    ),
    (
        "pytest/coloured.txt",
        "pytest 3/2/1/2 [test_a.py::test_bad[a - b] | test_a.py::test_bad[2] | test_a.py::test_err]",
    ),
    ("pytest/silent.txt", "not counted"),
    ("pytest/deselected.txt", "pytest 0/0/0/0"),
    ("pytest/none.txt", "pytest 0/0/0/0"),
    ("pytest/usage.txt", "pytest 0/0/0/0"),
    ("pytest/collect-only.txt", "not counted"),
    ("pytest/collection-error.txt", "pytest 0/0/1/0 [test_x.py]"),
    ("pytest/interrupted.txt", "pytest 1/0/0/0 incomplete"),
    (
        "pytest/stopped-at-first.txt",
        "pytest 2/1/0/0 [test_a.py::test_bad[a - b]]",
    ),
    ("unittest/green.txt", "unittest 3/0/0/3"),
    (
        "unittest/red.txt",
        "unittest 1/2/1/2 [test_u.Case.test_err | test_u.Case.test_bad | test_u.Case.test_xs]",
    ),
    (
        "unittest/missing-module.txt",
        "unittest 0/0/1/0 [unittest.loader._FailedTest.absent]",
    ),
    ("unittest/none.txt", "unittest 0/0/0/0"),
    ("go-test/plain-green.txt", "not counted"),
    (
        "go-test/plain-red.txt",
        "go-test 0/2/0/0 [ex/a.TestBad | ex/a.TestBad/case]",
    ),
    (
        "go-test/verbose.txt",
        "go-test 2/2/0/1 [ex/a.TestBad | ex/a.TestBad/case]",
    ),
    (
        "go-test/build-failed.txt",
        "go-test 0/0/2/0 [ex/c | ./nodir/...]",
    ),
    ("go-test/panic-outside.txt", "go-test 1/0/1/0 [ex/a]"),
    ("go-test/cut-off.txt", "go-test 1/0/0/0 incomplete"),
    ("go-test/none.txt", "go-test 0/0/0/0"),
    ("go-json/red.txt", "go-json 1/1/1/1 [ex/a.TestBad | ex/c]"),
    ("go-json/panic.txt", "go-json 0/1/0/0 [ex/a.TestGood]"),
    ("go-json/cut-off.txt", "go-json 1/0/0/0 incomplete"),
    ("gotestsum/red.txt", "gotestsum 2/1/0/1 [ex/a TestBad]"),
    ("jest/green.txt", "jest 2/0/0/2"),
    ("jest/red.txt", "jest 1/1/0/2 [suite › deep]"),
    ("jest/coloured.txt", "jest 1/1/0/2 [suite › deep]"),
    ("jest/broken-file.txt", "jest 1/0/1/0"),
    ("jest/none.txt", "jest 0/0/0/0"),
    ("vitest/green.txt", "vitest 2/0/0/2"),
    (
        "vitest/red.txt",
        "vitest 1/1/0/2 [a.test.js > suite > deep]",
    ),
    (
        "vitest/coloured.txt",
        "vitest 1/1/0/2 [a.test.js > suite > deep]",
    ),
    ("vitest/broken-file.txt", "vitest 1/0/1/0 [b.test.js]"),
    ("vitest/none.txt", "vitest 0/0/0/0"),
    ("mocha/green.txt", "mocha 2/0/0/2"),
    ("mocha/red.txt", "mocha 1/1/0/2 [suite inner deep]"),
    ("mocha/none-match.txt", "mocha 0/0/0/0"),
    ("mocha/no-files.txt", "mocha 0/0/0/0"),
    ("tap/mocha.txt", "tap 1/1/0/2 [suite inner deep]"),
    ("node-test/tap-green.txt", "node-test 3/0/0/2"),
    ("node-test/tap-red.txt", "node-test 2/1/0/2 [inner bad]"),
    ("node-test/spec-green.txt", "node-test 3/0/0/2"),
    ("node-test/spec-red.txt", "node-test 2/1/0/2 [inner bad]"),
    (
        "node-test/spec-coloured.txt",
        "node-test 2/1/0/2 [inner bad]",
    ),
    (
        "node-test/broken-file.txt",
        "node-test 0/1/0/0 [/home/dev/node/broken/b.test.js]",
    ),
    ("node-test/none.txt", "node-test 0/0/0/0"),
    ("deno/red.txt", "deno 1/1/0/1 [bad]"),
    ("bun/red.txt", "bun 1/1/0/2 [suite > bad]"),
    (
        "playwright/red.txt",
        "playwright 3/1/1/2 flaky 1 [[chromium] › a.spec.ts:3:5 › bad]",
    ),
    ("playwright/cut-off.txt", "playwright 0/0/0/0 incomplete"),
    ("tap/nested.txt", "tap 1/1/0/2 [outer]"),
    ("tap/several.txt", "tap 4/1/0/1 [b]"),
    ("tap/cut-off.txt", "tap 2/0/0/0 incomplete"),
    ("tap/bail-out.txt", "tap 1/0/1/0 incomplete"),
    ("tap/none.txt", "tap 0/0/0/0"),
    ("bats/pretty.txt", "bats 1/1/0/1 [subtracts]"),
    ("prove/green.txt", "prove 2/0/0/0"),
    ("prove/red.txt", "prove 4/1/1/0 [t/b.t | t/c.t]"),
    ("prove/verbose.txt", "prove 1/1/0/0 [t/b.t]"),
    ("prove/none.txt", "prove 0/0/0/0"),
    ("prove/bail-out.txt", "prove 1/0/1/0 incomplete [x.t]"),
    ("ctest/red.txt", "ctest 2/2/0/1 [b | c]"),
    ("ctest/cut-off.txt", "ctest 0/0/0/0 incomplete"),
    (
        "rspec/red.txt",
        "rspec 1/1/0/2 [./spec/a_spec.rb:3 # Calc adds]",
    ),
    (
        "minitest/red.txt",
        "minitest 1/1/1/1 [TestA#test_b | TestA#test_c]",
    ),
    ("phpunit/red.txt", "phpunit 2/1/1/2 [Calc\\ATest::testB]"),
    (
        "surefire/red.txt",
        "surefire 3/1/0/1 flaky 2 [org.x.ATest.foo]",
    ),
    (
        "surefire/cut-off.txt",
        "surefire 0/0/0/0 incomplete [org.x.ATest.foo]",
    ),
    ("gradle/red.txt", "gradle 9/1/0/2 [CalcTest > adds()]"),
    ("gradle/up-to-date.txt", "not counted"),
    ("swift/red.txt", "swift 24/5/0/2 [-[Tests.ATests testB]]"),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/output")
}

#[test]
fn every_output_is_counted_as_it_should_be() {
    let wrong: Vec<_> = FILES
        .iter()
        .filter_map(|(file, expected)| {
            let found = counted(std::fs::read(folder().join(file)).unwrap());
            (found != *expected).then(|| format!("{file}\n  is  {found}\n  not {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_is_in_the_table() {
    let mut files = BTreeSet::new();
    for runner in std::fs::read_dir(folder()).unwrap().flatten() {
        // Reports have a test of their own.
        if runner.file_name() == "junit" {
            continue;
        }
        for file in std::fs::read_dir(runner.path()).unwrap().flatten() {
            let path = file.path();
            let name = path.strip_prefix(folder()).unwrap();
            files.insert(name.to_str().unwrap().to_owned());
        }
    }
    let table: BTreeSet<_> = FILES.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(files, table);
}

/// Cut anywhere, an output never looks better than it is: no failure turns into success,
/// and what passed is not more than it was.
#[test]
fn no_cut_makes_it_better() {
    for (file, _) in FILES {
        // Without a headline nothing tells what a test quoted from the end itself, and
        // CTest tells what it skipped after the total.
        if ["pytest/quiet-red.txt", "ctest/red.txt"].contains(file) {
            continue;
        }
        let whole = std::fs::read(folder().join(file)).unwrap();
        let Some(full) = git_rapid::check::count_output(&[], &whole) else {
            continue;
        };
        let ends = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        for (end, _) in ends {
            let Some(part) = git_rapid::check::count_output(&[], &whole[..end]) else {
                continue;
            };
            if part.runner == full.runner {
                assert!(part.counts.passed <= full.counts.passed, "{file} at {end}");
            }
        }
    }
}
