//! Whether a move is legal now: the transition tables and the preconditions.
//!
//! One question for every way in: verbs ask before they append, the fold when it reads,
//! and so `fsck`. What a verb wants besides (a reason from an agent that gives up) is
//! the verb's.

use super::{GATE_MOVES, RUN_MOVES, Run, RunState, TASK_MOVES, is_reproduction};
use crate::{
    diagnostic::Code,
    domain::{
        amendment::Amendment,
        contract::{Gate, Task},
        event::{Event, EventSubject},
        id::{GateId, TaskId},
        producer::Producer,
        vocabulary::{GateStatus, Mode, Phase, Risk, RunStatus, TaskStatus},
    },
};
use std::{fmt::Display, str::FromStr};

/// A move that is not legal, with the facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// RAPID1009, 1010, 1013 or 1014.
    pub code: Code,
    /// The fact that forbids it, in one line of English (also what `--json` gives).
    pub fact: String,
}

/// Whether `event` by `producer` may follow in `state`. Used before appending, by the fold
/// and by `fsck`. Of `run` it reads contract, amendments and evidence: the evidence that is
/// appended together with the event must be in it.
pub fn check_event(
    run: &Run,
    state: &RunState,
    event: &Event,
    producer: &Producer,
) -> Result<(), IllegalMove> {
    match &event.subject {
        EventSubject::Run => {
            let to = legal(Code::RunMove, "the run", state.status, event, RUN_MOVES)?;
            check_run(run, state, to)
        }
        EventSubject::Task(task) => {
            let now = *state
                .tasks
                .get(task)
                .ok_or_else(|| illegal(Code::TaskMove, format!("the run has no task {task}")))?;
            let to = legal(
                Code::TaskMove,
                &format!("task {task}"),
                now,
                event,
                TASK_MOVES,
            )?;
            check_task(run, state, task, to, event.reason.as_deref())
        }
        EventSubject::Gate(id) => {
            let gate = run.contract.gates.iter().find(|gate| gate.id == *id);
            let (Some(gate), Some(now)) = (gate, state.gates.get(id)) else {
                return Err(illegal(Code::GateMove, format!("the run has no gate {id}")));
            };
            let to = legal(Code::GateMove, id.as_str(), *now, event, GATE_MOVES)?;
            check_gate(run, state, gate, to, event.reason.as_deref(), producer)
        }
        EventSubject::Brake => check_brake(state, event, producer),
    }
}

/// Whether a task may be done as far as evidence goes: in a bugfix the first one needs a
/// reproduction, that is a met expect-fail result linked to it or a red counted baseline.
pub fn check_task_done(run: &Run, task: &TaskId) -> Result<(), IllegalMove> {
    if !is_reproducing_task(run, task) {
        return Ok(());
    }
    if run
        .evidence
        .iter()
        .any(|record| is_reproduction(run, record))
    {
        return Ok(());
    }
    Err(illegal(
        Code::Precondition,
        format!(
            "task {task} of a bugfix is done once the bug was seen: no linked check failed as \
             expected, and no baseline had a failing test"
        ),
    ))
}

/// Whether an amendment may follow in `state`: the run has not ended, and the names it
/// brings are free.
pub fn check_amendment(
    run: &Run,
    state: &RunState,
    amendment: &Amendment,
) -> Result<(), IllegalMove> {
    if state.status.is_terminal() {
        return Err(illegal(
            Code::RunMove,
            format!("the run is {} and cannot be amended", state.status),
        ));
    }
    let accepted = amendment.accepts.and_then(|accepted| {
        let mut waiting = run.waiting_amendments.iter();
        waiting.find(|(digest, _)| *digest == accepted)
    });
    let accepted = accepted.map(|(_, amendment)| amendment);
    let coming = || accepted.into_iter().chain([amendment]);
    if let Some(task) = coming()
        .flat_map(|amendment| &amendment.tasks)
        .find(|task| state.tasks.contains_key(&task.id))
    {
        return Err(illegal(
            Code::TaskMove,
            format!("the run already has a task {}", task.id),
        ));
    }
    let criteria = run.acceptance();
    if let Some(criterion) = coming()
        .flat_map(|amendment| &amendment.acceptance)
        .find(|new| criteria.iter().any(|old| old.id == new.id))
    {
        return Err(illegal(
            Code::Precondition,
            format!("the run already has a criterion {}", criterion.id),
        ));
    }
    Ok(())
}

