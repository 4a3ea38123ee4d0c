//! What went wrong, as a person reads it and as a program does.
//!
//! Every error of the floors below gets its code here, by exhaustive matches, so that a
//! new variant does not compile until someone has decided what it means to a user.

use super::{
    Status,
    output::{self, Style},
};
use crate::{
    diagnostic::{Code, Hint, Refusal},
    domain::canonical::BadJson,
    git, ledger, porcelain,
};
use serde::Serialize;
use serde_json::{Map, Value};
use std::error::Error;

/// Why nothing was done.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    refusal: Box<Refusal>,
    causes: Vec<String>,
    silent: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    error: Body<'a>,
}

#[derive(Serialize)]
struct Body<'a> {
    code: Code,
    message: &'a str,
    details: &'a Map<String, Value>,
    hints: &'a [Hint],
}

impl Failure {
    /// A failure without facts or hints.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Refusal::new(code, message).into()
    }

    /// A failure and the chain of causes of `error`, whose own text is the message.
    pub fn from_error(code: Code, error: &dyn Error) -> Self {
        let mut failure = Self::new(code, error.to_string());
        let mut source = error.source();
        while let Some(cause) = source {
            failure = failure.cause(cause.to_string());
            source = cause.source();
        }
        failure
    }

    /// Standard output or error could not be written. A reader that went away is no failure
    /// to speak of.
    pub fn from_output(error: &std::io::Error) -> Self {
        let mut failure =
            Self::new(Code::FileSystem, "cannot write the output").cause(error.to_string());
        failure.silent = error.kind() == std::io::ErrorKind::BrokenPipe;
        failure
    }

    /// Adds a fact.
    pub fn detail(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.refusal = Box::new(self.refusal.detail(name, value));
        self
    }

    /// Adds what lies behind it.
    pub fn cause(mut self, cause: impl Into<String>) -> Self {
        self.causes.push(cause.into());
        self
    }

    /// Adds advice with the command that follows it.
    pub fn hint(mut self, text: impl Into<String>, command: &[impl AsRef<str>]) -> Self {
        let command: Vec<&str> = command.iter().map(AsRef::as_ref).collect();
        self.refusal = Box::new(self.refusal.hint(text, &command));
        self
    }

    /// Adds advice that is not a command.
    pub fn advice(mut self, text: impl Into<String>) -> Self {
        self.refusal = Box::new(self.refusal.advice(text));
        self
    }

    /// The code.
    pub fn code(&self) -> Code {
        self.refusal.code
    }

    /// The exit status that follows.
    pub fn status(&self) -> Status {
        match self.refusal.code {
            _ if self.silent => Status::BROKEN_PIPE,
            Code::Interrupted => Status::INTERRUPTED,
            code => Status(code.exit().status()),
        }
    }

    /// It with the usual advice for its code, when nothing better was said.
    fn advised(&self) -> Refusal {
        let mut refusal = Refusal::clone(&self.refusal);
        if refusal.hints.is_empty() {
            refusal.hints = super::hint::usual(refusal.code);
        }
        refusal
    }

    /// The JSON error document, without its newline.
    pub fn to_json(&self) -> String {
        let refusal = self.advised();
        let mut details = refusal.details.clone();
        if !self.causes.is_empty() {
            details.insert("caused_by".to_owned(), self.causes.clone().into());
        }
        let document = Document {
            schema_version: 1,
            error: Body {
                code: refusal.code,
                message: &refusal.message,
                details: &details,
                hints: &refusal.hints,
            },
        };
        serde_json::to_string(&document).expect("string keys only")
    }

    /// The lines a person reads, with colours in them.
    pub fn to_text(&self) -> String {
        super::render::failure::lines(&self.advised(), &self.causes)
    }

    /// Says it where it belongs; gives the exit status.
    pub fn report(&self, style: Style) -> Status {
        if !self.silent {
            output::report(self, style);
        }
        self.status()
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self {
            refusal: Box::new(refusal),
            causes: Vec::new(),
            silent: false,
        }
    }
}

impl From<porcelain::Error> for Failure {
    fn from(error: porcelain::Error) -> Self {
        match error {
            porcelain::Error::Refused(refusal) => (*refusal).into(),
            porcelain::Error::Git(error) => error.into(),
            porcelain::Error::Ledger(error) => error.into(),
            porcelain::Error::Interrupted => {
                Self::new(Code::Interrupted, "interrupted: nothing was recorded")
            }
            porcelain::Error::Run(error) => Self::from_error(Code::CommandNotStarted, &error),
            porcelain::Error::Ruleset(error) => Self::from_error(Code::Unsupported, &error),
            porcelain::Error::File { ref path, .. } => {
                let path = path.display().to_string();
                Self::from_error(Code::FileSystem, &error)
                    .detail("path", path)
                    .advice("move aside what is in the way, or make it usable for you")
            }
            porcelain::Error::Document { ref source, .. } => {
                Self::from_error(code_of_json(source), &error)
            }
        }
    }
}

