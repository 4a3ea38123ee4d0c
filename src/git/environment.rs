//! The part of the caller's environment that says where the repository is and which
//! config rules, read as git reads it. Who commits is not read here but in `identity`.

use gix::{
    bstr::{BString, ByteSlice},
    open::{Permissions, permissions},
};
use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::PathBuf,
};

/// Variables as they came in; the last of a name wins.
#[derive(Clone, Debug, Default)]
pub(super) struct Environment(Vec<(OsString, OsString)>);

/// Config files that stand in for the usual ones.
#[derive(Debug, Default)]
pub(super) struct ConfigFiles {
    /// In place of the system's.
    pub(super) system: Option<PathBuf>,
    /// In place of the user's.
    pub(super) global: Option<PathBuf>,
}

/// Variables that name parts of one repository.
const LOCATION: [&str; 8] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
];

impl Environment {
    pub(super) fn new(variables: &[(OsString, OsString)]) -> Self {
        Self(variables.to_vec())
    }

    /// All variables.
    pub(super) fn all(&self) -> &[(OsString, OsString)] {
        &self.0
    }

    /// A variable's value; git treats an empty location variable as an error or as
    /// absent, here it is absent.
    pub(super) fn get(&self, name: &str) -> Option<&OsStr> {
        self.raw(name).filter(|value| !value.is_empty())
    }

    /// A variable's value, which may be empty.
    pub(super) fn raw(&self, name: &str) -> Option<&OsStr> {
        self.0
            .iter()
            .rev()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_os_str())
    }

    /// The same without what names one repository's parts.
    pub(super) fn without_location(&self) -> Self {
        Self(
            self.0
                .iter()
                .filter(|(key, _)| !LOCATION.iter().any(|name| key == name))
                .cloned()
                .collect(),
        )
    }

    /// `GIT_CEILING_DIRECTORIES`. Git resolves symlinks in the entries before an empty
    /// one, and none after it.
    pub(super) fn ceilings(&self) -> Vec<PathBuf> {
        let mut resolve = true;
        let mut out = Vec::new();
        let list = self.get("GIT_CEILING_DIRECTORIES").unwrap_or_default();
        for entry in list.as_bytes().split(|byte| *byte == b':') {
            if entry.is_empty() {
                resolve = false;
                continue;
            }
            let path = PathBuf::from(OsStr::from_bytes(entry));
            if !path.is_absolute() {
                continue;
            }
            match path.canonicalize() {
                Ok(real) if resolve => out.push(real),
                _ => out.push(path),
            }
        }
        out
    }

    /// `GIT_DISCOVERY_ACROSS_FILESYSTEM`.
    pub(super) fn across_file_systems(&self) -> bool {
        self.get("GIT_DISCOVERY_ACROSS_FILESYSTEM")
            .is_some_and(is_true)
    }

    /// `GIT_ALTERNATE_OBJECT_DIRECTORIES`, entries in double quotes with their C escapes
    /// for quote and backslash undone.
    pub(super) fn alternates(&self) -> Vec<PathBuf> {
        let list = self
            .get("GIT_ALTERNATE_OBJECT_DIRECTORIES")
            .unwrap_or_default()
            .as_bytes();
        let mut out = Vec::new();
        let mut rest = list;
        while !rest.is_empty() {
            let (entry, after) = if rest.first() == Some(&b'"') {
                unquote(rest.get(1..).unwrap_or_default())
            } else {
                let end = rest.find_byte(b':').unwrap_or(rest.len());
                let (entry, after) = rest.split_at(end);
                (entry.to_vec(), after)
            };
            if !entry.is_empty() {
                out.push(PathBuf::from(OsString::from_vec(entry)));
            }
            rest = after.strip_prefix(b":").unwrap_or(after);
        }
        out
    }

    /// What gix may read by itself, and the files that replace the usual ones.
    ///
    /// gix gets no `GIT_*` variable from the process. Its slot for the installation's
    /// config serves as the system's and that for the system's as the user's when
    /// `GIT_CONFIG_SYSTEM` or `GIT_CONFIG_GLOBAL` replace them: the order stays right.
    pub(super) fn permissions(&self) -> (Permissions, ConfigFiles) {
        let deny = gix::sec::Permission::Deny;
        let mut config = permissions::Config {
            env: false,
            ..permissions::Config::all()
        };
        let mut files = ConfigFiles::default();
        let no_system = self.get("GIT_CONFIG_NOSYSTEM").is_some_and(is_true);
        let system = self.raw("GIT_CONFIG_SYSTEM").map(PathBuf::from);
        match self.raw("GIT_CONFIG_GLOBAL").map(PathBuf::from) {
            Some(global) => {
                (config.git, config.user, config.system) = (false, false, true);
                if !no_system {
                    config.git_binary = true;
                    files.system = system.or_else(default_system_file);
                    config.git_binary = files.system.is_some();
                }
                files.global = Some(global);
            }
            None => {
                config.system = !no_system;
                files.global = system.filter(|_| !no_system);
            }
        }
        let permissions = Permissions {
            env: permissions::Environment {
                git_prefix: deny,
                identity: deny,
                objects: deny,
                ..permissions::Environment::all()
            },
            config,
            ..Permissions::default()
        };
        (permissions, files)
    }

    /// Config handed down by `git -c` and by `GIT_CONFIG_COUNT`, as `key=value` or `key`.
    pub(super) fn config_overrides(&self) -> Vec<BString> {
        let mut out = Vec::new();
        let count = self
            .get("GIT_CONFIG_COUNT")
            .and_then(OsStr::to_str)
            .and_then(|text| text.parse::<u16>().ok())
            .unwrap_or(0);
        for index in 0..count {
            let key = self.raw(&format!("GIT_CONFIG_KEY_{index}"));
            let value = self.raw(&format!("GIT_CONFIG_VALUE_{index}"));
            if let (Some(key), Some(value)) = (key, value) {
                out.extend(pair(key.as_bytes(), Some(value.as_bytes())));
            }
        }
        let handed = self.get("GIT_CONFIG_PARAMETERS").unwrap_or_default();
        out.extend(parameters(handed.as_bytes()));
        out
    }
}

