//! Walking a stream's commits: stream parents only, seals left aside.

use super::{Error, Ledger, record_file::RECORDS, record_file::RecordName};
use crate::{
    domain::oid::{CommitId, TreeId},
    git::{CommitData, EntryKind},
};
use std::collections::{HashMap, HashSet};

/// A commit of a stream, its parents told apart.
#[derive(Clone, Debug)]
pub(super) struct StreamCommit {
    /// Which.
    pub(super) id: CommitId,
    /// What it says.
    pub(super) data: CommitData,
    /// Parents whose tree holds the same first record.
    pub(super) stream_parents: Vec<CommitId>,
    /// Parents that cannot be read, and why: nobody can say what they are.
    pub(super) unreadable: Vec<(CommitId, String)>,
}

impl Ledger<'_> {
    /// The stream's commits up to `tip`, parents before children.
    pub(super) fn walk(
        &self,
        tip: CommitId,
        first: &RecordName,
    ) -> Result<Vec<StreamCommit>, Error> {
        enum Step {
            Enter(CommitId),
            Leave(StreamCommit),
        }
        let mut holds: HashMap<CommitId, Result<bool, String>> = HashMap::new();
        let mut entered: HashSet<CommitId> = HashSet::new();
        let mut todo = vec![Step::Enter(tip)];
        let mut done = Vec::new();
        while let Some(step) = todo.pop() {
            let id = match step {
                Step::Leave(commit) => {
                    done.push(commit);
                    continue;
                }
                Step::Enter(id) => id,
            };
            if !entered.insert(id) {
                continue;
            }
            let data = self.repo.read_commit(id)?;
            let mut stream_parents = Vec::new();
            let mut unreadable = Vec::new();
            for parent in &data.parents {
                let same = holds.entry(*parent).or_insert_with(|| {
                    self.first_record(*parent)
                        .map(|found| found.as_ref() == Some(first))
                        .map_err(|error| error.to_string())
                });
                match same {
                    Ok(true) => stream_parents.push(*parent),
                    Ok(false) => {}
                    Err(why) => unreadable.push((*parent, why.clone())),
                }
            }
            let parents = stream_parents.clone();
            todo.push(Step::Leave(StreamCommit {
                id,
                data,
                stream_parents,
                unreadable,
            }));
            todo.extend(parents.into_iter().rev().map(Step::Enter));
        }
        Ok(done)
    }

    /// The name of the first record in a commit's tree; `None` when there is none, or two.
    pub(super) fn first_record(&self, commit: CommitId) -> Result<Option<RecordName>, Error> {
        self.first_record_of(self.repo.read_commit(commit)?.tree)
    }

    /// The name of the first record in a tree; `None` when there is none, or two.
    pub(super) fn first_record_of(&self, tree: TreeId) -> Result<Option<RecordName>, Error> {
        let folder = format!("{RECORDS}/0000");
        let Some(entry) = self.repo.entry_at(tree, folder.as_bytes())? else {
            return Ok(None);
        };
        if entry.kind != EntryKind::Tree {
            return Ok(None);
        }
        let mut firsts = self
            .repo
            .read_tree(TreeId(entry.oid))?
            .into_iter()
            .filter_map(|file| RecordName::parse(&[folder.as_bytes(), &file.name].join(&b'/')))
            .filter(|name| name.seq == 1);
        Ok(match (firsts.next(), firsts.next()) {
            (Some(name), None) => Some(name),
            _ => None,
        })
    }
}
