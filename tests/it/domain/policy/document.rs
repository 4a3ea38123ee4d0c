//! The resolver of modes and the built-in policy.

use super::*;

#[test]
fn the_resolver_takes_the_first_row_that_applies() {
    const YES: ChangeTraits = ChangeTraits {
        clear: true,
        bounded: true,
        reversible: true,
        checkable: true,
    };
    let ask = ModeQuestion {
        read_only: false,
        open_question: false,
        plan: false,
        risk: Risk::Low,
        change: YES,
    };
    let row = |ask: ModeQuestion| {
        let answer = resolve_mode(&ask);
        (answer.mode, answer.row)
    };
    assert_eq!(row(ask), (Some(Mode::Direct), "small"));
    assert_eq!(
        row(ModeQuestion {
            risk: Risk::Medium,
            ..ask
        }),
        (Some(Mode::Direct), "small")
    );
    for change in [
        ChangeTraits {
            clear: false,
            ..YES
        },
        ChangeTraits {
            bounded: false,
            ..YES
        },
        ChangeTraits {
            reversible: false,
            ..YES
        },
        ChangeTraits {
            checkable: false,
            ..YES
        },
    ] {
        assert_eq!(
            row(ModeQuestion { change, ..ask }),
            (Some(Mode::Feature), "otherwise")
        );
    }
    for risk in [Risk::High, Risk::Critical] {
        assert_eq!(
            row(ModeQuestion { risk, ..ask }),
            (Some(Mode::Feature), "risk")
        );
    }
    let plan = ModeQuestion {
        plan: true,
        risk: Risk::High,
        ..ask
    };
    assert_eq!(row(plan), (Some(Mode::Feature), "plan"));
    let open = ModeQuestion {
        open_question: true,
        ..plan
    };
    assert_eq!(row(open), (None, "open_question"));
    assert_eq!(
        row(ModeQuestion {
            read_only: true,
            ..open
        }),
        (Some(Mode::Research), "read_only")
    );
}

#[test]
fn the_built_in_policy_writes_every_key_out() {
    let policy = PolicyDocument::built_in();
    let bytes = policy.to_bytes();
    assert_eq!(
        canonical::from_canonical::<PolicyDocument>(&bytes).unwrap(),
        policy
    );
    let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let keys: Vec<_> = value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        keys,
        [
            "acceptance_links",
            "adopt_from",
            "amend",
            "approvals",
            "checks",
            "clean_from",
            "commit",
            "commit_snapshot_from",
            "commits_verified",
            "direct",
            "dirs",
            "exempt",
            "extra_gates",
            "generated",
            "min_enforce",
            "min_guard",
            "minimum_classification",
            "minimum_risk",
            "protected_paths",
            "require_run",
            "retain",
            "schema_version",
            "server",
            "signed",
            "tags",
            "test_paths",
            "waivable",
            "witness",
            "workspace",
        ]
    );
    assert_eq!(value["commit"], "tree");
    assert_eq!(value["clean_from"], serde_json::Value::Null);
    assert_eq!(
        value["direct"],
        serde_json::json!({"files": 5, "lines": 200})
    );
    assert_eq!(value["protected_paths"], serde_json::json!([".rapid/**"]));
    assert_eq!(policy.digest(), PolicyDocument::built_in().digest());
}

#[test]
fn where_tests_and_lock_files_lie() {
    let policy = PolicyDocument::built_in();
    let path = |name: &str| RepoPath::new(name).unwrap();
    let tests = Matcher::new(&policy.test_paths);
    for name in [
        "test/a",
        "tests/it/main.rs",
        "pkg/spec/x.rb",
        "src/__tests__/a.js",
        "a_test.go",
        "pkg/a_test.go",
        "test_a.py",
        "pkg/test_a.py",
        "a.test.ts",
        "x/a.spec.ts",
        "src/tests.rs",
        "test",
        "x/tests",
    ] {
        assert!(tests.admits(&path(name)), "{name}");
    }
    for name in [
        "src/main.rs",
        "testing/a",
        "latest/a",
        "contest.py",
        "src/spectrum.rs",
        "attest_a",
    ] {
        assert!(!tests.admits(&path(name)), "{name}");
    }
    let generated = Matcher::new(&policy.generated);
    for name in [
        "Cargo.lock",
        "sub/Cargo.lock",
        "package-lock.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "poetry.lock",
        "uv.lock",
        "Pipfile.lock",
        "go.sum",
        "Gemfile.lock",
        "composer.lock",
    ] {
        assert!(generated.admits(&path(name)), "{name}");
    }
    for name in [
        "Cargo.toml",
        "package.json",
        "lock",
        "src/lock.rs",
        "cargo.lock",
    ] {
        assert!(!generated.admits(&path(name)), "{name}");
    }
}
