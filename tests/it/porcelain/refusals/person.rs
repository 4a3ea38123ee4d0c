//! What only a person may do, and what not even they may.

use super::{feature, prepared, refused, refused_at_terminal, says};
use crate::support::{
    doubler::{self, MORE_CASES, WRONG},
    driver::type_phrase,
};
use serde_json::json;

#[test]
fn gates_that_are_not_due_or_not_there() {
    let sandbox = feature();
    let early = ["approve", "gate.final-verification"];
    refused_at_terminal(&sandbox, &early, "RAPID1014", "when every task is done");
    refused_at_terminal(&sandbox, &["approve"], "RAPID1014", "nothing waits");
    let early = ["approve", "gate.tests", "--waive", "--reason", "x"];
    refused_at_terminal(&sandbox, &early, "RAPID1014", "when every task is done");
    let late = ["approve", "gate.baseline", "--waive", "--reason", "x"];
    refused_at_terminal(&sandbox, &late, "RAPID1014", "due before the work");
    refused_at_terminal(
        &sandbox,
        &["approve", "gate.review"],
        "RAPID1013",
        "has no gate.review",
    );
    refused_at_terminal(
        &sandbox,
        &["approve", "gate.tests"],
        "RAPID1013",
        "gate.tests is closed by evidence",
    );
    let never = [
        "approve",
        "gate.final-verification",
        "--waive",
        "--reason",
        "x",
    ];
    refused_at_terminal(&sandbox, &never, "RAPID1013", "cannot be waived");
    let silent = ["approve", "gate.final-verification", "--reject"];
    refused_at_terminal(&sandbox, &silent, "RAPID1014", "reason");
    let silent = [
        "approve",
        "gate.final-verification",
        "--request-changes",
        "--reason",
        " ",
    ];
    refused_at_terminal(&sandbox, &silent, "RAPID1014", "reason");
    refused_at_terminal(
        &sandbox,
        &["approve", "--test-command"],
        "RAPID1014",
        "uncounted",
    );
}

#[test]
fn a_waiver_without_a_reason() {
    let sandbox = prepared();
    let silent = ["approve", "gate.baseline", "--waive"];
    refused_at_terminal(&sandbox, &silent, "RAPID1013", "reason");
    let silent = ["approve", "gate.baseline", "--waive", "--reason", ""];
    refused_at_terminal(&sandbox, &silent, "RAPID1013", "reason");
}

#[test]
fn nothing_is_waived_where_the_risk_is_critical() {
    let sandbox = doubler::sandbox();
    sandbox.write("double.sh", WRONG);
    sandbox.write("t/cases", MORE_CASES);
    sandbox.commit_all("red");
    let mut spec = doubler::spec("feature", 1);
    spec["tags"] = json!(["critical"]);
    let next = doubler::start(&sandbox, &spec);
    let place = next["action"]["workspace_path"]
        .as_str()
        .expect("elsewhere")
        .to_owned();
    let waive = [
        "-C",
        &place,
        "approve",
        "gate.baseline",
        "--waive",
        "--reason",
        "x",
    ];
    refused_at_terminal(
        &sandbox,
        &waive,
        "RAPID1013",
        "gate.baseline cannot be waived",
    );
}

#[test]
fn only_a_person_approves() {
    let mut sandbox = doubler::committed_feature();
    let fact = "only a person may do this";
    let error = refused(&sandbox, &["approve"], "RAPID1310", fact);
    assert_eq!(error["details"]["layer"], "terminal", "{error:#}");
    refused(&sandbox, &["resolve", "5c2d10ff"], "RAPID1310", fact);
    // Markers, one of each family.
    for marker in [
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "CODEX_SANDBOX",
        "CURSOR_AGENT",
        "GEMINI_CLI",
        "COPILOT_AGENT",
        "OPENCODE",
        "AUGMENT_AGENT",
        "AMP_THREAD",
        "AI_AGENT",
    ] {
        sandbox.set(marker, "1");
        refused_at_terminal(&sandbox, &["approve"], "RAPID1310", marker);
        sandbox.unset(marker);
    }
    // An ancestor.
    for agent in ["claude", "codex", "cursor-agent", "aider"] {
        let before = sandbox.fingerprint();
        let run = sandbox
            .terminal_below(agent, &["--json", "approve"])
            .finish()
            .ended(1);
        says(&run, "RAPID1310", agent);
        assert_eq!(before, sandbox.fingerprint());
    }
    // An editor is no agent: it gets as far as the phrase.
    sandbox.set("VSCODE_PID", "1");
    sandbox.set("TERM_PROGRAM", "vscode");
    type_phrase(&sandbox, &["approve"]).ended(0);
}

#[test]
fn a_phrase_that_is_not_the_one() {
    let sandbox = doubler::committed_feature();
    let before = sandbox.fingerprint();
    for typed in [
        "",
        "yes",
        "approve",
        "approve final",
        "waive final-verification",
        "y",
    ] {
        let mut terminal = sandbox.terminal(&["approve"]);
        terminal.expect("to record it");
        terminal.type_line(typed);
        let run = terminal.finish().ended(1);
        assert!(run.stdout.contains("RAPID1311"), "{run:?}");
        assert!(run.stdout.contains("approve final-verification"), "{run:?}");
    }
    let mut terminal = sandbox.terminal(&["approve"]);
    terminal.expect("to record it");
    terminal.type_end();
    let run = terminal.finish().ended(1);
    assert!(run.stdout.contains("RAPID1310"), "{run:?}");
    let mut terminal = sandbox.terminal(&["approve"]);
    terminal.expect("to record it");
    terminal.type_interrupt();
    terminal.finish().ended(130);
    assert_eq!(before, sandbox.fingerprint());
    // The other language always does.
    let mut terminal = sandbox.terminal(&["approve"]);
    terminal.expect("to record it");
    terminal.type_line("  Aprobar  final-verification ");
    terminal.finish().ended(0);
}
