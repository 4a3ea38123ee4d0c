//! Python projects: pytest where it is configured or asked for, else unittest where its
//! discovery finds tests.
//!
//! Discovery looks into packages only, and a folder cannot be listed here. So what can
//! be known is whether `tests` or `test` is a package or a file of that name is there.
//! Test files of other names, or in folders without `__init__.py`, are not seen.

use super::{Detected, Read, detected};

/// Where a project's settings are, and the words in them that configure pytest.
const SETTINGS: &[(&str, &[&str])] = &[
    ("pytest.ini", &[""]),
    (".pytest.ini", &[""]),
    ("pyproject.toml", &["[tool.pytest"]),
    ("setup.cfg", &["[tool:pytest]"]),
    ("tox.ini", &["[pytest]"]),
];
/// What pytest reads before any test; nothing else does.
const CONFTEST: &[&str] = &["conftest.py", "tests/conftest.py", "test/conftest.py"];
const PROJECT: &[&str] = &["pyproject.toml", "setup.cfg", "setup.py", "tox.ini"];
const DISCOVERED: &[&str] = &[
    "tests/__init__.py",
    "test/__init__.py",
    "tests.py",
    "test.py",
];

pub(super) fn detect(read: Read<'_>) -> Option<Detected> {
    let pytest = &["python3", "-m", "pytest"];
    for (file, words) in SETTINGS {
        if let Some(bytes) = read(file) {
            let text = String::from_utf8_lossy(&bytes);
            if words.iter().any(|word| text.contains(word)) || asks_for_pytest(file, &text) {
                return Some(detected(file, pytest));
            }
        }
    }
    if let Some(file) = CONFTEST.iter().find(|file| read(file).is_some()) {
        return Some(detected(file, pytest));
    }
    let found = DISCOVERED.iter().find(|file| read(file).is_some())?;
    let source = PROJECT.iter().find(|file| read(file).is_some());
    Some(detected(
        source.unwrap_or(found),
        &["python3", "-m", "unittest"],
    ))
}

/// Whether pytest is among the dependencies: a quoted requirement such as `"pytest>=8"`,
/// or a key as some tools write it, such as `pytest = "^8"`.
fn asks_for_pytest(file: &str, text: &str) -> bool {
    file == "pyproject.toml"
        && text
            .split(['"', '\'', '\n'])
            .filter_map(|piece| piece.trim().strip_prefix("pytest"))
            .any(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || "-_.".contains(c)))
}
