//! Which record had seen which: the closure of `prev`.
//!
//! The records are split into chains, each a path along `prev`. A record keeps its
//! place on its own chain and, for every other chain, how far up that chain it had
//! seen; records that follow one another without a merge share that list. So a linear
//! stream is one chain and a question is one comparison, and a stream that several
//! clones wrote costs as many entries as it has branches, never the square of its length.
//!
//! A `prev` that names a record which is not there, or one that does not come earlier
//! in the reading order, is taken as not seen: nothing here loops or panics.

use crate::domain::{digest::Digest, record::Record};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

/// The graph of a stream's records.
#[derive(Clone, Debug, Default)]
pub struct History {
    nodes: HashMap<Digest, Node>,
    heads: Vec<Digest>,
    branched: bool,
}

#[derive(Clone, Debug)]
struct Node {
    chain: usize,
    /// From 0 at the chain's beginning.
    place: usize,
    /// The highest place seen on each other chain.
    others: Arc<BTreeMap<usize, usize>>,
}

impl History {
    /// The graph of `records`, which come in reading order.
    pub fn of(records: &[Record]) -> Self {
        let mut history = Self::default();
        let mut ends: Vec<Digest> = Vec::new();
        let mut named: HashSet<Digest> = HashSet::new();
        let mut last: Option<Digest> = None;
        for record in records {
            if history.nodes.contains_key(&record.digest) {
                continue;
            }
            let follows_last = match last {
                None => record.prev().is_empty(),
                Some(last) => record.prev() == [last],
            };
            history.branched |= !follows_last;
            let node = history.node(record, &mut ends);
            history.nodes.insert(record.digest, node);
            named.extend(record.prev());
            last = Some(record.digest);
        }
        history.heads = history
            .nodes
            .keys()
            .filter(|digest| !named.contains(*digest))
            .copied()
            .collect();
        history.heads.sort_unstable();
        history
    }

    /// Places `record`: on the chain of the first of its `prev` that still ends one,
    /// else at the beginning of a new chain.
    fn node(&self, record: &Record, ends: &mut Vec<Digest>) -> Node {
        let seen: Vec<&Node> = record
            .prev()
            .iter()
            .filter_map(|digest| self.nodes.get(digest))
            .collect();
        let extended = record.prev().iter().find_map(|digest| {
            let node = self.nodes.get(digest)?;
            (ends[node.chain] == *digest).then_some(node)
        });
        let (chain, place) = match extended {
            Some(node) => {
                ends[node.chain] = record.digest;
                (node.chain, node.place + 1)
            }
            None => {
                ends.push(record.digest);
                (ends.len() - 1, 0)
            }
        };
        let others = match (extended, seen.as_slice()) {
            (Some(node), [_]) => Arc::clone(&node.others),
            _ => {
                let mut others = BTreeMap::new();
                for node in seen {
                    raise(&mut others, node.chain, node.place);
                    for (chain, place) in node.others.iter() {
                        raise(&mut others, *chain, *place);
                    }
                }
                others.remove(&chain);
                Arc::new(others)
            }
        };
        Node {
            chain,
            place,
            others,
        }
    }

    /// Whether `earlier` is in the closure of `later` (a record had seen itself).
    /// In a linear history this is a comparison of places, without a walk.
    pub fn had_seen(&self, later: &Digest, earlier: &Digest) -> bool {
        let (Some(later), Some(earlier)) = (self.nodes.get(later), self.nodes.get(earlier)) else {
            return false;
        };
        if later.chain == earlier.chain {
            return later.place >= earlier.place;
        }
        later
            .others
            .get(&earlier.chain)
            .is_some_and(|place| *place >= earlier.place)
    }

    /// Records that no other record names, sorted.
    pub fn heads(&self) -> Vec<Digest> {
        self.heads.clone()
    }

    /// Whether each record follows exactly the one before it.
    pub fn is_linear(&self) -> bool {
        !self.branched
    }
}

fn raise(others: &mut BTreeMap<usize, usize>, chain: usize, place: usize) {
    let seen = others.entry(chain).or_insert(place);
    *seen = (*seen).max(place);
}
