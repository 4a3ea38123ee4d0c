//! The README shows what the program really prints.
//!
//! A block that follows `<!-- output: <command> -->` is what that command prints: in an empty
//! folder, or where the README's last `<!-- in: <situation> -->` put it. `GIT_RAPID_UPDATE=1 cargo
//! test` writes it anew.

use crate::support::Sandbox;
use std::{fs, path::Path};

const MARK: &str = "<!-- output: ";
const PLACE: &str = "<!-- in: ";
const FENCE: &str = "```";

fn readme() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"))
}

/// The README with every marked block replaced by what its command prints now.
fn regenerated(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines();
    let mut place = "an empty folder";
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        if let Some(named) = line.strip_prefix(PLACE) {
            place = named.trim_end_matches(" -->");
        }
        let Some(command) = line
            .strip_prefix(MARK)
            .and_then(|rest| rest.strip_suffix(" -->"))
        else {
            continue;
        };
        let fence = lines.next().unwrap_or_default();
        assert!(fence.starts_with(FENCE), "no block after {line}");
        // The old content.
        for _ in lines.by_ref().take_while(|line| *line != FENCE) {}
        out.push_str(&format!(
            "{fence}\n$ {command}\n{}{FENCE}\n",
            printed(command, place)
        ));
    }
    out
}

/// Where a command of the README runs.
fn situation(name: &str) -> Sandbox {
    let sandbox = match name {
        "an empty folder" => return Sandbox::empty(),
        "an empty repository" => return Sandbox::repo(),
        "a run" => minutes_ago(),
        other => panic!("no such situation: {other}"),
    };
    // A bug with a reproduction, mended after the last check.
    let runner = "sh total.sh 100 20 | grep -qx 120 && echo 'ok 1 - tax_once' || { echo 'not ok 1 - tax_once'; bad=1; }\n\
                  echo 'ok 2 - no_tax'\necho 1..2\nexit ${bad:-0}\n";
    sandbox.write("total.sh", "echo $(($1 + $2 + $2))\n");
    sandbox.write("t/run.sh", "echo 'ok 2 - no_tax'\necho 1..1\n");
    sandbox.commit_all("A till");
    sandbox.write("notes.txt", "call them\n");
    sandbox.git(&["config", "rapid.testCommand", "sh t/run.sh"]);
    sandbox.rapid_ok(&[
        "start",
        "bugfix",
        "-m",
        "Tax counted twice",
        "--paths",
        "total.sh",
        "--paths",
        "t",
    ]);
    sandbox.rapid_ok(&["task", "start", "T001"]);
    sandbox.write("t/run.sh", runner);
    sandbox.rapid_ok(&["check", "--expect", "fail", "--task", "T001"]);
    sandbox.rapid_ok(&["task", "done", "T001"]);
    sandbox.rapid_ok(&["task", "start", "T002"]);
    sandbox.write("total.sh", "echo $(($1 + $2))\n");
    sandbox
}

/// A repository in which everything happened four minutes ago.
fn minutes_ago() -> Sandbox {
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
    let then = format!("@{} +0000", now - 4 * 60 - 30);
    let mut sandbox = Sandbox::repo();
    sandbox.set("GIT_COMMITTER_DATE", &then);
    sandbox.set("GIT_AUTHOR_DATE", &then);
    sandbox
}

fn printed(command: &str, place: &str) -> String {
    let words = shell_words::split(command).unwrap();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let words = match words.as_slice() {
        ["git", "rapid", rest @ ..] => rest,
        // Cargo's own lines are on standard error.
        ["cargo", "run", "--release", "--", rest @ ..] => rest,
        other => panic!("not a command of ours: {other:?}"),
    };
    situation(place).rapid(words).ended(0).stdout
}

/// What differs from one run of a program to the next is left out of the comparison: ids (seven
/// hex digits or more), durations, and where temporary folders lie.
fn lasting(text: &str) -> String {
    let number = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let mut out = String::new();
    for line in text.lines() {
        let mut words: Vec<&str> = Vec::new();
        for word in line.split_whitespace() {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            let id = bare.len() >= 7 && bare.bytes().all(|byte| byte.is_ascii_hexdigit());
            let time = number(bare.trim_end_matches(['m', 's'])) && bare.ends_with(['m', 's']);
            if ["ms", "s"].contains(&bare) && words.last().copied().is_some_and(number) {
                words.pop();
                words.push("#");
            } else if id || time || word.contains("/tmp") {
                words.push("#");
            } else {
                words.push(word);
            }
        }
        out.push_str(&words.join(" "));
        out.push('\n');
    }
    out
}

#[test]
fn every_marked_block_is_what_its_command_prints() {
    let text = fs::read_to_string(readme()).unwrap();
    assert!(text.contains(MARK), "the README shows real output");
    let now = regenerated(&text);
    let same = lasting(&text) == lasting(&now);
    if std::env::var_os("GIT_RAPID_UPDATE").is_some() {
        // Real output stays as it was while it says the same.
        if !same {
            fs::write(readme(), &now).unwrap();
        }
    } else {
        assert!(same, "out of date: GIT_RAPID_UPDATE=1 cargo test\n{now}");
    }
}

#[test]
fn a_stale_block_would_be_seen() {
    let stale =
        "<!-- output: git rapid --version -->\n```text\n$ git rapid --version\nold\n```\nend\n";
    let now = regenerated(stale);
    assert_ne!(now, stale);
    assert!(
        now.contains(concat!(
            "\ngit-rapid ",
            env!("CARGO_PKG_VERSION"),
            "\n```\nend\n"
        )),
        "{now}"
    );
    assert_eq!(now, regenerated(&now), "once is enough");
}

#[test]
fn only_what_changes_by_itself_is_left_out() {
    assert_eq!(
        lasting("tree 9be77c1, 0.4 s"),
        lasting("tree 41d2e0a, 12 ms")
    );
    assert_ne!(lasting("4 passed"), lasting("5 passed"));
    assert_ne!(lasting("PASS run-001"), lasting("FAIL run-001"));
}
