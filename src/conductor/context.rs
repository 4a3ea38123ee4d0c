//! From a step to the document: words, views, and what a reader may want to know.

use super::{
    Action, ActionKind, CheckView, Context, NextAction, Outcome, Progress, ScopeView, Sight, Step,
    TaskView, Who, Why, WhyView,
    brake::bad_results,
    command::shown,
    missing,
    text::{self, Phrase},
};
use crate::domain::{id::TaskId, record::Body, vocabulary::RunStatus};

/// How long a text may be, in bytes.
const LIMIT: usize = 2_000;

/// How many hex digits of a record are shown.
const SHOWN_DIGITS: usize = 8;

/// The same step for a reader who stands in another worktree.
pub(super) fn located(sight: &Sight<'_>, step: Step) -> Step {
    let Some(path) = sight.scene.workspace_path else {
        return step;
    };
    let inner = text::why(step.why, &step.facts, sight.scene.lang);
    let run = sight.run.id.clone();
    Step {
        why: Why::Elsewhere,
        ..step
    }
    .fact("workspace", path)
    .fact("run", run)
    .fact("inner", inner)
}

/// The document of a step.
pub(super) fn document(sight: &Sight<'_>, step: &Step) -> NextAction {
    let run = sight.run;
    let ended = run.state.status.is_terminal();
    NextAction {
        schema_version: 1,
        run_id: Some(run.id.clone()),
        mode: Some(run.contract.mode),
        action: action(sight, step),
        awaiting_human: if ended {
            Vec::new()
        } else {
            sight.awaiting_human()
        },
        missing: if ended {
            Vec::new()
        } else {
            missing::missing(sight)
                .map(|said| said.id.clone())
                .collect()
        },
        progress: Progress {
            tasks_done: run
                .state
                .tasks
                .values()
                .filter(|status| status.is_terminal())
                .count(),
            tasks_total: run.state.tasks.len(),
        },
        outcome: ended.then(|| outcome(sight)),
        context: Some(context(sight, step)),
    }
}

fn action(sight: &Sight<'_>, step: &Step) -> Action {
    Action {
        kind: step.kind,
        task_id: step.task.clone(),
        gate_ids: (!step.gates.is_empty()).then(|| step.gates.clone()),
        instructions: limited(instructions(sight, step)),
        command: step.command.clone(),
        after: step.after.clone(),
        spec_template: None,
        spec_path: None,
        report_path: step.report.then(|| sight.scene.report_path.to_owned()),
        workspace_path: sight.scene.workspace_path.map(str::to_owned),
    }
}