/// Whether a person may let the gate go: the contract says so, and the risk is below critical.
pub fn is_waivable(run: &Run, gate: &Gate) -> bool {
    gate.waivable && run.contract.risk < Risk::Critical
}

/// Whether the task is the one that shows the bug: T001 of a bugfix.
pub(crate) fn is_reproducing_task(run: &Run, task: &TaskId) -> bool {
    run.contract.mode == Mode::Bugfix && *task == TaskId::at(1)
}

/// Reads the move of `event` and looks it up in its table.
fn legal<S>(
    code: Code,
    what: &str,
    now: S,
    event: &Event,
    table: &[(S, &[S])],
) -> Result<S, IllegalMove>
where
    S: Copy + PartialEq + Display + FromStr,
{
    let word = |word: &Option<String>| word.as_deref().unwrap_or("nothing").to_owned();
    let (from, to) = (word(&event.from), word(&event.to));
    if from.parse::<S>().ok() != Some(now) {
        return Err(illegal(code, format!("{what} is {now}, not {from}")));
    }
    let moves = table
        .iter()
        .find(|(state, _)| *state == now)
        .map_or(&[] as &[S], |(_, moves)| *moves);
    match to.parse::<S>() {
        Ok(to) if moves.contains(&to) => Ok(to),
        _ if moves.is_empty() => Err(illegal(
            code,
            format!("{what} is {now}, which is final; it cannot become {to}"),
        )),
        _ => Err(illegal(
            code,
            format!(
                "{what} is {now} and cannot become {to}; from here: {}",
                list(moves)
            ),
        )),
    }
}

fn check_run(run: &Run, state: &RunState, to: RunStatus) -> Result<(), IllegalMove> {
    match (state.status, to) {
        (RunStatus::Prepared, RunStatus::Active) => {
            gates_addressed(run, state, Phase::Pre, "the run becomes active")
        }
        (RunStatus::Active, RunStatus::Finished) => {
            gates_addressed(run, state, Phase::Pre, "the run is finished")?;
            tasks_terminal(state, "the run is finished")?;
            gates_addressed(run, state, Phase::Post, "the run is finished")
        }
        _ => Ok(()),
    }
}

fn check_task(
    run: &Run,
    state: &RunState,
    id: &TaskId,
    to: TaskStatus,
    reason: Option<&str>,
) -> Result<(), IllegalMove> {
    if state.status != RunStatus::Active {
        return Err(illegal(
            Code::Precondition,
            format!(
                "task {id} moves only while the run is active; it is {}",
                state.status
            ),
        ));
    }
    match to {
        TaskStatus::InProgress => {
            let tasks = run.tasks();
            let after = tasks
                .iter()
                .find(|task| task.id == *id)
                .map(|task| &task.after);
            let open: Vec<&TaskId> = after
                .into_iter()
                .flatten()
                .filter(|first| !is_terminal(state, first))
                .collect();
            if open.is_empty() {
                return Ok(());
            }
            Err(illegal(
                Code::Precondition,
                format!("task {id} starts after {}, still open", list(&open)),
            ))
        }
        TaskStatus::Skipped if is_reproducing_task(run, id) => Err(illegal(
            Code::Precondition,
            format!("task {id} of a bugfix shows the bug and cannot be skipped"),
        )),
        TaskStatus::Skipped if is_blank(reason) => Err(illegal(
            Code::Precondition,
            format!("task {id} is skipped only with a reason"),
        )),
        TaskStatus::Done => check_task_done(run, id),
        _ => Ok(()),
    }
}

