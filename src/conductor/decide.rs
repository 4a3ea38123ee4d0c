//! The table of RULES "The conductor": the first row that applies wins.

use super::{
    NextAction, Scene, Sight, Step, brake,
    context::{self, document},
    standing, tasks, verdict,
};

/// One row.
#[derive(Debug)]
pub struct Row {
    /// Its number in RULES.
    pub number: &'static str,
    /// Its condition and answer.
    pub applies: fn(&Sight<'_>) -> Option<Step>,
}

/// Every row, in order. Row 0 has no run to look at: [`without_run`](super::without_run).
pub const ROWS: &[Row] = &[
    row("1", standing::ended),
    row("2", standing::stopped),
    row("3", standing::rejected),
    row("3b", standing::question),
    row("3c", brake::no_progress),
    row("4", standing::prepared),
    row("5", tasks::open_task),
    row("5a", tasks::no_snapshot),
    row("5b", tasks::nothing_changed),
    row("6", verdict::failing),
    row("7", verdict::unverified_work),
    row("7b", verdict::not_committed),
    row("8", verdict::human_gates),
    row("8b", verdict::unverified_rest),
    row("9", verdict::holds),
];

const fn row(number: &'static str, applies: fn(&Sight<'_>) -> Option<Step>) -> Row {
    Row { number, applies }
}

/// The next action of a run.
pub fn next_action(scene: &Scene<'_>) -> NextAction {
    let sight = Sight::of(scene);
    let step = ROWS
        .iter()
        .find_map(|row| (row.applies)(&sight))
        .unwrap_or_else(|| verdict::undecided(&sight));
    document(&sight, &context::located(&sight, step))
}
