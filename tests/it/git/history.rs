use super::scratch::Scratch;
use git_rapid::{
    domain::oid::{CommitId, Oid},
    git::{Error, Repository},
};
use std::{collections::BTreeSet, fmt::Write as _};

/// A small generator of numbers, so that every run sees the same graphs.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }
}

/// A graph of `size` commits, each with up to three parents among the `reach` before it.
/// Dates wander by up to `skew` seconds.
fn graph(scratch: &Scratch, seed: u64, size: usize, reach: usize, skew: usize) -> Vec<CommitId> {
    let mut numbers = Numbers(seed * 7919 + 1);
    let mut stream = String::new();
    for index in 0..size {
        let time = 1_700_000_000 + index * 10 - numbers.below(skew + 1);
        let parents: Vec<usize> = (0..numbers.below(4))
            .filter(|_| index > 0)
            .map(|_| index - 1 - numbers.below(reach.min(index)))
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        writeln!(stream, "commit refs/heads/c{index}").unwrap();
        writeln!(stream, "mark :{}", index + 1).unwrap();
        writeln!(stream, "committer A <a@example.org> {time} +0000").unwrap();
        writeln!(stream, "data {}\n{index}", index.to_string().len()).unwrap();
        for (nth, parent) in parents.iter().enumerate() {
            let word = if nth == 0 { "from" } else { "merge" };
            writeln!(stream, "{word} :{}", parent + 1).unwrap();
        }
        writeln!(stream).unwrap();
    }
    scratch.git_with(&scratch.dir, &["fast-import", "--quiet"], stream.as_bytes());
    (0..size)
        .map(|index| CommitId(scratch.oid(&format!("refs/heads/c{index}"))))
        .collect()
}

fn ids(text: &str) -> Vec<CommitId> {
    text.lines()
        .map(|line| CommitId(Oid::from_hex(line).unwrap()))
        .collect()
}

/// Git's list; exits with 1 when there is none.
fn merge_bases(scratch: &Scratch, one: CommitId, other: CommitId) -> BTreeSet<CommitId> {
    let args = ["merge-base", "--all", &one.hex(), &other.hex()];
    let out = scratch.run_in(&scratch.dir, &args, b"");
    ids(&String::from_utf8(out.stdout).unwrap())
        .into_iter()
        .collect()
}

fn compare(scratch: &Scratch, repo: &Repository, commits: &[CommitId], numbers: &mut Numbers) {
    let mut any = || commits[numbers.below(commits.len())];
    for _ in 0..6 {
        let (one, other, third) = (any(), any(), any());
        let bases = repo.merge_bases(one, other).unwrap();
        let set: BTreeSet<_> = bases.iter().copied().collect();
        assert_eq!(set.len(), bases.len());
        assert_eq!(set, merge_bases(scratch, one, other), "{one} {other}");

        let args = ["merge-base", "--is-ancestor", &one.hex(), &other.hex()];
        let ancestor = scratch.run_in(&scratch.dir, &args, b"").status.success();
        assert_eq!(repo.is_ancestor(one, other).unwrap(), ancestor);

        let listed = scratch.git(&[
            "rev-list",
            "--topo-order",
            "--reverse",
            &one.hex(),
            "--not",
            &other.hex(),
            &third.hex(),
        ]);
        let between = repo.commits_between(one, &[other, third]).unwrap();
        assert_eq!(between, ids(&listed), "{one} ^{other} ^{third}");
    }
}

#[test]
fn random_graphs_as_git_sees_them() {
    for seed in 1..=20 {
        let scratch = Scratch::new();
        let skew = if seed % 2 == 0 { 200 } else { 0 };
        let commits = graph(&scratch, seed, 60, 8, skew);
        compare(
            &scratch,
            &scratch.open(),
            &commits,
            &mut Numbers(seed + 1000),
        );
    }
}

