//! `task`: taking up, closing, blocking and leaving out tasks.

use super::{
    Context, Error, append,
    check::{self, CheckDone},
    error::refuse,
    judge,
    measure::Plan,
    milestone, observe,
    target::{self, Place, Target},
};
use crate::{
    diagnostic::Code,
    domain::{
        event::{Event, EventCode},
        evidence::Payload,
        id::TaskId,
        path::RepoPath,
        record::Body,
        run::{Run, check_task_done},
        vocabulary::{Mode, TaskStatus, Tier},
    },
};
use serde::Serialize;

/// What to do with a task.
#[derive(Clone, Debug)]
pub enum Move {
    /// Take it up (again).
    Start,
    /// Close it; runs what it still needs, unless told not to.
    Done {
        /// Run nothing.
        no_check: bool,
    },
    /// It cannot go on.
    Block,
    /// Leave it out.
    Skip,
}

/// What the user asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Which task.
    pub task: TaskId,
    /// What to do with it.
    pub to: Move,
    /// Why.
    pub reason: Option<String>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The version of this schema.
    pub schema_version: u32,
    /// The run.
    pub run_id: crate::domain::id::RunId,
    /// The task.
    pub task: TaskId,
    /// Its state now.
    pub status: TaskStatus,
    /// What was run for it.
    pub checks: Vec<CheckDone>,
}

/// One task, for `task list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Its name.
    pub id: TaskId,
    /// What is to be done.
    pub description: String,
    /// Its state.
    pub status: TaskStatus,
    /// Tasks that come first.
    pub after: Vec<TaskId>,
    /// Why it is blocked or skipped.
    pub reason: Option<String>,
}

/// The tasks of a run.
pub fn list(ctx: &Context<'_>) -> Result<(crate::domain::id::RunId, Vec<Row>), Error> {
    let Target { run, .. } = target::target(ctx)?;
    let rows = run
        .tasks()
        .into_iter()
        .map(|task| Row {
            id: task.id.clone(),
            description: task.description.clone(),
            status: run
                .state
                .tasks
                .get(&task.id)
                .copied()
                .unwrap_or(TaskStatus::Pending),
            after: task.after.clone(),
            reason: run.state.task_reasons.get(&task.id).cloned(),
        })
        .collect();
    Ok((run.id, rows))
}

/// Moves a task.
pub fn run(ctx: &Context<'_>, request: &Request) -> Result<Outcome, Error> {
    let Target { run, place } = target::target(ctx)?;
    ctx.repo.committer()?;
    // What is illegal anyway is refused before anything runs.
    append::legal(&run, &check::producer("task"), event_of(&run, request)?)?;
    let run = milestone::recover(&place, run)?;
    let (run, checks) = match request.to {
        Move::Done { no_check } => run_needed(ctx, &place, run, request, no_check)?,
        _ => (run, Vec::new()),
    };
    let id = run.id.clone();
    let (run, _) = append::to_run(&place, &id, |run| {
        let event = append::legal(run, &check::producer("task"), event_of(run, request)?)?;
        if matches!(request.to, Move::Done { .. }) {
            check_task_done(run, &request.task).map_err(|illegal| {
                refuse(illegal.code, illegal.fact)
                    .detail("task", request.task.as_str())
                    .hint(
                        "show the bug first",
                        &[
                            "git",
                            "rapid",
                            "check",
                            "--expect",
                            "fail",
                            "--task",
                            request.task.as_str(),
                        ],
                    )
            })?;
        }
        let word = event.to.clone().unwrap_or_default();
        let records: Vec<_> = vec![(check::producer("task"), Body::from(event))];
        Ok(Some(append::draft(
            format!("{} {}", request.task, word.replace('_', " ")),
            records,
        )))
    })?;
    Ok(Outcome {
        schema_version: 1,
        status: run.state.tasks[&request.task],
        run_id: run.id,
        task: request.task.clone(),
        checks,
    })
}

fn event_of(run: &Run, request: &Request) -> Result<Event, Error> {
    let (to, code) = match request.to {
        Move::Start => (TaskStatus::InProgress, EventCode::Started),
        Move::Done { .. } => (TaskStatus::Done, EventCode::Done),
        Move::Block => (TaskStatus::Blocked, EventCode::Blocked),
        Move::Skip => (TaskStatus::Skipped, EventCode::Skipped),
    };
    if !run.state.tasks.contains_key(&request.task) {
        let known: Vec<String> = run.state.tasks.keys().map(ToString::to_string).collect();
        return Err(refuse(
            Code::TaskMove,
            format!(
                "{} has no task {}; known: {}",
                run.id,
                request.task,
                known.join(", ")
            ),
        )
        .detail("task", request.task.as_str())
        .detail("known", known)
        .into());
    }
    Ok(append::task_event(
        run,
        &request.task,
        to,
        code,
        request.reason.clone(),
    ))
}

