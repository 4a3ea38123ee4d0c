//! Names of streams and the refs they stand for.

use crate::domain::id::{RunId, SpecId, WriterId};

/// A stream of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StreamName {
    /// `refs/rapid/specs/<spec-id>`
    Spec(SpecId),
    /// `refs/rapid/runs/<run-id>`
    Run(RunId),
    /// `refs/rapid/journal/<writer-id>`
    Journal(WriterId),
}

impl StreamName {
    /// The ref's full name.
    pub fn ref_name(&self) -> String {
        match self {
            Self::Spec(id) => format!("refs/rapid/specs/{id}"),
            Self::Run(id) => format!("refs/rapid/runs/{id}"),
            Self::Journal(id) => format!("refs/rapid/journal/{id}"),
        }
    }

    /// The stream of a full ref name, if it is one.
    pub fn from_ref(name: &str) -> Option<Self> {
        let rest = name.strip_prefix("refs/rapid/")?;
        let (kind, id) = rest.split_once('/')?;
        match kind {
            "specs" => id.parse().ok().map(Self::Spec),
            "runs" => id.parse().ok().map(Self::Run),
            "journal" => id.parse().ok().map(Self::Journal),
            _ => None,
        }
    }
}
