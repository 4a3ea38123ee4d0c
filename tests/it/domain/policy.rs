//! Class, risk, gates and capabilities; the built-in policy; the resolver.

use git_rapid::domain::{
    canonical,
    contract::NamedCheck,
    gate::CATALOGUE,
    path::RepoPath,
    policy::{Decision, ModeQuestion, NotEligible, PolicyDocument, Request, decide, resolve_mode},
    scope::Matcher,
    spec::{ChangeTraits, DataImpact, Spec},
    vocabulary::{Classification, Mode, Risk, Tier, Workspace},
};

fn checks() -> Vec<NamedCheck> {
    vec![NamedCheck {
        name: "test".into(),
        argv: vec!["cargo".into(), "test".into()],
        cwd: RepoPath::root(),
        paths: Vec::new(),
        tier: Tier::Both,
        timeout: None,
        report: None,
        source: "Cargo.toml".into(),
    }]
}

/// What a test varies.
struct Case {
    spec: Spec,
    policy: PolicyDocument,
    checks: Vec<NamedCheck>,
    risk: Option<Risk>,
    base_is_empty: bool,
    has_architecture: bool,
}

fn case(mode: Mode) -> Case {
    Case {
        spec: Spec::empty(mode),
        policy: PolicyDocument::built_in(),
        checks: checks(),
        risk: None,
        base_is_empty: false,
        has_architecture: false,
    }
}

impl Case {
    fn tags(mut self, tags: &[&str]) -> Self {
        self.spec.tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
        self
    }

    fn risk(mut self, risk: Risk) -> Self {
        self.risk = Some(risk);
        self
    }

    fn decide(&self) -> Result<Decision, NotEligible> {
        decide(
            &self.spec,
            &Request {
                risk: self.risk,
                checks: &self.checks,
                base_is_empty: self.base_is_empty,
                has_architecture: self.has_architecture,
                policy: &self.policy,
            },
        )
    }

    fn decided(&self) -> Decision {
        self.decide().unwrap()
    }

    fn gates(&self) -> Vec<String> {
        let gates = self.decided().gates;
        gates
            .iter()
            .map(|gate| gate.id.as_str()["gate.".len()..].to_owned())
            .collect()
    }
}

#[test]
fn class_base_risk_and_workspace_by_mode() {
    use {Classification as C, Risk as R, Workspace as W};
    for (mode, tags, class, risk, workspace) in [
        (Mode::Direct, &[][..], C::Direct, R::Low, W::Current),
        (Mode::Research, &[], C::Spike, R::Low, W::Current),
        (Mode::Feature, &[], C::Bounded, R::Medium, W::Current),
        (Mode::Bugfix, &[], C::Bounded, R::Medium, W::Current),
        (Mode::Refactor, &[], C::Bounded, R::Medium, W::Current),
        (Mode::Hardening, &[], C::Architectural, R::High, W::Isolated),
        (
            Mode::Feature,
            &["security"],
            C::Architectural,
            R::High,
            W::Isolated,
        ),
        (
            Mode::Bugfix,
            &["ci"],
            C::Architectural,
            R::High,
            W::Isolated,
        ),
        (
            Mode::Refactor,
            &["auth"],
            C::Architectural,
            R::High,
            W::Isolated,
        ),
        (
            Mode::Research,
            &["infra"],
            C::Architectural,
            R::High,
            W::Isolated,
        ),
        (
            Mode::Feature,
            &["critical"],
            C::Architectural,
            R::Critical,
            W::Isolated,
        ),
        (
            Mode::Hardening,
            &["breaking-change"],
            C::Architectural,
            R::Critical,
            W::Isolated,
        ),
    ] {
        let found = case(mode).tags(tags).decided();
        assert_eq!(
            (found.class, found.risk, found.workspace),
            (class, risk, workspace),
            "{mode} {tags:?}"
        );
    }
}

#[test]
fn a_medium_signal_raises_the_risk_and_not_the_class() {
    let mut writes = case(Mode::Research);
    writes.spec.data_impact = DataImpact::Writes;
    let found = writes.decided();
    assert_eq!(
        (found.class, found.risk),
        (Classification::Spike, Risk::Medium)
    );
    assert_eq!(
        found.reasons,
        [
            "mode.research",
            "signal.mode.research",
            "signal.data.impact"
        ]
    );
}

