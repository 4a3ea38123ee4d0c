//! What the process was given.

use git_rapid::{cli::environment::Environment, conductor::Lang};

fn with(variables: &[(&str, &str)]) -> Environment {
    Environment {
        variables: variables
            .iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect(),
        ..Environment::default()
    }
}

#[test]
fn the_language_is_the_first_that_is_set() {
    let spanish = with(&[("LANG", "es_ES.UTF-8")]);
    assert_eq!(spanish.language(None, None), Lang::Es);
    assert_eq!(spanish.language(Some(Lang::En), None), Lang::En);
    assert_eq!(spanish.language(None, Some("en")), Lang::En);
    assert_eq!(spanish.language(None, Some("klingon")), Lang::Es);
    assert_eq!(
        with(&[("LC_ALL", "C"), ("LANG", "es")]).language(None, None),
        Lang::En
    );
    assert_eq!(
        with(&[("LC_ALL", ""), ("LC_MESSAGES", "es_MX"), ("LANG", "de")]).language(None, None),
        Lang::Es
    );
    assert_eq!(with(&[("LANG", "de_DE")]).language(None, None), Lang::En);
    assert_eq!(with(&[]).language(None, None), Lang::En);
}

#[test]
fn an_empty_variable_is_not_set() {
    let environment = with(&[("A", ""), ("B", "b")]);
    assert_eq!(environment.variable("A"), None);
    assert_eq!(environment.variable("B").unwrap(), "b");
    assert_eq!(environment.caller().environment, ["B"]);
}

#[test]
fn a_ci_system_is_named_by_its_own_marker_first() {
    assert_eq!(
        with(&[("CI", "true"), ("GITHUB_ACTIONS", "true")]).ci(),
        Some("github")
    );
    assert_eq!(with(&[("CI", "1")]).ci(), Some("ci"));
    assert_eq!(with(&[("CI", "false")]).ci(), None);
    assert_eq!(with(&[]).ci(), None);
}

#[cfg(target_os = "linux")]
#[test]
fn ancestors_reach_up_to_the_first_process() {
    let caller = Environment::gather().caller();
    let parent = std::os::unix::process::parent_id();
    let name = std::fs::read_to_string(format!("/proc/{parent}/comm")).unwrap();
    assert_eq!(caller.ancestors[0], name.trim_end());
    let first = std::fs::read_to_string("/proc/1/comm").unwrap();
    assert_eq!(caller.ancestors.last().unwrap(), first.trim_end());
}
