//! What broke checks of tools like this one in real life, each through the real program.
//! A test's name carries the number of its case.
//!
//! Cases that have no test here:
//!
//! | case | why |
//! |---|---|
//! | 1, 4, 15 | speak of what git gives a hook; no hooks are installed yet |
//! | 128 | the ending of the group is tested in `check/ending.rs`; here a signal would have to be sent to a group of its own |
//! | 136, 143, 146, 153, 155 | want the runner itself (vitest, jest, node, rspec); their output is in `tests/fixtures/output` |
//! | 150, 156, 157 | are about the form of files and lines: `check/count/report.rs` and `check/count/lines.rs` |
//! | 163, 165, 166 | are about the ledger's writing: `ledger/append.rs` and `ledger/concurrency.rs` |

use crate::support::Sandbox;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Far more than any of these may take, far less than what must not be waited for.
const LONG: Duration = Duration::from_secs(60);

/// A repository with an active run.
fn new() -> Sandbox {
    let sandbox = Sandbox::repo();
    sandbox.write("src/a", "1\n");
    sandbox.write("README", "read\n");
    sandbox.write("t.sh", "printf '1..1\\nok 1 - all\\n'\n");
    sandbox.commit_all("begin");
    sandbox.git(&["config", "rapid.testCommand", "sh t.sh"]);
    sandbox.rapid_ok(&["start", "direct", "-m", "mend it"]);
    sandbox
}

/// `git rapid check`, with more words.
fn check(sandbox: &Sandbox, words: &[&str]) -> Value {
    let mut all = vec!["check"];
    all.extend_from_slice(words);
    sandbox.rapid_json(&all)
}

/// `git rapid check -- sh -c <script>`.
fn shell(sandbox: &Sandbox, script: &str) -> Value {
    check(sandbox, &["--", "sh", "-c", script])
}

/// The record's body.
fn body(sandbox: &Sandbox, done: &Value) -> Value {
    let record = done["record"].as_str().unwrap_or_else(|| panic!("{done}"));
    sandbox.rapid_json(&["evidence", "show", record])["body"].clone()
}

fn notes(sandbox: &Sandbox, done: &Value) -> Value {
    body(sandbox, done)["notes"].clone()
}

fn log(sandbox: &Sandbox, done: &Value) -> String {
    let record = done["record"].as_str().unwrap_or_else(|| panic!("{done}"));
    sandbox.rapid_ok(&["evidence", "cat", record])
}

#[test]
fn case_3_the_result_is_the_same_inside_a_hook() {
    let sandbox = new();
    let script = "d=$(mktemp -d) && cd $d && git init -q t && cd t &&
        git commit -q --allow-empty -m i && git worktree add -q ../t2";
    let done = shell(&sandbox, script);
    assert_eq!(done["exit_code"], 0, "{done}");
    let mut hook = sandbox.rapid_command(&["--json", "check", "--fresh", "--", "sh", "-c", script]);
    let done = sandbox
        .finish(hook.env("GIT_INDEX_FILE", ".git/index"))
        .json();
    assert_eq!(done["exit_code"], 0, "{done}");
}

#[test]
fn case_6_no_config_of_the_caller_leaks_into_the_command() {
    let sandbox = new();
    let script = "test -z \"$GIT_CONFIG_PARAMETERS$GIT_CONFIG_COUNT\" && d=$(mktemp -d) &&
        git init -q $d && ! git -C $d config foo.bar";
    let mut called = sandbox.rapid_command(&["--json", "check", "--", "sh", "-c", script]);
    called
        .env("GIT_CONFIG_PARAMETERS", "'foo.bar'='1'")
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "foo.bar")
        .env("GIT_CONFIG_VALUE_0", "1");
    let done = sandbox.finish(&mut called).json();
    assert_eq!(done["exit_code"], 0, "{done}");
}

#[test]
fn case_8_each_picked_commit_is_checked_on_its_own_tree() {
    let sandbox = new();
    for text in ["2\n", "3\n"] {
        sandbox.write("src/a", text);
        sandbox.commit_all(text.trim());
    }
    let program = env!("CARGO_BIN_EXE_git-rapid");
    let exec = format!("{program} check --fresh -- true");
    sandbox.git(&["rebase", "-q", "--force-rebase", "--exec", &exec, "HEAD~2"]);
    let list = sandbox.rapid_json(&["evidence", "list"]);
    let checked = list["records"]
        .as_array()
        .unwrap_or_else(|| panic!("{list}"));
    for revision in ["HEAD~1", "HEAD"] {
        let tree = sandbox.git(&["rev-parse", &format!("{revision}^{{tree}}")]);
        assert!(
            checked.iter().any(|record| {
                record["body"]["payload"]["argv"] == json!(["true"])
                    && record["body"]["payload"]["subject"]["tree"] == format!("sha1:{tree}")
            }),
            "{revision}: {list}"
        );
    }
}

