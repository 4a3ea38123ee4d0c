//! `go test -json`: one event a line.

use super::{Found, Names};
use crate::domain::evidence::Counts;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "Action")]
    action: String,
    #[serde(rename = "Package", default)]
    package: String,
    #[serde(rename = "Test")]
    test: Option<String>,
}

/// A package that is being tested.
#[derive(Default)]
struct Package {
    running: BTreeSet<String>,
    failed: bool,
}

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let mut counts = Counts::default();
    let mut names = Names::default();
    let mut open: BTreeMap<String, Package> = BTreeMap::new();
    let mut at = None;
    for (index, line) in lines.iter().enumerate() {
        if !line.starts_with('{') || !line.contains("\"Action\"") {
            continue;
        }
        let Ok(event) = serde_json::from_str::<Event>(line) else {
            continue;
        };
        let action = event.action.as_str();
        match (action, event.test) {
            ("start", None) => {
                open.entry(event.package).or_default();
            }
            ("run", Some(test)) => {
                open.entry(event.package).or_default().running.insert(test);
            }
            ("pass" | "fail" | "skip", Some(test)) => {
                let package = open.entry(event.package.clone()).or_default();
                package.running.remove(&test);
                match action {
                    "pass" => counts.passed += 1,
                    "skip" => counts.skipped += 1,
                    _ => {
                        counts.failed += 1;
                        package.failed = true;
                        names.push(&format!("{}.{test}", event.package));
                    }
                }
            }
            ("pass" | "fail" | "skip", None) => {
                let package = open.remove(&event.package).unwrap_or_default();
                // Whoever still ran when the package failed took it down.
                for test in &package.running {
                    counts.failed += u64::from(action == "fail");
                    names.push(&format!("{}.{test}", event.package));
                }
                if action == "fail" && !package.failed && package.running.is_empty() {
                    counts.errors += 1;
                    names.push(&event.package);
                }
            }
            _ => continue,
        }
        at = Some(index);
    }
    Some(Found {
        counts,
        failed_tests: names,
        complete: open.is_empty(),
        at: at?,
    })
}
