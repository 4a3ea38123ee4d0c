//! What to do about a failure that brought no advice of its own, by its code.
//!
//! A place that knows the facts gives the better hint; this table is there so that nobody is
//! ever left without a next step.

use crate::diagnostic::{Code, Hint, Refusal};

/// The usual advice for a code.
pub(super) fn usual(code: Code) -> Vec<Hint> {
    let (text, command) = row(code);
    let refusal = Refusal::new(code, "");
    if command.is_empty() {
        refusal.advice(text).hints
    } else {
        refusal.hint(text, command).hints
    }
}

const NEXT: (&str, &[&str]) = ("see what comes next", &["git", "rapid", "next"]);
const STATUS: (&str, &[&str]) = ("see how things stand", &["git", "rapid", "status"]);
const RECORDS: (&str, &[&str]) = (
    "see which records are here",
    &["git", "rapid", "evidence", "list"],
);
const SPECS: (&str, &[&str]) = (
    "see which specs are here",
    &["git", "rapid", "spec", "list"],
);
const FORM: (&str, &[&str]) = (
    "see the form of a spec",
    &["git", "rapid", "spec", "template"],
);
const RUNS: (&str, &[&str]) = ("see which runs are here", &["git", "rapid", "log"]);
const PROOF: (&str, &[&str]) = ("see what is wrong", &["git", "rapid", "fsck"]);
const CHECK: (&str, &[&str]) = ("test what is there", &["git", "rapid", "check"]);
const HELP: (&str, &[&str]) = ("all verbs", &["git", "rapid", "-h"]);

/// One row per code, so that a new one does not compile without.
fn row(code: Code) -> (&'static str, &'static [&'static str]) {
    match code {
        Code::SpecContent => FORM,
        Code::SpecId | Code::SpecLifecycle | Code::SpecNotFound => SPECS,
        Code::SpecArtifact
        | Code::ContractInvalid
        | Code::SpecBinding
        | Code::ReportInvalid
        | Code::ReportReplay
        | Code::LedgerRecord
        | Code::LedgerDigest
        | Code::LedgerChain
        | Code::LedgerTree
        | Code::LedgerMissing
        | Code::LedgerEvent
        | Code::LedgerReport
        | Code::LedgerJournal
        | Code::LedgerSeal => PROOF,
        Code::RunNotFound | Code::SessionNoRun | Code::SessionDisagrees => RUNS,
        Code::EvidenceId
        | Code::EvidenceRecord
        | Code::EvidenceBinding
        | Code::EvidenceArtifact
        | Code::EvidencePayload
        | Code::EvidenceNotFound => RECORDS,
        Code::PolicyInvalid
        | Code::Loosening
        | Code::RunMove
        | Code::TaskMove
        | Code::GateMove
        | Code::Precondition
        | Code::EvidenceReference
        | Code::VerdictUnverified
        | Code::VerdictFail
        | Code::OutOfScope
        | Code::ProtectedPath
        | Code::Incomparable
        | Code::MergeConflict
        | Code::Architecture
        | Code::NoSnapshot => STATUS,
        Code::NotEligible
        | Code::NoProgress
        | Code::RunBoundHere
        | Code::CheckDidNotCount
        | Code::ExpectFailWithoutTask
        | Code::RunNotActive
        | Code::CommitRefused
        | Code::RunRequired => NEXT,
        Code::NeverVerified | Code::OtherTreeVerified | Code::IndexDiffers => CHECK,
        Code::Usage => HELP,
        Code::EvidencePath | Code::InputUnreadable => ("name a file that can be read", &[]),
        Code::InputInvalid => ("mend it and try again", &[]),
        Code::NotAPerson => ("ask a person to run it in a terminal of their own", &[]),
        Code::WrongPhrase => ("run it again and type the phrase as it is shown", &[]),
        Code::ReservedProducer => ("use a producer of your own, such as external:<name>", &[]),
        Code::NotARepository | Code::GitFailed => ("see what git says", &["git", "status"]),
        Code::NoWorkTree => ("run it in a clone that has a working tree", &[]),
        Code::NoIdentity => (
            "tell git who you are",
            &["git", "config", "user.email", "you@example.com"],
        ),
        Code::FileSystem => (
            "move aside what is in the way, or make it usable for you",
            &[],
        ),
        Code::LockHeld => ("somebody else is writing; try again", &[]),
        Code::LedgerNotWritable => ("make it writable for you", &[]),
        Code::ObjectMissing => ("fetch it: a shallow or partial clone lacks objects", &[]),
        Code::CommandNotStarted => ("see that the command can be run here", &[]),
        Code::Interrupted => ("run it again when you are ready", &[]),
        Code::Unsupported => ("take that setting away, or use another clone", &[]),
        Code::Internal => ("report it", &[]),
    }
}
