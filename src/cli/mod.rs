//! The edge to people and programs: arguments, rendering, exit codes.
//!
//! The only floor that reads the environment and the wall clock, and that prints.

/// Runs the program.
pub fn main() -> std::process::ExitCode {
    std::process::ExitCode::SUCCESS
}
