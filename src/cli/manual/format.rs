//! The pages about formats: prose with places in it for what the program knows better.
//!
//! A line `.\" made: <what>` in the prose is followed on the page by that list or table, made
//! from the source's own.

use super::{ManualPage, escaped, heading, policy};
use crate::conductor::Why;
use crate::domain::{
    event::EventCode,
    evidence::Payload,
    gate::GateKind,
    record::RecordType,
    spec::DataImpact,
    spec_record::SpecFormat,
    vocabulary::{
        AssertionStatus, Change, Classification, Expectation, GateStatus, Mode, Note, Outcome,
        Phase, ReviewType, Risk, RunStatus, SpecState, SubjectKind, TaskStatus, Tier, Verdict,
        Workspace,
    },
};
use std::fmt::Write as _;

/// What stands before the name of a list or table in the prose.
const MARK: &str = ".\\\" made: ";

/// Name, section, one line, prose.
type Format = (&'static str, u8, &'static str, &'static str);

const FORMATS: &[Format] = &[
    (
        "git-rapid-json",
        5,
        "the documents that verbs print with --json",
        include_str!("../../../man/prose/json.roff"),
    ),
    (
        "git-rapid-ledger",
        5,
        "records, streams and refs below refs/rapid",
        include_str!("../../../man/prose/ledger.roff"),
    ),
    (
        "git-rapid-next",
        5,
        "the document of git rapid next --json",
        include_str!("../../../man/prose/next.roff"),
    ),
    (
        "git-rapid-policy",
        5,
        "the rules that decide how much care a change needs",
        include_str!("../../../man/prose/policy.roff"),
    ),
    (
        "git-rapid-spec",
        5,
        "what a change is to do, as a JSON document",
        include_str!("../../../man/prose/spec.roff"),
    ),
];

/// The pages.
pub(super) fn pages() -> impl Iterator<Item = ManualPage> {
    FORMATS
        .iter()
        .map(|(name, section, about, prose)| ManualPage {
            name: (*name).to_owned(),
            section: *section,
            text: format!("{}{}", heading(name, *section, about), filled(prose)),
        })
}

/// The prose with what is made behind each mark.
fn filled(prose: &str) -> String {
    let mut text = String::with_capacity(prose.len());
    for line in prose.lines() {
        text.push_str(line);
        text.push('\n');
        if let Some(what) = line.strip_prefix(MARK) {
            text.push_str(&made(what));
        }
    }
    text
}

/// The list or table of that name.
fn made(what: &str) -> String {
    match what {
        "words" => word_lists(),
        "none" => none_words(),
        "whys" => why_words(),
        "signals" => policy::signals(),
        "modes" => policy::modes(),
        "risks" => policy::risks(),
        "gates" => policy::gates(),
        "paths" => policy::paths(),
        "bounds" => policy::bounds(),
        "keys" => policy::keys(),
        other => unreachable!("no prose asks for {other}"),
    }
}

/// The words of `context.why.code`.
fn why_words() -> String {
    let words: Vec<String> = Why::ALL
        .iter()
        .map(|why| format!("\\fB{}\\fR", escaped(why.as_str())))
        .collect();
    format!("{}.\n", words.join(", "))
}

/// Every way to say that data is not touched.
fn none_words() -> String {
    let words: Vec<String> = DataImpact::WORDS_FOR_NONE
        .iter()
        .filter(|word| !word.is_empty())
        .map(|word| format!("\\fB{}\\fR", escaped(word)))
        .collect();
    format!("{}.\n", words.join(", "))
}

/// The closed lists, from the lists themselves, and the codes of reports.
fn word_lists() -> String {
    let mut text = String::new();
    let mut list = |title: &str, words: Vec<&str>| {
        let words: Vec<String> = words
            .into_iter()
            .map(|word| format!("\\fB{}\\fR", escaped(word)))
            .collect();
        let _ = write!(text, ".TP\n{title}\n{}.\n", words.join(", "));
    };
    macro_rules! lists {
        ($($title:literal: $list:ty,)+) => {
            $(list($title, <$list>::ALL.iter().map(|word| word.as_str()).collect());)+
        };
    }
    lists! {
        "Record types": RecordType,
        "Modes": Mode,
        "Classes": Classification,
        "Risks": Risk,
        "Workspaces": Workspace,
        "Run states": RunStatus,
        "Task states": TaskStatus,
        "Gate states": GateStatus,
        "Gate kinds": GateKind,
        "Phases": Phase,
        "Event codes": EventCode,
        "Spec states": SpecState,
        "Spec formats": SpecFormat,
        "Expectations": Expectation,
        "Subject kinds": SubjectKind,
        "Tiers": Tier,
        "Changes of a path": Change,
        "Review types": ReviewType,
        "Outcomes of a review": Outcome,
        "Notes": Note,
        "Assertion states": AssertionStatus,
        "Verdicts": Verdict,
    }
    list("Evidence kinds", Payload::KINDS.to_vec());
    text.push_str(".SH REASONS\nWhat the \\fBwhy\\fR of an assertion says.\n");
    for (code, meaning, _) in crate::cli::render::REASONS {
        let _ = write!(
            text,
            ".TP\n\\fB{}\\fR\n{}\n",
            escaped(code),
            escaped(meaning)
        );
    }
    text
}
