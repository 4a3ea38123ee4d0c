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

#[test]
fn every_example_is_understood() {
    let mut count = 0;
    for verb in arguments::command().get_subcommands() {
        let long = verb.get_long_about().map(ToString::to_string);
        for line in long.unwrap_or_default().lines() {
            let Some(example) = line.strip_prefix("    git rapid ") else {
                continue;
            };
            let words = shell_words::split(example).unwrap();
            // What a shell would do with the output is not ours.
            let own = words.iter().take_while(|word| !word.starts_with('>'));
            let own: Vec<&str> = own.map(String::as_str).collect();
            match parse(&own) {
                Invocation::Verb(_) => assert_eq!(own[0], verb.get_name(), "{example}"),
                other => panic!("{example}: {other:?}"),
            }
            count += 1;
        }
    }
    assert!(count > 30, "the examples were not found: {count}");
}

/// (what was typed, what was meant)
const MEANT: &[(&[&str], &str)] = &[
    (
        &["test", "--", "cargo", "test"],
        "git rapid check -- cargo test",
    ),
    (&["done", "T001"], "git rapid task done T001"),
    (&["continue"], "git rapid next"),
    (&["cancel", "--reason", "x"], "git rapid abort --reason x"),
    (&["strat", "-m", "x"], "git rapid start -m x"),
    (&["stauts"], "git rapid status"),
    (&["-C", "test", "test"], "git rapid -C test check"),
    (
        &["--json", "task", "dnoe", "T001"],
        "git rapid --json task done T001",
    ),
    (&["check", "--tsk", "T001"], "git rapid check --task T001"),
    (
        &["start", "-m", "x", "--test-command", "a && b"],
        r"git rapid start -m x --test-command 'sh -c '\''a && b'\'''",
    ),
];

#[test]
fn what_was_meant_is_named_in_full() {
    for (words, meant) in MEANT {
        let json = refused(words).to_json();
        let document: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(document["error"]["code"], "RAPID4001", "{words:?}");
        let command = document["error"]["hints"][0]["command"].as_array().unwrap();
        let command = shell_words::join(command.iter().map(|word| word.as_str().unwrap()));
        assert_eq!(command, *meant, "{words:?}");
    }
}

#[test]
fn every_hint_for_an_unknown_verb_is_a_verb() {
    for word in [
        "begin", "run", "complete", "reject", "cat", "judge", "setup", "specs", "zzz",
    ] {
        let json = refused(&[word]).to_json();
        let document: serde_json::Value = serde_json::from_str(&json).unwrap();
        let command = document["error"]["hints"][0]["command"].as_array().unwrap();
        let verb = command[2].as_str().unwrap();
        let known = GROUPS.iter().any(|(_, verbs)| verbs.contains(&verb));
        assert!(known || verb == "-h", "{word}: {verb}");
    }
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let wrong: &[&[&str]] = &[
        &[],
        &["task"],
        &["start"],
        &["start", "-m", "x", "--spec-file", "f"],
        &["start", "-m", "x", "--plan", "--read-only"],
        // A written spec names its scope and mode itself.
        &["start", "--spec-file", "f", "--paths", "src"],
        &["start", "--spec", "a-spec", "--plan"],
        &["start", "--spec-file", "f", "--read-only"],
        &["start", "bugfix", "-m", "x", "--plan"],
        &["start", "nomode", "-m", "x"],
        &["start", "-m", "x", "--risk", "none"],
        &["check", "test", "--", "true"],
        &["check", "--due", "test"],
        &["check", "--timeout", "0"],
        &["check", "--task", "1"],
        &["approve", "--reject", "--waive", "--reason", "x"],
        &["attach", "f"],
        &["--run", "not a run", "status"],
        &["--lang", "de", "status"],
        &["finish", "--nope"],
    ];
    for words in wrong {
        let failure = refused(words);
        assert_eq!(failure.status().0, 2, "{words:?}");
        assert!(failure.to_json().contains("\"hints\":[{"), "{words:?}");
    }
}

#[test]
fn global_options_stand_anywhere() {
    for words in [["--json", "status", "-q"], ["status", "--json", "-q"]] {
        match parse(&words) {
            Invocation::Verb(parsed) => assert!(parsed.globals.json && parsed.globals.quiet),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_folder_of_a_worktree_is_optional() {
    use git_rapid::cli::verb::Verb;
    for (word, given) in [
        ("--worktree", Some(None)),
        ("--worktree=x", Some(Some("x".into()))),
    ] {
        match parse(&["resume", word]) {
            Invocation::Verb(parsed) => match parsed.verb {
                Verb::Resume(args) => assert_eq!(args.worktree, given),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_wrong_line_is_told_on_the_right_stream() {
    let sandbox = Sandbox::empty();
    let text = sandbox.rapid(&["test"]).ended(2);
    assert_eq!(text.stdout, "");
    assert!(text.stderr.starts_with("error[RAPID4001]: "), "{text:?}");
    let json = sandbox.rapid(&["test", "--json"]).ended(2);
    assert_eq!(
        (json.error_code().as_str(), json.stderr.as_str()),
        ("RAPID4001", "")
    );
    // Behind the dashes it belongs to the command.
    let other = sandbox.rapid(&["test", "--", "--json"]).ended(2);
    assert_eq!(other.stdout, "");
}

#[test]
fn help_and_version_go_to_standard_output() {
    let sandbox = Sandbox::empty();
    let version = sandbox.rapid_ok(&["--version"]);
    assert_eq!(
        version,
        concat!("git-rapid ", env!("CARGO_PKG_VERSION"), "\n")
    );
    assert!(sandbox.rapid_ok(&["-h"]).starts_with("usage: git rapid"));
    assert!(
        sandbox
            .rapid_ok(&["start", "-h"])
            .contains("git rapid start")
    );
    // Through git itself.
    let run = sandbox.try_git(&["rapid", "-h"]).ended(0);
    assert!(run.stdout.starts_with("usage: git rapid"));
}

#[test]
fn completions_are_made_for_every_shell() {
    let sandbox = Sandbox::empty();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = sandbox.rapid_ok(&["completions", shell]);
        assert!(script.contains("supersede"), "{shell}");
    }
    sandbox.rapid(&["completions", "cmd"]).ended(2);
}

/// git's completion sets these variables and calls `_git_<verb>`.
#[test]
fn bash_completes_through_git() {
    let sandbox = Sandbox::empty();
    sandbox.write("script", sandbox.rapid_ok(&["completions", "bash"]));
    let call = |words: &str, cword: usize| {
        let ask = format!(
            ". ./script; words=({words}); cword={cword}; cur=${{words[cword]}}; \
             prev=${{words[cword-1]}}; _git_rapid; echo \"${{COMPREPLY[*]}}\""
        );
        let mut bash = sandbox.command("bash");
        sandbox
            .finish(bash.args(["--norc", "-c", &ask]))
            .ended(0)
            .stdout
    };
    assert_eq!(call("git rapid sup", 2).trim(), "supersede");
    assert_eq!(call("git rapid check --expe", 3).trim(), "--expect");
}
