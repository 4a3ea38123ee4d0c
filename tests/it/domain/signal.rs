//! The signal table, row by row.

use git_rapid::domain::{
    path::RepoPath,
    policy::{PolicyDocument, SIGNALS, signals_of_paths, signals_of_spec},
    spec::{DataImpact, Spec},
    vocabulary::{Mode, Risk},
};

/// The signals of a spec as `id level source`.
fn of_spec(spec: &Spec) -> Vec<String> {
    signals_of_spec(spec, &PolicyDocument::built_in())
        .iter()
        .map(|signal| format!("{} {} {}", signal.id, signal.level, signal.source))
        .collect()
}

fn of_paths(paths: &[&str]) -> Vec<String> {
    let paths: Vec<_> = paths
        .iter()
        .map(|path| RepoPath::new(*path).unwrap())
        .collect();
    signals_of_paths(&paths, &PolicyDocument::built_in())
        .iter()
        .map(|signal| format!("{} {} {}", signal.id, signal.level, signal.source))
        .collect()
}

fn with_paths(paths: &[&str]) -> Spec {
    let paths = paths.iter().map(|path| path.parse().unwrap()).collect();
    Spec {
        affected_paths: Some(paths),
        ..Spec::empty(Mode::Feature)
    }
}

fn with_tags(tags: &[&str]) -> Spec {
    Spec {
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        ..Spec::empty(Mode::Feature)
    }
}

