//! The tasks and acceptance criteria of a spec document.

use super::{
    SpecCriterion, SpecTask,
    field::{Faults, Field},
};
use crate::domain::{id::TaskId, scope::Pattern};
use serde_json::{Map, Value};

const CRITERION_KEYS: &[&str] = &["text", "check"];
const TASK_KEYS: &[&str] = &[
    "description",
    "paths",
    "checks",
    "after",
    "minutes",
    "attempts",
];

/// A task with its place in the document, which blanks may have moved.
pub(super) struct ReadTask {
    at: String,
    pub(super) task: SpecTask,
}

/// Criteria as text or `{text, check?}`, blanks dropped.
pub(super) fn criteria(faults: &mut Faults, field: &Field<'_>) -> Vec<SpecCriterion> {
    let mut criteria = Vec::new();
    for item in faults.items(field, "a list of criteria") {
        let criterion = if item.value.is_object() {
            faults
                .object(&item, CRITERION_KEYS, "a criterion")
                .and_then(|object| criterion(faults, &item, object))
        } else {
            line(faults, &item, "text, or an object with text and check,")
                .map(|text| SpecCriterion { text, check: None })
        };
        criteria.extend(criterion);
    }
    criteria
}

fn criterion(
    faults: &mut Faults,
    item: &Field<'_>,
    object: &Map<String, Value>,
) -> Option<SpecCriterion> {
    let check = Field::of(&item.at, object, "check").and_then(|field| faults.argv(&field));
    let text = required(faults, item, object, "text")?;
    Some(SpecCriterion { text, check })
}

/// Tasks as text or objects, blanks dropped.
pub(super) fn tasks(faults: &mut Faults, field: &Field<'_>) -> Vec<ReadTask> {
    let mut tasks = Vec::new();
    for item in faults.items(field, "a list of tasks") {
        let task = if item.value.is_object() {
            faults
                .object(&item, TASK_KEYS, "a task")
                .map(|object| task(faults, &item, object))
        } else {
            line(faults, &item, "text, or an object with a description,")
                .map(|text| SpecTask::of(&text))
        };
        tasks.extend(task.map(|task| ReadTask {
            at: item.at.clone(),
            task,
        }));
    }
    tasks
}

fn task(faults: &mut Faults, item: &Field<'_>, object: &Map<String, Value>) -> SpecTask {
    // Kept without a description too, so that the tasks behind it keep their numbers.
    let description = required(faults, item, object, "description").unwrap_or_default();
    let field = |key| Field::of(&item.at, object, key);
    let mut task = SpecTask::of(&description);
    if let Some(field) = field("paths") {
        task.paths = faults.patterns(&field);
    }
    if let Some(field) = field("checks") {
        let checks = faults.items(&field, "a list of commands");
        task.checks = checks
            .iter()
            .filter_map(|check| faults.argv(check))
            .collect();
    }
    if let Some(field) = field("after") {
        task.after = after(faults, &field);
    }
    task.minutes = field("minutes").and_then(|field| faults.positive(&field));
    task.attempts = field("attempts").and_then(|field| faults.positive(&field));
    task
}

fn after(faults: &mut Faults, field: &Field<'_>) -> Vec<TaskId> {
    let mut ids = Vec::new();
    for item in faults.items(field, "a list of task ids") {
        let Some(text) = faults.text(&item) else {
            continue;
        };
        match text.parse::<TaskId>() {
            Ok(id) if ids.contains(&id) => {}
            Ok(id) => ids.push(id),
            Err(bad) => {
                let digits = text.trim_start_matches(['t', 'T']).parse::<usize>().ok();
                let meant = digits.filter(|place| *place > 0).map(TaskId::at);
                faults.add_meant(&item.at, bad.to_string(), meant.map(String::from));
            }
        }
    }
    ids
}

/// What can be said only when all tasks are known: each `after` names a task, none waits
/// for itself, and the paths lie inside the declared ones (`None`: not to be asked).
pub(super) fn check_together(
    faults: &mut Faults,
    tasks: &[ReadTask],
    declared: Option<&[Pattern]>,
) {
    let ids: Vec<_> = (1..=tasks.len()).map(TaskId::at).collect();
    for task in tasks {
        for id in task.task.after.iter().filter(|id| !ids.contains(id)) {
            let what = format!("{id} is not a task of this spec, which has {}", tasks.len());
            faults.add(&format!("{}/after", task.at), what);
        }
        for path in &task.task.paths {
            if declared.is_some_and(|scope| !path.is_within(scope)) {
                let what = format!("\"{path}\" lies outside affected_paths");
                faults.add(&format!("{}/paths", task.at), what);
            }
        }
    }
    if let Some(circle) = circle(tasks) {
        let names: Vec<_> = circle.iter().map(|place| ids[*place].as_str()).collect();
        let what = format!("the tasks wait for each other: {}", names.join(" after "));
        faults.add(&format!("{}/after", tasks[circle[0]].at), what);
    }
}

/// The places of tasks that wait for each other, the first again at the end.
fn circle(tasks: &[ReadTask]) -> Option<Vec<usize>> {
    let waits: Vec<Vec<usize>> = tasks
        .iter()
        .map(|task| {
            let places = task.task.after.iter().filter_map(place);
            places.filter(|place| *place < tasks.len()).collect()
        })
        .collect();
    // Take away what can start until nothing can: the rest waits in or for a circle.
    let mut open = vec![true; tasks.len()];
    let blocked = |open: &[bool], task: usize| waits[task].iter().find(|on| open[**on]).copied();
    while let Some(free) =
        (0..tasks.len()).find(|task| open[*task] && blocked(&open, *task).is_none())
    {
        open[free] = false;
    }
    let mut trail = vec![open.iter().position(|open| *open)?];
    loop {
        let next = blocked(&open, trail[trail.len() - 1])?;
        if let Some(start) = trail.iter().position(|task| *task == next) {
            trail.drain(..start);
            trail.push(next);
            return Some(trail);
        }
        trail.push(next);
    }
}

/// Counted from 0.
fn place(id: &TaskId) -> Option<usize> {
    id.as_str()[1..].parse::<usize>().ok()?.checked_sub(1)
}

/// Text that is not blank; blanks are dropped without a word.
fn line(faults: &mut Faults, item: &Field<'_>, wanted: &str) -> Option<String> {
    if !item.value.is_string() {
        faults.wrong_type(item, wanted, None);
        return None;
    }
    let text = faults.text(item)?;
    (!text.trim().is_empty()).then(|| text.trim().to_owned())
}

fn required(
    faults: &mut Faults,
    item: &Field<'_>,
    object: &Map<String, Value>,
    key: &str,
) -> Option<String> {
    let Some(field) = Field::of(&item.at, object, key) else {
        faults.add(&super::field::below(&item.at, key), "is required");
        return None;
    };
    let text = faults.text(&field)?;
    if text.trim().is_empty() {
        faults.add(&field.at, "is blank; it is required");
        return None;
    }
    Some(text.trim().to_owned())
}