#[test]
fn criss_cross_has_two_bases() {
    let scratch = Scratch::with(&["--object-format=sha256"]);
    let tree = scratch.git_with(&scratch.dir, &["mktree"], b"");
    let commit = |message: &str, parents: &[&str]| {
        let mut args = vec!["commit-tree", &tree, "-m", message];
        for parent in parents {
            args.extend(["-p", parent]);
        }
        scratch.git(&args)
    };
    let root = commit("root", &[]);
    let (a, b) = (commit("a", &[&root]), commit("b", &[&root]));
    let (x, y) = (commit("x", &[&a, &b]), commit("y", &[&b, &a]));
    let id = |hex: &str| CommitId(Oid::from_hex(hex).unwrap());
    let repo = scratch.open();
    let bases: BTreeSet<_> = repo
        .merge_bases(id(&x), id(&y))
        .unwrap()
        .into_iter()
        .collect();
    assert_eq!(bases, BTreeSet::from([id(&a), id(&b)]));
    let alone = commit("alone", &[]);
    assert_eq!(repo.merge_bases(id(&x), id(&alone)).unwrap(), []);
    assert_eq!(repo.merge_bases(id(&x), id(&x)).unwrap(), [id(&x)]);
    assert!(repo.is_ancestor(id(&x), id(&x)).unwrap());
    assert!(!repo.is_ancestor(id(&x), id(&a)).unwrap());
    assert_eq!(repo.commits_between(id(&x), &[id(&x)]).unwrap(), []);
    assert_eq!(
        repo.tree_of(id(&x)).unwrap(),
        repo.read_commit(id(&root)).unwrap().tree
    );
}

#[test]
fn the_edge_of_a_shallow_clone_is_a_root_and_a_missing_parent_is_not() {
    let scratch = Scratch::new();
    for index in 0..5 {
        scratch.commit("a", &index.to_string());
    }
    let url = format!("file://{}", scratch.dir.display());
    let clone = scratch.root.path().join("clone");
    let place = clone.to_str().unwrap();
    scratch.git(&["clone", "-q", "--depth=2", &url, place]);
    let repo = scratch.open_at(&clone);
    let (tip, parent) = (scratch.oid("HEAD"), scratch.oid("HEAD~1"));
    let (tip, parent) = (CommitId(tip), CommitId(parent));
    assert_eq!(repo.commits_between(tip, &[]).unwrap(), [parent, tip]);
    assert_eq!(repo.merge_bases(tip, parent).unwrap(), [parent]);

    std::fs::remove_file(clone.join(".git/shallow")).unwrap();
    let repo = scratch.open_at(&clone);
    let missing = scratch.oid("HEAD~2");
    for result in [
        repo.commits_between(tip, &[]).map(|_| ()),
        repo.merge_bases(tip, CommitId(missing)).map(|_| ()),
        repo.is_ancestor(CommitId(missing), tip).map(|_| ()),
    ] {
        assert!(
            matches!(result, Err(Error::Missing { oid }) if oid == missing),
            "{result:?}"
        );
    }
}

#[test]
fn a_long_line_is_walked_once() {
    let scratch = Scratch::new();
    let mut stream = String::new();
    for index in 0..10_000 {
        writeln!(stream, "commit refs/heads/long\nmark :{}", index + 1).unwrap();
        writeln!(stream, "committer A <a@example.org> {index} +0000\ndata 0").unwrap();
    }
    scratch.git_with(&scratch.dir, &["fast-import", "--quiet"], stream.as_bytes());
    let repo = scratch.open();
    let tip = CommitId(scratch.oid("long"));
    let root = CommitId(scratch.oid("long~9999"));
    assert!(repo.is_ancestor(root, tip).unwrap());
    assert!(!repo.is_ancestor(tip, root).unwrap());
    assert_eq!(repo.merge_bases(tip, root).unwrap(), [root]);
    assert_eq!(repo.commits_between(tip, &[root]).unwrap().len(), 9_999);
}