impl From<git::Error> for Failure {
    fn from(error: git::Error) -> Self {
        let code = code_of_git(&error);
        let failure = Self::from_error(code, &error);
        match error {
            git::Error::NotARepository(_) => failure.hint("make one", &["git", "init"]),
            git::Error::OutsideWorkTree { path, root } => failure
                .detail("path", path.to_string_lossy())
                .detail("root", root.to_string_lossy()),
            git::Error::Unmerged { path } => failure.detail("path", path.quoted()).hint(
                "resolve the conflict and stage it",
                &["git", "add", &path.quoted()],
            ),
            git::Error::ReadOnly { path, .. } => failure
                .detail("path", path.to_string_lossy())
                .advice("make it writable for you"),
            git::Error::Untrusted(_) | git::Error::Unsupported(_) => failure,
            git::Error::BadObject { .. } | git::Error::Gix { .. } => {
                failure.hint("what git says of this repository", &["git", "fsck"])
            }
            git::Error::Git { .. } => failure.advice("mend what git complains about and try again"),
            git::Error::Io { path, .. } => failure
                .detail("path", path.to_string_lossy())
                .advice("move aside what is in the way, or make it usable for you"),
            git::Error::Bare => failure.advice("run it in a clone that has a working tree"),
            git::Error::Conflict { name } => failure
                .detail("ref", name)
                .advice("somebody else is writing; try again"),
            git::Error::Locked { path, seconds } => failure
                .detail("lock", path.to_string_lossy())
                .detail("seconds", seconds)
                .advice("if no git is running here, delete that file"),
            git::Error::Missing { oid } => failure
                .detail("object", oid.to_string())
                .advice("fetch it: a shallow or partial clone lacks objects"),
            git::Error::BadRevision(revision) => failure.detail("revision", revision.to_string()),
            git::Error::NoIdentity(_) => failure
                .hint("your name", &["git", "config", "user.name", "Your Name"])
                .hint(
                    "your address",
                    &["git", "config", "user.email", "you@example.com"],
                ),
        }
    }
}

/// The code of everything git can fail with.
fn code_of_git(error: &git::Error) -> Code {
    match error {
        git::Error::NotARepository(_) | git::Error::Untrusted(_) => Code::NotARepository,
        git::Error::OutsideWorkTree { .. } => Code::Usage,
        git::Error::Unmerged { .. } => Code::NoSnapshot,
        git::Error::ReadOnly { .. } => Code::LedgerNotWritable,
        git::Error::Bare => Code::NoWorkTree,
        git::Error::Unsupported(_) => Code::Unsupported,
        git::Error::Conflict { .. } | git::Error::Locked { .. } => Code::LockHeld,
        git::Error::Missing { .. } | git::Error::BadObject { .. } => Code::ObjectMissing,
        git::Error::BadRevision(_) => Code::Usage,
        git::Error::NoIdentity(_) => Code::NoIdentity,
        git::Error::Io { .. } => Code::FileSystem,
        git::Error::Git { .. } | git::Error::Gix { .. } => Code::GitFailed,
    }
}

impl From<ledger::Error> for Failure {
    fn from(error: ledger::Error) -> Self {
        let code = match &error {
            ledger::Error::Git(_) => Code::GitFailed,
            ledger::Error::BadRecord { source, .. } => code_of_json(source),
            ledger::Error::ForeignFile { .. } => Code::LedgerTree,
            ledger::Error::NotARun { .. } => Code::LedgerRecord,
            ledger::Error::NoStream { stream } => match ledger::StreamName::from_ref(stream) {
                Some(ledger::StreamName::Spec(_)) => Code::SpecNotFound,
                Some(ledger::StreamName::Run(_)) => Code::RunNotFound,
                Some(ledger::StreamName::Journal(_)) | None => Code::LedgerMissing,
            },
            ledger::Error::NoArtifact { .. } => Code::LedgerMissing,
            ledger::Error::BadArtifact { .. } => Code::LedgerDigest,
            ledger::Error::NotEnded { .. } => Code::Precondition,
            ledger::Error::BadWriter { .. } => Code::InputInvalid,
            ledger::Error::Busy { .. } => Code::LockHeld,
            ledger::Error::NotWritable { .. } => Code::LedgerNotWritable,
        };
        // Git's own failures keep their code, facts and advice.
        let error = match error {
            ledger::Error::Git(inner) => return inner.into(),
            other => other,
        };
        let failure = Self::from_error(code, &error);
        match error {
            ledger::Error::Git(_) => failure,
            ledger::Error::BadRecord { stream, file, .. }
            | ledger::Error::ForeignFile { stream, file } => failure
                .detail("stream", stream)
                .detail("file", file)
                .hint("what is wrong with it", &["git", "rapid", "fsck"]),
            ledger::Error::NotARun { stream, .. } => failure
                .detail("stream", stream)
                .hint("what is wrong with it", &["git", "rapid", "fsck"]),
            ledger::Error::NoStream { stream } => failure.detail("stream", stream),
            ledger::Error::NotEnded { stream, .. } => failure.detail("stream", stream),
            ledger::Error::BadWriter { text } => failure.detail("value", text).hint(
                "have a new one made",
                &["git", "config", "--unset", "rapid.writer"],
            ),
            ledger::Error::NoArtifact { stream, digest }
            | ledger::Error::BadArtifact { stream, digest } => failure
                .detail("stream", stream)
                .detail("artifact", digest.to_string()),
            ledger::Error::Busy {
                stream,
                attempts,
                tip,
            } => failure
                .detail("stream", stream)
                .detail("attempts", attempts)
                .detail("tip", tip.map(|tip| tip.to_string()))
                .advice("somebody else is writing; try again"),
            ledger::Error::NotWritable { .. } => {
                failure.advice("allow writing to the git directory, or work in a clone of your own")
            }
        }
    }
}

/// A record of the ledger that cannot be read is invalid input (exit 3), whatever else
/// `fsck` will say about it.
fn code_of_json(error: &BadJson) -> Code {
    match error {
        BadJson::Syntax(_)
        | BadJson::DuplicateKey(_)
        | BadJson::Number(_)
        | BadJson::TooDeep
        | BadJson::NotCanonical
        | BadJson::Shape(_) => Code::InputInvalid,
    }
}
