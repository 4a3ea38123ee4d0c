//! An honest agent in the situations of every day: it always gets through, and what is not
//! its work does not count as its work.

mod history;
mod situations;

use crate::support::{Sandbox, doubler::MORE_CASES, driver::drive};
use serde_json::{Value, json};

/// Drives to the end, doing the work of the only task; the verdict.
#[track_caller]
fn drive_on(sandbox: &Sandbox) -> String {
    let story = drive(sandbox, |asked| asked.place.write("t/cases", MORE_CASES));
    let verdict = story.verdict().to_owned();
    clean(sandbox);
    verdict
}

/// The ledger is whole.
#[track_caller]
fn clean(sandbox: &Sandbox) {
    let fsck = sandbox.rapid(&["fsck", "--json"]).json();
    assert_eq!(fsck["ok"], true, "{fsck:#}");
    assert_eq!(fsck["warnings"], json!([]), "{fsck:#}");
}

/// Finishes; the verdict and the stored report.
#[track_caller]
fn finish(sandbox: &Sandbox) -> (Value, Value) {
    let done = sandbox.rapid(&["finish", "--json"]).ended(0).json();
    let record = done["outcome"]["report"].as_str().expect("a report");
    let report = sandbox.rapid_json(&["show", record])["body"].clone();
    clean(sandbox);
    (done["outcome"]["verdict"].clone(), report)
}

/// An assertion of a report.
#[track_caller]
fn assertion<'r>(report: &'r Value, id: &str) -> &'r Value {
    report["assertions"]
        .as_array()
        .and_then(|all| all.iter().find(|found| found["id"] == id))
        .unwrap_or_else(|| panic!("no {id}: {report:#}"))
}

/// The paths of a run's change, as its report has them.
fn changed(report: &Value) -> Vec<&str> {
    report["facts"]["paths"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|fact| fact["path"].as_str())
        .collect()
}
