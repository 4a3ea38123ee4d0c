//! A driver that knows only `next --json`: it obeys, and does the work it is told to do
//! through a closure.

use super::Sandbox;
use serde_json::Value;
use std::path::PathBuf;

/// More steps than any honest run needs.
const PATIENCE: usize = 60;

/// How a run ended, and the kinds of action on the way.
#[derive(Debug)]
pub struct Story {
    /// The last action: done or blocked.
    pub last: Value,
    /// Every action's kind, in order.
    pub kinds: Vec<String>,
}

impl Story {
    /// The verdict of a run that is done.
    #[track_caller]
    pub fn verdict(&self) -> &str {
        assert_eq!(self.last["action"]["kind"], "done", "{:#?}", self.last);
        self.last["outcome"]["verdict"].as_str().unwrap_or("none")
    }
}

/// Where an action's work happens: the sandbox's own folder, or the run's worktree.
pub struct Place {
    /// The folder.
    pub dir: PathBuf,
}

impl Place {
    /// Writes a file there.
    pub fn write(&self, relative: &str, content: impl AsRef<[u8]>) {
        let path = self.dir.join(relative);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("writable");
        std::fs::write(path, content).expect("writable");
    }
}

/// What a closure is asked to do: an action that wants an edit.
pub struct Work<'a> {
    /// The whole document.
    pub next: &'a Value,
    /// Where.
    pub place: Place,
    sandbox: &'a Sandbox,
}

impl Work<'_> {
    /// The task at hand.
    pub fn task(&self) -> &str {
        self.next["action"]["task_id"].as_str().unwrap_or_default()
    }

    /// Runs a verb where the work happens; it must end well.
    #[track_caller]
    pub fn rapid(&self, words: &[&str]) {
        self.sandbox.rapid_in(&self.place.dir, words).ended(0);
    }
}

/// Drives the run that is bound in `sandbox` until it is done or blocked. `work` is called
/// whenever an edit is wanted: an open task, or a failure that only an edit mends.
#[track_caller]
pub fn drive(sandbox: &Sandbox, mut work: impl FnMut(&Work<'_>)) -> Story {
    let run = bound_run(sandbox);
    let mut kinds = Vec::new();
    for _ in 0..PATIENCE {
        let before = sandbox.fingerprint();
        let next = sandbox.rapid_json(&["next", "--json", "--run", &run]);
        assert_eq!(before, sandbox.fingerprint(), "next changed something");
        let action = &next["action"];
        let kind = action["kind"]
            .as_str()
            .expect("an action has a kind")
            .to_owned();
        kinds.push(kind.clone());
        let place = Place {
            dir: action["workspace_path"]
                .as_str()
                .map_or_else(|| sandbox.dir().to_owned(), PathBuf::from),
        };
        let obey = |words: &Value| {
            if let Some(words) = words.as_array() {
                let words: Vec<&str> = words
                    .iter()
                    .map(|word| word.as_str().expect("text"))
                    .collect();
                assert_eq!(&words[..2], ["git", "rapid"], "{words:?}");
                sandbox.rapid_in(&place.dir, &words[2..]);
            }
        };
        match kind.as_str() {
            "done" | "blocked" => return Story { last: next, kinds },
            "await_human_approval" => approve(sandbox, &place, &next),
            "implement_task" => {
                obey(&action["command"]);
                let place = Place {
                    dir: place.dir.clone(),
                };
                work(&Work {
                    next: &next,
                    place,
                    sandbox,
                });
                obey(&action["after"]);
            }
            "verify" if action["command"].is_null() => {
                let place = Place {
                    dir: place.dir.clone(),
                };
                work(&Work {
                    next: &next,
                    place,
                    sandbox,
                });
                obey(&action["after"]);
            }
            _ => {
                assert!(
                    action["command"].is_array(),
                    "{kind} without a command: {next:#}"
                );
                obey(&action["command"]);
            }
        }
    }
    panic!("no end after {PATIENCE} steps: {kinds:?}");
}

/// The name of the run that `next` speaks of.
#[track_caller]
fn bound_run(sandbox: &Sandbox) -> String {
    let next = sandbox.rapid_json(&["next", "--json"]);
    next["run_id"]
        .as_str()
        .unwrap_or_else(|| panic!("no run: {next:#}"))
        .to_owned()
}

/// A person types what the screen asks for.
#[track_caller]
fn approve(sandbox: &Sandbox, place: &Place, next: &Value) {
    let why = next["context"]["why"]["code"].as_str().unwrap_or_default();
    let dir = place.dir.to_str().expect("a plain path");
    let mut words = vec!["-C", dir, "approve"];
    match why {
        "baseline_red" => words.extend(["gate.baseline", "--waive", "--reason", "main is red"]),
        "uncounted" => words.push("--test-command"),
        _ => {}
    }
    type_phrase(sandbox, &words);
}

/// Runs a person's verb at a terminal and types the phrase it asks for.
#[track_caller]
pub fn type_phrase(sandbox: &Sandbox, words: &[&str]) -> super::Run {
    let mut terminal = sandbox.terminal(words);
    terminal.expect("Type \"");
    let rest = terminal.expect("\" to record it");
    let phrase = rest.trim_end_matches("\" to record it").to_owned();
    terminal.type_line(&phrase);
    terminal.finish()
}

/// Fills in the form of `mode` that `next` gives, as an agent would, and starts it.
#[track_caller]
pub fn start_from_form(sandbox: &Sandbox, mode: &str, title: &str, scope: &[&str]) -> Value {
    let next = sandbox.rapid_json(&["next", mode, "--json"]);
    let action = &next["action"];
    assert_eq!(action["kind"], "author_spec", "{next:#}");
    let mut form = action["spec_template"].clone();
    form["title"] = title.into();
    form["affected_paths"] = scope.to_vec().into();
    if form["implementation_tasks"]
        .as_array()
        .is_none_or(Vec::is_empty)
    {
        form["implementation_tasks"] = vec!["do what the title says"].into();
    }
    if form["acceptance_criteria"]
        .as_array()
        .is_none_or(Vec::is_empty)
    {
        form["acceptance_criteria"] = vec!["what the title says holds"].into();
    }
    let path = PathBuf::from(action["spec_path"].as_str().expect("where to write it"));
    std::fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("writable");
    std::fs::write(&path, form.to_string()).expect("writable");
    let words: Vec<&str> = action["command"]
        .as_array()
        .expect("a command")
        .iter()
        .map(|word| word.as_str().expect("text"))
        .collect();
    let mut words = words[2..].to_vec();
    words.push("--json");
    sandbox.rapid_json(&words)
}