#[test]
fn a_request_raises_and_never_lowers() {
    let found = case(Mode::Feature).risk(Risk::High).decided();
    assert_eq!(
        (found.class, found.risk, found.workspace),
        (Classification::Bounded, Risk::High, Workspace::Isolated)
    );
    assert_eq!(found.reasons, ["mode.feature", "request.risk"]);
    assert_eq!(
        case(Mode::Feature).risk(Risk::Medium).decided().reasons,
        ["mode.feature"]
    );
    for (asked, tags, found) in [
        (Risk::Low, &[][..], Risk::Medium),
        (Risk::Medium, &["auth"], Risk::High),
        (Risk::High, &["critical"], Risk::Critical),
    ] {
        assert_eq!(
            case(Mode::Feature).tags(tags).risk(asked).decide(),
            Err(NotEligible::Downgrade { asked, found })
        );
    }
}

#[test]
fn a_policy_raises_and_a_request_below_it_is_a_downgrade() {
    let mut strict = case(Mode::Feature);
    strict.policy.minimum_risk = Risk::High;
    strict.policy.minimum_classification = Some(Classification::Architectural);
    let found = strict.decided();
    assert_eq!(
        (found.class, found.risk),
        (Classification::Architectural, Risk::High)
    );
    assert_eq!(
        found.reasons,
        ["mode.feature", "policy.minimum_classification"]
    );
    strict.policy.minimum_classification = Some(Classification::Direct);
    assert_eq!(
        strict.decided().reasons,
        ["mode.feature", "policy.minimum_risk"]
    );
    assert_eq!(
        strict.risk(Risk::Medium).decide(),
        Err(NotEligible::Downgrade {
            asked: Risk::Medium,
            found: Risk::High
        })
    );
    let mut spike = case(Mode::Research);
    spike.policy.minimum_classification = Some(Classification::Bounded);
    let found = spike.decided();
    assert_eq!(
        (found.class, found.risk),
        (Classification::Bounded, Risk::Medium)
    );
}

#[test]
fn direct_wants_a_small_and_clear_change() {
    assert!(case(Mode::Direct).decide().is_ok());
    assert!(case(Mode::Direct).risk(Risk::Low).decide().is_ok());
    let lacks = |case: &Case| match case.decide() {
        Err(NotEligible::Direct(words)) => words.join(" "),
        other => panic!("{other:?}"),
    };
    let change = |change: fn(&mut ChangeTraits)| {
        let mut case = case(Mode::Direct);
        change(&mut case.spec.change);
        lacks(&case)
    };
    assert_eq!(change(|change| change.clear = false), "change.clear");
    assert_eq!(change(|change| change.bounded = false), "change.bounded");
    assert_eq!(
        change(|change| change.reversible = false),
        "change.reversible"
    );
    assert_eq!(
        change(|change| change.checkable = false),
        "change.checkable"
    );
    assert_eq!(
        lacks(&case(Mode::Direct).tags(&["auth"])),
        "signal.scope.authentication"
    );
    assert_eq!(
        lacks(&case(Mode::Direct).risk(Risk::Medium)),
        "request.risk"
    );
    let mut writes = case(Mode::Direct);
    writes.spec.data_impact = DataImpact::Writes;
    assert_eq!(lacks(&writes), "signal.data.impact");
    let mut strict = case(Mode::Direct);
    strict.policy.minimum_risk = Risk::Medium;
    strict.policy.minimum_classification = Some(Classification::Bounded);
    strict.spec.change.clear = false;
    assert_eq!(
        lacks(&strict),
        "change.clear policy.minimum_classification policy.minimum_risk"
    );
}

#[test]
fn a_test_gate_without_a_check_cannot_be_closed() {
    for mode in [
        Mode::Direct,
        Mode::Feature,
        Mode::Bugfix,
        Mode::Refactor,
        Mode::Hardening,
    ] {
        let mut case = case(mode);
        case.checks.clear();
        assert_eq!(case.decide(), Err(NotEligible::NoCheck), "{mode}");
    }
    let mut research = case(Mode::Research);
    research.checks.clear();
    assert!(research.decide().is_ok());
    assert_eq!(research.tags(&["auth"]).decide(), Err(NotEligible::NoCheck));
}

#[test]
fn gates_by_class_and_risk() {
    assert_eq!(case(Mode::Direct).gates(), ["tests"]);
    assert_eq!(case(Mode::Research).gates(), ["final-verification"]);
    for mode in [Mode::Feature, Mode::Bugfix, Mode::Refactor] {
        assert_eq!(
            case(mode).gates(),
            ["baseline", "tests", "final-verification"]
        );
    }
    assert_eq!(
        case(Mode::Hardening).gates(),
        [
            "workspace-isolation",
            "baseline",
            "tests",
            "review",
            "final-verification",
        ]
    );
    assert_eq!(
        case(Mode::Feature).tags(&["critical"]).gates(),
        [
            "workspace-isolation",
            "baseline",
            "manual-approval",
            "tests",
            "review",
            "final-verification",
        ]
    );
    assert_eq!(
        case(Mode::Research).risk(Risk::Medium).gates(),
        ["baseline", "final-verification"]
    );
}

