//! What other verbs tell: checks, records, verdicts, faults, the status.

use super::{CHECK, COUNTS, Keys, RUN, VIEW, ask_next, keys, next_document};
use crate::support::doubler::{self, MORE_CASES};
use serde_json::{Value, json};

#[test]
fn the_documents_of_check() {
    let sandbox = doubler::sandbox();
    doubler::start_feature(&sandbox);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.write("t/cases", MORE_CASES);
    let check = |words: &[&str], code| {
        let mut all = vec!["check", "--json"];
        all.extend_from_slice(words);
        let done = sandbox.rapid(&all).ended(code).json();
        keys(&done, CHECK);
        keys(&done["linked"], (&["tasks", "gates", "acceptance"], &[]));
        if !done["counts"].is_null() {
            keys(&done["counts"], COUNTS);
        }
        done
    };
    let first = check(&[], 0);
    assert_eq!(first["linked"]["tasks"], json!(["T001"]));
    assert_eq!(
        (&first["check"], &first["met"]),
        (&json!("test"), &json!(true))
    );
    let cited = check(&[], 0);
    assert_eq!(
        (&cited["cited"], &cited["record"]),
        (&json!(true), &first["record"])
    );
    check(&["--", "false"], 1);
    let killed = check(&["--", "sh", "-c", "kill -9 $$"], 1);
    assert_eq!(
        (&killed["signal"], &killed["exit_code"]),
        (&json!(9), &Value::Null)
    );
    let late = check(&["--timeout", "1", "--", "sleep", "60"], 1);
    assert_eq!(late["timed_out"], true);
    let moving = check(&["--", "sh", "-c", "echo >>double.sh"], 1);
    assert_eq!(moving["stable"], false);
    assert_eq!(moving["changed"], json!(["double.sh"]));
}

#[test]
fn the_documents_that_tell_of_a_run() {
    let (sandbox, run) = doubler::finished_feature();
    let list = sandbox.rapid_json(&["evidence", "list", "--run", &run]);
    keys(&list, (&["schema_version", "run_id", "records"], &[]));
    let log = sandbox.rapid_json(&["log", &run]);
    keys(&log, (&["schema_version", "run_id", "records"], &[]));
    for (place, view) in log["records"].as_array().unwrap().iter().enumerate() {
        keys(view, VIEW);
        assert_eq!(view.get("nonce").is_some(), place == 0, "{view:#}");
        assert_eq!(view.get("stream").is_some(), place > 0, "{view:#}");
    }
    let shown = sandbox.rapid_json(&["evidence", "show", "E001", "--run", &run]);
    keys(&shown, VIEW);
    assert_eq!(shown, list["records"][0]);
    let runs = sandbox.rapid_json(&["log"]);
    keys(&runs, (&["schema_version", "runs"], &[]));
    keys(&runs["runs"][0], RUN);
    assert_eq!(runs["runs"][0]["verdict"], "pass");
    let verify = sandbox.rapid_json(&["verify", "HEAD"]);
    keys(
        &verify,
        (&["schema_version", "commit", "commits", "verdict"], &[]),
    );
    let answer: Keys = (
        &[
            "commit", "tree", "run_id", "record", "state", "verdict", "trust",
        ],
        &[],
    );
    keys(&verify["commits"][0], answer);
    let verify = sandbox.rapid_json(&["verify", &run]);
    keys(
        &verify,
        (&["schema_version", "run", "commits", "verdict"], &[]),
    );
    keys(&verify["commits"][0], answer);
    let fsck = sandbox.rapid(&["fsck", "--json"]).ended(0).json();
    keys(
        &fsck,
        (
            &[
                "schema_version",
                "ok",
                "streams",
                "records",
                "faults",
                "warnings",
            ],
            &[],
        ),
    );
    let report = sandbox.rapid_json(&["eval", "run", "--run", &run]);
    let body: Keys = (
        &[
            "schema_version",
            "contract",
            "prev",
            "subject",
            "ruleset_version",
            "facts",
            "assertions",
            "verdict",
        ],
        &[],
    );
    keys(&report, body);
    for said in report["assertions"].as_array().unwrap() {
        keys(
            said,
            (
                &[
                    "id", "status", "required", "why", "facts", "records", "trust",
                ],
                &[],
            ),
        );
    }
}

#[test]
fn a_fault_has_its_document() {
    let (sandbox, run) = doubler::finished_feature();
    let name = format!("refs/rapid/runs/{run}");
    let tree = sandbox.git(&["rev-parse", "HEAD^{tree}"]);
    let bad = sandbox.git(&["commit-tree", &tree, "-p", &name, "-m", "not a record"]);
    sandbox.git(&["update-ref", &name, &bad]);
    let fsck = sandbox.rapid(&["fsck", "--json"]).ended(1).json();
    keys(
        &fsck,
        (
            &[
                "schema_version",
                "ok",
                "streams",
                "records",
                "faults",
                "warnings",
            ],
            &[],
        ),
    );
    assert_eq!(fsck["ok"], false);
    keys(
        &fsck["faults"][0],
        (&["code", "stream", "commit", "record", "text"], &[]),
    );
}

#[test]
fn the_document_of_status() {
    let sandbox = doubler::sandbox();
    let of: Keys = (
        &[
            "schema_version",
            "run",
            "tree",
            "verified",
            "scope",
            "checks",
            "hooks",
            "unproven",
            "next",
        ],
        &[],
    );
    let bare = sandbox.rapid_json(&["status"]);
    keys(&bare, of);
    assert_eq!(bare["run"], Value::Null);
    next_document(&bare["next"]);
    doubler::start_feature(&sandbox);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.write("t/cases", MORE_CASES);
    sandbox.commit_all("not tested");
    let status = sandbox.rapid_json(&["status"]);
    keys(&status, of);
    keys(&status["run"], RUN);
    next_document(&status["next"]);
    assert_eq!(status["next"], ask_next(&sandbox, &[]));
    assert_eq!(status["verified"], false);
    assert_eq!(status["hooks"], "absent");
    sandbox.rapid_ok(&["task", "done", "T001"]);
    let status = sandbox.rapid_json(&["status"]);
    assert_eq!(status["verified"], true, "{status:#}");
}
