//! What lies where: nothing forgotten, nothing too long, nothing at the top that does not belong.

use super::source::{Source, root, rust_files};
use git_rapid::diagnostic::Code;
use std::{collections::BTreeSet, fs};

/// What the package's root may show.
const TOP_LEVEL: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "hooks",
    "man",
    "src",
    "templates",
    "tests",
];

/// Made by tools, not part of the package.
const MADE: &[&str] = &["target"];

const LONGEST: usize = 600;

#[test]
fn every_file_is_wired_in() {
    let mut forgotten = Vec::new();
    for folder in ["src", "tests/it"] {
        let files = rust_files(folder);
        for file in &files {
            let (place, name) = file.path.rsplit_once('/').unwrap();
            if ["main.rs", "lib.rs"].contains(&name) {
                continue;
            }
            let (place, module) = match name {
                "mod.rs" => place.rsplit_once('/').unwrap(),
                _ => (place, name.trim_end_matches(".rs")),
            };
            let parents = ["mod.rs", "main.rs", "lib.rs"].map(|name| format!("{place}/{name}"));
            let wired = files
                .iter()
                .filter(|file| parents.contains(&file.path))
                .any(|parent| declares(&parent.code, module));
            if !wired {
                forgotten.push(file.path.clone());
            }
        }
    }
    assert!(forgotten.is_empty(), "not in any build: {forgotten:?}");
}

fn declares(code: &str, module: &str) -> bool {
    code.lines().any(|line| {
        line.trim()
            .trim_start_matches("pub ")
            .trim_start_matches("pub(crate) ")
            .trim_start_matches("pub(super) ")
            == format!("mod {module};")
    })
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<String> = ["src", "tests"]
        .into_iter()
        .flat_map(rust_files)
        .filter(|file| file.text.lines().count() > LONGEST)
        .map(|file| format!("{}: {} lines", file.path, file.text.lines().count()))
        .collect();
    assert!(long.is_empty(), "split these: {long:#?}");
}

#[test]
fn every_source_file_says_why_it_exists() {
    let silent: Vec<String> = rust_files("src")
        .into_iter()
        .filter(|file| !file.text.starts_with("//!"))
        .map(|file| file.path)
        .collect();
    assert!(silent.is_empty(), "no module comment: {silent:?}");
}

#[test]
fn source_holds_no_test_modules() {
    let mixed: Vec<String> = rust_files("src")
        .into_iter()
        .filter(|Source { code, .. }| code.contains("#[test]") || code.contains("cfg(test)"))
        .map(|file| file.path)
        .collect();
    assert!(mixed.is_empty(), "tests belong below tests/it: {mixed:?}");
}

#[test]
fn the_top_level_shows_only_what_belongs() {
    let foreign: Vec<String> = fs::read_dir(root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with('.'))
        .filter(|name| !TOP_LEVEL.contains(&name.as_str()) && !MADE.contains(&name.as_str()))
        .collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

#[test]
fn codes_are_unique_in_order_and_documented() {
    let numbers: Vec<u16> = Code::ALL.iter().map(|code| code.number()).collect();
    assert!(
        numbers.is_sorted(),
        "the table is in the order of its numbers"
    );
    assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), numbers.len());
    let page = fs::read_to_string(root().join("man/git-rapid-codes.7")).unwrap();
    for code in Code::ALL {
        assert!(
            page.contains(&code.to_string()),
            "{code} is not in git-rapid-codes(7)"
        );
    }
}

#[test]
fn the_licences_of_the_manifest_are_here() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(manifest.contains("license = \"MIT OR Apache-2.0\""));
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        assert!(root().join(name).is_file(), "{name}");
    }
}