#[test]
fn case_124_a_timeout_does_not_wait_for_grandchildren() {
    let sandbox = new();
    let begun = Instant::now();
    let script = "sleep 600 & sleep 600";
    let done = check(&sandbox, &["--timeout", "3", "--", "sh", "-c", script]);
    assert!(begun.elapsed() < LONG);
    assert_eq!(done["met"], false);
    assert_eq!(body(&sandbox, &done)["payload"]["timed_out"], true);
}

#[test]
fn case_125_a_server_left_behind_is_noted_and_not_waited_for() {
    let sandbox = new();
    let begun = Instant::now();
    let done = shell(&sandbox, "sleep 600 & echo done");
    assert!(begun.elapsed() < LONG);
    assert_eq!(
        (&done["exit_code"], &done["met"]),
        (&json!(0), &json!(true))
    );
    assert_eq!(notes(&sandbox, &done), json!(["leftover_processes"]));
}

#[test]
fn case_129_a_signal_is_never_a_pass() {
    let sandbox = new();
    let done = shell(&sandbox, "echo 5 passed; kill -SEGV $$");
    assert_eq!(done["met"], false);
    assert_eq!(body(&sandbox, &done)["payload"]["signal"], 11);
}

#[test]
fn case_130_a_missing_command_is_told_from_a_failed_test() {
    let sandbox = new();
    for (command, code) in [("nosuchcmd", 127), ("/etc/passwd", 126)] {
        let done = check(&sandbox, &["--", command]);
        assert_eq!(
            (&done["exit_code"], &done["met"]),
            (&json!(code), &json!(false))
        );
        assert!(log(&sandbox, &done).starts_with("cannot run "));
    }
}

#[test]
fn case_131_a_failure_beside_exit_code_0_is_no_pass() {
    let sandbox = new();
    let script = r"printf -- '--- FAIL: TestX (0.00s)\nFAIL\nFAIL\tx\t0.1s\n' | tee /dev/null";
    let done = shell(&sandbox, script);
    assert_eq!(
        (&done["exit_code"], &done["met"]),
        (&json!(0), &json!(false))
    );
    assert_eq!(notes(&sandbox, &done), json!(["contradictory"]));
}

#[test]
fn case_132_no_tests_are_no_evidence() {
    let sandbox = new();
    let words = ["config", "rapid.testCommand", "sh none.sh"];
    let none = Sandbox::repo();
    none.write("none.sh", "echo 1..0\n");
    none.commit_all("begin");
    none.git(&words);
    none.rapid_ok(&["start", "direct", "-m", "mend it"]);
    none.rapid_ok(&["task", "start", "T001"]);
    none.write("a", "1\n");
    none.rapid(&["check"]);
    none.git(&["add", "a"]);
    let refused = none.rapid(&["commit", "-m", "m"]).ended(1);
    assert!(refused.stderr.contains("RAPID1502"), "{}", refused.stderr);
    let done = shell(
        &sandbox,
        "echo 'running 0 tests'; echo 'test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 4 filtered out'",
    );
    assert_eq!(done["counts"]["passed"], 0, "{done}");
}

#[test]
fn case_134_up_to_date_is_not_counted() {
    let sandbox = new();
    let text =
        r"> Task :test UP-TO-DATE\n\nBUILD SUCCESSFUL in 1s\n5 actionable tasks: 5 up-to-date\n";
    let done = check(&sandbox, &["--", "printf", text]);
    assert_eq!(
        (&done["exit_code"], &done["counts"]),
        (&json!(0), &Value::Null)
    );
}

#[test]
fn case_138_the_last_state_of_a_line_counts() {
    let sandbox = new();
    let text = r"10%%\r50%%\r100%%\r\n= 3 passed in 0.1s =\r\n";
    assert_eq!(
        check(&sandbox, &["--", "printf", text])["counts"]["passed"],
        3
    );
}