#[test]
fn the_table_is_the_one_of_the_rules() {
    let rows: Vec<_> = SIGNALS
        .iter()
        .map(|row| {
            format!(
                "{} {} [{}] [{}]",
                row.id,
                row.level,
                row.tags.join(" "),
                row.dirs.join(" ")
            )
        })
        .collect();
    insta::assert_snapshot!(rows.join("\n"), @r"
    mode.research low [] []
    mode.hardening high [] []
    scope.database-migration high [migration migrations database-migration database-schema schema db-migration] [migrations alembic prisma]
    scope.infrastructure high [infra infrastructure deployment terraform docker k8s kubernetes] [infra terraform deploy]
    scope.security high [security owasp encryption secrets vulnerability] [security]
    scope.authentication high [auth authentication authorization oauth jwt rbac sso] [auth]
    scope.ci high [ci cd ci-cd github-actions pipeline] [.github/workflows .gitlab-ci .gitlab-ci.yml]
    scope.architecture high [architecture architectural core-architecture] []
    scope.governance critical [] []
    data.impact medium [] []
    scope.critical-impact critical [auth-migration breaking-change critical destructive-migration production-auth production-migration security-critical] []
    ");
}

#[test]
fn every_tag_triggers_its_row_and_no_other() {
    for row in SIGNALS {
        for tag in row.tags {
            assert_eq!(
                of_spec(&with_tags(&[tag])),
                [format!("{} {} {tag}", row.id, row.level)]
            );
        }
    }
    for tag in [
        "migrate",
        "secure",
        "authn",
        "ci/cd",
        "securit",
        "a-security",
        "docs",
        "research",
    ] {
        assert_eq!(of_spec(&with_tags(&[tag])), [""; 0], "{tag}");
    }
}

#[test]
fn every_folder_triggers_its_row_wherever_it_stands() {
    for row in SIGNALS {
        for dir in row.dirs {
            for path in [
                format!("{dir}/x"),
                format!("src/{dir}/deep/x.rs"),
                format!("src/{}/x", dir.to_uppercase()),
                (*dir).to_owned(),
            ] {
                let wanted = [format!("{} {} {path}", row.id, row.level)];
                assert_eq!(of_paths(&[&path]), wanted);
                assert_eq!(of_spec(&with_paths(&[&path])), wanted);
            }
        }
    }
    for path in [
        "authors/x",
        "src/auth.rs",
        "migrations2/x",
        "xauth/y",
        "docs/security.md",
        ".github/x",
        "workflows/.github/x",
        ".github/x/workflows/y",
        "deployment/x",
    ] {
        assert_eq!(of_paths(&[path]), [""; 0], "{path}");
    }
}

#[test]
fn a_declared_pattern_counts_by_its_components_without_wildcards() {
    for (pattern, triggers) in [
        ("src/auth/**", true),
        ("**/auth/*.rs", true),
        ("auth", true),
        ("./auth/", true),
        (":(glob)src/auth/*", true),
        (":(literal)auth/[x]", true),
        ("\\auth/x", true),
        ("**", false),
        ("src/**", false),
        ("a*th/x", false),
        ("[a]uth/x", false),
        (":!src/auth/**", false),
        ("authors/**", false),
    ] {
        let found = of_spec(&with_paths(&[pattern]));
        let wanted = triggers.then(|| format!("scope.authentication high {pattern}"));
        assert_eq!(found, Vec::from_iter(wanted), "{pattern}");
    }
}

#[test]
fn the_modes_that_are_signals() {
    assert_eq!(
        of_spec(&Spec::empty(Mode::Research)),
        ["mode.research low research"]
    );
    assert_eq!(
        of_spec(&Spec::empty(Mode::Hardening)),
        ["mode.hardening high hardening"]
    );
    for mode in [Mode::Direct, Mode::Feature, Mode::Bugfix, Mode::Refactor] {
        assert_eq!(of_spec(&Spec::empty(mode)), [""; 0], "{mode}");
    }
}

#[test]
fn data_that_is_touched_is_a_signal() {
    let with = |data_impact| {
        of_spec(&Spec {
            data_impact,
            ..Spec::empty(Mode::Feature)
        })
    };
    assert_eq!(with(DataImpact::None), [""; 0]);
    assert_eq!(with(DataImpact::Reads), [""; 0]);
    assert_eq!(with(DataImpact::Writes), ["data.impact medium writes"]);
    assert_eq!(
        with(DataImpact::Other("new table".into())),
        ["data.impact medium new table"]
    );
    assert_eq!(
        with(DataImpact::Migrates),
        ["scope.database-migration high migrates"]
    );
}

#[test]
fn the_teams_own_rules_are_a_critical_signal() {
    for path in [".rapid/policy.json", ".rapid", ".Rapid/x"] {
        assert_eq!(
            of_paths(&[path]),
            [format!("scope.governance critical {path}")]
        );
    }
    for pattern in [
        ".rapid/**",
        ".rapid/policy.json",
        "./.rapid",
        ".rapid/*.json",
    ] {
        assert_eq!(
            of_spec(&with_paths(&[pattern])),
            [format!("scope.governance critical {pattern}")]
        );
    }
    assert_eq!(
        of_paths(&["tests/fixtures/.rapid/policy.json", ".rapidly/x"]),
        [""; 0]
    );
    for pattern in ["**", ".", ":!.rapid/**", "docs/.rapid/**", ".*/**"] {
        assert_eq!(of_spec(&with_paths(&[pattern])), [""; 0], "{pattern}");
    }
}

#[test]
fn naming_the_rules_is_what_opens_them() {
    let policy = PolicyDocument::built_in();
    let protected = |spec: &Spec| -> Vec<String> {
        policy
            .protected_for(spec)
            .into_iter()
            .map(String::from)
            .collect()
    };
    assert_eq!(protected(&Spec::empty(Mode::Feature)), [".rapid/**"]);
    assert_eq!(protected(&with_paths(&["**"])), [".rapid/**"]);
    assert_eq!(protected(&with_paths(&[":!.rapid/x"])), [".rapid/**"]);
    assert_eq!(protected(&with_paths(&[".rapid/policy.json"])), [""; 0]);
}

#[test]
fn one_signal_per_row_in_table_order_with_the_first_source() {
    let spec = Spec {
        tags: vec![
            "auth".into(),
            "critical".into(),
            "jwt".into(),
            "schema".into(),
        ],
        data_impact: DataImpact::Migrates,
        ..with_paths(&["src/security/**", "auth/x"])
    };
    assert_eq!(
        of_spec(&spec),
        [
            "scope.database-migration high schema",
            "scope.security high src/security/**",
            "scope.authentication high auth",
            "scope.critical-impact critical critical",
        ]
    );
    assert_eq!(
        of_paths(&["b/auth/1", "a/auth/2"]),
        ["scope.authentication high b/auth/1"]
    );
}

#[test]
fn a_policy_adds_tags_and_folders() {
    let mut policy = PolicyDocument::built_in();
    policy
        .dirs
        .insert("scope.architecture".into(), vec!["src/core".into()]);
    policy
        .tags
        .insert("scope.security".into(), vec!["crypto".into()]);
    let path = RepoPath::new("lib/SRC/core/x.rs").unwrap();
    let found = signals_of_paths([&path], &policy);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].id.as_str(), found[0].level),
        ("scope.architecture", Risk::High)
    );
    assert_eq!(
        signals_of_spec(&with_tags(&["crypto"]), &policy)[0].id,
        "scope.security"
    );
    assert_eq!(
        signals_of_spec(&with_tags(&["crypto"]), &PolicyDocument::built_in()),
        vec![]
    );
}

#[test]
fn a_path_that_is_not_text_keeps_its_bytes() {
    let path = RepoPath::new(b"auth/\xff".as_slice()).unwrap();
    let found = signals_of_paths([&path], &PolicyDocument::built_in());
    assert_eq!(found[0].source.0, b"auth/\xff");
}
