//! The doorway.

fn main() -> std::process::ExitCode {
    git_rapid::cli::main()
}
