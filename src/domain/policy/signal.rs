//! The signal table: what makes a change riskier.

use super::PolicyDocument;
use crate::domain::{contract::Signal, path::RepoPath, spec::Spec, vocabulary::Risk};

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

/// Every signal that tags and paths can trigger, as RULES "Policy" lists them.
pub const SIGNALS: &[SignalRow] = &[];

/// The signals of a spec: mode, tags, declared paths, data impact; in table order, unique by id.
pub fn signals_of_spec(spec: &Spec, policy: &PolicyDocument) -> Vec<Signal> {
    let _ = (spec, policy);
    todo!()
}

/// The signals of paths that were really changed.
pub fn signals_of_paths<'a>(
    paths: impl IntoIterator<Item = &'a RepoPath>,
    policy: &PolicyDocument,
) -> Vec<Signal> {
    let _ = (paths.into_iter(), policy);
    todo!()
}
