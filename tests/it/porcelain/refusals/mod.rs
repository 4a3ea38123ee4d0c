//! What is refused: the code, a message that names the fact, the exit code, and a ledger,
//! index and worktree that stay as they were.

mod ground;
mod moves;
mod person;

use crate::support::{
    Run, Sandbox,
    doubler::{self, MORE_CASES, WRONG},
};
use serde_json::Value;

/// Runs a verb that must be refused with `code`, saying `fact`, and change nothing.
#[track_caller]
fn refused(sandbox: &Sandbox, words: &[&str], code: &str, fact: &str) -> Value {
    refused_with(sandbox, words, 1, code, fact)
}

#[track_caller]
fn refused_with(sandbox: &Sandbox, words: &[&str], exit: i32, code: &str, fact: &str) -> Value {
    let before = sandbox.fingerprint();
    let mut all = vec!["--json"];
    all.extend_from_slice(words);
    let run = sandbox.rapid(&all).ended(exit);
    says(&run, code, fact);
    assert_eq!(before, sandbox.fingerprint(), "{words:?} changed something");
    run.json()["error"].clone()
}

/// The same at a terminal, where a person does not get as far as a phrase.
#[track_caller]
fn refused_at_terminal(sandbox: &Sandbox, words: &[&str], code: &str, fact: &str) {
    let before = sandbox.fingerprint();
    let mut all = vec!["--json"];
    all.extend_from_slice(words);
    let run = sandbox.terminal(&all).finish().ended(1);
    says(&run, code, fact);
    assert_eq!(before, sandbox.fingerprint(), "{words:?} changed something");
}

#[track_caller]
fn says(run: &Run, code: &str, fact: &str) {
    let error = run.json()["error"].clone();
    assert_eq!(error["code"], code, "{error:#}");
    let message = error["message"].as_str().expect("a message");
    assert!(message.contains(fact), "{message:?} does not say {fact:?}");
    assert!(!message.contains('\n'), "{message:?}");
    assert!(error["details"].is_object(), "{error:#}");
    assert!(error["hints"].is_array(), "{error:#}");
}

/// A feature with two tasks, active.
#[track_caller]
fn feature() -> Sandbox {
    let sandbox = doubler::sandbox();
    doubler::start(&sandbox, &doubler::spec("feature", 2));
    sandbox
}

/// A feature that is prepared only: its baseline is red and nobody waived it.
#[track_caller]
fn prepared() -> Sandbox {
    let sandbox = doubler::sandbox();
    sandbox.write("double.sh", WRONG);
    sandbox.write("t/cases", MORE_CASES);
    sandbox.commit_all("red");
    let next = doubler::start_feature(&sandbox);
    assert_eq!(next["context"]["why"]["code"], "baseline_red", "{next:#}");
    sandbox
}
