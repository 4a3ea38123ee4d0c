//! The words of the closed lists, in the reader's language.
//!
//! Only what stands in a sentence is translated; where a word is a key (in JSON, in a
//! record, after an option) it stays as it is.

use super::{
    Page,
    text::{Tint, tinted},
};
use crate::domain::{
    gate::GateKind,
    vocabulary::{Change, RunStatus, TaskStatus, Verdict},
};

/// A verdict as the head of a page says it: never translated, CI greps for it.
pub(super) fn verdict(verdict: Verdict) -> String {
    match verdict {
        Verdict::Pass => tinted(Tint::Good, "PASS"),
        Verdict::PassWithWaivers => tinted(Tint::Warn, "PASS_WITH_WAIVERS"),
        Verdict::Fail => tinted(Tint::Bad, "FAIL"),
        Verdict::Unverified => tinted(Tint::Warn, "UNVERIFIED"),
    }
}

/// A run's state.
pub(super) fn run_status(page: &Page, status: RunStatus) -> &str {
    match status {
        RunStatus::Prepared => page.say("prepared", "preparada"),
        RunStatus::Active => page.say("active", "activa"),
        RunStatus::Blocked => page.say("blocked", "bloqueada"),
        RunStatus::Paused => page.say("paused", "en pausa"),
        RunStatus::Finished => page.say("finished", "terminada"),
        RunStatus::Failed => page.say("failed", "fallida"),
        RunStatus::Cancelled => page.say("cancelled", "cancelada"),
        RunStatus::Superseded => page.say("superseded", "sustituida"),
    }
}

/// A task's state.
pub(super) fn task_status(page: &Page, status: TaskStatus) -> &str {
    match status {
        TaskStatus::Pending => page.say("open", "pendiente"),
        TaskStatus::InProgress => page.say("in progress", "en curso"),
        TaskStatus::Blocked => page.say("blocked", "bloqueada"),
        TaskStatus::Done => page.say("done", "hecha"),
        TaskStatus::Skipped => page.say("skipped", "omitida"),
    }
}

/// How a path differs.
pub(super) fn change(page: &Page, change: Change) -> &str {
    match change {
        Change::Added => page.say("new", "nuevo"),
        Change::Modified => page.say("changed", "cambiado"),
        Change::Deleted => page.say("deleted", "borrado"),
        Change::Mode => page.say("mode changed", "modo cambiado"),
        Change::Type => page.say("kind changed", "tipo cambiado"),
    }
}

/// What a gate asks, as a short noun.
pub(super) fn gate(page: &Page, kind: GateKind) -> &str {
    match kind {
        GateKind::WorkspaceIsolation => page.say("isolated", "aislada"),
        GateKind::BaselineCheck => page.say("baseline", "línea base"),
        GateKind::ManualApproval => page.say("go-ahead", "visto bueno"),
        GateKind::ImplementationTests => page.say("tests", "pruebas"),
        GateKind::ArchitectureCheck => page.say("architecture", "arquitectura"),
        GateKind::PeerReview => page.say("review", "revisión"),
        GateKind::SecurityReview => page.say("security review", "revisión de seguridad"),
        GateKind::MigrationReview => page.say("migration review", "revisión de migración"),
        GateKind::FinalVerification => page.say("approved", "aprobado"),
    }
}
