//! Which gates there are, and what they ask.

use super::*;

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
