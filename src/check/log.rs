//! The two logs of one output: the one that is counted and the one that is kept.
//!
//! They are cut apart from each other, so that no half secret stays at a cut.

use super::{CappedLog, Command, Redactor, capture::Capture};

/// Takes output as it arrives.
#[derive(Debug)]
pub(super) struct Log {
    raw: Capture,
    redacted: Option<(Redactor, Capture)>,
}

impl Log {
    /// As the command wants it.
    pub(super) fn new(command: &Command) -> Self {
        let capture = || Capture::new(command.log_limit);
        let secrets = command.redact.clone();
        Self {
            raw: capture(),
            redacted: secrets.map(|secrets| (Redactor::new(secrets), capture())),
        }
    }

    /// Takes the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.raw.push(bytes);
        if let Some((redactor, capture)) = &mut self.redacted {
            redactor.push(bytes, &mut |bytes| capture.push(bytes));
        }
    }

    /// The log as it came, and without secrets where there were any.
    pub(super) fn finish(self) -> (CappedLog, Option<CappedLog>) {
        let redacted = self.redacted.and_then(|(redactor, mut capture)| {
            let found = redactor.finish(&mut |bytes| capture.push(bytes));
            found.then(|| capture.finish())
        });
        (self.raw.finish(), redacted)
    }
}
