//! The manual: the committed pages are what the program writes, and they leave nothing out.

use crate::support::Sandbox;
use git_rapid::{
    cli::manual,
    domain::{evidence::Payload, record::RecordType},
};
use std::{collections::BTreeSet, fs, path::Path};

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/man"))
}

/// With `GIT_RAPID_UPDATE=1` the pages are written instead of compared.
#[test]
fn the_committed_pages_are_the_ones_the_program_writes() {
    let update = std::env::var_os("GIT_RAPID_UPDATE").is_some();
    let pages = manual::pages();
    for page in &pages {
        let path = folder().join(page.file_name());
        if update {
            fs::write(&path, &page.text).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == page.text,
            "{} is out of date: GIT_RAPID_UPDATE=1 cargo test",
            page.file_name()
        );
    }
    let made: BTreeSet<String> = pages.iter().map(manual::ManualPage::file_name).collect();
    let there: BTreeSet<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "prose")
        .collect();
    assert_eq!(there, made);
}

#[test]
fn install_writes_every_page_into_its_section() {
    let sandbox = Sandbox::empty();
    let document = sandbox.rapid_json(&["man", "--install", "man"]);
    for page in manual::pages() {
        let path = format!("man/man{}/{}", page.section, page.file_name());
        assert_eq!(sandbox.read(path), page.text);
    }
    assert_eq!(
        document["pages"].as_array().unwrap().len(),
        manual::pages().len()
    );
}

#[test]
fn a_folder_that_cannot_be_made_is_told() {
    let sandbox = Sandbox::empty();
    sandbox.write("man", "a file");
    let run = sandbox
        .rapid(&["--json", "man", "--install", "man"])
        .ended(4);
    assert_eq!(run.error_code(), "RAPID4008");
}

#[test]
fn no_option_and_no_verb_is_left_out() {
    let mut command = git_rapid::cli::arguments::command();
    command.build();
    for verb in command.get_subcommands() {
        let page = manual_page(&format!("git-rapid-{}.1", verb.get_name()));
        let below = verb.get_subcommands();
        for command in std::iter::once(verb).chain(below) {
            for argument in command.get_arguments().filter(|a| !a.is_global_set()) {
                let Some(long) = argument.get_long().filter(|long| *long != "help") else {
                    continue;
                };
                let roff = format!("\\-\\-{}", long.replace('-', "\\-"));
                assert!(page.contains(&roff), "{}: --{long}", verb.get_name());
            }
        }
    }
}

/// A page that says how it ends, gives an example, and leads on.
#[test]
fn every_verb_has_its_examples_and_its_ending() {
    let mut command = git_rapid::cli::arguments::command();
    command.build();
    for verb in command.get_subcommands() {
        let name = verb.get_name();
        let page = manual_page(&format!("git-rapid-{name}.1"));
        let after = |title: &str| {
            let (_, rest) = page
                .split_once(title)
                .unwrap_or_else(|| panic!("{name}: {title}"));
            rest.split("\n.SH ")
                .next()
                .expect("the first part")
                .to_owned()
        };
        assert!(
            after("\n.SH DESCRIPTION\n").len() > 40,
            "{name} is not described"
        );
        assert!(after("\n.SH EXAMPLES\n").contains("git rapid "), "{name}");
        let see = after("\n.SH SEE ALSO\n");
        assert!(see.lines().count() > 2, "{name} leads nowhere: {see}");
        assert!(
            !see.contains(&format!("git\\-rapid\\-{name} (1)")),
            "{name}"
        );
        let plain = ["init", "man", "completions"].contains(&name);
        assert_eq!(page.contains("\n.SH EXIT STATUS\n"), !plain, "{name}");
    }
}

