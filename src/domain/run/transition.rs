//! The legal moves, as RULES "Run state" lists them.

use crate::domain::vocabulary::{GateStatus, RunStatus, TaskStatus};

/// Legal moves of a run.
pub const RUN_MOVES: &[(RunStatus, &[RunStatus])] = &[
    (
        RunStatus::Prepared,
        &[
            RunStatus::Active,
            RunStatus::Cancelled,
            RunStatus::Superseded,
        ],
    ),
    (
        RunStatus::Active,
        &[
            RunStatus::Blocked,
            RunStatus::Paused,
            RunStatus::Finished,
            RunStatus::Failed,
            RunStatus::Cancelled,
            RunStatus::Superseded,
        ],
    ),
    (
        RunStatus::Blocked,
        &[
            RunStatus::Active,
            RunStatus::Failed,
            RunStatus::Cancelled,
            RunStatus::Superseded,
        ],
    ),
    (
        RunStatus::Paused,
        &[
            RunStatus::Active,
            RunStatus::Cancelled,
            RunStatus::Superseded,
        ],
    ),
    (RunStatus::Finished, &[]),
    (RunStatus::Failed, &[]),
    (RunStatus::Cancelled, &[]),
    (RunStatus::Superseded, &[]),
];

/// Legal moves of a task.
pub const TASK_MOVES: &[(TaskStatus, &[TaskStatus])] = &[
    (
        TaskStatus::Pending,
        &[TaskStatus::InProgress, TaskStatus::Skipped],
    ),
    (
        TaskStatus::InProgress,
        &[TaskStatus::Blocked, TaskStatus::Done, TaskStatus::Skipped],
    ),
    (
        TaskStatus::Blocked,
        &[TaskStatus::InProgress, TaskStatus::Skipped],
    ),
    (TaskStatus::Done, &[]),
    (TaskStatus::Skipped, &[]),
];

/// Legal moves of a gate.
pub const GATE_MOVES: &[(GateStatus, &[GateStatus])] = &[
    (
        GateStatus::Pending,
        &[GateStatus::Acknowledged, GateStatus::Waived],
    ),
    (GateStatus::Acknowledged, &[]),
    (GateStatus::Waived, &[]),
];
