//! What the process was given: variables, folder, terminals, ancestors, the moment.
//!
//! The only reader of all that. Everything else gets this value, so that a rule can be
//! tested with any caller at all.

use crate::{
    conductor::Lang,
    domain::person::{self, Caller},
    porcelain::LazyCaller,
};
use std::{
    ffi::{OsStr, OsString},
    io::IsTerminal,
    path::PathBuf,
};

/// What the process was given, read once at its start.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// The command line after the program's name.
    pub arguments: Vec<OsString>,
    /// Every variable.
    pub variables: Vec<(OsString, OsString)>,
    /// Where it was started; `None` when that folder is gone.
    pub folder: Option<PathBuf>,
    /// Whether standard input is a terminal.
    pub stdin_is_terminal: bool,
    /// Whether standard output is one.
    pub stdout_is_terminal: bool,
    /// Whether standard error is one.
    pub stderr_is_terminal: bool,
    /// How many columns the terminal has; `None` without one.
    pub columns: Option<usize>,
    /// Seconds since 1970.
    pub now: i64,
    /// This program's own file.
    pub program: Option<PathBuf>,
}

/// Markers of CI systems, and what evidence calls them. The first that is set counts.
const CI_MARKERS: &[(&str, &str)] = &[
    ("GITHUB_ACTIONS", "github"),
    ("GITLAB_CI", "gitlab"),
    ("BUILDKITE", "buildkite"),
    ("CIRCLECI", "circleci"),
    ("JENKINS_URL", "jenkins"),
    ("TF_BUILD", "azure"),
    ("TEAMCITY_VERSION", "teamcity"),
    ("TRAVIS", "travis"),
    ("CI", "ci"),
];

impl Environment {
    /// Reads it all.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads them"
    )]
    pub fn gather() -> Self {
        let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Self {
            arguments: std::env::args_os().skip(1).collect(),
            variables: std::env::vars_os().collect(),
            folder: std::env::current_dir().ok(),
            stdin_is_terminal: std::io::stdin().is_terminal(),
            stdout_is_terminal: std::io::stdout().is_terminal(),
            stderr_is_terminal: std::io::stderr().is_terminal(),
            columns: columns(),
            now: since_1970.map_or(0, |past| i64::try_from(past.as_secs()).unwrap_or(i64::MAX)),
            program: std::env::current_exe().ok(),
        }
    }

    /// A variable that is set and not empty.
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        self.variables
            .iter()
            .find(|(known, value)| known == name && !value.is_empty())
            .map(|(_, value)| value.as_os_str())
    }

    /// The language to speak: `--lang`, else `rapid.lang`, else the locale, else English.
    /// A locale of another language is passed over, not refused.
    pub fn language(&self, asked: Option<Lang>, configured: Option<&str>) -> Lang {
        let spoken = |text: &str| -> Option<Lang> {
            let word = text.split(['_', '.', '@', '-']).next()?;
            word.to_ascii_lowercase().parse().ok()
        };
        if let Some(lang) = asked.or_else(|| configured.and_then(spoken)) {
            return lang;
        }
        // As in POSIX, the first that is set decides, whatever it says.
        ["LC_ALL", "LC_MESSAGES", "LANG"]
            .iter()
            .find_map(|name| self.variable(name))
            .and_then(OsStr::to_str)
            .and_then(spoken)
            .unwrap_or(Lang::En)
    }

    /// The marker of a coding agent among the variables.
    pub fn agent(&self) -> Option<String> {
        person::agent_marker(&self.variable_names()).map(str::to_owned)
    }

    /// The CI system among the variables, as evidence calls it.
    pub fn ci(&self) -> Option<&'static str> {
        CI_MARKERS
            .iter()
            .find(|(marker, _)| {
                self.variable(marker)
                    .is_some_and(|value| value != "false" && value != "0")
            })
            .map(|(_, name)| *name)
    }

    /// What the layers that tell a person from a program look at. The process list is read
    /// when the answer is wanted: few verbs want it.
    pub fn caller(&self) -> LazyCaller {
        let terminal = self.stdin_is_terminal && self.stderr_is_terminal;
        let environment = self.variable_names();
        LazyCaller::new(Box::new(move || Caller {
            terminal,
            environment,
            ancestors: ancestors(),
        }))
    }

    fn variable_names(&self) -> Vec<String> {
        self.variables
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, _)| name.to_string_lossy().into_owned())
            .collect()
    }
}

fn columns() -> Option<usize> {
    let streams = [
        rustix::termios::tcgetwinsize(rustix::stdio::stdout()),
        rustix::termios::tcgetwinsize(rustix::stdio::stderr()),
    ];
    let size = streams.into_iter().flatten().next()?;
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

/// Command names of the ancestors, nearest first, up to the first process of the system.
///
/// No session, terminal or container boundary ends the walk: an agent that starts us at a
/// terminal of its own is still an ancestor. A process that was orphaned on purpose is
/// not its descendant any more; nothing here can know.
#[cfg(target_os = "linux")]
fn ancestors() -> Vec<String> {
    /// Deeper than any real tree, so that a broken one cannot hold us.
    const DEEPEST: usize = 1000;
    let mut names = Vec::new();
    let mut next = rustix::process::getppid().map(|id| id.as_raw_nonzero().get());
    while let Some(id) = next
        && names.len() < DEEPEST
    {
        let Ok(stat) = std::fs::read(format!("/proc/{id}/stat")) else {
            break;
        };
        let Some((name, parent)) = name_and_parent(&String::from_utf8_lossy(&stat)) else {
            break;
        };
        names.push(name);
        next = (parent > 0).then_some(parent);
    }
    names
}

/// Other systems have no process list that can be read without a library or a program.
#[cfg(not(target_os = "linux"))]
fn ancestors() -> Vec<String> {
    Vec::new()
}

/// `1234 (name) S 1 …`: the name may hold spaces and brackets itself.
#[cfg(target_os = "linux")]
fn name_and_parent(stat: &str) -> Option<(String, i32)> {
    let (_, rest) = stat.split_once('(')?;
    let (name, rest) = rest.rsplit_once(')')?;
    let parent = rest.split_whitespace().nth(1)?.parse().ok()?;
    Some((name.to_owned(), parent))
}
