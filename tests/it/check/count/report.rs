//! JUnit and TAP report files.

use super::told;
use git_rapid::check::{ReportError, count_report};
use std::path::Path;

fn counted(report: impl AsRef<[u8]>) -> String {
    told(Some(count_report(report.as_ref()).unwrap()))
}

fn file(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/output/junit");
    counted(std::fs::read(folder.join(name)).unwrap())
}

#[test]
fn what_real_runners_wrote() {
    assert_eq!(
        file("pytest.xml"),
        "junit 3/2/1/2 [test_a.test_bad[a - b] | test_a.test_bad[2] | test_a.test_err]"
    );
    assert_eq!(file("node.xml"), "junit 2/1/0/2 [test.inner bad]");
    assert_eq!(file("vitest.xml"), "junit 1/1/0/2 [a.test.js.suite > deep]");
}

#[test]
fn cases_count_at_any_depth() {
    for (report, expected) in [
        (
            "<testsuite tests=\"1\"><testsuite><testcase/><testcase><failure/></testcase></testsuite><testcase/></testsuite>",
            "junit 2/1/0/0",
        ),
        ("<testsuites/>", "junit 0/0/0/0"),
        (
            "<?xml version=\"1.0\"?>\n<!-- x --><testsuites><testsuite name=\"a\"/></testsuites>",
            "junit 0/0/0/0",
        ),
        // Both: once.
        (
            "<testsuite><testcase name=\"a\"><failure/><error/><failure/></testcase></testsuite>",
            "junit 0/1/0/0 [a]",
        ),
        (
            "<testsuite><testcase classname=\"c.D\" name=\"a\"><error>x</error></testcase></testsuite>",
            "junit 0/0/1/0 [c.D.a]",
        ),
        (
            "<testsuite><testcase name=\"a\"><skipped>why</skipped></testcase><testcase status=\"notrun\"/></testsuite>",
            "junit 0/0/0/2",
        ),
        (
            "<testsuite><testcase name=\"a\"><flakyFailure/></testcase><testcase name=\"b\"><failure/><rerunFailure/></testcase></testsuite>",
            "junit 1/1/0/0 flaky 1 [b]",
        ),
        (
            "<testsuite><testcase name=\"a\"><skipped type=\"todo\"/><failure/></testcase></testsuite>",
            "junit 0/0/0/1",
        ),
        // A set-up that broke, outside of any case.
        (
            "<testsuite><error/><testcase name=\"a\"/></testsuite>",
            "junit 1/0/1/0",
        ),
        // What a case printed is no result.
        (
            "<testsuite><testcase name=\"a\"><system-out>&lt;failure/&gt;<![CDATA[<failure/>]]></system-out></testcase></testsuite>",
            "junit 1/0/0/0",
        ),
        (
            "<testsuite><testcase name=\"a &amp; b &#x3c; &unknown;\"><failure/></testcase></testsuite>",
            "junit 0/1/0/0 [a &amp; b &#x3c; &unknown;]",
        ),
        (
            "<testsuite><testcase name=\"a &amp; b &#x3c;\"><failure/></testcase></testsuite>",
            "junit 0/1/0/0 [a & b <]",
        ),
    ] {
        assert_eq!(counted(report), expected, "{report}");
    }
}

#[test]
fn attributes_stand_in_and_contradict() {
    for (report, expected) in [
        (
            "<testsuite tests=\"5\" failures=\"1\" errors=\"1\" skipped=\"1\"/>",
            "junit 2/1/1/1",
        ),
        (
            "<testsuite tests=\"5\" failures=\"1\" skips=\"2\"/>",
            "junit 2/1/0/2",
        ),
        (
            "<testsuites><testsuite tests=\"2\"/><testsuite tests=\"3\" failures=\"1\"/></testsuites>",
            "junit 4/1/0/0",
        ),
        (
            "<testsuites tests=\"5\"><testsuite tests=\"2\"/><testsuite tests=\"3\"/></testsuites>",
            "junit 5/0/0/0",
        ),
        // The suite knows of a failure that no case tells.
        (
            "<testsuite tests=\"1\" failures=\"1\"><testcase name=\"a\"/></testsuite>",
            "junit 1/0/1/0",
        ),
        (
            "<testsuite tests=\"x\" failures=\"-1\"><testcase name=\"a\"/></testsuite>",
            "junit 1/0/0/0",
        ),
    ] {
        assert_eq!(counted(report), expected, "{report}");
    }
}

#[test]
fn tap_files() {
    assert_eq!(
        counted("\u{feff}TAP version 13\n1..2\nok 1\nnot ok 2 - x\n"),
        "tap 1/1/0/0 [x]"
    );
    assert_eq!(counted("1..3\nok 1\n"), "tap 1/0/0/0 incomplete");
}

#[test]
fn what_is_something_else() {
    for report in [
        "",
        "   \n",
        "hello",
        "{\"tests\": 5}",
        "<html><testcase/></html>",
        "<",
        "<!-- only -->",
        "= 5 passed in 0.1s =",
    ] {
        assert_eq!(
            count_report(report.as_bytes()),
            Err(ReportError::UnknownForm),
            "{report}"
        );
    }
    assert_eq!(
        count_report(b"\xff\xfe<\0t\0"),
        Err(ReportError::UnknownForm)
    );
}

#[test]
fn what_is_damaged() {
    let deep = "<testsuite>".repeat(100_000);
    for report in [
        "<testsuite><testcase/>",
        "<testsuite><testcase></testsuite>",
        "<testsuite",
        "<testsuite></testsuites>",
        "<testsuite><testcase name=\"a></testsuite>",
        deep.as_str(),
    ] {
        let error = count_report(report.as_bytes()).unwrap_err();
        let shown = &report[..report.len().min(80)];
        assert!(
            matches!(error, ReportError::Damaged { form: "JUnit", .. })
                || report == "<testsuite" && error == ReportError::UnknownForm,
            "{shown}: {error}"
        );
    }
}

#[test]
fn bombs_and_bulk_are_only_bytes() {
    let mut bomb = String::from("<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a0 \"lol\">");
    for level in 1..20 {
        let inner = format!("&a{};", level - 1).repeat(10);
        bomb += &format!("<!ENTITY a{level} \"{inner}\">");
    }
    bomb += "]><testsuite><testcase name=\"&a19;\"><failure>&a19;</failure></testcase></testsuite>";
    assert_eq!(counted(&bomb), "junit 0/1/0/0 [&a19;]");

    let outside = "<!DOCTYPE x [<!ENTITY f SYSTEM \"file:///etc/hostname\">]>\
                   <testsuite><testcase name=\"&f;\"><failure/></testcase></testsuite>";
    assert_eq!(counted(outside), "junit 0/1/0/0 [&f;]");

    let huge = format!(
        "<testsuite><testcase name=\"{}\"><failure/></testcase></testsuite>",
        "x".repeat(4_000_000)
    );
    assert_eq!(
        count_report(huge.as_bytes()).unwrap().failed_tests[0].len(),
        300
    );

    let attributes: String = (0..100_000)
        .map(|index| format!(" a{index}=\"\""))
        .collect();
    assert_eq!(
        counted(format!("<testsuite><testcase{attributes}/></testsuite>")),
        "junit 1/0/0/0"
    );

    let many = format!(
        "<testsuite>{}</testsuite>",
        "<testcase name=\"a\"/>".repeat(200_000)
    );
    assert_eq!(counted(many), "junit 200000/0/0/0");
}
