//! Starting the `git` program: never through a shell, never waiting for a prompt,
//! optional locks off, no variable of a calling hook unless it is asked for.

use super::{Error, Repository};
use std::{
    ffi::{OsStr, OsString},
    io::{self, Write as _},
    os::unix::ffi::OsStrExt,
    path::PathBuf,
    process::{Child, Command, Output, Stdio},
    thread,
};

/// A git command in the making.
#[derive(Clone, Debug)]
pub struct GitProcess {
    /// Arguments after `git`.
    pub args: Vec<OsString>,
    /// Where it runs.
    pub dir: PathBuf,
    /// Variables it gets besides the inherited ones.
    pub set: Vec<(OsString, OsString)>,
    /// Whether the hook's `GIT_*` variables stay (`git commit` called for the user).
    pub keep_git_env: bool,
    /// What it reads from standard input.
    pub stdin: Vec<u8>,
    /// The environment that the repository was opened with.
    caller: Vec<(OsString, OsString)>,
}

/// What it printed.
#[derive(Debug)]
pub struct GitOutput {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
}

/// What `git rev-parse --local-env-vars` lists.
const LOCAL: usize = 15;

/// First what ties a process to one repository, in git's order, then what git hands down
/// to hooks, aliases and `git -c` children besides.
const LOCAL_ENV_VARS: [&str; 26] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_OBJECT_DIRECTORY",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_REPLACE_REF_BASE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_COMMON_DIR",
    // Where the calling git keeps its programs, why refs move, the editor it must not
    // open, the objects of an unfinished push.
    "GIT_EXEC_PATH",
    "GIT_REFLOG_ACTION",
    "GIT_EDITOR",
    "GIT_QUARANTINE_PATH",
    "GIT_INTERNAL_SUPER_PREFIX",
    // What `git --namespace`, `--attr-source` and `--*-pathspecs` hand down.
    "GIT_NAMESPACE",
    "GIT_ATTR_SOURCE",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
];

/// Config for one call, numbered.
const NUMBERED: [&str; 2] = ["GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"];

/// Config that was meant for us is meant for the git that we start.
const CONFIG: [&str; 2] = ["GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT"];

/// The variables that tie a process to one repository (`git rev-parse --local-env-vars`),
/// and those by which a calling git hands down options: never given to a checked command.
/// `GIT_CONFIG_KEY_<n>` and `GIT_CONFIG_VALUE_<n>` belong to them; ask
/// [`is_local_env_var`].
pub fn local_env_vars() -> &'static [&'static str] {
    &LOCAL_ENV_VARS
}

/// Whether a variable is one of [`local_env_vars`] or one of the numbered ones.
pub fn is_local_env_var(name: &OsStr) -> bool {
    LOCAL_ENV_VARS.iter().any(|local| name == *local) || is_numbered(name)
}

fn is_numbered(name: &OsStr) -> bool {
    NUMBERED.iter().any(|prefix| {
        name.as_bytes()
            .strip_prefix(prefix.as_bytes())
            .is_some_and(|rest| !rest.is_empty() && rest.iter().all(u8::is_ascii_digit))
    })
}

/// `PATH` without the folder of git's own programs that a calling git put in front.
pub fn without_exec_path(path: &OsStr, exec_path: &OsStr) -> OsString {
    let trim = |bytes: &[u8]| -> Vec<u8> {
        let end = bytes.iter().rposition(|byte| *byte != b'/');
        end.and_then(|end| bytes.get(..=end))
            .unwrap_or(bytes)
            .to_vec()
    };
    let unwanted = trim(exec_path.as_bytes());
    let mut rest = path.as_bytes();
    while !unwanted.is_empty() {
        let end = rest
            .iter()
            .position(|byte| *byte == b':')
            .unwrap_or(rest.len());
        let (first, after) = rest.split_at(end);
        if first.is_empty() || trim(first) != unwanted {
            break;
        }
        rest = after.strip_prefix(b":").unwrap_or(after);
    }
    OsStr::from_bytes(rest).to_owned()
}

/// The lock that git says another process holds, if that is what it says.
fn held_lock(stderr: &[u8]) -> Option<Error> {
    let text = String::from_utf8_lossy(stderr);
    let (_, rest) = text.split_once("Unable to create '")?;
    let (path, _) = rest.split_once(".lock': File exists")?;
    super::lock::held(std::path::Path::new(&format!("{path}.lock")))
}

