//! `git rapid tour`: the whole loop for real, in a scratch repository.
//!
//! Each step is what a person would type, run by `sh`: what is seen here is what the
//! program does. Needs git and sh, no network and no `user.name`.

use crate::{
    check::{self, Command, Exit},
    cli::{
        Status,
        failure::Failure,
        render::{Tint, tinted},
        session::Session,
    },
    diagnostic::Code,
    domain::bytes::ByteText,
};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// What was asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Keep the scratch repository and say where it is
    #[arg(long)]
    pub keep: bool,
}

/// The project of the tour: path and content.
const FILES: &[(&str, &str)] = &[
    ("README", include_str!("../../../templates/tour/README")),
    ("total.sh", include_str!("../../../templates/tour/total.sh")),
    ("t/run.sh", include_str!("../../../templates/tour/t/run.sh")),
    ("t/cases", include_str!("../../../templates/tour/t/cases")),
];

/// What the mended file holds, kept outside the repository until it is wanted.
const MENDED: &str = include_str!("../../../templates/tour/total-mended.sh");

/// One step of the story.
struct Step {
    english: &'static str,
    spanish: &'static str,
    commands: &'static [Line],
}

/// One command, and the exit status that the story needs.
struct Line {
    text: &'static str,
    status: i32,
}

const fn line(text: &'static str) -> Line {
    Line { text, status: 0 }
}

/// A command that must be refused.
const fn refused(text: &'static str) -> Line {
    Line { text, status: 1 }
}

const STEPS: &[Step] = &[
    Step {
        english: "1. A change starts from one sentence.",
        spanish: "1. Un cambio empieza con una frase.",
        commands: &[line(
            "git rapid start -m 'Count tax once' --paths total.sh --paths t --test-command 'sh t/run.sh'",
        )],
    },
    Step {
        english: "2. Prove the bug first: a new case that must fail.",
        spanish: "2. Primero se demuestra el error: un caso nuevo que debe fallar.",
        commands: &[
            line("git rapid task start T001"),
            line("echo 'tax_once 100 20 120' >>t/cases"),
            line("git rapid check --expect fail --task T001"),
        ],
    },
    Step {
        english: "3. What was not planned is not committed.",
        spanish: "3. Lo que no estaba previsto no entra en el commit.",
        commands: &[
            line("cp ../mended.sh total.sh"),
            line("echo 'Now with less tax.' >>README"),
            refused("git rapid commit -a -m 'Count tax once'"),
            line("git restore README"),
        ],
    },
    Step {
        english: "4. The fix is tested, then committed: exactly what was tested.",
        spanish: "4. El arreglo se prueba y luego entra en el commit: justo lo probado.",
        commands: &[
            line("git rapid task done T001"),
            line("git rapid commit -a -m 'Count tax once'"),
        ],
    },
    Step {
        english: "5. Finish, and let anyone check it: the same bytes each time.",
        spanish: "5. Se termina, y cualquiera puede comprobarlo: siempre los mismos bytes.",
        commands: &[
            line("git rapid finish"),
            line("git rapid verify HEAD --json >../first"),
            line("git rapid verify HEAD --json >../again"),
            line("cmp ../first ../again"),
            line("git rapid verify HEAD --require-pass"),
        ],
    },
];

/// Two lines that the story must come to, whatever else it prints.
const SETUP: &[&str] = &[
    "git init -q -b main",
    "git add -A",
    "git commit -q -m 'A till'",
];

impl Args {
    /// Runs the verb.
    pub fn run(self, session: &mut Session) -> Result<Status, Failure> {
        let scratch = Scratch::new(session)?;
        for command in SETUP {
            scratch.run(session, command, 0, false)?;
        }
        for step in STEPS {
            let title = session
                .out
                .blank_page()
                .say(step.english, step.spanish)
                .to_owned();
            session
                .out
                .help(&format!("\n{}\n", tinted(Tint::Strong, &title)))?;
            for line in step.commands {
                session
                    .out
                    .help(&format!("$ {}\n", tinted(Tint::Command, line.text)))?;
                scratch.run(session, line.text, line.status, true)?;
            }
        }
        if self.keep {
            let place = scratch.folder.keep();
            session
                .out
                .help(&format!("\n{}\n", place.join("till").display()))?;
        }
        Ok(Status::DONE)
    }
}

