//! The signal table: what makes a change riskier.
//!
//! Asked twice: of the spec when a run starts, and of the paths that were really
//! changed when it is judged. What follows from a signal does not belong here.

use super::PolicyDocument;
use crate::domain::{
    bytes::ByteText,
    contract::Signal,
    path::RepoPath,
    scope::Pattern,
    spec::{DataImpact, Spec},
    vocabulary::{Mode, Risk},
};
use std::collections::BTreeMap;

/// One row of the signal table.
#[derive(Debug)]
pub struct SignalRow {
    /// Its name.
    pub id: &'static str,
    /// The risk it raises to.
    pub level: Risk,
    /// Tags that trigger it, exactly.
    pub tags: &'static [&'static str],
    /// Folders that trigger it: any path component (or run of components), without case.
    pub dirs: &'static [&'static str],
}

/// Every signal, as RULES "Policy" lists them. Those without tags and dirs have a trigger
/// of their own: the mode, the data impact, the folder `.rapid` in the root.
pub const SIGNALS: &[SignalRow] = &[
    SignalRow {
        id: "mode.research",
        level: Risk::Low,
        tags: &[],
        dirs: &[],
    },
    SignalRow {
        id: "mode.hardening",
        level: Risk::High,
        tags: &[],
        dirs: &[],
    },
    SignalRow {
        id: "scope.database-migration",
        level: Risk::High,
        tags: &[
            "migration",
            "migrations",
            "database-migration",
            "database-schema",
            "schema",
            "db-migration",
        ],
        dirs: &["migrations", "alembic", "prisma"],
    },
    SignalRow {
        id: "scope.infrastructure",
        level: Risk::High,
        tags: &[
            "infra",
            "infrastructure",
            "deployment",
            "terraform",
            "docker",
            "k8s",
            "kubernetes",
        ],
        dirs: &["infra", "terraform", "deploy"],
    },
    SignalRow {
        id: "scope.security",
        level: Risk::High,
        tags: &[
            "security",
            "owasp",
            "encryption",
            "secrets",
            "vulnerability",
        ],
        dirs: &["security"],
    },
    SignalRow {
        id: "scope.authentication",
        level: Risk::High,
        tags: &[
            "auth",
            "authentication",
            "authorization",
            "oauth",
            "jwt",
            "rbac",
            "sso",
        ],
        dirs: &["auth"],
    },
    SignalRow {
        id: "scope.ci",
        level: Risk::High,
        tags: &["ci", "cd", "ci-cd", "github-actions", "pipeline"],
        // The file is what GitLab reads; the folder holds what it includes.
        dirs: &[".github/workflows", ".gitlab-ci", ".gitlab-ci.yml"],
    },
    SignalRow {
        id: "scope.architecture",
        level: Risk::High,
        tags: &["architecture", "architectural", "core-architecture"],
        dirs: &[],
    },
    SignalRow {
        id: "scope.governance",
        level: Risk::Critical,
        tags: &[],
        dirs: &[],
    },
    SignalRow {
        id: "data.impact",
        level: Risk::Medium,
        tags: &[],
        dirs: &[],
    },
    SignalRow {
        id: "scope.critical-impact",
        level: Risk::Critical,
        tags: &[
            "auth-migration",
            "breaking-change",
            "critical",
            "destructive-migration",
            "production-auth",
            "production-migration",
            "security-critical",
        ],
        dirs: &[],
    },
];

/// The folder of a team's own rules.
const GOVERNANCE: &str = ".rapid";

