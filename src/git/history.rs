//! Commits and how they descend from each other.
//!
//! A commit at the edge of a shallow clone counts as one without parents, as for git; any
//! other parent that is not here is an error, because an answer without it could be wrong.
//! A commit's date steers the order of a walk; see [`DATE_SLACK`] for the one place where
//! it also ends one.

use super::{Error, Repository, commit::parse, object::from_gix};
use crate::domain::oid::{CommitId, TreeId};
use gix::objs::Kind;
use std::{
    collections::{BinaryHeap, HashMap, HashSet},
    rc::Rc,
};

/// Reachable from the first commit.
const ONE: u8 = 1;
/// Reachable from one of the others.
const OTHER: u8 = 2;
/// Below a commit that both reach.
const STALE: u8 = 4;

/// By how many seconds clocks of committers may be apart before [`Repository::commits_between`]
/// could take a hidden commit for a new one. Git looks five commits further and has
/// the same limit without a commit-graph.
const DATE_SLACK: i64 = 24 * 60 * 60;

impl Repository {
    /// Whether `ancestor` is `commit` or one of its ancestors.
    pub fn is_ancestor(&self, ancestor: CommitId, commit: CommitId) -> Result<bool, Error> {
        Walk::new(self)?.is_ancestor(ancestor, commit)
    }

    /// The best common ancestors, as `git merge-base --all`; sorted.
    pub fn merge_bases(&self, one: CommitId, other: CommitId) -> Result<Vec<CommitId>, Error> {
        let mut walk = Walk::new(self)?;
        let marks = walk.paint(one, &[other], false)?;
        let common: Vec<_> = marks
            .iter()
            .filter(|(_, mark)| **mark == ONE | OTHER)
            .map(|(commit, _)| *commit)
            .collect();
        let mut best = Vec::new();
        for &commit in &common {
            let mut redundant = false;
            for &by in common.iter().filter(|by| **by != commit) {
                redundant = redundant || walk.is_ancestor(commit, by)?;
            }
            if !redundant {
                best.push(commit);
            }
        }
        best.sort_unstable();
        Ok(best)
    }

    /// Commits reachable from `tip` and from none of `hidden`, parents before children:
    /// `git rev-list --topo-order --reverse tip --not hidden…`.
    pub fn commits_between(
        &self,
        tip: CommitId,
        hidden: &[CommitId],
    ) -> Result<Vec<CommitId>, Error> {
        let mut walk = Walk::new(self)?;
        let marks = walk.paint(tip, hidden, true)?;
        let wanted = |commit: &CommitId| marks.get(commit) == Some(&ONE);
        let mut children: HashMap<CommitId, usize> = HashMap::new();
        for (commit, _) in marks.iter().filter(|(commit, _)| wanted(commit)) {
            for parent in walk.node(*commit)?.parents.iter() {
                *children.entry(*parent).or_default() += 1;
            }
        }
        let mut ready: Vec<_> = Some(tip).filter(wanted).into_iter().collect();
        let mut out = Vec::new();
        while let Some(commit) = ready.pop() {
            out.push(commit);
            for parent in walk.node(commit)?.parents.iter() {
                let left = children.entry(*parent).or_default();
                *left = left.saturating_sub(1);
                if *left == 0 && wanted(parent) {
                    ready.push(*parent);
                }
            }
        }
        out.reverse();
        Ok(out)
    }

    /// A commit's tree.
    pub fn tree_of(&self, commit: CommitId) -> Result<TreeId, Error> {
        Ok(self.read_commit(commit)?.tree)
    }
}

/// What a walk needs to know of a commit.
#[derive(Clone)]
struct Node {
    seconds: i64,
    /// Each once, in order.
    parents: Rc<[CommitId]>,
}

/// Commits read for one question, each once.
struct Walk<'r> {
    repo: &'r Repository,
    shallow: HashSet<CommitId>,
    nodes: HashMap<CommitId, Node>,
}

impl<'r> Walk<'r> {
    fn new(repo: &'r Repository) -> Result<Self, Error> {
        let shallow = repo
            .inner
            .shallow_commits()
            .map_err(|error| Error::gix("read the edge of the shallow clone", &error))?;
        let shallow = shallow
            .iter()
            .flat_map(|commits| commits.iter())
            .map(|id| CommitId(from_gix(id)))
            .collect();
        Ok(Self {
            repo,
            shallow,
            nodes: HashMap::new(),
        })
    }