/// The scratch repository, in a folder that goes away with it.
struct Scratch {
    folder: tempfile::TempDir,
    repository: PathBuf,
    environment: Vec<(OsString, OsString)>,
}

impl Scratch {
    fn new(session: &Session) -> Result<Self, Failure> {
        let cannot = |error: std::io::Error| {
            Failure::new(Code::FileSystem, "cannot make the scratch repository")
                .cause(error.to_string())
        };
        let folder = tempfile::Builder::new()
            .prefix("git-rapid-tour-")
            .tempdir()
            .map_err(cannot)?;
        let repository = folder.path().join("till");
        std::fs::create_dir_all(repository.join("t")).map_err(cannot)?;
        for (name, content) in FILES {
            std::fs::write(repository.join(name), content).map_err(cannot)?;
        }
        std::fs::write(folder.path().join("mended.sh"), MENDED).map_err(cannot)?;
        let environment = environment(session, folder.path())?;
        Ok(Self {
            folder,
            repository,
            environment,
        })
    }

    /// Runs a line as `sh` reads it; what it prints is shown when asked for, and always when
    /// the story goes wrong.
    fn run(
        &self,
        session: &mut Session,
        text: &str,
        wanted: i32,
        shown: bool,
    ) -> Result<(), Failure> {
        let command = Command {
            argv: ["sh", "-c", text].map(ByteText::from).to_vec(),
            cwd: self.repository.clone(),
            environment: self.environment.clone(),
            timeout: None,
            log_limit: 1024 * 1024,
            redact: None,
            supervisor: None,
        };
        let ended = check::run(&command, &session.interrupt, &mut |_| {})
            .map_err(|error| Failure::from_error(Code::CommandNotStarted, &error))?;
        if ended.interrupted {
            return Err(Failure::new(Code::Interrupted, "interrupted"));
        }
        let output = String::from_utf8_lossy(&ended.log.bytes);
        if shown {
            session.out.help(&output)?;
        }
        match ended.exit {
            Exit::Code(code) if code == wanted => Ok(()),
            exit => Err(
                Failure::new(Code::Internal, format!("the tour went wrong at: {text}"))
                    .detail("exit", format!("{exit:?}"))
                    .cause(output.trim().to_owned()),
            ),
        }
    }
}

/// A person with a name, a git without anyone's config, and this very program as `git rapid`.
fn environment(session: &Session, home: &Path) -> Result<Vec<(OsString, OsString)>, Failure> {
    let program = session
        .environment
        .program
        .as_deref()
        .and_then(Path::parent)
        .ok_or_else(|| Failure::new(Code::Internal, "this program does not know its own place"))?;
    let path = session.environment.variable("PATH").unwrap_or_default();
    let path = std::env::join_paths(
        std::iter::once(program.to_owned()).chain(std::env::split_paths(path)),
    )
    .map_err(|error| Failure::from_error(Code::FileSystem, &error))?;
    let lang = session.out.lang.as_str();
    let colour = session.out.style().colours_here();
    let mut environment: Vec<(OsString, OsString)> = vec![
        ("PATH".into(), path),
        ("HOME".into(), home.as_os_str().to_owned()),
        ("LANG".into(), format!("{lang}.UTF-8").into()),
        ("GIT_CONFIG_GLOBAL".into(), "/dev/null".into()),
        ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
        ("GIT_AUTHOR_NAME".into(), "A Visitor".into()),
        ("GIT_AUTHOR_EMAIL".into(), "visitor@example.org".into()),
        ("GIT_COMMITTER_NAME".into(), "A Visitor".into()),
        ("GIT_COMMITTER_EMAIL".into(), "visitor@example.org".into()),
    ];
    if colour {
        environment.push(("CLICOLOR_FORCE".into(), "1".into()));
    }
    if let Some(temporary) = session.environment.variable("TMPDIR") {
        environment.push(("TMPDIR".into(), temporary.to_owned()));
    }
    Ok(environment)
}
