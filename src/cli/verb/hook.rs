//! `git rapid hook`: the arguments and what becomes of them.

use crate::cli::render::ObjectionView;
use crate::cli::{Status, failure::Failure, session::Session};
use crate::diagnostic::Code;
use crate::hook::{Answer, Call, Error, HOOKS, Hook};
use std::ffi::OsString;
use std::io::Read as _;

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The hook, by git's name
    #[arg(value_name = "HOOK", value_parser = HOOKS.iter().map(|hook| hook.name).collect::<Vec<_>>())]
    pub name: String,
    /// What git gives it
    #[arg(
        value_name = "ARGUMENTS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub arguments: Vec<OsString>,
}

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let hook = Hook::named(&self.name).expect("the command line takes no other name");
        let mut call = Call {
            arguments: self.arguments,
            stdin: Vec::new(),
        };
        if hook.reads {
            std::io::stdin()
                .read_to_end(&mut call.stdin)
                .map_err(|error| {
                    Failure::new(Code::InputUnreadable, "cannot read standard input")
                        .cause(error.to_string())
                })?;
        }
        match answered(hook, &call, session) {
            Ok(Answer::GoOn) => Ok(Status::DONE),
            Ok(Answer::Object(objection)) => {
                let only_said = objection.only_said;
                session.out.object(&ObjectionView::of(*objection))?;
                Ok(Status::of(only_said))
            }
            // Whatever it is, it says nothing about the commit.
            Err(failure) => {
                let what = if hook.refuses {
                    "git-rapid could not judge this commit: that is no refusal, something failed"
                } else {
                    "git-rapid could not record what was done; the next verb of the run will"
                };
                session.out.note(what);
                failure.report(session.out.style());
                Ok(Status::INTERNAL)
            }
        }
    }
}

fn answered(hook: &Hook, call: &Call, session: &mut Session) -> Result<Answer, Failure> {
    let watch = session.progress(None);
    let ctx = session.context(&watch)?;
    Ok(hook.run(&ctx, call)?)
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Porcelain(error) => error.into(),
            Error::Call { .. } => Self::from_error(Code::InputInvalid, &error),
        }
    }
}
