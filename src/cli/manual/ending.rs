//! What is different from verb to verb at the end of its page: exit statuses, and where to
//! read on.

use super::escaped;
use std::fmt::Write as _;

/// How one verb's page ends.
struct Ending {
    verb: &'static str,
    /// Statuses that mean something of their own here; the rest is in git-rapid(1).
    exits: &'static [(&'static str, &'static str)],
    /// Pages beside git-rapid(1) and git-rapid-codes(7).
    see: &'static [&'static str],
}

/// Moves a run and prints the next action.
const MOVED: &[(&str, &str)] = &[
    ("0", "Done; the next action is printed."),
    ("1", "Not allowed as the run stands; nothing changed."),
    ("2", "No run is bound here, or there is none of that name."),
];

/// Reads, and always answers.
const TOLD: &[(&str, &str)] = &[("0", "Told."), ("2", "There is nothing of that name.")];

const ENDINGS: &[Ending] = &[
    Ending {
        verb: "abort",
        exits: MOVED,
        see: &[
            "git-rapid-pause(1)",
            "git-rapid-supersede(1)",
            "git-rapid-next(5)",
        ],
    },
    Ending {
        verb: "approve",
        exits: &[
            ("0", "Recorded."),
            (
                "1",
                "Not a person at a terminal, another phrase than the one asked for, or nothing that waits; nothing was recorded.",
            ),
            ("2", "No run is bound here."),
        ],
        see: &[
            "git-rapid-review(1)",
            "git-rapid-policy(5)",
            "git-rapid-json(5)",
        ],
    },
    Ending {
        verb: "attach",
        exits: &[
            ("0", "Kept."),
            ("2", "No run is bound here."),
            (
                "3",
                "The task or criterion is not one of this run's, or a file is too large.",
            ),
        ],
        see: &["git-rapid-evidence(1)", "git-rapid-json(5)"],
    },
    Ending {
        verb: "check",
        exits: &[
            (
                "0",
                "Each command did what was expected of it, and the tree stayed the same.",
            ),
            (
                "1",
                "One did not, ran out of time, or the tree changed meanwhile; or no check is due.",
            ),
            ("2", "No run is bound here."),
            ("130", "Interrupted; nothing was recorded."),
            (
                "other",
                "With --exit-code: the first command's own that is not 0.",
            ),
        ],
        see: &[
            "git-rapid-task(1)",
            "git-rapid-json(5)",
            "git-rapid-ledger(5)",
        ],
    },
    Ending {
        verb: "commit",
        exits: &[
            ("0", "Committed."),
            (
                "1",
                "Refused by the commit rule, or the check that was run first is red.",
            ),
            ("2", "No run is bound here."),
            ("other", "What git commit itself ended with."),
        ],
        see: &["git-commit(1)", "git-rapid-check(1)", "git-rapid-json(5)"],
    },
    Ending {
        verb: "hook",
        exits: &[
            (
                "0",
                "Nothing stands against the commit, or it is only said.",
            ),
            ("1", "The commit is refused; nothing was changed."),
            (
                "4",
                "It could not be judged or recorded: that is no refusal.",
            ),
        ],
        see: &["git-rapid-init(1)", "git-rapid-commit(1)", "githooks(5)"],
    },
    Ending {
        verb: "completions",
        exits: &[],
        see: &["git-rapid-man(1)"],
    },
    Ending {
        verb: "eval",
        exits: &[
            ("0", "Judged, whatever the verdict."),
            (
                "1",
                "With --require-pass: the verdict is neither PASS nor PASS_WITH_WAIVERS.",
            ),
            ("2", "No run is bound here, or there is none of that name."),
        ],
        see: &[
            "git-rapid-verify(1)",
            "git-rapid-finish(1)",
            "git-rapid-json(5)",
            "git-rapid-ledger(5)",
        ],
    },
    Ending {
        verb: "evidence",
        exits: TOLD,
        see: &[
            "git-rapid-log(1)",
            "git-rapid-json(5)",
            "git-rapid-ledger(5)",
        ],
    },
    Ending {
        verb: "finish",
        exits: &[
            (
                "0",
                "The run is finished, with the verdict PASS or PASS_WITH_WAIVERS.",
            ),
            (
                "1",
                "Something is missing; what, and the next action, is printed. Nothing changed.",
            ),
            ("2", "No run is bound here."),
        ],
        see: &[
            "git-rapid-next(1)",
            "git-rapid-verify(1)",
            "git-rapid-next(5)",
            "git-rapid-ledger(5)",
        ],
    },
    Ending {
        verb: "fsck",
        exits: &[
            ("0", "No fault; warnings may be."),
            ("1", "At least one fault."),
        ],
        see: &[
            "git-rapid-verify(1)",
            "git-rapid-json(5)",
            "git-rapid-ledger(5)",
        ],
    },
    Ending {
        verb: "init",
        exits: &[],
        see: &["git-rapid-next(1)", "git-rapid-json(5)"],
    },
    Ending {
        verb: "log",
        exits: TOLD,
        see: &[
            "git-rapid-show(1)",
            "git-rapid-json(5)",
            "git-rapid-ledger(5)",
        ],
    },
    Ending {
        verb: "man",
        exits: &[],
        see: &["git-rapid-completions(1)", "git-rapid-json(5)"],
    },
    Ending {
        verb: "next",
        exits: &[
            ("0", "Told, whatever the action is."),
            ("2", "There is no run of that name."),
        ],
        see: &[
            "git-rapid-start(1)",
            "git-rapid-status(1)",
            "git-rapid-next(5)",
        ],
    },
    Ending {
        verb: "pause",
        exits: MOVED,
        see: &["git-rapid-resume(1)", "git-rapid-next(5)"],
    },
    Ending {
        verb: "resolve",
        exits: &[
            ("0", "Recorded; the next action is printed."),
            (
                "1",
                "Not a person at a terminal, another phrase than the one asked for, or no such conflict; nothing was recorded.",
            ),
            ("2", "No run is bound here."),
        ],
        see: &[
            "git-rapid-fsck(1)",
            "git-rapid-ledger(5)",
            "git-rapid-next(5)",
        ],
    },
    Ending {
        verb: "resume",
        exits: MOVED,
        see: &["git-rapid-pause(1)", "git-rapid-next(5)"],
    },
    Ending {
        verb: "review",
        exits: &[
            ("0", "Shown."),
            ("2", "No run is bound here, or there is none of that name."),
        ],
        see: &["git-rapid-approve(1)", "git-rapid-json(5)"],
    },
    Ending {
        verb: "show",
        exits: TOLD,
        see: &[
            "git-rapid-log(1)",
            "git-rapid-verify(1)",
            "git-rapid-json(5)",
            "git-rapid-ledger(5)",
        ],
    },
    Ending {
        verb: "spec",
        exits: TOLD,
        see: &[
            "git-rapid-start(1)",
            "git-rapid-spec(5)",
            "git-rapid-json(5)",
        ],
    },
    Ending {
        verb: "start",
        exits: &[
            ("0", "The run is started; the next action is printed."),
            (
                "1",
                "Refused, such as a run that is bound here already or a mode that does not fit; or the spec is only a draft.",
            ),
            (
                "3",
                "The spec, or the project's own rules, cannot be read; every fault is named.",
            ),
        ],
        see: &[
            "git-rapid-next(1)",
            "git-rapid-spec(5)",
            "git-rapid-policy(5)",
            "git-rapid-next(5)",
        ],
    },
    Ending {
        verb: "status",
        exits: &[("0", "Told, whatever it is; never 1.")],
        see: &["git-rapid-next(1)", "git-rapid-log(1)", "git-rapid-json(5)"],
    },
    Ending {
        verb: "supersede",
        exits: MOVED,
        see: &[
            "git-rapid-abort(1)",
            "git-rapid-spec(5)",
            "git-rapid-policy(5)",
            "git-rapid-next(5)",
        ],
    },
    Ending {
        verb: "task",
        exits: &[
            ("0", "Moved, or listed."),
            (
                "1",
                "Not allowed as the task stands, or what task done ran is red.",
            ),
            ("2", "No run is bound here."),
        ],
        see: &[
            "git-rapid-check(1)",
            "git-rapid-json(5)",
            "git-rapid-spec(5)",
        ],
    },
    Ending {
        verb: "tour",
        exits: &[
            ("0", "Each step went as told."),
            ("4", "One did not, and the tour stopped there."),
        ],
        see: &["git-rapid-next(1)", "git-rapid-start(1)"],
    },
    Ending {
        verb: "verify",
        exits: &[
            ("0", "Told, whatever it is."),
            (
                "1",
                "With --require-pass: no run that passed verified it, or its proof has faults.",
            ),
            ("2", "Names no run and no commit."),
        ],
        see: &[
            "git-rapid-fsck(1)",
            "git-rapid-eval(1)",
            "git-rapid-json(5)",
            "git-rapid-ledger(5)",
        ],
    },
];

/// The last sections of a verb's page.
pub(super) fn of(verb: &str) -> String {
    let ending = ENDINGS.iter().find(|ending| ending.verb == verb);
    let (exits, see) = ending.map_or((&[][..], &[][..]), |ending| (ending.exits, ending.see));
    let mut text = String::new();
    if !exits.is_empty() {
        text.push_str(".SH EXIT STATUS\n");
        for (status, meaning) in exits {
            let _ = write!(text, ".TP\n\\fB{status}\\fR\n{}\n", escaped(meaning));
        }
        text.push_str(".PP\nThe others are those of\n.BR git\\-rapid (1).\n");
    }
    text.push_str(".SH SEE ALSO\n");
    let all = ["git-rapid(1)"].iter().chain(see);
    for page in all.chain(&["git-rapid-codes(7)"]) {
        let (name, section) = page.split_once('(').unwrap_or((page, ""));
        let comma = if page.starts_with("git-rapid-codes") {
            ""
        } else {
            ","
        };
        let _ = writeln!(text, ".BR {} ({section}{comma}", escaped(name));
    }
    text
}
