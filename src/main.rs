//! The doorway.

use git_rapid::check::{SUPERVISE, supervise};

fn main() -> std::process::ExitCode {
    let mut words = std::env::args_os().skip(1);
    // Before anything else: this process only stands between a command and its end.
    if words.next().is_some_and(|word| word == SUPERVISE) {
        return supervise(words);
    }
    git_rapid::cli::main()
}