fn check_gate(
    run: &Run,
    state: &RunState,
    gate: &Gate,
    to: GateStatus,
    reason: Option<&str>,
    producer: &Producer,
) -> Result<(), IllegalMove> {
    let id = &gate.id;
    if to == GateStatus::Waived {
        if !is_waivable(run, gate) {
            return Err(illegal(Code::GateMove, format!("{id} cannot be waived")));
        }
        if *producer != Producer::User {
            return Err(illegal(
                Code::GateMove,
                format!("{id} is waived by a person, not by {producer}"),
            ));
        }
        if is_blank(reason) {
            return Err(illegal(
                Code::GateMove,
                format!("{id} is waived only with a reason"),
            ));
        }
    } else if gate.human && *producer != Producer::User {
        return Err(illegal(
            Code::GateMove,
            format!("{id} is acknowledged by a person, not by {producer}"),
        ));
    }
    match gate.phase {
        Phase::Pre if state.status != RunStatus::Prepared => Err(illegal(
            Code::Precondition,
            format!(
                "{id} comes before the work and moves only while the run is prepared; it is {}",
                state.status
            ),
        )),
        Phase::Post if state.status != RunStatus::Active => Err(illegal(
            Code::Precondition,
            format!(
                "{id} comes after the work and moves only while the run is active; it is {}",
                state.status
            ),
        )),
        Phase::Post => tasks_terminal(state, &format!("{id} moves")),
        Phase::Pre => Ok(()),
    }
}

fn check_brake(state: &RunState, event: &Event, producer: &Producer) -> Result<(), IllegalMove> {
    if event.from.is_some() || event.to.is_some() {
        return Err(illegal(
            Code::RunMove,
            "the brake has no states to move between".to_owned(),
        ));
    }
    if *producer != Producer::User {
        return Err(illegal(
            Code::RunMove,
            format!("the brake is released by a person, not by {producer}"),
        ));
    }
    if state.status.is_terminal() {
        return Err(illegal(
            Code::RunMove,
            format!("the run is {}, which is final", state.status),
        ));
    }
    Ok(())
}

fn gates_addressed(
    run: &Run,
    state: &RunState,
    phase: Phase,
    what: &str,
) -> Result<(), IllegalMove> {
    let pending: Vec<&GateId> = run
        .contract
        .gates
        .iter()
        .filter(|gate| gate.phase == phase && !state.is_addressed(&gate.id))
        .map(|gate| &gate.id)
        .collect();
    if pending.is_empty() {
        return Ok(());
    }
    Err(illegal(
        Code::Precondition,
        format!(
            "{what} only when every {phase} gate is addressed; pending: {}",
            list(&pending)
        ),
    ))
}

fn tasks_terminal(state: &RunState, what: &str) -> Result<(), IllegalMove> {
    let open: Vec<String> = state
        .tasks
        .iter()
        .filter(|(_, status)| !status.is_terminal())
        .map(|(task, status)| format!("{task} ({status})"))
        .collect();
    if open.is_empty() {
        return Ok(());
    }
    Err(illegal(
        Code::Precondition,
        format!(
            "{what} only when every task is done or skipped; open: {}",
            list(&open)
        ),
    ))
}

fn is_terminal(state: &RunState, task: &TaskId) -> bool {
    state
        .tasks
        .get(task)
        .is_some_and(|status| status.is_terminal())
}

fn is_blank(reason: Option<&str>) -> bool {
    reason.is_none_or(|reason| reason.trim().is_empty())
}

fn list<T: Display>(things: &[T]) -> String {
    let words: Vec<String> = things.iter().map(T::to_string).collect();
    words.join(", ")
}

fn illegal(code: Code, fact: String) -> IllegalMove {
    IllegalMove { code, fact }
}

/// Tasks that can be taken up now, in order: pending, with everything before them closed.
pub fn startable<'a>(run: &'a Run, state: &RunState) -> Vec<&'a Task> {
    run.tasks()
        .into_iter()
        .filter(|task| state.tasks.get(&task.id) == Some(&TaskStatus::Pending))
        .filter(|task| task.after.iter().all(|first| is_terminal(state, first)))
        .collect()
}