#[test]
fn gates_by_signal() {
    let has = |tag: &str, gate: &str| {
        case(Mode::Feature)
            .tags(&[tag])
            .gates()
            .contains(&gate.to_owned())
    };
    assert!(has("security", "security-review"));
    assert!(has("auth", "security-review"));
    assert!(has("migrations", "migration-review"));
    assert!(!has("ci", "security-review"));
    assert!(!has("security", "migration-review"));
    assert!(!has("migrations", "security-review"));
    let mut migrates = case(Mode::Feature);
    migrates.spec.data_impact = DataImpact::Migrates;
    assert!(migrates.gates().contains(&"migration-review".to_owned()));
}

#[test]
fn no_baseline_where_there_is_nothing_to_measure() {
    let mut empty = case(Mode::Feature);
    empty.base_is_empty = true;
    assert_eq!(empty.gates(), ["tests", "final-verification"]);
    assert_eq!(empty.decided().reasons, ["mode.feature", "base.empty"]);
    let mut unchecked = case(Mode::Research).risk(Risk::Medium);
    unchecked.checks.clear();
    assert_eq!(unchecked.gates(), ["final-verification"]);
    assert!(
        unchecked
            .decided()
            .reasons
            .contains(&"checks.none".to_owned())
    );
    let mut direct = case(Mode::Direct);
    direct.base_is_empty = true;
    assert_eq!(
        direct.decided().reasons,
        ["mode.direct"],
        "direct has no baseline anyway"
    );
}

#[test]
fn the_architecture_gate_needs_its_file_and_a_mode_that_builds() {
    for mode in Mode::ALL {
        let mut case = case(*mode);
        assert!(!case.gates().contains(&"architecture".to_owned()));
        case.has_architecture = true;
        let wanted = matches!(mode, Mode::Feature | Mode::Bugfix | Mode::Refactor);
        assert_eq!(
            case.gates().contains(&"architecture".to_owned()),
            wanted,
            "{mode}"
        );
    }
}

#[test]
fn gates_keep_the_order_and_the_columns_of_the_catalogue() {
    let mut all = case(Mode::Feature).tags(&["security", "schema"]);
    all.has_architecture = true;
    all.policy.extra_gates = vec!["gate.manual-approval".parse().unwrap()];
    let gates = all.decided().gates;
    assert_eq!(gates.len(), CATALOGUE.len());
    for (gate, row) in gates.iter().zip(CATALOGUE) {
        assert_eq!(gate.id.as_str(), row.id);
        assert_eq!(
            (gate.kind, gate.phase, gate.human),
            (row.kind, row.phase, row.human)
        );
        assert_eq!(gate.waivable, row.waivable, "{}", row.id);
    }
    assert!(
        all.decided()
            .reasons
            .contains(&"policy.extra_gates.gate.manual-approval".to_owned())
    );
}

#[test]
fn nothing_can_be_waived_at_critical_risk_or_against_the_policy() {
    let waivable = |case: &Case| -> Vec<String> {
        let gates = case.decided().gates;
        gates
            .iter()
            .filter(|gate| gate.waivable)
            .map(|gate| gate.id.to_string())
            .collect()
    };
    assert_eq!(
        waivable(&case(Mode::Hardening)),
        ["gate.baseline", "gate.tests", "gate.review"]
    );
    assert_eq!(waivable(&case(Mode::Feature).tags(&["critical"])), [""; 0]);
    let mut strict = case(Mode::Hardening);
    strict.policy.waivable = vec![
        "gate.review".parse().unwrap(),
        "gate.final-verification".parse().unwrap(),
    ];
    assert_eq!(
        waivable(&strict),
        ["gate.review"],
        "a policy cannot make a gate waivable"
    );
}

#[test]
fn capabilities_follow_mode_workspace_and_gates() {
    let of = |case: Case| case.decided().capabilities.join(" ");
    assert_eq!(
        of(case(Mode::Feature)),
        "context.consume repository.read repository.write tests.execute workspace.current"
    );
    assert_eq!(
        of(case(Mode::Research)),
        "context.consume repository.read workspace.current"
    );
    assert_eq!(
        of(case(Mode::Hardening)),
        "context.consume repository.read repository.write tests.execute workspace.isolated"
    );
    assert_eq!(
        of(case(Mode::Research).tags(&["auth"])),
        "context.consume repository.read tests.execute workspace.isolated"
    );
}

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
