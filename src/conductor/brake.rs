//! Row 3c: the brake against going in circles.
//!
//! Three bad deciding results of one check on one tree in a row, or as many bad results
//! linked to a task as its `attempts`. A person's release starts the count anew.

use super::{ActionKind, Sight, Step, Why, command::resume};
use crate::domain::{
    contract::Task,
    run::{EvidenceRecord, is_aside},
};

/// How many bad results in a row are too many.
const IN_A_ROW: usize = 3;

pub(super) fn no_progress(sight: &Sight<'_>) -> Option<Step> {
    let (records, step) = circling_check(sight).or_else(|| tried_too_often(sight))?;
    Some(
        step.run(resume(&sight.run.id))
            .for_person(resume(&sight.run.id))
            .by(records.iter().map(|record| record.digest)),
    )
}

type Tripped<'a> = (Vec<&'a EvidenceRecord>, Step);

/// A check whose last results are all bad and speak of one tree.
fn circling_check<'a>(sight: &Sight<'a>) -> Option<Tripped<'a>> {
    let deciding = deciding(sight);
    let commands = deciding.iter().rev().filter_map(|record| {
        let result = record.body.check()?;
        Some((&result.argv, &result.cwd))
    });
    let mut asked = Vec::new();
    for command in commands {
        if asked.contains(&command) {
            continue;
        }
        asked.push(command);
        let own: Vec<&EvidenceRecord> = deciding
            .iter()
            .copied()
            .filter(|record| {
                record
                    .body
                    .check()
                    .is_some_and(|result| (&result.argv, &result.cwd) == command)
            })
            .collect();
        let Some(last) = own.len().checked_sub(IN_A_ROW).map(|from| &own[from..]) else {
            continue;
        };
        let tree = |record: &EvidenceRecord| record.body.check().map(|result| result.subject.tree);
        let one_tree = last.iter().all(|record| tree(record) == tree(last[0]));
        if one_tree
            && last
                .iter()
                .all(|record| sight.results.is_good(record) == Some(false))
        {
            let (argv, _) = command;
            let words: Vec<_> = argv.iter().map(|word| word.lossy()).collect();
            let step = Step::new(ActionKind::Blocked, Why::NoProgress)
                .fact("command", words.join(" "))
                .fact("times", IN_A_ROW);
            return Some((last.to_vec(), step));
        }
    }
    None
}

/// An open task with as many bad results as it may have attempts.
fn tried_too_often<'a>(sight: &Sight<'a>) -> Option<Tripped<'a>> {
    sight.run.tasks().into_iter().find_map(|task| {
        let open = sight
            .run
            .state
            .tasks
            .get(&task.id)
            .is_some_and(|status| !status.is_terminal());
        let attempts = usize::try_from(task.attempts?).ok()?;
        let bad = bad_results(sight, task);
        (open && attempts > 0 && bad.len() >= attempts).then(|| {
            let step = Step::new(ActionKind::Blocked, Why::NoProgress)
                .on(&task.id)
                .fact("times", bad.len());
            (bad, step)
        })
    })
}

/// The bad results linked to a task since the brake was released.
pub(super) fn bad_results<'a>(sight: &Sight<'a>, task: &Task) -> Vec<&'a EvidenceRecord> {
    deciding(sight)
        .into_iter()
        .filter(|record| {
            record.body.tasks.contains(&task.id) && sight.results.is_good(record) == Some(false)
        })
        .collect()
}

/// Results that can decide something, written since the brake was released.
fn deciding<'a>(sight: &Sight<'a>) -> Vec<&'a EvidenceRecord> {
    let run = sight.run;
    run.evidence
        .iter()
        .filter(|record| record.producer.is_rapid("check"))
        .filter(|record| {
            record
                .body
                .check()
                .is_some_and(|result| !is_aside(run, result))
        })
        .filter(|record| sight.results.is_good(record).is_some())
        .filter(|record| {
            run.state
                .brake_released
                .is_none_or(|brake| run.history.had_seen(&record.digest, &brake))
        })
        .collect()
}
