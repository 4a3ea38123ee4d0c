//! Class, risk, workspace and capabilities.

use super::*;

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