/// Runs what closing the task still needs on the current tree: its own checks, else the due
/// checks linked to it. Red leaves the task open, with the result recorded.
fn run_needed(
    ctx: &Context<'_>,
    place: &Place<'_>,
    mut run: Run,
    request: &Request,
    no_check: bool,
) -> Result<(Run, Vec<CheckDone>), Error> {
    let reproduces = run.contract.mode == Mode::Bugfix && request.task == TaskId::at(1);
    if reproduces {
        if no_check {
            return Err(refuse(
                Code::Precondition,
                "the first task of a bugfix shows the bug; it cannot be closed unchecked",
            )
            .detail("task", request.task.as_str())
            .hint(
                "show it",
                &[
                    "git",
                    "rapid",
                    "check",
                    "--expect",
                    "fail",
                    "--task",
                    request.task.as_str(),
                ],
            )
            .into());
        }
        return Ok((run, Vec::new()));
    }
    if no_check {
        return Ok((run, Vec::new()));
    }
    if run.contract.mode == Mode::Research {
        refuse_without_file(&run, &request.task)?;
        return Ok((run, Vec::new()));
    }
    let policy = observe::policy_of(place, &run)?;
    let mut checks = Vec::new();
    for mut plan in needed_plans(place, &run, &request.task)? {
        plan.tasks = vec![request.task.clone()];
        let (after, done) = check::one(
            ctx,
            place,
            run,
            &policy,
            &plan,
            false,
            &format!("to close {}", request.task),
        )?;
        run = after;
        let good = judge::is_good(&run, &policy, done.record);
        checks.push(done);
        if !good {
            return Err(refuse_red(&request.task, &checks));
        }
    }
    Ok((run, checks))
}

fn needed_plans(place: &Place<'_>, run: &Run, task: &TaskId) -> Result<Vec<Plan>, Error> {
    let own: Vec<Plan> = run
        .tasks()
        .into_iter()
        .filter(|known| known.id == *task)
        .flat_map(|task| task.checks.iter())
        .map(|argv| check::words(run, argv.clone(), RepoPath::root()))
        .collect();
    if !own.is_empty() {
        return Ok(own);
    }
    if has_attachment(run, task) {
        return Ok(Vec::new());
    }
    let due = check::due_now(place, run, Tier::Finish)?;
    if due.is_empty() {
        return Err(refuse(
            Code::Precondition,
            format!("{task} has nothing that could show it is done"),
        )
        .detail("task", task.as_str())
        .hint(
            "run something for it",
            &[
                "git",
                "rapid",
                "check",
                "--task",
                task.as_str(),
                "--",
                "<command>",
            ],
        )
        .hint(
            "or hand in a file",
            &["git", "rapid", "attach", "<file>", "--task", task.as_str()],
        )
        .hint(
            "or close it unchecked",
            &["git", "rapid", "task", "done", task.as_str(), "--no-check"],
        )
        .into());
    }
    Ok(due.iter().map(Plan::named).collect())
}

fn has_attachment(run: &Run, task: &TaskId) -> bool {
    run.evidence.iter().any(|record| {
        matches!(record.body.payload, Payload::Artifact(_)) && record.body.tasks.contains(task)
    })
}

fn refuse_without_file(run: &Run, task: &TaskId) -> Result<(), Error> {
    if has_attachment(run, task) {
        return Ok(());
    }
    Err(refuse(
        Code::Precondition,
        format!("{task} is research: it needs a file that says what was found"),
    )
    .detail("task", task.as_str())
    .hint(
        "hand it in",
        &["git", "rapid", "attach", "<file>", "--task", task.as_str()],
    )
    .into())
}

fn refuse_red(task: &TaskId, checks: &[CheckDone]) -> Error {
    let red = checks.last().expect("a red result is among them");
    let what = match (&red.counts, red.stable) {
        (_, false) => "files changed while it ran".to_owned(),
        (Some(counts), true) => check::count_words(counts),
        (None, true) => red
            .exit_code
            .map_or("it was ended by a signal".to_owned(), |code| {
                format!("exit {code}")
            }),
    };
    refuse(
        Code::CheckDidNotCount,
        format!("{task} stays open: {}: {what}", red.command),
    )
    .detail("task", task.as_str())
    .detail(
        "checks",
        serde_json::to_value(checks).expect("results serialize"),
    )
    .hint(
        "mend it and close the task again",
        &["git", "rapid", "task", "done", task.as_str()],
    )
    .into()
}
