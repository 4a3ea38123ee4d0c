//! Counting tests: one file per runner, this one asks them in turn.

use crate::domain::evidence::Counts;

/// What was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The runner whose shape it is, e.g. `cargo-test`.
    pub runner: &'static str,
    /// The counts.
    pub counts: Counts,
    /// Names of failed tests, at most 50.
    pub failed_tests: Vec<String>,
    /// Whether the run came to its closing line.
    pub complete: bool,
}

/// Counts the tests in a command's output. `None`: the shape is not known (never zero).
/// `argv` helps to choose; the output decides.
pub fn count_output(argv: &[crate::domain::bytes::ByteText], output: &[u8]) -> Option<Counted> {
    let _ = (argv, output);
    todo!()
}

/// Whether a summary and an exit code cannot both be true: failures beside success.
/// The other way round is possible: a coverage threshold, a leak check.
pub fn contradicts(exit: &super::Exit, counted: &Counted) -> bool {
    let _ = (exit, counted);
    todo!()
}
