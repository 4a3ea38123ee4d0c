//! The closure of `prev`, compared with a plain walk.

use crate::support::story::{Story, contract, event, verb};
use git_rapid::domain::{
    digest::Digest,
    record::{Place, Record},
    run::History,
    vocabulary::Mode,
};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

fn note(story: &mut Story, prev: &[Digest], number: usize) -> Digest {
    let mut noted = event("run", "prepared", "active");
    noted.reason = Some(number.to_string());
    story.add_after(prev, verb(), noted)
}

fn sorted(records: &[Record]) -> Vec<Record> {
    let mut records = records.to_vec();
    records.sort_by_key(|record| (record.seq(), record.digest));
    records
}

/// Every record reachable through `prev`.
fn walk(records: &[Record], from: Digest) -> HashSet<Digest> {
    let by_digest: HashMap<_, _> = records
        .iter()
        .map(|record| (record.digest, record))
        .collect();
    let mut seen = HashSet::new();
    let mut open = vec![from];
    while let Some(digest) = open.pop() {
        if let Some(record) = by_digest.get(&digest)
            && seen.insert(digest)
        {
            open.extend(record.prev());
        }
    }
    seen
}

#[test]
fn a_linear_story_is_one_chain() {
    let mut story = Story::new(contract(Mode::Direct));
    let mut last = story.stream;
    for number in 0..50 {
        last = note(&mut story, &[last], number);
    }
    let history = History::of(&story.records);
    assert!(history.is_linear());
    assert_eq!(history.heads(), [last]);
    assert!(history.had_seen(&last, &story.stream));
    assert!(history.had_seen(&last, &last));
    assert!(!history.had_seen(&story.stream, &last));
}

#[test]
fn two_clones_do_not_see_each_other_until_they_merge() {
    let mut story = Story::new(contract(Mode::Direct));
    let first = story.stream;
    let here = note(&mut story, &[first], 1);
    let there = note(&mut story, &[first], 2);
    let history = History::of(&sorted(&story.records));
    assert!(!history.is_linear());
    assert_eq!(history.heads().len(), 2);
    assert!(!history.had_seen(&here, &there));
    assert!(!history.had_seen(&there, &here));
    let both = note(&mut story, &[here, there], 3);
    let history = History::of(&sorted(&story.records));
    assert_eq!(history.heads(), [both]);
    assert!(history.had_seen(&both, &here) && history.had_seen(&both, &there));
}

#[test]
fn records_that_are_not_there_are_not_seen() {
    let mut story = Story::new(contract(Mode::Direct));
    let unknown = Digest::of(b"nowhere");
    let first = story.stream;
    let odd = Record::new(
        Place::Next {
            stream: first,
            seq: 7,
            prev: vec![unknown],
        },
        verb(),
        event("run", "prepared", "active"),
    );
    let digest = odd.digest;
    story.records.push(odd);
    let history = History::of(&story.records);
    assert!(!history.is_linear());
    assert!(!history.had_seen(&digest, &unknown));
    assert!(!history.had_seen(&unknown, &digest));
    assert!(!history.had_seen(&digest, &first));
    assert!(history.had_seen(&digest, &digest));
    assert_eq!(History::of(&[]).heads(), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the shape, the answer is that of a walk.
    #[test]
    fn the_closure_is_what_a_walk_finds(
        shape in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 1..3), 1..40)
    ) {
        let mut story = Story::new(contract(Mode::Direct));
        let mut all = vec![story.stream];
        for (number, parents) in shape.iter().enumerate() {
            let mut prev: Vec<Digest> = parents.iter().map(|index| *index.get(&all)).collect();
            prev.sort_unstable();
            prev.dedup();
            all.push(note(&mut story, &prev, number));
        }
        let records = sorted(&story.records);
        let history = History::of(&records);
        let mut named = HashSet::new();
        for record in &records {
            named.extend(record.prev().to_vec());
            let closure = walk(&records, record.digest);
            for other in &all {
                prop_assert_eq!(history.had_seen(&record.digest, other), closure.contains(other));
            }
        }
        let mut heads: Vec<Digest> = all.iter().filter(|digest| !named.contains(*digest)).copied().collect();
        heads.sort_unstable();
        prop_assert_eq!(history.heads(), heads);
    }
}
