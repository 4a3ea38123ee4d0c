//! The table of codes.

use serde::{Serialize, Serializer};
use std::fmt;

/// What a code means for the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 1: a rule says no.
    Refused,
    /// 2: wrong usage, or nothing to do it on.
    Usage,
    /// 3: the input is not valid.
    Input,
    /// 4: git, the file system or the network failed.
    Environment,
}

impl Exit {
    /// The process exit status.
    pub fn status(self) -> u8 {
        match self {
            Self::Refused => 1,
            Self::Usage => 2,
            Self::Input => 3,
            Self::Environment => 4,
        }
    }
}

macro_rules! codes {
    ($($name:ident = $number:literal, $exit:ident, $meaning:literal;)+) => {
        /// A stable diagnostic code, written `RAPIDnnnn`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $(#[doc = $meaning] $name,)+ }

        impl Code {
            /// Every code, by number.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The number.
            pub fn number(self) -> u16 {
                match self { $(Self::$name => $number),+ }
            }

            /// What it means, in one line.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning),+ }
            }

            /// What it means for the exit status.
            pub fn exit(self) -> Exit {
                match self { $(Self::$name => Exit::$exit),+ }
            }
        }
    };
}

codes! {
    SpecContent = 803, Input, "a spec's content is not valid";
    SpecArtifact = 804, Input, "a spec's stored bytes are missing or differ from their digest";
    SpecLifecycle = 805, Refused, "a spec's status does not allow this";
    SpecId = 806, Input, "a spec id is not valid, or is taken";
    SpecNotFound = 807, Usage, "no such spec or revision";
    ContractInvalid = 1002, Input, "a contract is not valid";
    SpecBinding = 1003, Refused, "the contract's spec is missing, not ready, or has other bytes";
    PolicyInvalid = 1005, Input, "the project's policy is not valid, or is not supported by this version";
    Loosening = 1006, Refused, "asks for less care than the rules or the policy want";
    RunNotFound = 1007, Usage, "no such run, or no run bound here";
    RunMove = 1009, Refused, "the run cannot go from this state to that one";
    TaskMove = 1010, Refused, "the task cannot go from this state to that one";
    GateMove = 1013, Refused, "the gate cannot go from this state to that one, or cannot be waived";
    Precondition = 1014, Refused, "something else has to happen first";
    EvidenceId = 1201, Input, "not an evidence name";
    EvidenceRecord = 1202, Input, "an evidence record is not valid";
    EvidenceBinding = 1203, Input, "an evidence record speaks of another run";
    EvidencePath = 1204, Input, "a path in or for evidence is not usable";
    EvidenceArtifact = 1205, Input, "an artifact is missing, altered or too large";
    EvidencePayload = 1206, Input, "an evidence kind or payload is not valid";
    EvidenceReference = 1207, Input, "evidence refers to a task, gate, criterion or capability that does not exist";
    EvidenceNotFound = 1210, Usage, "no such record, or several that begin like this";
    ReportInvalid = 1221, Input, "a stored report is not valid";
    ReportReplay = 1223, Refused, "a stored report does not replay to the same bytes";
    VerdictUnverified = 1225, Refused, "a passing verdict is required and something is unverified";
    VerdictFail = 1226, Refused, "a passing verdict is required and something failed";
    SessionNoRun = 1304, Usage, "this worktree's session names a run that is not here";
    SessionDisagrees = 1305, Refused, "this worktree's session and the ledger disagree";
    NotAPerson = 1310, Refused, "only a person at a terminal may do this";
    WrongPhrase = 1311, Refused, "the typed phrase is not the one that was asked for";
    ExpectFailWithoutTask = 1320, Refused, "an expected failure needs a task it reproduces";
    NotEligible = 1330, Refused, "the change is not eligible for this mode";
    NoProgress = 1331, Refused, "the same thing failed too often; a person has to look";
    RunBoundHere = 1332, Refused, "a run is bound to this worktree and branch already";
    CheckDidNotCount = 1340, Refused, "the check ran and its result does not count";
    Architecture = 1420, Refused, "an import breaks the architecture";
    ReservedProducer = 1430, Refused, "this producer is reserved";
    OutOfScope = 1501, Refused, "a path lies outside the run's declared scope";
    NeverVerified = 1502, Refused, "this content was never tested";
    OtherTreeVerified = 1503, Refused, "this content is not what was tested";
    RunNotActive = 1504, Refused, "the bound run is not active";
    ProtectedPath = 1505, Refused, "a path is protected";
    IndexDiffers = 1506, Refused, "the index differs from the working tree that would be tested";
    Incomparable = 1507, Refused, "an entry cannot be compared with what was tested";
    RunRequired = 1508, Refused, "a path may only be committed in a run";
    CommitRefused = 1509, Refused, "git commit, or a hook of it, said no";
    LedgerRecord = 1600, Refused, "a ledger record is malformed";
    LedgerDigest = 1601, Refused, "a record, name, trailer or artifact does not match its digest";
    LedgerChain = 1602, Refused, "prev, seq or stream of a record do not agree with what came before";
    LedgerTree = 1603, Refused, "a ledger commit changed or dropped what was there, or added what does not belong";
    LedgerMissing = 1604, Refused, "something the ledger needs is missing";
    LedgerEvent = 1605, Refused, "an event is not legal where it was written";
    LedgerReport = 1606, Refused, "a stored report does not replay";
    LedgerJournal = 1607, Refused, "a journal is shorter than another clone saw it, or a run it opened is gone";
    LedgerSeal = 1608, Refused, "a journal's seal does not name the commit it holds";
    MergeConflict = 1609, Refused, "events contradict each other after a merge";
    Usage = 4001, Usage, "the command line is not understood";
    InputUnreadable = 4002, Input, "an input cannot be read";
    InputInvalid = 4003, Input, "an input is not valid";
    NotARepository = 4004, Environment, "not inside a usable git repository";
    NoWorkTree = 4005, Environment, "this needs a working tree and the repository is bare";
    NoIdentity = 4006, Environment, "git does not know who you are";
    GitFailed = 4007, Environment, "git failed";
    FileSystem = 4008, Environment, "the file system failed";
    LockHeld = 4009, Environment, "another process holds a lock";
    LedgerNotWritable = 4010, Environment, "the ledger is not writable here";
    ObjectMissing = 4011, Environment, "an object is not in this clone";
    NoSnapshot = 4012, Refused, "the working tree cannot be compared";
    CommandNotStarted = 4013, Environment, "a command could not be started";
    Interrupted = 4014, Environment, "interrupted";
    Unsupported = 4015, Environment, "this repository uses something this version does not support";
    Internal = 4019, Environment, "an internal error";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RAPID{}", self.number())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
