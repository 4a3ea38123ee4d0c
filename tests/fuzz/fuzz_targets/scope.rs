//! Scope patterns, one a line, and in the last line a path.
#![no_main]

use git_rapid::domain::{
    path::RepoPath,
    scope::{Matcher, Pattern},
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (patterns, path) = text.rsplit_once('\n').unwrap_or((text, "a/b"));
    let patterns: Vec<Pattern> = patterns.lines().filter_map(|line| line.parse().ok()).collect();
    if let Ok(path) = RepoPath::new(path) {
        let _ = Matcher::new(&patterns).admits(&path);
    }
});
