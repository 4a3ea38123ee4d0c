//! The smallest project with tests that are counted: a shell script that doubles a number,
//! and cases that another script runs and reports as TAP. Fast, and readable in a failure.

use super::{Run, Sandbox, driver::type_phrase};
use serde_json::{Value, json};

/// Runs the cases of `t/cases`.
const RUNNER: &str = r#"count=0; bad=0
while read -r name number want; do
  count=$((count + 1))
  if [ "$(sh double.sh "$number")" = "$want" ]
  then echo "ok $count - $name"
  else echo "not ok $count - $name"; bad=1
  fi
done <t/cases
echo "1..$count"
exit $bad
"#;

/// The command that runs them.
pub const TEST: &str = "sh t/run.sh";

/// What a run may write.
pub const SCOPE: &[&str] = &["double.sh", "t/"];

/// Right for every number.
pub const RIGHT: &str = "echo $(($1 + $1))\n";
/// Right as well, in another shape.
pub const OTHER: &str = "echo $((2 * $1))\n";
/// Right for 0 and 2 only.
pub const WRONG: &str = "echo $(($1 * $1))\n";

/// Two cases that every shape of `double.sh` passes.
pub const CASES: &str = "zero 0 0\ntwo 2 4\n";
/// A third that only a right one passes.
pub const MORE_CASES: &str = "zero 0 0\ntwo 2 4\nthree 3 6\n";

/// The project, committed and green, with its test command configured.
pub fn sandbox() -> Sandbox {
    let sandbox = Sandbox::repo();
    sandbox.write("README", "Doubles a number.\n");
    sandbox.write("double.sh", RIGHT);
    sandbox.write("t/cases", CASES);
    sandbox.write("t/run.sh", RUNNER);
    sandbox.commit_all("begin");
    sandbox.git(&["config", "rapid.testCommand", TEST]);
    sandbox
}

/// A spec of `mode` with this many tasks.
pub fn spec(mode: &str, tasks: usize) -> Value {
    let tasks: Vec<String> = (1..=tasks).map(|task| format!("step {task}")).collect();
    json!({
        "title": "double more",
        "mode": mode,
        "affected_paths": SCOPE,
        "implementation_tasks": tasks,
        "acceptance_criteria": ["three is doubled"],
    })
}

/// Starts a run from a spec; the document that `start` prints.
#[track_caller]
pub fn start(sandbox: &Sandbox, spec: &Value) -> Value {
    let run = sandbox.rapid_with_input(
        &["start", "--spec-file", "-", "--json"],
        spec.to_string().as_bytes(),
    );
    run.ended(0).json()
}

/// Starts a feature with one task.
#[track_caller]
pub fn start_feature(sandbox: &Sandbox) -> Value {
    start(sandbox, &spec("feature", 1))
}

/// Does the only task: a third case, and it passes.
#[track_caller]
pub fn do_task(sandbox: &Sandbox) {
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.write("t/cases", MORE_CASES);
    sandbox.rapid_ok(&["task", "done", "T001"]);
}

/// A feature whose work is done and committed: only a person is waited for.
#[track_caller]
pub fn committed_feature() -> Sandbox {
    let sandbox = sandbox();
    start_feature(&sandbox);
    do_task(&sandbox);
    sandbox.rapid_ok(&["commit", "-a", "-m", "three"]);
    sandbox
}

/// A person approves all that waits.
#[track_caller]
pub fn approve(sandbox: &Sandbox) -> Run {
    type_phrase(sandbox, &["approve"]).ended(0)
}

/// A finished feature; its run's name.
#[track_caller]
pub fn finished_feature() -> (Sandbox, String) {
    let sandbox = committed_feature();
    approve(&sandbox);
    let done = sandbox.rapid(&["finish", "--json"]).ended(0).json();
    let run = done["run_id"].as_str().expect("a run").to_owned();
    (sandbox, run)
}

/// Every ref of the ledger and what it points at.
#[track_caller]
pub fn ledger(sandbox: &Sandbox) -> String {
    sandbox.git(&["for-each-ref", "refs/rapid"])
}
