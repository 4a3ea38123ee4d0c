//! Makefiles and justfiles: a target named for tests.

use super::{Detected, Read, detected};

/// In the order in which make looks.
const MAKEFILES: &[&str] = &["GNUmakefile", "makefile", "Makefile"];
const JUSTFILES: &[&str] = &["justfile", "Justfile", ".justfile"];

pub(super) fn makefile(read: Read<'_>) -> Option<Detected> {
    let (file, text) = first(read, MAKEFILES)?;
    ["test", "check"]
        .into_iter()
        .find(|target| text.lines().any(|line| makes(line, target)))
        .map(|target| detected(file, &["make", target]))
}

pub(super) fn justfile(read: Read<'_>) -> Option<Detected> {
    let (file, text) = first(read, JUSTFILES)?;
    text.lines()
        .any(is_test_recipe)
        .then(|| detected(file, &["just", "test"]))
}

fn first(read: Read<'_>, files: &[&'static str]) -> Option<(&'static str, String)> {
    files.iter().find_map(|file| {
        read(file).map(|bytes| (*file, String::from_utf8_lossy(&bytes).into_owned()))
    })
}

/// Whether a line is a rule for `target`: `a test: deps`, but no `test := x`, no recipe.
fn makes(line: &str, target: &str) -> bool {
    if line.starts_with(['\t', ' ', '#']) {
        return false;
    }
    let Some((targets, rest)) = line.split_once(':') else {
        return false;
    };
    // `:=`, `::=` and `:::=` assign; `::` alone opens a rule.
    !rest.trim_start_matches(':').starts_with('=')
        && !targets.contains('=')
        && targets.split_whitespace().any(|word| word == target)
}

/// Whether a line heads the recipe `test`, and one that runs without arguments.
fn is_test_recipe(line: &str) -> bool {
    let Some((head, rest)) = line.split_once(':') else {
        return false;
    };
    let mut words = head.strip_prefix('@').unwrap_or(head).split(' ');
    !rest.starts_with('=')
        && words.next() == Some("test")
        && words
            .filter(|word| !word.is_empty())
            .all(|parameter| parameter.starts_with('*') || parameter.contains('='))
}
