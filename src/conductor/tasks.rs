//! Rows 5 to 5b: the work itself, as long as there is some to do.

use super::{
    ActionKind, Sight, Step, Why,
    command::{attach, ending, rapid, task_done, task_start},
    missing::check,
};
use crate::domain::{
    contract::Task,
    digest::Digest,
    evaluate::Reason,
    evidence::Payload,
    run::{check_task_done, is_reproducing_task, startable},
    vocabulary::{AssertionStatus, Expectation, Mode, TaskStatus},
};

/// Row 5: a task is open.
pub(super) fn open_task(sight: &Sight<'_>) -> Option<Step> {
    let run = sight.run;
    if run.state.tasks_are_terminal() {
        return None;
    }
    let tasks = run.tasks();
    let in_state = |status: TaskStatus| {
        tasks
            .iter()
            .copied()
            .filter(move |task| run.state.tasks.get(&task.id) == Some(&status))
    };
    if let Some(task) = in_state(TaskStatus::InProgress).next() {
        return Some(in_progress(sight, task));
    }
    if let Some(task) = startable(run, &run.state).first() {
        let step = Step::new(ActionKind::ImplementTask, Why::TaskOpen)
            .on(&task.id)
            .run(task_start(&task.id));
        return Some(if run.contract.mode == Mode::Research {
            Step {
                report: true,
                ..step.then(attach(sight.scene.report_path, &task.id))
            }
        } else {
            step.then(task_done(&task.id))
        });
    }
    // Only a blocked task can keep the others from starting.
    let step = Step::new(ActionKind::Blocked, Why::NoneStartable);
    Some(match in_state(TaskStatus::Blocked).next() {
        Some(task) => step.on(&task.id).run(task_start(&task.id)).fact(
            "reason",
            run.state
                .task_reasons
                .get(&task.id)
                .map_or("", String::as_str),
        ),
        None => {
            let waiting: Vec<&str> = in_state(TaskStatus::Pending)
                .map(|task| task.id.as_str())
                .collect();
            let abort = ending(&["abort"], Why::NoneStartable.as_str());
            step.fact("waiting", waiting.join(", "))
                .run(abort.clone())
                .for_person(abort)
        }
    })
}

fn in_progress(sight: &Sight<'_>, task: &Task) -> Step {
    let step = Step::new(ActionKind::ImplementTask, Why::TaskOpen).on(&task.id);
    if is_reproducing_task(sight.run, &task.id) {
        let expect = check(sight, &["--expect", "fail", "--task", task.id.as_str()]);
        let done = task_done(&task.id);
        return if check_task_done(sight.run, &task.id).is_ok() {
            step.then(done).fact("seen", "yes")
        } else if failed_without_a_test(sight, task) {
            step.then(expect)
                .fact("reproduce", "yes")
                .fact("edit", "yes")
        } else {
            step.run(expect).then(done).fact("reproduce", "yes")
        };
    }
    if sight.run.contract.mode == Mode::Research {
        return if has_attachment(sight, task) {
            step.run(rapid(&["task", "done", task.id.as_str(), "--no-check"]))
                .fact("seen", "yes")
        } else {
            Step {
                report: true,
                ..step.then(attach(sight.scene.report_path, &task.id))
            }
        };
    }
    let step = step.then(task_done(&task.id));
    match sight.red_check() {
        Some((_, record)) => with_counts(
            sight,
            Step {
                why: Why::Red,
                ..step
            }
            .by([record.digest]),
            Some(&record.digest),
        ),
        None => step,
    }
}

/// Whether the command failed here as it should and still shows no bug, as when the test does
/// not even compile: it would only be cited again.
fn failed_without_a_test(sight: &Sight<'_>, task: &Task) -> bool {
    sight.run.evidence.iter().any(|record| {
        record.body.tasks.contains(&task.id)
            && record.body.check().is_some_and(|result| {
                result.expectation == Expectation::Fail && result.subject.tree == sight.subject
            })
            && sight.results.is_good(record) == Some(true)
    })
}

fn has_attachment(sight: &Sight<'_>, task: &Task) -> bool {
    sight.run.evidence.iter().any(|record| {
        record.body.tasks.contains(&task.id)
            && record.producer.is_rapid("attach")
            && matches!(record.body.payload, Payload::Artifact(_))
    })
}

/// Row 5a: the working tree cannot be compared.
pub(super) fn no_snapshot(sight: &Sight<'_>) -> Option<Step> {
    let none = sight.scene.snapshot.err()?;
    let paths: Vec<String> = none.paths.iter().map(ToString::to_string).collect();
    Some(
        Step::new(ActionKind::Blocked, Why::NoSnapshot)
            .fact("reason", none.why)
            .fact("paths", shortened(&paths))
            .then(rapid(&["next"])),
    )
}

/// Row 5b: the tasks are closed and nothing was written that had to be.
pub(super) fn nothing_changed(sight: &Sight<'_>) -> Option<Step> {
    let wanted = sight
        .required(AssertionStatus::Unverified)
        .any(|said| said.why == Reason::NothingChanged.as_str());
    (wanted && sight.nothing_changed())
        .then(|| Step::new(ActionKind::ImplementTask, Why::NothingChanged).then(check(sight, &[])))
}

/// Adds what the result in this record counted.
pub(super) fn with_counts(sight: &Sight<'_>, step: Step, record: Option<&Digest>) -> Step {
    let result = record
        .and_then(|digest| sight.run.evidence(digest))
        .and_then(|record| record.body.check());
    let Some(result) = result else {
        return step;
    };
    let name = result.check.clone().unwrap_or_else(|| {
        let words: Vec<_> = result.argv.iter().map(|word| word.lossy()).collect();
        words.join(" ")
    });
    let step = step.fact("check", name);
    let step = match (result.exit_code, result.signal) {
        (Some(code), _) => step.fact("exit", code),
        (None, Some(signal)) => step.fact("signal", signal),
        (None, None) => step,
    };
    let step = if result.timed_out {
        step.fact("timed_out", "yes")
    } else {
        step
    };
    let Some(counts) = result.counts else {
        return step;
    };
    let bad = counts.failed.saturating_add(counts.errors);
    let step = step
        .fact("total", counts.passed.saturating_add(bad))
        .fact("failed_tests", shortened(&result.failed_tests));
    if bad > 0 {
        step.fact("failed", bad)
    } else {
        step
    }
}

/// A list for one line: the first few, and how many more.
pub(super) fn shortened<T: AsRef<str>>(things: &[T]) -> String {
    const SHOWN: usize = 10;
    let mut text = things
        .iter()
        .take(SHOWN)
        .map(AsRef::as_ref)
        .collect::<Vec<_>>()
        .join(", ");
    if things.len() > SHOWN {
        text.push_str(&format!(", +{}", things.len() - SHOWN));
    }
    text
}