/// The signals of a spec: mode, tags, declared paths, data impact; in table order, unique by id.
///
/// A declared pattern counts by its components without wildcards; an excluding one does not.
pub fn signals_of_spec(spec: &Spec, policy: &PolicyDocument) -> Vec<Signal> {
    let declared: Vec<(&Pattern, Vec<String>)> = spec
        .affected_paths
        .iter()
        .flatten()
        .filter(|pattern| !pattern.is_exclude())
        .map(|pattern| {
            let parts = pattern.literal_components();
            (pattern, parts.map(|part| part.into_owned()).collect())
        })
        .collect();
    collect(|row| {
        let by_tag = spec.tags.iter().find(|tag| {
            row.tags.contains(&tag.as_str()) || more(&policy.tags, row).any(|more| more == *tag)
        });
        let by_path = || {
            declared.iter().find(|(_, parts)| {
                let parts: Vec<_> = parts.iter().map(String::as_bytes).collect();
                lies_in_any(row, policy, &parts)
            })
        };
        by_tag
            .map(|tag| tag.as_str().into())
            .or_else(|| by_path().map(|(pattern, _)| pattern.as_str().into()))
            .or_else(|| by_value(row, spec))
    })
}

/// The signals of paths that were really changed, in table order, unique by id; the source
/// is the first path that triggers one.
pub fn signals_of_paths<'a>(
    paths: impl IntoIterator<Item = &'a RepoPath>,
    policy: &PolicyDocument,
) -> Vec<Signal> {
    let paths: Vec<_> = paths
        .into_iter()
        .map(|path| (path, path.components().collect::<Vec<_>>()))
        .collect();
    collect(|row| {
        paths
            .iter()
            .find(|(_, parts)| {
                let governed = row.id == "scope.governance"
                    && parts[0].eq_ignore_ascii_case(GOVERNANCE.as_bytes());
                governed || lies_in_any(row, policy, parts)
            })
            .map(|(path, _)| ByteText(path.as_bytes().to_vec()))
    })
}

/// The declared pattern that names the team's own rules, if any. `**` does not name them.
pub(super) fn names_governance(spec: &Spec) -> Option<&Pattern> {
    let mut declared = spec.affected_paths.iter().flatten();
    declared.find(|pattern| !pattern.is_exclude() && pattern.begins_in(GOVERNANCE))
}

fn collect(source: impl Fn(&SignalRow) -> Option<ByteText>) -> Vec<Signal> {
    SIGNALS
        .iter()
        .filter_map(|row| {
            Some(Signal {
                id: row.id.to_owned(),
                level: row.level,
                source: source(row)?,
            })
        })
        .collect()
}

/// The triggers that are neither tag nor folder.
fn by_value(row: &SignalRow, spec: &Spec) -> Option<ByteText> {
    match (row.id, &spec.data_impact) {
        ("mode.research", _) if spec.mode == Mode::Research => Some(spec.mode.as_str().into()),
        ("mode.hardening", _) if spec.mode == Mode::Hardening => Some(spec.mode.as_str().into()),
        ("scope.database-migration", DataImpact::Migrates) => Some("migrates".into()),
        ("data.impact", DataImpact::Writes) => Some("writes".into()),
        ("data.impact", DataImpact::Other(text)) => Some(text.as_str().into()),
        ("scope.governance", _) => names_governance(spec).map(|pattern| pattern.as_str().into()),
        _ => None,
    }
}

/// What the policy adds to a row.
fn more<'p>(
    lists: &'p BTreeMap<String, Vec<String>>,
    row: &SignalRow,
) -> impl Iterator<Item = &'p String> {
    lists.get(row.id).into_iter().flatten()
}

fn lies_in_any(row: &SignalRow, policy: &PolicyDocument, parts: &[&[u8]]) -> bool {
    let own = row.dirs.iter().copied();
    let added = more(&policy.dirs, row).map(String::as_str);
    own.chain(added).any(|dir| lies_in(parts, dir))
}

/// Whether the components of `dir` stand somewhere in `parts`, one after the other.
fn lies_in(parts: &[&[u8]], dir: &str) -> bool {
    let dir: Vec<_> = dir.split('/').filter(|part| !part.is_empty()).collect();
    !dir.is_empty()
        && parts.windows(dir.len()).any(|window| {
            let pairs = window.iter().zip(&dir);
            pairs
                .into_iter()
                .all(|(part, want)| part.eq_ignore_ascii_case(want.as_bytes()))
        })
}
