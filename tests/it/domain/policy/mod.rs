//! Class, risk, gates and capabilities; the built-in policy; the resolver.

mod class;
mod document;
mod gates;

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
                observed: &[],
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
