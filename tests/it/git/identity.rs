use super::scratch::Scratch;
use git_rapid::git::{Error, Identity, OpenOptions, Repository};
use std::{ffi::OsString, process::Command};

/// The handle and git itself in the same environment.
fn both(
    scratch: &Scratch,
    variables: &[(&str, &str)],
) -> (Result<Identity, Error>, Option<String>) {
    let mut environment: Vec<(OsString, OsString)> = vec![
        ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
        ("GIT_CONFIG_GLOBAL".into(), "/dev/null".into()),
    ];
    environment.extend(
        variables
            .iter()
            .map(|(name, value)| (name.into(), value.into())),
    );
    let out = Command::new("git")
        .args(["var", "GIT_COMMITTER_IDENT"])
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .envs(environment.iter().cloned())
        .current_dir(&scratch.dir)
        .output()
        .unwrap();
    let git = out
        .status
        .success()
        .then(|| String::from_utf8(out.stdout).unwrap().trim_end().to_owned());
    let repo = Repository::open(&OpenOptions {
        start: scratch.dir.clone(),
        environment,
    })
    .unwrap();
    (repo.committer(), git)
}

fn line(identity: &Identity) -> String {
    let minutes = identity.offset / 60;
    let sign = if minutes < 0 { '-' } else { '+' };
    let (hours, minutes) = (minutes.abs() / 60, minutes.abs() % 60);
    format!(
        "{} {} {sign}{hours:02}{minutes:02}",
        identity.signature(),
        identity.seconds
    )
}

#[test]
fn as_git_says() {
    let scratch = Scratch::new();
    let date = ("GIT_COMMITTER_DATE", "@1700000000 +0000");
    let name = ("GIT_COMMITTER_NAME", "Ada");
    let email = ("GIT_COMMITTER_EMAIL", "ada@example.org");
    let cases: Vec<Vec<(&str, &str)>> = vec![
        vec![name, email, date],
        vec![name, ("EMAIL", "e@example.org"), date],
        vec![
            ("GIT_COMMITTER_NAME", " ,<A\nd<a>; "),
            ("GIT_COMMITTER_EMAIL", "<a@b>"),
            date,
        ],
        vec![("GIT_COMMITTER_NAME", "Åsa Ö"), email, date],
        vec![name, ("GIT_COMMITTER_EMAIL", ""), date],
        vec![("GIT_COMMITTER_NAME", ""), email, date],
        vec![("GIT_COMMITTER_NAME", " ;;"), email, date],
        vec![name, email, ("GIT_COMMITTER_DATE", "1700000000 -0730")],
        vec![name, email, ("GIT_COMMITTER_DATE", "@5 +0545")],
        vec![
            name,
            email,
            ("GIT_COMMITTER_DATE", "2023-11-14T22:13:20+02:00"),
        ],
        vec![
            name,
            email,
            ("GIT_COMMITTER_DATE", "2023-11-14 22:13:20 -0100"),
        ],
        vec![
            name,
            email,
            ("GIT_COMMITTER_DATE", "Tue, 14 Nov 2023 22:13:20 +0100"),
        ],
        vec![name, email, ("GIT_COMMITTER_DATE", "nonsense")],
    ];
    for case in cases {
        let (ours, git) = both(&scratch, &case);
        assert_eq!(ours.as_ref().ok().map(line), git, "{case:?} {ours:?}");
    }
}

#[test]
fn from_config() {
    let scratch = Scratch::new();
    let date = [("GIT_COMMITTER_DATE", "1700000000 +0000")];
    let (ours, _) = both(&scratch, &date);
    let Err(Error::NoIdentity(advice)) = ours else {
        panic!("{ours:?}")
    };
    assert!(advice.contains("git config --global user.email"));
    scratch.git(&["config", "user.name", "Grace"]);
    assert!(matches!(both(&scratch, &date).0, Err(Error::NoIdentity(_))));
    scratch.git(&["config", "user.email", "grace@example.org"]);
    let (ours, git) = both(&scratch, &date);
    assert_eq!(ours.as_ref().ok().map(line), git);
    assert_eq!(
        ours.unwrap().signature(),
        "Grace <grace@example.org>".into()
    );
    scratch.git(&["config", "committer.email", "commits@example.org"]);
    let (ours, git) = both(&scratch, &date);
    assert_eq!(ours.as_ref().ok().map(line), git);
    // The environment comes first.
    let variables = [
        date[0],
        ("GIT_COMMITTER_NAME", "Ada"),
        ("EMAIL", "no@example.org"),
    ];
    let (ours, git) = both(&scratch, &variables);
    assert_eq!(ours.as_ref().ok().map(line), git);
}

#[test]
fn use_config_only_shuts_out_the_email_variable() {
    let scratch = Scratch::new();
    let variables = [("GIT_COMMITTER_NAME", "Ada"), ("EMAIL", "e@example.org")];
    assert!(both(&scratch, &variables).0.is_ok());
    scratch.git(&["config", "user.useConfigOnly", "true"]);
    let (ours, git) = both(&scratch, &variables);
    assert!(matches!(ours, Err(Error::NoIdentity(_))));
    assert_eq!(git, None);
}

#[test]
fn the_clock_without_a_date() {
    let scratch = Scratch::new();
    let variables = [
        ("GIT_COMMITTER_NAME", "Ada"),
        ("GIT_COMMITTER_EMAIL", "a@b"),
    ];
    let (ours, git) = both(&scratch, &variables);
    let git = git.unwrap();
    let seconds: i64 = git.rsplit(' ').nth(1).unwrap().parse().unwrap();
    assert!(ours.unwrap().seconds.abs_diff(seconds) < 3600);
}
