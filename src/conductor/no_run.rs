//! Row 0: no run is bound here. Write a spec.

use super::{
    Action, ActionKind, Context, Lang, NextAction, Playbook, Progress, Who, Why, WhyView,
    command::rapid,
    context::limited,
    text::{self, Phrase},
};
use crate::domain::{id::SpecId, vocabulary::Mode};

/// The next action where no run is bound: write a spec, of `mode` if one was named.
/// `spec_path` lies in the git directory, so that it leaves no stray file.
pub fn without_run(mode: Option<Mode>, lang: Lang, cwd: &str, spec_path: &str) -> NextAction {
    let shown = mode.unwrap_or(Mode::Feature);
    let playbook = Playbook::of(shown);
    let mut lines = vec![
        playbook
            .instructions(ActionKind::AuthorSpec, lang)
            .to_owned(),
    ];
    if mode.is_none() {
        lines.push(text::phrase(Phrase::Modes, lang).to_owned());
        lines.extend(
            Mode::ALL
                .iter()
                .map(|mode| format!("{mode}: {}", Playbook::of(*mode).when(lang))),
        );
    }
    NextAction {
        schema_version: 1,
        run_id: None,
        mode: None,
        action: Action {
            kind: ActionKind::AuthorSpec,
            task_id: None,
            gate_ids: None,
            instructions: limited(lines.join("\n")),
            command: Some(rapid(&["start", shown.as_str(), "--spec-file", spec_path])),
            after: None,
            spec_template: Some(playbook.spec_template(lang)),
            spec_path: Some(spec_path.to_owned()),
            report_path: None,
            workspace_path: None,
        },
        awaiting_human: Vec::new(),
        missing: Vec::new(),
        progress: Progress {
            tasks_done: 0,
            tasks_total: 0,
        },
        outcome: None,
        context: Some(Context {
            why: Some(WhyView {
                code: Why::NoRun,
                text: text::why(Why::NoRun, &Default::default(), lang),
                records: Vec::new(),
            }),
            never: Some(super::context::never()),
            ..Context::of(Who::Agent, cwd)
        }),
    }
}

/// The next action after a spec was stored that is not ready: a person answers what is
/// open, then the spec is written anew. There is no run, so no mode either.
pub fn await_spec(mode: Mode, spec: &SpecId, open: &[String], lang: Lang, cwd: &str) -> NextAction {
    let question = text::why(Why::OpenQuestion, &Default::default(), lang);
    let lines: Vec<String> = open.iter().map(|line| format!("- {line}")).collect();
    NextAction {
        schema_version: 1,
        run_id: None,
        mode: None,
        action: Action {
            kind: ActionKind::AwaitHumanApproval,
            task_id: None,
            gate_ids: None,
            instructions: limited(format!("{question}\n{}", lines.join("\n"))),
            command: None,
            after: Some(rapid(&["next", mode.as_str()])),
            spec_template: None,
            spec_path: None,
            report_path: None,
            workspace_path: None,
        },
        awaiting_human: Vec::new(),
        missing: Vec::new(),
        progress: Progress {
            tasks_done: 0,
            tasks_total: 0,
        },
        outcome: None,
        context: Some(Context {
            why: Some(WhyView {
                code: Why::OpenQuestion,
                text: question,
                records: Vec::new(),
            }),
            tell_human: Some(limited(format!("{spec}:\n{}", lines.join("\n")))),
            ..Context::of(Who::Human, cwd)
        }),
    }
}