    fn node(&mut self, commit: CommitId) -> Result<Node, Error> {
        if let Some(node) = self.nodes.get(&commit) {
            return Ok(node.clone());
        }
        let bad = || Error::BadObject {
            oid: commit.0,
            wanted: "commit",
        };
        let bytes = match self.repo.find_object_data(commit.0)? {
            None => return Err(Error::Missing { oid: commit.0 }),
            Some((Kind::Commit, bytes)) => bytes,
            Some(_) => return Err(bad()),
        };
        let read = parse(&bytes, self.repo.object_format()).ok_or_else(bad)?;
        let mut parents: Vec<CommitId> = Vec::new();
        if !self.shallow.contains(&commit) {
            for parent in read.parents {
                if !parents.contains(&parent) {
                    parents.push(parent);
                }
            }
        }
        let node = Node {
            seconds: read.seconds,
            parents: parents.into(),
        };
        self.nodes.insert(commit, node.clone());
        Ok(node)
    }

    /// A commit that can be reached from itself only through a common one would be its
    /// own ancestor, so painting never marks an ancestor stale before it is found.
    fn is_ancestor(&mut self, ancestor: CommitId, commit: CommitId) -> Result<bool, Error> {
        let marks = self.paint(ancestor, &[commit], false)?;
        Ok(marks
            .get(&ancestor)
            .is_some_and(|mark| mark & OTHER == OTHER))
    }

    /// Marks the history below `one` and below `others`, youngest first, until only
    /// commits below common ones are left. All best common ancestors are then marked
    /// `ONE | OTHER`, perhaps with some that are not best.
    ///
    /// With `exhaust` the walk goes on below the common ones until no commit marked `ONE`
    /// alone can turn out to be common.
    fn paint(
        &mut self,
        one: CommitId,
        others: &[CommitId],
        exhaust: bool,
    ) -> Result<HashMap<CommitId, u8>, Error> {
        let mut marks: HashMap<CommitId, u8> = HashMap::new();
        let mut queue = Queue::default();
        for (commit, mark) in others
            .iter()
            .map(|other| (*other, OTHER))
            .chain([(one, ONE)])
        {
            let seconds = self.node(commit)?.seconds;
            let known = marks.entry(commit).or_default();
            *known |= mark;
            queue.push(commit, seconds, *known);
        }
        // The oldest commit so far that only `one` reaches, for `exhaust`.
        let mut oldest: Option<i64> = None;
        while let Some(youngest) = queue.youngest() {
            let may_change = exhaust
                && oldest.is_some_and(|oldest| youngest.saturating_add(DATE_SLACK) >= oldest);
            if queue.fresh == 0 && !may_change {
                break;
            }
            let Some(commit) = queue.pop(&marks) else {
                break;
            };
            let node = self.node(commit)?;
            let mut mark = marks.get(&commit).copied().unwrap_or_default();
            if mark == ONE {
                oldest = Some(oldest.map_or(node.seconds, |oldest| oldest.min(node.seconds)));
            }
            if mark & (ONE | OTHER) == ONE | OTHER {
                mark |= STALE;
            }
            for parent in node.parents.iter() {
                let seconds = self.node(*parent)?.seconds;
                let known = marks.entry(*parent).or_default();
                if *known & mark != mark {
                    let before = *known;
                    *known |= mark;
                    queue.push_again(*parent, seconds, before, *known);
                }
            }
        }
        Ok(marks)
    }
}

/// Commits to look at, youngest first, each waiting at most once.
#[derive(Default)]
struct Queue {
    heap: BinaryHeap<(i64, CommitId)>,
    waiting: HashSet<CommitId>,
    /// How many of them are not stale.
    fresh: usize,
}

impl Queue {
    fn push(&mut self, commit: CommitId, seconds: i64, mark: u8) {
        if self.waiting.insert(commit) {
            self.heap.push((seconds, commit));
            self.fresh += usize::from(mark & STALE == 0);
        }
    }

    /// Its marks changed: it waits again, or turns stale while it waits.
    fn push_again(&mut self, commit: CommitId, seconds: i64, before: u8, mark: u8) {
        if self.waiting.contains(&commit) {
            let turned = before & STALE == 0 && mark & STALE != 0;
            self.fresh -= usize::from(turned);
        } else {
            self.push(commit, seconds, mark);
        }
    }

    fn youngest(&self) -> Option<i64> {
        self.heap.peek().map(|(seconds, _)| *seconds)
    }

    fn pop(&mut self, marks: &HashMap<CommitId, u8>) -> Option<CommitId> {
        let (_, commit) = self.heap.pop()?;
        self.waiting.remove(&commit);
        let stale = marks.get(&commit).is_some_and(|mark| mark & STALE != 0);
        self.fresh -= usize::from(!stale);
        Some(commit)
    }
}