/// Statuses that the pages tell, where no run is bound and where nothing of a name is.
#[test]
fn the_exit_statuses_of_the_pages() {
    let sandbox = Sandbox::project();
    const NONE: &str = "none-r1-run-001";
    let told: &[(&[&str], i32)] = &[
        (&["abort"], 2),
        (&["approve"], 1),
        (&["attach", "README", "--task", "T001"], 2),
        (&["check"], 2),
        (&["commit"], 2),
        (&["eval", "run"], 2),
        (&["evidence", "list"], 2),
        (&["finish"], 2),
        (&["fsck"], 0),
        (&["log"], 0),
        (&["log", NONE], 2),
        (&["next"], 0),
        (&["next", "--run", NONE], 2),
        (&["pause"], 2),
        (&["resolve", "12345678"], 1),
        (&["resume"], 2),
        (&["resume", NONE], 2),
        (&["review"], 2),
        (&["show"], 0),
        (&["show", "none"], 2),
        (&["spec", "show", "none"], 2),
        (&["spec", "list"], 0),
        (&["start", "--spec-file", "README"], 3),
        (&["status"], 0),
        (&["supersede"], 2),
        (&["task", "list"], 2),
        (&["verify"], 0),
        (&["verify", "--require-pass"], 1),
        (&["verify", "none"], 2),
    ];
    for (words, status) in told {
        let page = manual_page(&format!("git-rapid-{}.1", words[0]));
        assert!(
            page.contains(&format!(".TP\n\\fB{status}\\fR\n")),
            "{words:?}: {status} is not on the page"
        );
        sandbox.rapid(words).ended(*status);
    }
}

/// Every field of every body, as the source has them.
#[test]
fn the_format_page_names_every_field() {
    let page = manual_page("git-rapid-ledger.5");
    let files = [
        "contract",
        "event",
        "amendment",
        "evidence",
        "resolution",
        "journal",
        "spec_record",
        "evaluate/report",
        "evaluate/facts",
    ];
    let mut count = 0;
    for file in files {
        let path = format!("{}/src/domain/{file}.rs", env!("CARGO_MANIFEST_DIR"));
        for line in fs::read_to_string(path).unwrap().lines() {
            let Some((name, _)) = line
                .strip_prefix("    pub ")
                .and_then(|l| l.split_once(": "))
            else {
                continue;
            };
            if name.contains(' ') {
                // A function.
                continue;
            }
            assert!(page.contains(&format!("\\fB{name}\\fR")), "{file}: {name}");
            count += 1;
        }
    }
    assert!(count > 100, "the source was not understood: {count} fields");
    let words = RecordType::ALL.iter().map(|kind| kind.as_str());
    for word in words.chain(Payload::KINDS.iter().copied()) {
        assert!(page.contains(word), "{word}");
    }
}

/// Where groff is installed, it has nothing to complain about.
#[test]
fn the_pages_are_well_formed() {
    let sandbox = Sandbox::empty();
    for page in manual::pages() {
        let path = sandbox.write(page.file_name(), &page.text);
        let mut command = sandbox.command("groff");
        command.args(["-man", "-Tutf8", "-ww", "-z"]).arg(path);
        let Ok(output) = command.output() else {
            // No groff here: nothing can be said.
            return;
        };
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.is_empty(), "{}: {said}", page.file_name());
    }
}

/// The source of a manual page, by its file's name.
#[track_caller]
pub(super) fn manual_page(name: &str) -> String {
    let pages = manual::pages();
    let page = pages.into_iter().find(|page| page.file_name() == name);
    page.unwrap_or_else(|| panic!("no page {name}")).text
}

/// What the short help leaves out for its length is told here.
#[test]
fn the_global_options_are_described() {
    let page = manual_page("git-rapid.1");
    for option in ["\\-\\-run", "\\-\\-json", "\\-\\-quiet", "\\-\\-color"] {
        let (_, rest) = page
            .split_once(&format!("\\fB{option}\\fR"))
            .unwrap_or_else(|| panic!("no {option}"));
        let text = rest.lines().nth(1).unwrap_or_default();
        assert!(text.len() > 10, "{option} is not described");
    }
}
