//! What a verb gets: where it stands, who is calling, where to speak.

use super::{
    Prompt,
    arguments::Globals,
    environment::Environment,
    failure::Failure,
    interrupt,
    output::Output,
    progress::{Progress, Show},
    render::Render,
};
use crate::{
    check::Interrupt,
    conductor::Lang,
    diagnostic::Code,
    domain::id::RunId,
    git::{OpenOptions, Repository},
    porcelain::{Context, Watch},
};
use std::path::{Path, PathBuf};

/// One call of the program.
#[derive(Debug)]
pub struct Session {
    /// What the process was given.
    pub environment: Environment,
    /// Where it stands: the folder it was started in, moved by `-C`. Absolute.
    pub folder: PathBuf,
    /// The run of `--run`.
    pub run: Option<RunId>,
    /// Where to speak.
    pub out: Output,
    /// Set when the user wants it to end.
    pub interrupt: Interrupt,
    asked_lang: Option<Lang>,
}

impl Session {
    /// Settles where it stands; watches for signals.
    pub fn new(environment: Environment, globals: Globals) -> Result<Self, Failure> {
        let folder = folder(&environment, &globals.folders)?;
        let mut out = Output::new(globals.style(), &environment);
        out.lang = environment.language(globals.lang, None);
        Ok(Self {
            folder,
            run: globals.run,
            out,
            interrupt: interrupt::watch(),
            asked_lang: globals.lang,
            environment,
        })
    }

    /// How to open the repository here.
    pub fn open_options(&self) -> OpenOptions {
        OpenOptions {
            start: self.folder.clone(),
            environment: self.environment.variables.clone(),
        }
    }

    /// Settles the language, now that `rapid.lang` can be known.
    pub fn settle_language(&mut self, configured: Option<&str>) -> Lang {
        self.out.lang = self.environment.language(self.asked_lang, configured);
        self.out.lang
    }

    /// Who watches what takes long: what `--show` asks for, else what fits the caller.
    pub fn progress(&self, asked: Option<Show>) -> Progress {
        Progress::new(self.out.style(), self.environment.stderr_is_terminal, asked)
    }

    /// The person's terminal.
    pub fn prompt(&self) -> Result<Prompt, Failure> {
        Prompt::open(&self.interrupt)
    }

    /// Opens the repository and gives a verb all it asks for.
    pub fn context<'w>(&mut self, watch: &'w dyn Watch) -> Result<Context<'w>, Failure> {
        let repo = Repository::open(&self.open_options())?;
        let configured = repo.config("rapid.lang");
        let lang = self.settle_language(configured.as_ref().map(|text| text.lossy()).as_deref());
        Ok(Context {
            cwd: self.folder.clone(),
            environment: self.environment.variables.clone(),
            caller: self.environment.caller(),
            agent: self.environment.agent(),
            ci: self.environment.ci().map(str::to_owned),
            lang,
            run: self.run.as_ref().map(ToString::to_string),
            executable: self.environment.program.clone(),
            interrupt: self.interrupt.clone(),
            watch,
            repo,
        })
    }

    /// Shows a person what is judged and asks for the phrase.
    pub fn ask(&mut self, shown: &impl Render, phrase: &str) -> Result<String, Failure> {
        let mut page = self.out.blank_page();
        shown.render(&mut page);
        let question = match self.out.lang {
            Lang::En => format!("\nType {phrase:?} to record it, anything else to leave: "),
            Lang::Es => format!("\nEscribe {phrase:?} para registrarlo; otra cosa, para dejarlo: "),
        };
        let mut prompt = self.prompt()?;
        prompt.show(page.text())?;
        prompt.ask(&question)
    }

    /// A file named on the command line.
    pub fn path(&self, named: impl AsRef<Path>) -> PathBuf {
        self.folder.join(named)
    }
}

fn folder(environment: &Environment, moves: &[PathBuf]) -> Result<PathBuf, Failure> {
    let start = environment.folder.clone().ok_or_else(|| {
        Failure::new(
            Code::FileSystem,
            "the current folder does not exist any more",
        )
        .advice("change to one that does")
    })?;
    let mut folder = start;
    for step in moves {
        // As with git, an empty one changes nothing.
        if step.as_os_str().is_empty() {
            continue;
        }
        folder.push(step);
        let found = std::fs::metadata(&folder).and_then(|found| {
            if found.is_dir() {
                Ok(())
            } else {
                Err(std::io::ErrorKind::NotADirectory.into())
            }
        });
        found.map_err(|error| {
            Failure::new(Code::FileSystem, format!("cannot go to {}", step.display()))
                .cause(error.to_string())
                .detail("folder", step.to_string_lossy())
                .advice("name a folder that is there")
        })?;
    }
    Ok(folder)
}