/// What it is about first, then the playbook's words for such a step.
fn instructions(sight: &Sight<'_>, step: &Step) -> String {
    let lang = sight.scene.lang;
    let mut lines = Vec::new();
    if let Some(task) = step.task.as_ref().and_then(|id| description(sight, id)) {
        lines.push(task);
    }
    if step.why != Why::TaskOpen {
        lines.push(text::why(step.why, &step.facts, lang));
    }
    let phrases = [
        ("reproduce", Phrase::Reproduce),
        ("seen", Phrase::Seen),
        ("moved", Phrase::Moved),
        ("edit", Phrase::EditFirst),
    ];
    lines.extend(
        phrases
            .iter()
            .filter(|(fact, _)| step.facts.contains_key(fact))
            .map(|(_, phrase)| text::phrase(*phrase, lang).to_owned()),
    );
    lines.push(
        sight
            .scene
            .playbook
            .instructions(step.kind, lang)
            .to_owned(),
    );
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

fn description(sight: &Sight<'_>, id: &TaskId) -> Option<String> {
    let tasks = sight.run.tasks();
    let task = tasks.iter().find(|task| task.id == *id)?;
    Some(format!("{id}: {}", task.description))
}

fn outcome(sight: &Sight<'_>) -> Outcome {
    let status = sight.run.state.status;
    let report = sight
        .run
        .records
        .iter()
        .rev()
        .find_map(|record| match &record.body {
            Body::Report(report) => Some((record.digest, report.verdict)),
            _ => None,
        })
        .filter(|_| matches!(status, RunStatus::Finished | RunStatus::Failed));
    Outcome {
        status,
        verdict: report.map(|(_, verdict)| verdict),
        report: report.map(|(digest, _)| digest),
    }
}

impl Context {
    /// Who and where, and nothing else.
    pub(super) fn of(who: Who, cwd: &str) -> Self {
        Self {
            who,
            cwd: cwd.to_owned(),
            why: None,
            task: None,
            scope: None,
            last_check: None,
            missing: None,
            tell_human: None,
            never: None,
        }
    }
}

fn context(sight: &Sight<'_>, step: &Step) -> Context {
    let scene = sight.scene;
    let why = WhyView {
        code: step.why,
        text: limited(text::why(step.why, &step.facts, scene.lang)),
        records: step
            .records
            .iter()
            .map(|record| record.short(SHOWN_DIGITS))
            .collect(),
    };
    let context = Context {
        why: Some(why),
        ..Context::of(step.who, scene.cwd)
    };
    if step.kind == ActionKind::Done {
        return context;
    }
    let writes = matches!(
        step.kind,
        ActionKind::ImplementTask | ActionKind::Verify | ActionKind::Commit
    ) || step.why == Why::TestsLost;
    let missing = missing::views(sight);
    Context {
        task: step.task.as_ref().and_then(|id| task_view(sight, id)),
        scope: writes.then(|| scope_view(sight)),
        last_check: check_view(sight),
        missing: (!missing.is_empty()).then_some(missing),
        tell_human: (step.who == Who::Human).then(|| limited(tell_human(sight, step))),
        never: (step.who == Who::Agent).then(never),
        ..context
    }
}

/// What only a person may run, or only when asked to.
pub(super) fn never() -> Vec<String> {
    vec!["git rapid approve".to_owned(), "git rapid abort".to_owned()]
}

fn task_view(sight: &Sight<'_>, id: &TaskId) -> Option<TaskView> {
    let tasks = sight.run.tasks();
    let task = tasks.iter().find(|task| task.id == *id)?;
    Some(TaskView {
        id: id.clone(),
        description: limited(task.description.clone()),
        paths: task.paths.clone(),
        acceptance: sight
            .run
            .acceptance()
            .iter()
            .map(|criterion| criterion.id.clone())
            .collect(),
        failed_checks: u32::try_from(bad_results(sight, task).len()).unwrap_or(u32::MAX),
        attempts: task.attempts,
    })
}

fn scope_view(sight: &Sight<'_>) -> ScopeView {
    ScopeView {
        patterns: sight
            .run
            .scope_patterns()
            .into_iter()
            .flatten()
            .cloned()
            .collect(),
        protected: sight.run.contract.scope.protected.clone(),
    }
}

fn check_view(sight: &Sight<'_>) -> Option<CheckView> {
    let (record, result) = sight.last_check()?;
    Some(CheckView {
        record: record.digest.short(SHOWN_DIGITS),
        check: result.check.clone(),
        counts: result.counts,
        failed_tests: result.failed_tests.clone(),
        tail: sight
            .scene
            .last_log_tail
            .map(|tail| last_bytes(tail).to_owned()),
    })
}

/// What a person has to run and where, in words.
fn tell_human(sight: &Sight<'_>, step: &Step) -> String {
    let lang = sight.scene.lang;
    let mut facts = step.facts.clone();
    if let Some(command) = &step.person_runs {
        facts.insert("command", shown(command));
    }
    facts.insert("cwd", sight.scene.cwd.to_owned());
    facts.insert("run", sight.run.id.to_string());
    let mut lines = vec![
        text::why(step.why, &step.facts, lang),
        text::filled(text::phrase(Phrase::RunThere, lang), &facts),
    ];
    if matches!(step.why, Why::ApprovalPending | Why::ApprovalStale) {
        lines.push(text::filled(
            text::phrase(Phrase::FromAnotherClone, lang),
            &facts,
        ));
    }
    lines.join("\n")
}

/// The text, cut where it gets too long.
pub(super) fn limited(mut text: String) -> String {
    const ELLIPSIS: &str = "…";
    if text.len() > LIMIT {
        let mut end = LIMIT - ELLIPSIS.len();
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push_str(ELLIPSIS);
    }
    text
}

/// The end of a text that is too long: a log tells most in its last lines.
fn last_bytes(text: &str) -> &str {
    let mut from = text.len().saturating_sub(LIMIT);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}