/// gix splits at the first `=`, so a key that holds one (in a subsection) cannot be said.
fn pair(key: &[u8], value: Option<&[u8]>) -> Option<BString> {
    if key.is_empty() || key.contains(&b'=') {
        return None;
    }
    let mut out = key.to_vec();
    if let Some(value) = value {
        out.push(b'=');
        out.extend_from_slice(value);
    }
    Some(out.into())
}

/// `'key'='value'`, `'key'=` (no value) or the older `'key=value'`, between spaces; each
/// word quoted for a shell.
fn parameters(text: &[u8]) -> Vec<BString> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some((first, after)) = shell_word(rest) {
        rest = after;
        match rest.strip_prefix(b"=") {
            Some(after) => match shell_word(after) {
                Some((value, after)) => {
                    out.extend(pair(&first, Some(&value)));
                    rest = after;
                }
                None => {
                    out.extend(pair(&first, None));
                    rest = after;
                }
            },
            None => match first.split_once_str("=") {
                Some((key, value)) => out.extend(pair(key, Some(value))),
                None => out.extend(pair(&first, None)),
            },
        }
        rest = rest.trim_start();
    }
    out
}

/// A word in single quotes; `'\''` and `'\!'` stand for the character between.
fn shell_word(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text.strip_prefix(b"'")?;
    let mut out = Vec::new();
    loop {
        let end = rest.find_byte(b'\'')?;
        out.extend_from_slice(&rest[..end]);
        rest = &rest[end + 1..];
        match rest {
            [b'\\', escaped @ (b'\'' | b'!'), b'\'', more @ ..] => {
                out.push(*escaped);
                rest = more;
            }
            _ => return Some((out, rest)),
        }
    }
}

fn unquote(text: &[u8]) -> (Vec<u8>, &[u8]) {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'"' => break,
            b'\\' => {
                if let Some((escaped, after)) = rest.split_first() {
                    out.push(*escaped);
                    rest = after;
                }
            }
            other => out.push(*other),
        }
    }
    (out, rest)
}

/// Booleans as git reads them in the environment.
pub(super) fn is_true(value: &OsStr) -> bool {
    gix::config::Boolean::try_from(value.to_owned()).is_ok_and(|value| value.0)
}

fn default_system_file() -> Option<PathBuf> {
    gix::config::Source::System.storage_location(&mut |_| None)
}
