//! What a child process said and how it ended.

use serde_json::Value;
use std::{fmt, process::Output};

/// A finished process.
#[derive(Clone, PartialEq, Eq)]
pub struct Run {
    /// How it was called, for messages.
    pub called: String,
    /// Standard output; what is not UTF-8 replaced.
    pub stdout: String,
    /// Standard error; what is not UTF-8 replaced.
    pub stderr: String,
    /// Its exit code; 128 and the signal's number when a signal ended it.
    pub code: i32,
}

impl Run {
    pub(super) fn of(called: String, output: Output) -> Self {
        use std::os::unix::process::ExitStatusExt;
        let status = output.status;
        Self {
            called,
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: status
                .code()
                .or_else(|| status.signal().map(|signal| 128 + signal))
                .unwrap_or(-1),
        }
    }

    /// The same run, if it ended with `code`; panics with all it said otherwise.
    #[track_caller]
    pub fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        self
    }

    /// The one JSON document on standard output: one line, nothing else.
    #[track_caller]
    pub fn json(&self) -> Value {
        let line = self
            .stdout
            .strip_suffix('\n')
            .unwrap_or_else(|| panic!("no closing newline: {self:?}"));
        assert!(!line.contains('\n'), "more than one line: {self:?}");
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The `RAPIDnnnn` of the error document.
    #[track_caller]
    pub fn error_code(&self) -> String {
        let code = &self.json()["error"]["code"];
        let code = code.as_str().unwrap_or_else(|| panic!("no code: {self:?}"));
        code.to_owned()
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}\n-- exit {}\n-- stdout\n{}\n-- stderr\n{}",
            self.called, self.code, self.stdout, self.stderr
        )
    }
}
