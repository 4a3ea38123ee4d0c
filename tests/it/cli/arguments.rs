//! The command line: what is parsed, and what is said of what is not.

use crate::support::Sandbox;
use git_rapid::cli::arguments::{self, GROUPS, Invocation};
use std::{collections::BTreeSet, ffi::OsString};

fn parse(words: &[&str]) -> Invocation {
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    arguments::parse(&words)
}

#[track_caller]
fn refused(words: &[&str]) -> git_rapid::cli::failure::Failure {
    match parse(words) {
        Invocation::Wrong(failure) => failure,
        other => panic!("{words:?}: {other:?}"),
    }
}

#[test]
fn the_definition_is_sound() {
    arguments::command().debug_assert();
}

#[test]
fn every_verb_stands_in_one_group_of_the_overview() {
    let command = arguments::command();
    let verbs: BTreeSet<&str> = command
        .get_subcommands()
        .map(|verb| verb.get_name())
        .collect();
    let grouped: Vec<&str> = GROUPS
        .iter()
        .flat_map(|(_, verbs)| verbs.iter().copied())
        .collect();
    assert_eq!(grouped.len(), verbs.len(), "twice");
    assert_eq!(grouped.into_iter().collect::<BTreeSet<_>>(), verbs);
}

#[test]
fn every_verb_says_what_it_does_and_gives_an_example() {
    for verb in arguments::command().get_subcommands() {
        let about = verb
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        let long = verb
            .get_long_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        assert!(
            about.len() > 10 && about.len() < 80,
            "{}: {about:?}",
            verb.get_name()
        );
        assert!(
            long.contains("    git rapid "),
            "{}: no example",
            verb.get_name()
        );
    }
}
