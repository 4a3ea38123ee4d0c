//! The layers that tell a person from a program.

use git_rapid::domain::{
    person::{Caller, NotAPerson, Phrase, agent_marker, check_person, phrase, phrase_matches},
    vocabulary::Outcome,
};

fn person() -> Caller {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    Caller {
        terminal: true,
        environment: words(&["HOME", "TERM_PROGRAM", "VSCODE_PID", "ZED_TERM", "EDITOR"]),
        ancestors: words(&["zsh", "tmux: server", "code", "nvim", "sshd", "systemd"]),
    }
}

#[test]
fn a_person_at_a_terminal_passes() {
    assert_eq!(check_person(&person()), Ok(()));
    let bare = Caller {
        terminal: true,
        ..Caller::default()
    };
    assert_eq!(check_person(&bare), Ok(()));
}

#[test]
fn without_a_terminal_nobody_passes() {
    let caller = Caller {
        terminal: false,
        ..person()
    };
    assert_eq!(check_person(&caller), Err(NotAPerson::NoTerminal));
}

#[test]
fn every_marker_refuses() {
    for marker in [
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_CODE_X",
        "CODEX_SANDBOX",
        "CODEX_THREAD",
        "CURSOR_AGENT",
        "GEMINI_CLI",
        "COPILOT_AGENT",
        "OPENCODE",
        "AUGMENT_AGENT",
        "AMP_THREAD_ID",
        "AI_AGENT",
    ] {
        let mut caller = person();
        caller.environment.push(marker.to_owned());
        assert_eq!(
            check_person(&caller),
            Err(NotAPerson::AgentMarker(marker.into()))
        );
        assert_eq!(agent_marker(&caller.environment), Some(marker));
    }
}

#[test]
fn names_that_only_look_like_markers_do_not() {
    for name in [
        "CLAUDE",
        "CLAUDE_CODE",
        "MY_CODEX_HOME",
        "CODEX",
        "AMP",
        "AMPLIFIER",
        "claudecode",
        "CURSOR_AGENTS",
        "VSCODE_AGENT",
        "GEMINI_CLI_HOME",
        "SSH_AGENT_PID",
    ] {
        assert_eq!(agent_marker(&[name.to_owned()]), None, "{name}");
    }
}

#[test]
fn every_known_agent_among_the_ancestors_refuses() {
    for name in [
        "claude",
        "codex",
        "cursor-agent",
        "gemini",
        "copilot",
        "opencode",
        "auggie",
        "augment",
        "amp",
        "aider",
        "/usr/local/bin/claude",
        "Codex.exe",
        r"C:\tools\aider.exe",
    ] {
        let mut caller = person();
        caller.ancestors.insert(1, name.to_owned());
        assert_eq!(
            check_person(&caller),
            Err(NotAPerson::AgentAncestor(name.into())),
            "{name}"
        );
    }
    for name in [
        "cursor",
        "code",
        "zed",
        "emacs",
        "ampersand",
        "claudette",
        "node",
        "",
    ] {
        let mut caller = person();
        caller.ancestors.push(name.to_owned());
        assert_eq!(check_person(&caller), Ok(()), "{name}");
    }
}

#[test]
fn the_cheapest_layer_answers_first() {
    let mut caller = person();
    caller.environment.push("CLAUDECODE".into());
    caller.ancestors.push("claude".into());
    assert_eq!(
        check_person(&caller),
        Err(NotAPerson::AgentMarker("CLAUDECODE".into()))
    );
    caller.terminal = false;
    assert_eq!(check_person(&caller), Err(NotAPerson::NoTerminal));
}

#[test]
fn each_phrase_is_taken_in_both_languages() {
    for (says, english, spanish) in [
        (Phrase::Approve, "approve", "aprobar"),
        (Phrase::Waive, "waive", "dispensar"),
        (Phrase::Reject, "reject", "rechazar"),
        (Phrase::RequestChanges, "request changes", "pedir cambios"),
        (Phrase::Accept, "accept", "aceptar"),
        (Phrase::Resolve, "resolve", "resolver"),
        (Phrase::Resume, "resume", "reanudar"),
    ] {
        assert_eq!(
            phrase(says, "gate.review", "en"),
            format!("{english} gate.review")
        );
        assert_eq!(
            phrase(says, "gate.review", "es"),
            format!("{spanish} gate.review")
        );
        for verb in [english, spanish] {
            assert!(phrase_matches(
                &format!("{verb} gate.review"),
                says,
                "gate.review"
            ));
            assert!(phrase_matches(
                &format!("  {} \t Gate.Review\r\n", verb.to_uppercase()),
                says,
                "gate.review"
            ));
        }
    }
}

#[test]
fn another_phrase_is_not_taken() {
    for typed in [
        "",
        "approve",
        "gate.review",
        "approve gate.tests",
        "yes",
        "y",
        "approve gate.review now",
        "waive gate.review",
        "rechazar gate.review",
        "approvegate.review",
        "approve gate. review",
        "approve\u{200b} gate.review",
        "áprobar gate.review",
    ] {
        assert!(
            !phrase_matches(typed, Outcome::Approved, "gate.review"),
            "{typed:?}"
        );
    }
}

#[test]
fn outcomes_have_their_phrase() {
    assert_eq!(phrase(Outcome::Approved, "x", "en"), "approve x");
    assert_eq!(
        phrase(Outcome::ChangesRequested, "x", "en"),
        "request changes x"
    );
    assert_eq!(phrase(Outcome::Rejected, "x", "es"), "rechazar x");
    assert_eq!(phrase(Outcome::Waived, "x", "es"), "dispensar x");
}
