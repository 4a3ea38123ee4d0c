//! Dependencies point down only, and three borders have one crossing each.

use super::source::{Source, code_of, rust_files};

/// What each floor may name.
const FLOORS: &[(&str, &[&str])] = &[
    ("diagnostic", &[]),
    ("domain", &["diagnostic"]),
    ("git", &["diagnostic", "domain"]),
    ("conductor", &["diagnostic", "domain"]),
    ("check", &["diagnostic", "domain"]),
    ("ledger", &["diagnostic", "domain", "git"]),
    (
        "porcelain",
        &[
            "diagnostic",
            "domain",
            "git",
            "conductor",
            "check",
            "ledger",
        ],
    ),
    (
        "hook",
        &[
            "diagnostic",
            "domain",
            "git",
            "conductor",
            "check",
            "ledger",
            "porcelain",
        ],
    ),
    (
        "cli",
        &[
            "diagnostic",
            "domain",
            "git",
            "conductor",
            "check",
            "ledger",
            "porcelain",
            "hook",
        ],
    ),
];

/// A word that only some folders may write, and why.
const BORDERS: &[(&[&str], &[&str], &str)] = &[
    (&["gix"], &["src/git/"], "only src/git names gix"),
    (
        &[
            "std::env::var",
            "std::env::vars",
            "std::env::var_os",
            "std::env::vars_os",
            "std::env::args",
            "std::env::args_os",
            "std::env::current_dir",
            "std::env::current_exe",
            "std::env::temp_dir",
            "env::var",
            "env::var_os",
            "env::vars_os",
            "env::current_dir",
            "env::current_exe",
            "env::temp_dir",
        ],
        &["src/cli/", "src/main.rs"],
        "only src/cli reads the environment",
    ),
    (
        &["SystemTime::now", "Timestamp::now", "Zoned::now"],
        &["src/cli/"],
        "only src/cli reads the wall clock",
    ),
    (
        &[
            "println!",
            "eprintln!",
            "print!",
            "eprint!",
            "stdout()",
            "stderr()",
        ],
        &["src/cli/", "src/main.rs"],
        "only src/cli prints",
    ),
    (
        &["process::exit"],
        &["src/cli/", "src/main.rs"],
        "only src/cli ends the process",
    ),
];

fn floor_of(path: &str) -> Option<&str> {
    let (folder, _) = path.strip_prefix("src/")?.split_once('/')?;
    Some(folder)
}

/// The first word of each path that starts at the crate's root.
fn named_from_root(code: &str, depth: usize) -> Vec<String> {
    let mut starts = vec!["crate::".to_owned(), "git_rapid::".to_owned()];
    // As many `super::` as lead from a module of this depth to the root.
    starts.push("super::".repeat(depth));
    let mut found = Vec::new();
    for start in starts {
        for (at, _) in code.match_indices(&start) {
            let before = code[..at].chars().next_back().unwrap_or(' ');
            let inside = before.is_alphanumeric() || before == '_' || before == ':';
            if !inside {
                found.extend(first_words(&code[at + start.len()..]));
            }
        }
    }
    found
}

/// `a::b` → a; `{a::b, c::{d, e}}` → a, c.
fn first_words(rest: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.trim_start()
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    let Some(group) = rest.trim_start().strip_prefix('{') else {
        return vec![word(rest)];
    };
    let mut found = vec![word(group)];
    let mut open = 1;
    for (at, c) in group.char_indices() {
        match c {
            '{' => open += 1,
            '}' => open -= 1,
            ',' if open == 1 => found.push(word(&group[at + 1..])),
            _ => {}
        }
        if open == 0 {
            break;
        }
    }
    found
}

fn depth_of(path: &str) -> usize {
    let parts = path.trim_start_matches("src/").split('/').count();
    if path.ends_with("/mod.rs") {
        parts - 1
    } else {
        parts
    }
}

#[test]
fn dependencies_point_down_only() {
    let names: Vec<&str> = FLOORS.iter().map(|(name, _)| *name).collect();
    let mut wrong = Vec::new();
    for Source { path, code, .. } in rust_files("src") {
        let Some(floor) = floor_of(&path) else {
            continue;
        };
        let Some((_, below)) = FLOORS.iter().find(|(name, _)| *name == floor) else {
            wrong.push(format!("{path}: {floor} is not a floor"));
            continue;
        };
        for named in named_from_root(&code, depth_of(&path)) {
            let named = named.as_str();
            if names.contains(&named) && named != floor && !below.contains(&named) {
                wrong.push(format!("{path}: {floor} names {named}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_borders_have_one_crossing() {
    let mut wrong = Vec::new();
    for Source { path, text, code } in rust_files("src") {
        for (words, allowed, why) in BORDERS {
            if allowed.iter().any(|folder| path.starts_with(folder)) {
                continue;
            }
            for word in *words {
                if names(&code, word) {
                    wrong.push(format!("{path}: {word}: {why}"));
                }
            }
        }
        let starts_git = text.lines().any(|line| {
            let line = line.split("//").next().unwrap_or("");
            line.contains("Command::new(\"git\")")
        });
        if starts_git && !path.starts_with("src/git/") {
            wrong.push(format!("{path}: only src/git starts git"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether `word` stands in `code` as a word of its own.
fn names(code: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back().unwrap_or(' ');
        let after = code[at + word.len()..].chars().next().unwrap_or(' ');
        !(part(before) || part(after) && word.chars().next_back().is_some_and(part))
    })
}

#[test]
fn an_upward_import_would_be_seen() {
    for (text, depth) in [
        ("use crate::porcelain::Context;", 1),
        ("use crate::{domain::id, porcelain::{Context, run}};", 1),
        ("fn f() { crate::porcelain::run() }", 2),
        ("use super::super::porcelain;", 2),
    ] {
        let named = named_from_root(&code_of(text), depth);
        assert!(named.contains(&"porcelain".to_owned()), "{text}: {named:?}");
    }
    let inner = named_from_root("use crate::{domain::{porcelain, x}, git};", 1);
    assert!(!inner.contains(&"porcelain".to_owned()), "{inner:?}");
    assert!(names("let r = gix::open();", "gix") && !names("let gixy = 1;", "gix"));
    assert!(names("println!(x)", "println!") && !names("eprintln!(x)", "println!"));
}
