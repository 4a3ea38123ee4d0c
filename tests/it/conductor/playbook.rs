//! The modes' texts.

use git_rapid::{
    conductor::{ActionKind, Lang, Playbook},
    domain::{
        id::TaskId,
        spec::{from_sentence, read_json, template_json},
        vocabulary::Mode,
    },
};

/// The longest text that the next action may carry.
const MAX_TEXT: usize = 2_000;

#[test]
fn every_mode_has_words_for_every_step_in_every_language() {
    for mode in Mode::ALL {
        let playbook = Playbook::of(*mode);
        for lang in Lang::ALL {
            assert!(!playbook.when(*lang).contains('\n'));
            for kind in ActionKind::ALL {
                let text = playbook.instructions(*kind, *lang);
                assert!(
                    text.len() > 40 && text.len() < MAX_TEXT,
                    "{mode} {kind} {lang}"
                );
                assert_eq!(text.trim(), text);
            }
        }
        for kind in ActionKind::ALL {
            assert_ne!(
                playbook.instructions(*kind, Lang::En),
                playbook.instructions(*kind, Lang::Es),
                "{mode} {kind}"
            );
        }
        assert_ne!(playbook.when(Lang::En), playbook.when(Lang::Es));
    }
}

#[test]
fn a_sentence_is_a_ready_spec_in_every_mode() {
    for mode in Mode::ALL {
        for lang in Lang::ALL {
            let texts = Playbook::of(*mode).sentence_texts(*lang);
            let spec = from_sentence("Count the tax once", *mode, None, &texts);
            assert_eq!(spec.not_ready(), vec![], "{mode} {lang}");
            let bytes = serde_json::to_vec(&template_json(&spec)).unwrap();
            assert_eq!(read_json(&bytes).unwrap(), spec, "{mode} {lang}");
        }
    }
}

#[test]
fn a_bug_is_reproduced_before_it_is_mended() {
    for lang in Lang::ALL {
        let texts = Playbook::of(Mode::Bugfix).sentence_texts(*lang);
        let spec = from_sentence("Count the tax once", Mode::Bugfix, None, &texts);
        let tasks = &spec.implementation_tasks;
        assert_eq!(tasks.len(), 2);
        let word = if *lang == Lang::En {
            "Reproduce"
        } else {
            "Reproducir"
        };
        assert!(tasks[0].description.starts_with(word));
        assert_eq!(tasks[0].after, vec![]);
        assert_eq!(tasks[1].after, vec![TaskId::at(1)]);
    }
}

#[test]
fn a_form_with_a_title_and_paths_can_be_started() {
    for mode in Mode::ALL {
        for lang in Lang::ALL {
            let mut form = Playbook::of(*mode).spec_template(*lang);
            assert_eq!(form["mode"], mode.as_str());
            let keys: Vec<_> = form.as_object().unwrap().keys().cloned().collect();
            assert_eq!(keys[..2], ["title", "mode"], "the title comes first");
            let faults = read_json(&serde_json::to_vec(&form).unwrap()).unwrap_err();
            let mut places: Vec<_> = faults.iter().map(|fault| fault.at.as_str()).collect();
            places.sort_unstable();
            if *mode == Mode::Research {
                assert_eq!(places, ["/title"]);
            } else {
                assert_eq!(places, ["/affected_paths", "/title"], "{mode}");
                form["affected_paths"] = serde_json::json!(["src/**"]);
            }
            form["title"] = "Count the tax once".into();
            let spec = read_json(&serde_json::to_vec(&form).unwrap()).unwrap();
            assert_eq!(spec.not_ready(), vec![], "{mode} {lang}");
        }
    }
}

#[test]
fn the_words_name_the_commands_that_follow() {
    for mode in Mode::ALL {
        for lang in Lang::ALL {
            let says = |kind, command: &str| {
                let text = Playbook::of(*mode).instructions(kind, *lang);
                assert!(text.contains(command), "{mode} {lang}: {command} in {text}");
            };
            says(
                ActionKind::AuthorSpec,
                &format!("git rapid start {mode} --spec-file"),
            );
            says(ActionKind::Activate, "git rapid resume");
            says(ActionKind::Finish, "git rapid finish");
            says(ActionKind::AwaitHumanApproval, "git rapid next");
            says(ActionKind::AwaitHumanApproval, "context.tell_human");
            match mode {
                Mode::Bugfix => says(
                    ActionKind::ImplementTask,
                    "git rapid check --expect fail --task T001",
                ),
                Mode::Research => says(
                    ActionKind::ImplementTask,
                    "git rapid attach <report_path> --task <task_id>",
                ),
                _ => says(ActionKind::ImplementTask, "git rapid check"),
            }
        }
    }
}
