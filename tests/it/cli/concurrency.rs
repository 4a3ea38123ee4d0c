//! Many processes at one run: every record is there, in one line of succession.

use crate::support::Sandbox;
use serde_json::Value;
use std::{collections::HashSet, process::Stdio};

/// Eight at once.
const WRITERS: usize = 8;

/// Each appends `each` records; none is lost.
fn append_at_once(each: usize) {
    let sandbox = Sandbox::project();
    sandbox.git(&["config", "rapid.testCommand", "true"]);
    sandbox.rapid_ok(&["start", "direct", "-m", "many hands"]);
    let run = sandbox.rapid_json(&["next"])["run_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let records = || -> Vec<Value> {
        let document = sandbox.rapid_json(&["log", &run]);
        document["records"].as_array().unwrap().clone()
    };
    let before = records().len();
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (sandbox, run) = (&sandbox, &run);
            scope.spawn(move || {
                for nth in 0..each {
                    // The cheapest step that leaves a record of its own.
                    let file = sandbox.root().join(format!("tmp/{writer}-{nth}"));
                    std::fs::write(&file, format!("{writer} {nth}\n")).unwrap();
                    let label = format!("writer {writer}, {nth}");
                    let output = sandbox
                        .rapid_command(&["--run", run, "attach"])
                        .arg(&file)
                        .args(["--task", "T001", "--label", &label])
                        .stdout(Stdio::null())
                        .output()
                        .unwrap();
                    assert!(
                        output.status.success(),
                        "{label}: {}",
                        String::from_utf8_lossy(&output.stderr)
                    );
                }
            });
        }
    });
    let records = records();
    let added = &records[before..];
    assert_eq!(added.len(), WRITERS * each);
    let labels: HashSet<&str> = added
        .iter()
        .map(|record| record["body"]["payload"]["label"].as_str().unwrap())
        .collect();
    assert_eq!(labels.len(), WRITERS * each, "each once");
    for pair in records.windows(2) {
        assert_eq!(
            pair[1]["prev"],
            serde_json::json!([pair[0]["digest"]]),
            "each names the one before it and no other"
        );
        assert_eq!(
            pair[1]["seq"].as_u64().unwrap(),
            pair[0]["seq"].as_u64().unwrap() + 1
        );
    }
    let merges = sandbox.git(&[
        "rev-list",
        "--merges",
        "--count",
        &format!("refs/rapid/runs/{run}"),
    ]);
    assert_eq!(merges, "0", "one line");
    let fsck = sandbox.rapid_json(&["fsck"]);
    assert_eq!(fsck["ok"], true, "{fsck:#}");
    sandbox.git(&["fsck", "--strict"]);
}

#[test]
fn eight_processes_append_to_one_run_and_none_is_lost() {
    append_at_once(10);
}

/// The same at length; by name only, for it takes minutes.
#[test]
#[ignore = "takes minutes"]
fn eight_processes_append_a_hundred_records_each_to_one_run_and_none_is_lost() {
    append_at_once(100);
}

#[test]
fn of_two_starts_at_once_one_is_bound_and_the_other_told_so_or_both_are_whole() {
    let sandbox = Sandbox::project();
    sandbox.git(&["config", "rapid.testCommand", "true"]);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let run = sandbox.rapid(&["--json", "start", "direct", "-m", "same title"]);
                assert!([0, 1].contains(&run.code), "{run:?}");
            });
        }
    });
    let fsck = sandbox.rapid_json(&["fsck"]);
    assert_eq!(fsck["ok"], true, "{fsck:#}");
    let next = sandbox.rapid_json(&["next"]);
    assert!(next["run_id"].is_string(), "{next:#}");
    sandbox.git(&["fsck", "--strict"]);
}

#[test]
fn a_task_is_started_once_however_many_start_it() {
    let sandbox = Sandbox::project();
    sandbox.git(&["config", "rapid.testCommand", "true"]);
    sandbox.rapid_ok(&["start", "direct", "-m", "many hands"]);
    let codes: Vec<i32> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..WRITERS)
            .map(|_| scope.spawn(|| sandbox.rapid(&["task", "start", "T001"]).code))
            .collect();
        handles
            .into_iter()
            .map(|handle| handle.join().unwrap())
            .collect()
    });
    assert!(codes.contains(&0), "{codes:?}");
    let log = sandbox.rapid_json(&["log"]);
    let moved = log["records"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|record| record["body"]["subject"] == "task:T001")
        .count();
    assert_eq!(moved, 1, "{log:#}");
}
