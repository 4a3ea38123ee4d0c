//! Trees, paths, checks, and the contract that the built-in policy makes of each mode.

use git_rapid::domain::{
    bytes::ByteText,
    contract::{Base, Contract, Criterion, Gate, NamedCheck, PolicyRef, Scope, SpecRef, Task},
    digest::Digest,
    evaluate::{CommitFact, PathFact},
    gate::GateKind,
    id::{AcceptanceId, TaskId},
    oid::{CommitId, Oid, TreeId},
    path::RepoPath,
    scope::Pattern,
    vocabulary::{Change, Classification, Mode, Risk, Tier, Workspace},
};

/// The snapshot at the start.
pub const START: TreeId = tree(1);
/// A tree with the bug shown.
pub const SHOWN: TreeId = tree(2);
/// Some earlier state of the work.
pub const EARLIER: TreeId = tree(3);
/// The judged tree.
pub const WORK: TreeId = tree(9);

pub const fn tree(number: u8) -> TreeId {
    TreeId(Oid::Sha1([number; 20]))
}

pub fn commit(number: u8, parents: &[u8], tree: TreeId) -> CommitFact {
    CommitFact {
        commit: CommitId(Oid::Sha1([number; 20])),
        parents: parents
            .iter()
            .map(|one| CommitId(Oid::Sha1([*one; 20])))
            .collect(),
        tree,
    }
}

pub fn words(text: &str) -> Vec<ByteText> {
    text.split(' ').map(ByteText::from).collect()
}

pub fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

pub fn patterns(texts: &[&str]) -> Vec<Pattern> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

pub fn changed(text: &str, change: Change, added: u64, deleted: u64) -> PathFact {
    PathFact {
        path: path(text),
        change,
        added: Some(added),
        deleted: Some(deleted),
    }
}

pub fn named(name: &str, command: &str) -> NamedCheck {
    NamedCheck {
        name: name.to_owned(),
        argv: words(command),
        cwd: RepoPath::root(),
        paths: Vec::new(),
        tier: Tier::Both,
        timeout: None,
        report: None,
        source: "policy".to_owned(),
    }
}

pub fn task(number: usize) -> Task {
    Task {
        id: TaskId::at(number),
        description: "Do it".to_owned(),
        paths: Vec::new(),
        checks: Vec::new(),
        after: Vec::new(),
        minutes: None,
        attempts: None,
    }
}

pub fn criterion(number: usize, check: Option<&str>) -> Criterion {
    Criterion {
        id: AcceptanceId::at(number),
        text: "It works".to_owned(),
        check: check.map(words),
    }
}

pub fn gate(kind: GateKind, risk: Risk) -> Gate {
    let row = kind.row();
    Gate {
        id: kind.gate_id(),
        kind,
        phase: row.phase,
        human: row.human,
        waivable: row.waivable && risk < Risk::Critical,
    }
}

/// The contract of a mode as the built-in policy makes it: one task, one criterion, one check.
pub fn contract(mode: Mode) -> Contract {
    use GateKind::{
        BaselineCheck, FinalVerification, ImplementationTests, PeerReview, WorkspaceIsolation,
    };
    let (class, risk, kinds): (_, _, &[GateKind]) = match mode {
        Mode::Direct => (Classification::Direct, Risk::Low, &[ImplementationTests]),
        Mode::Research => (Classification::Spike, Risk::Low, &[FinalVerification]),
        Mode::Hardening => (
            Classification::Architectural,
            Risk::High,
            &[
                WorkspaceIsolation,
                BaselineCheck,
                ImplementationTests,
                PeerReview,
                FinalVerification,
            ],
        ),
        Mode::Feature | Mode::Bugfix | Mode::Refactor => (
            Classification::Bounded,
            Risk::Medium,
            &[BaselineCheck, ImplementationTests, FinalVerification],
        ),
    };
    let workspace = if risk >= Risk::High {
        Workspace::Isolated
    } else {
        Workspace::Current
    };
    let mut capabilities = vec!["context.consume", "repository.read"];
    if mode != Mode::Research {
        capabilities.extend(["repository.write", "tests.execute"]);
    }
    capabilities.push(match workspace {
        Workspace::Current => "workspace.current",
        Workspace::Isolated => "workspace.isolated",
    });
    Contract {
        mode,
        class,
        risk,
        signals: Vec::new(),
        reasons: Vec::new(),
        workspace,
        spec: SpecRef {
            stream: Digest::of(b"spec stream"),
            record: Digest::of(b"spec record"),
            id: "do-it".parse().unwrap(),
            revision: 1,
        },
        acceptance_digest: Digest::of(b"spec"),
        base: Base {
            commit: Some(CommitId(Oid::Sha1([7; 20]))),
            tree: START,
            start_tree: START,
        },
        bystanders: Vec::new(),
        target: None,
        scope: Scope {
            patterns: Some(match mode {
                Mode::Research => Vec::new(),
                _ => patterns(&["src/**", "tests/**"]),
            }),
            protected: patterns(&[".rapid/**"]),
        },
        tasks: vec![task(1)],
        acceptance: vec![criterion(1, None)],
        gates: kinds.iter().map(|kind| gate(*kind, risk)).collect(),
        capabilities: capabilities.into_iter().map(str::to_owned).collect(),
        checks: if mode == Mode::Research {
            Vec::new()
        } else {
            vec![named("test", "cargo test")]
        },
        policy: PolicyRef {
            source: "built-in".to_owned(),
            digest: Digest::of(b"policy"),
        },
        harness: None,
        author: None,
        predecessor: None,
        ruleset_version: 3,
    }
}
