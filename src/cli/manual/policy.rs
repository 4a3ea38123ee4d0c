//! The tables of git-rapid-policy(5), made from the policy's own: signals, gates, the built-in
//! document, and what the rules decide for each mode.

use super::escaped;
use crate::domain::{
    contract::NamedCheck,
    gate::{CATALOGUE, GateKind, GateRow},
    path::RepoPath,
    policy::{Decision, PolicyDocument, Request, SIGNALS, SignalRow, decide},
    scope::Pattern,
    spec::Spec,
    vocabulary::{Mode, Phase, Risk, Tier},
};
use serde_json::Value;
use std::fmt::Write as _;

/// What each key of the effective policy says. A test holds that none is missing.
const KEYS: &[(&str, &str)] = &[
    ("schema_version", "The version of this schema."),
    (
        "minimum_classification",
        "The lowest class a run may have: direct, spike, bounded or architectural; null: none.",
    ),
    (
        "minimum_risk",
        "The lowest risk a run may have: low, medium, high or critical.",
    ),
    ("tags", "More tags for a signal, by its name."),
    ("dirs", "More folders for a signal, by its name."),
    ("extra_gates", "Gates that every run has."),
    (
        "waivable",
        "The gates that a person may waive, below critical risk.",
    ),
    (
        "checks",
        "Named checks: objects with name, argv, cwd, paths (due when one was changed; empty: always), \
         tier (commit, finish or both), timeout (in seconds, or null) and report (a file it writes, or null). \
         Without any there is one, test: the test command of the spec or of the project.",
    ),
    (
        "protected_paths",
        "Patterns of what no run writes, unless its spec names it.",
    ),
    (
        "require_run",
        "Patterns of what is committed only within a run.",
    ),
    (
        "commit",
        "What must match the verified tree: tree (what is committed) or snapshot (the working tree too).",
    ),
    (
        "commit_snapshot_from",
        "From which risk up commit is snapshot, whatever it says; null: never.",
    ),
    (
        "commits_verified",
        "Whether each commit of the run must have a verified tree, not only the last.",
    ),
    (
        "acceptance_links",
        "Whether each acceptance criterion must have a good result linked to it.",
    ),
    (
        "amend",
        "Whose amendment takes effect at once: agent (anyone's, below high risk) or human.",
    ),
    (
        "signed",
        "Gates whose review must be signed, each with the principals that may sign.",
    ),
    (
        "approvals",
        "By gate: min, how many people must approve, and not_author, whether the author's own word does not count.",
    ),
    (
        "witness",
        "Whose test runs count: any (by git rapid check, wherever) or ci (signed ones by CI).",
    ),
    (
        "clean_from",
        "From which risk up only results from a clean checkout count; null: never.",
    ),
    (
        "generated",
        "Patterns of files that tools write while tests run; see PATHS.",
    ),
    ("test_paths", "Patterns of where tests lie; see PATHS."),
    (
        "workspace",
        "What a fresh worktree needs before it can be tested: setup, a command or null, and carry, paths to bring along.",
    ),
    (
        "retain",
        "Whether the judged tree is kept in the ledger, beside the report.",
    ),
    (
        "direct",
        "How large a direct change may be: files and changed lines.",
    ),
    (
        "min_enforce",
        "The weakest setting of hooks that git config may choose: off, warn or strict.",
    ),
    (
        "min_guard",
        "The weakest place of the commit rule that git config may choose: off, tip or commit.",
    ),
    (
        "adopt_from",
        "The commit from which on commits are judged; null: from the first.",
    ),
    (
        "exempt",
        "Whose commits are not judged: authors, by address, and commits that touch paths only.",
    ),
    (
        "server",
        "What a server asks: protected, the branches it guards, and require, pass (a run that passed) or verified (each tree).",
    ),
];

/// Every signal with its level and what triggers it.
pub(super) fn signals() -> String {
    let mut text = String::new();
    for row in SIGNALS {
        let mut triggers = Vec::new();
        if let Some(own) = own_trigger(row) {
            triggers.push(own.to_owned());
        }
        for (what, words) in [("tags", row.tags), ("folders", row.dirs)] {
            if !words.is_empty() {
                triggers.push(format!("{what} {}", bold(words.iter().copied())));
            }
        }
        entry(
            &mut text,
            &format!("\\fB{}\\fR (\\fI{}\\fR)", escaped(row.id), row.level),
            &format!("{}.", triggers.join("; ")),
        );
    }
    text
}

/// What a row without a list looks at, or looks at besides.
fn own_trigger(row: &SignalRow) -> Option<&'static str> {
    match row.id {
        "mode.research" => Some("mode research"),
        "mode.hardening" => Some("mode hardening"),
        "scope.database-migration" => Some("data_impact migrates"),
        "scope.governance" => Some("a path below \\fB.rapid\\fR in the root"),
        "data.impact" => Some("data_impact writes, or a text that is not one of its words"),
        _ => None,
    }
}

/// What the rules decide for each mode, when nothing raises the risk.
pub(super) fn modes() -> String {
    let mut text = String::new();
    for mode in Mode::ALL {
        let decision = decided(*mode, None);
        let said = format!(
            "Class {}, risk {}, workspace {}; gates {}.",
            decision.class,
            decision.risk,
            decision.workspace,
            gates_of(&decision)
        );
        entry(&mut text, &bold([mode.as_str()]), &said);
    }
    text
}