impl GitProcess {
    /// A command that runs in the working tree (or the git directory of a bare one) on the
    /// very repository that the handle is open on.
    pub fn new(repo: &Repository, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        let work_dir = repo.inner.workdir();
        let environment = &repo.environment;
        let mut set: Vec<(OsString, OsString)> = Vec::new();
        let named = |name: &str| environment.get(name).is_some();
        if named("GIT_DIR") || named("GIT_WORK_TREE") {
            set.push(("GIT_DIR".into(), repo.git_dir().into()));
            match work_dir {
                Some(dir) => set.push(("GIT_WORK_TREE".into(), dir.into())),
                None => set.push(("GIT_IMPLICIT_WORK_TREE".into(), "0".into())),
            }
        }
        if named("GIT_OBJECT_DIRECTORY") {
            let dir = repo.inner.objects.store_ref().path();
            set.push(("GIT_OBJECT_DIRECTORY".into(), dir.into()));
        }
        for name in [
            "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            "GIT_SHALLOW_FILE",
            "GIT_QUARANTINE_PATH",
        ] {
            if let Some(value) = environment.get(name) {
                set.push((name.into(), value.into()));
            }
        }
        Self {
            args: args
                .into_iter()
                .map(|arg| arg.as_ref().to_owned())
                .collect(),
            dir: work_dir.unwrap_or(repo.git_dir()).to_owned(),
            set,
            keep_git_env: false,
            stdin: Vec::new(),
            caller: environment.all().to_vec(),
        }
    }

    /// Runs it and keeps what it prints; an error when it ends badly.
    pub fn output(&self) -> Result<GitOutput, Error> {
        let output = self.any_output()?;
        if output.code == Some(0) {
            Ok(output)
        } else {
            Err(self.failed(&output))
        }
    }

    /// Runs it and keeps what it prints, however it ends. It prints untranslated text and
    /// sees objects as they are stored.
    pub fn any_output(&self) -> Result<GitOutput, Error> {
        let mut command = self.command();
        command
            .env("LC_ALL", "C")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = self.start(&mut command)?;
        let Output {
            status,
            stdout,
            stderr,
        } = self.talk(child).map_err(|source| Error::Io {
            doing: "cannot talk to",
            path: "git".into(),
            source,
        })?;
        Ok(GitOutput {
            stdout,
            stderr,
            code: status.code(),
        })
    }

    /// Runs it on the caller's own standard streams; gives the exit code, 128 and the
    /// signal's number when a signal ended it.
    pub fn attached(&self) -> Result<i32, Error> {
        let mut command = self.command();
        if self.stdin.is_empty() {
            command.stdin(Stdio::inherit());
        }
        let child = self.start(&mut command)?;
        let output = self.talk(child).map_err(|source| Error::Io {
            doing: "cannot wait for",
            path: "git".into(),
            source,
        })?;
        let signal = std::os::unix::process::ExitStatusExt::signal(&output.status);
        Ok(output
            .status
            .code()
            .unwrap_or_else(|| 128 + signal.unwrap_or(0)))
    }

    /// The error for an output that does not please.
    pub(super) fn failed(&self, output: &GitOutput) -> Error {
        if let Some(held) = held_lock(&output.stderr) {
            return held;
        }
        let mut words = self.args.iter();
        let mut command = None;
        while let Some(word) = words.next() {
            if word == "-c" {
                words.next();
            } else if !word.as_bytes().starts_with(b"-") {
                command = Some(word);
                break;
            }
        }
        Error::Git {
            command: command.map_or_else(String::new, |word| word.to_string_lossy().into_owned()),
            status: output.code.map_or_else(
                || "ended by a signal".to_owned(),
                |code| format!("exit {code}"),
            ),
            stderr: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new("git");
        command.args(&self.args).current_dir(&self.dir);
        if !self.keep_git_env {
            for name in LOCAL_ENV_VARS.iter().take(LOCAL) {
                if !CONFIG.contains(name) {
                    command.env_remove(name);
                }
            }
        }
        for (name, value) in &self.caller {
            let config = is_numbered(name) || CONFIG.iter().any(|own| name == own);
            if self.keep_git_env || config || !is_local_env_var(name) {
                command.env(name, value);
            }
        }
        command
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0");
        for (name, value) in &self.set {
            command.env(name, value);
        }
        command.stdin(if self.stdin.is_empty() {
            Stdio::null()
        } else {
            Stdio::piped()
        });
        command
    }

    fn start(&self, command: &mut Command) -> Result<Child, Error> {
        command.spawn().map_err(|source| {
            // A missing folder and a missing program give the same error.
            if self.dir.is_dir() {
                Error::Io {
                    doing: "cannot start",
                    path: "git".into(),
                    source,
                }
            } else {
                Error::Io {
                    doing: "cannot start git in",
                    path: self.dir.clone(),
                    source,
                }
            }
        })
    }

    /// Feeds it while reading what it prints, so that neither side waits for the other.
    fn talk(&self, mut child: Child) -> io::Result<Output> {
        let stdin = child.stdin.take();
        thread::scope(|scope| {
            if let Some(mut stdin) = stdin {
                scope.spawn(move || {
                    // It may end without reading all; its exit code tells.
                    let _ = stdin.write_all(&self.stdin);
                });
            }
            child.wait_with_output()
        })
    }
}
