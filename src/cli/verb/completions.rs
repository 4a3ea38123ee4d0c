//! `git rapid completions`: the arguments and what becomes of them.

use crate::cli::{Status, arguments, failure::Failure, session::Session};
use clap_complete::Shell;

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// git's completion for bash calls `_git_<verb>`, with the words in variables of its own.
const THROUGH_GIT: &str = r#"
_git_rapid() {
    local at=${__git_cmd_idx:-1}
    local COMP_WORDS=("git-rapid" "${words[@]:$((at + 1))}")
    local COMP_CWORD=$((cword - at))
    _git__rapid git-rapid "$cur" "$prev"
}
"#;

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let mut command = arguments::for_completion();
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "git-rapid", &mut script);
        if self.shell == Shell::Bash {
            let text = String::from_utf8(script).expect("clap's scripts are UTF-8");
            // clap_complete spells the dash of a program's name in two ways, so that no verb
            // would find its own options.
            let text = text.replace("git__subcmd__rapid", "git__rapid");
            script = format!("{text}{THROUGH_GIT}").into_bytes();
        }
        session.out.bytes(&script)?;
        Ok(Status::DONE)
    }
}
