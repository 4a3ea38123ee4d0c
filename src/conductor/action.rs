//! The document that `next`, `start` and `finish` print. Its keys are those of
//! `git-rapid-next(5)`; unused optional keys are left out, never null.

use super::Why;
use crate::domain::{
    digest::Digest,
    evidence::Counts,
    id::{AcceptanceId, GateId, RunId, TaskId},
    scope::Pattern,
    vocabulary::{AssertionStatus, Mode, RunStatus, Verdict},
};
use serde::Serialize;
use serde_json::Value;

/// The whole document.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NextAction {
    /// The version of this schema.
    pub schema_version: u32,
    /// The run, or null.
    pub run_id: Option<RunId>,
    /// Its mode, or null.
    pub mode: Option<Mode>,
    /// What to do.
    pub action: Action,
    /// Human gates that still wait.
    pub awaiting_human: Vec<GateId>,
    /// Required assertions that do not hold yet.
    pub missing: Vec<String>,
    /// How far the tasks are.
    pub progress: Progress,
    /// Only when done.
    pub outcome: Option<Outcome>,
    /// What a reader may want to know; left out with `--brief`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Action {
    /// Which kind of step.
    pub kind: ActionKind,
    /// The task it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
    /// The gates it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate_ids: Option<Vec<GateId>>,
    /// What to do, in words.
    pub instructions: String,
    /// The command to run, word by word.
    pub command: Option<Vec<String>>,
    /// The command to run when the work is done.
    pub after: Option<Vec<String>>,
    /// The spec to fill in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spec_template: Option<Value>,
    /// Where to write it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spec_path: Option<String>,
    /// Where to write a research report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report_path: Option<String>,
    /// Where `command` and `after` run, when not here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace_path: Option<String>,
}

crate::domain::vocabulary::vocabulary_words!(
    /// The kinds of step.
    ActionKind, "an action kind" {
        /// Write a spec.
        AuthorSpec = "author_spec",
        /// Measure the tests before the work.
        RunBaseline = "run_baseline",
        /// Begin.
        Activate = "activate",
        /// Work on a task.
        ImplementTask = "implement_task",
        /// Run what is not verified yet.
        Verify = "verify",
        /// Commit what is verified.
        Commit = "commit",
        /// A person's turn.
        AwaitHumanApproval = "await_human_approval",
        /// Finish.
        Finish = "finish",
        /// Nothing.
        Done = "done",
        /// Nothing can go on as it is.
        Blocked = "blocked",
    }
);

crate::domain::vocabulary::vocabulary_words!(
    /// Whose turn it is.
    Who, "a reader" {
        /// A program.
        Agent = "agent",
        /// A person.
        Human = "human",
    }
);

/// How far the tasks are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Tasks done or skipped.
    pub tasks_done: usize,
    /// All tasks.
    pub tasks_total: usize,
}

/// How the run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The terminal state.
    pub status: RunStatus,
    /// The stored verdict.
    pub verdict: Option<Verdict>,
    /// The stored report.
    pub report: Option<Digest>,
}

/// What a reader may want to know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Context {
    /// Whose turn it is.
    pub who: Who,
    /// The worktree, absolute.
    pub cwd: String,
    /// Why this action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<WhyView>,
    /// The task at hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskView>,
    /// What may be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<ScopeView>,
    /// The latest check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_check: Option<CheckView>,
    /// What is missing, with the command that mends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Vec<MissingView>>,
    /// What to tell a person: what to run, where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tell_human: Option<String>,
    /// Commands an agent must not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub never: Option<Vec<String>>,
}

/// Why this action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WhyView {
    /// A stable word.
    pub code: Why,
    /// The same in words.
    pub text: String,
    /// The records behind it, by their first 8 digits.
    pub records: Vec<String>,
}

/// The task at hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskView {
    /// Its name.
    pub id: TaskId,
    /// What is to be done.
    pub description: String,
    /// What it may write.
    pub paths: Vec<Pattern>,
    /// The run's criteria.
    pub acceptance: Vec<AcceptanceId>,
    /// Bad results since the brake was released.
    pub failed_checks: u32,
    /// How many it may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
}

/// What may be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScopeView {
    /// The declared patterns; empty when none were declared.
    pub patterns: Vec<Pattern>,
    /// What may not be written all the same.
    pub protected: Vec<Pattern>,
}

/// The latest check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckView {
    /// Its record's first 8 digits.
    pub record: String,
    /// The named check, or null.
    pub check: Option<String>,
    /// What was counted.
    pub counts: Option<Counts>,
    /// Names of failed tests.
    pub failed_tests: Vec<String>,
    /// The last lines of its output, when the log is here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tail: Option<String>,
}

/// One thing that is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissingView {
    /// The assertion.
    pub id: String,
    /// What it says now.
    pub status: AssertionStatus,
    /// Why, as a stable word.
    pub why: String,
    /// The command that mends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Vec<String>>,
}