/// What a feature becomes when its risk is raised.
pub(super) fn risks() -> String {
    let mut text = String::new();
    for risk in Risk::ALL.iter().filter(|risk| **risk > Risk::Medium) {
        let decision = decided(Mode::Feature, Some(*risk));
        let said = format!(
            "Workspace {}; gates {}.",
            decision.workspace,
            gates_of(&decision)
        );
        entry(&mut text, &bold([risk.as_str()]), &said);
    }
    text
}

/// What the built-in policy decides for a change that nothing but the mode speaks of.
fn decided(mode: Mode, risk: Option<Risk>) -> Decision {
    let check = NamedCheck {
        name: "test".to_owned(),
        argv: vec!["test".into()],
        cwd: RepoPath::root(),
        paths: Vec::new(),
        tier: Tier::Both,
        timeout: None,
        report: None,
        source: "option".to_owned(),
    };
    let request = Request {
        risk,
        checks: &[check],
        base_is_empty: false,
        has_architecture: false,
        policy: &PolicyDocument::built_in(),
    };
    decide(&Spec::empty(mode), &request).expect("a check is pinned and the risk only raised")
}

fn gates_of(decision: &Decision) -> String {
    bold(decision.gates.iter().map(|gate| gate.id.as_str()))
}

/// The catalogue of gates.
pub(super) fn gates() -> String {
    let mut text = String::new();
    for row in CATALOGUE {
        let when = match row.phase {
            Phase::Pre => "before the work",
            Phase::Post => "after the work",
        };
        let who = if row.human { "a person" } else { "the machine" };
        let waivable = if row.waivable {
            "can be waived below critical risk"
        } else {
            "cannot be waived"
        };
        let said = format!(
            "{} Closed {when} by {who}; {waivable}. Present {}.",
            asks(row),
            present_when(row.kind)
        );
        entry(&mut text, &bold([row.id]), &said);
    }
    text
}

fn asks(row: &GateRow) -> &'static str {
    match row.kind {
        GateKind::WorkspaceIsolation => "Does the work happen in a worktree of its own?",
        GateKind::BaselineCheck => "Were the tests measured before the work, and green?",
        GateKind::ManualApproval => "Did a person say that the work may begin?",
        GateKind::ImplementationTests => "Are the pinned checks green on the tree that is judged?",
        GateKind::ArchitectureCheck => "Do the imports keep to the architecture?",
        GateKind::PeerReview => "Did another developer look at it?",
        GateKind::SecurityReview => "Did someone look at it for security?",
        GateKind::MigrationReview => "Did someone look at the migration?",
        GateKind::FinalVerification => "Did a person look at the whole?",
    }
}

fn present_when(kind: GateKind) -> &'static str {
    match kind {
        GateKind::WorkspaceIsolation | GateKind::PeerReview => "from high risk up",
        GateKind::BaselineCheck => {
            "from medium risk up, where the base has files and a check is pinned"
        }
        GateKind::ManualApproval => "at critical risk",
        GateKind::ImplementationTests => "in every class but spike",
        GateKind::ArchitectureCheck => {
            "in feature, bugfix and refactor, where the base has .rapid/architecture.json, which this \
             version refuses: never"
        }
        GateKind::SecurityReview => "with the signal scope.security or scope.authentication",
        GateKind::MigrationReview => "with the signal scope.database-migration",
        GateKind::FinalVerification => "in every class but direct",
    }
}

/// What is protected, what tools write, where tests lie.
pub(super) fn paths() -> String {
    let policy = PolicyDocument::built_in();
    let mut text = String::new();
    for (title, patterns, meaning) in [
        (
            "protected_paths",
            &policy.protected_paths,
            "No run writes there, unless its spec names it, which is the signal scope.governance.",
        ),
        (
            "generated",
            &policy.generated,
            "A check that changes only these is run once more by itself instead of counting for nothing, \
             and they do not count for the size of a direct change.",
        ),
        (
            "test_paths",
            &policy.test_paths,
            "A direct change takes no line out of a file there, nor out of a file that a pinned command names.",
        ),
    ] {
        let patterns = bold(patterns.iter().map(Pattern::as_str));
        let said = format!("{}\n.br\n{patterns}.", escaped(meaning));
        entry(&mut text, &bold([title]), &said);
    }
    text
}

/// How large a direct change may be.
pub(super) fn bounds() -> String {
    let bounds = PolicyDocument::built_in().direct;
    format!(
        "At most {} files and {} changed lines, added and removed together.\n",
        bounds.files, bounds.lines
    )
}

/// The keys of the document, in its order, with their values in force.
pub(super) fn keys() -> String {
    let policy = serde_json::to_value(PolicyDocument::built_in()).expect("string keys only");
    let mut text = String::new();
    for (key, meaning) in KEYS {
        let value = match policy.get(*key) {
            Some(Value::Array(long)) if long.len() > 4 => "as above".to_owned(),
            Some(value) => format!("\\fB{}\\fR", escaped(&value.to_string())),
            None => unreachable!("{key} is no key of a policy"),
        };
        let said = format!("{}\n.br\nBuilt in: {value}.", escaped(meaning));
        entry(&mut text, &bold([key]), &said);
    }
    text
}

fn entry(text: &mut String, tag: &str, said: &str) {
    let _ = write!(text, ".TP\n{tag}\n{said}\n");
}

fn bold<'w>(words: impl IntoIterator<Item = &'w (impl AsRef<str> + ?Sized + 'w)>) -> String {
    let words: Vec<String> = words
        .into_iter()
        .map(|word| format!("\\fB{}\\fR", escaped(word.as_ref())))
        .collect();
    words.join(", ")
}