#[test]
fn case_139_bytes_that_are_no_text_are_kept() {
    let sandbox = new();
    let done = check(&sandbox, &["--", "printf", r"\273\377\n1 passed in 0.1s\n"]);
    assert_eq!(
        (&done["exit_code"], &done["counts"]["passed"]),
        (&json!(0), &json!(1))
    );
    assert_eq!(body(&sandbox, &done)["payload"]["log"]["size"], 20);
}

#[test]
fn case_140_endless_output_is_kept_within_its_limit() {
    let sandbox = new();
    let done = shell(&sandbox, "yes | head -c 100000000; echo '3 passed in 0.1s'");
    assert_eq!(
        (&done["exit_code"], &done["counts"]["passed"]),
        (&json!(0), &json!(3))
    );
    let body = body(&sandbox, &done);
    assert_eq!(body["notes"], json!(["truncated"]));
    assert!(body["payload"]["log"]["size"].as_u64().unwrap() < 300 * 1024);
}

#[test]
fn case_144_broken_lines_are_no_failure_of_ours() {
    let sandbox = new();
    let script = "printf 'Test Case x pas\\n  Executed 2 te\\nsts, with'; exit 0";
    let done = shell(&sandbox, script);
    assert_eq!(
        (&done["exit_code"], &done["counts"]),
        (&json!(0), &Value::Null)
    );
}

#[test]
fn case_147_a_failed_build_is_an_error() {
    let sandbox = new();
    let done = shell(&sandbox, "echo 'DONE 1 tests in 0.811s'; exit 1");
    assert_eq!(done["met"], false);
    let done = shell(&sandbox, r"printf 'FAIL\tx [build failed]\nFAIL\n'; exit 1");
    assert_eq!(
        (&done["met"], &done["counts"]["errors"]),
        (&json!(false), &json!(1))
    );
}

#[test]
fn case_160_a_question_finds_nobody() {
    let sandbox = new();
    let begun = Instant::now();
    let done = shell(&sandbox, "read x; echo got; read y </dev/tty || echo none");
    assert!(begun.elapsed() < LONG);
    assert_eq!(done["exit_code"], 0);
    assert!(log(&sandbox, &done).starts_with("got\n"));
}

/// A run with secrets in its environment.
fn with_secrets() -> Sandbox {
    let mut sandbox = new();
    sandbox.set("DEPLOY", "LIVE");
    sandbox.set("MY_TOKEN", "abcdef123456");
    sandbox
}

const TELLS: &str = r"echo DELIVERY; echo $MY_TOKEN
printf -- '-----BEGIN X PRIVATE KEY-----\nAAA\n-----END X PRIVATE KEY-----\n'";

#[test]
fn case_161_secrets_are_not_kept() {
    let sandbox = with_secrets();
    let done = shell(&sandbox, TELLS);
    assert_eq!(log(&sandbox, &done), "DELIVERY\n[redacted]\n[redacted]\n");
    assert_eq!(notes(&sandbox, &done), json!(["redacted"]));
    // Nor shown where the output may be kept by others.
    let red = sandbox.rapid(&["check", "--", "sh", "-c", &format!("{TELLS}; exit 1")]);
    let shown = red.ended(1);
    assert!(shown.stderr.contains("DELIVERY"), "{}", shown.stderr);
    assert!(!shown.stderr.contains("abcdef123456"), "{}", shown.stderr);
}

#[test]
fn case_161_counts_and_names_are_those_of_the_whole_output() {
    let sandbox = with_secrets();
    let script = "echo 1..1; echo \"not ok 1 - sends $MY_TOKEN\"; exit 1";
    let done = shell(&sandbox, script);
    assert_eq!(done["counts"]["failed"], 1);
    assert_eq!(done["failed_tests"], json!(["sends [redacted]"]));
}

#[test]
fn case_161_redaction_can_be_switched_off_and_no_other_value_does() {
    let sandbox = with_secrets();
    sandbox.git(&["config", "rapid.redact", "false"]);
    let done = shell(&sandbox, TELLS);
    assert!(log(&sandbox, &done).contains("abcdef123456"));
    assert_eq!(notes(&sandbox, &done), json!([]));
    sandbox.git(&["config", "rapid.redact", "perhaps"]);
    let refused = sandbox.rapid(&["check", "--", "true"]).ended(3);
    assert!(
        refused.stderr.contains("rapid.redact"),
        "{}",
        refused.stderr
    );
}
